import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { selectIsSessionKnown, selectProfile } from '~/src/store/auth'
import { useAppSelector } from '~/src/store/hooks'
import { screenPaths } from '~/src/store/screenPaths'
import { ConfirmDialog } from '~/src/ui/dialogs/Dialog'
import { lazyWithRetry } from '~/src/ui/loading/lazyWithRetry'
import { navigate } from '~/src/ui/navigation/router'
import { EstimateDialog } from './EstimateDialog'
import { ExtrasDialog } from './ExtrasDialog'
import { type BookingStepsProps, useMissingDetails, useRiderRequests } from './useRiderRequests'

/** @public BookingForm loads it on demand. */
export { UnsavedPlaces } from './UnsavedPlaces'

const PaymentDialog = lazyWithRetry(
  async () => (await import('../bookings/PaymentDialog')).PaymentDialog,
)

/** Sends a person without a phone number to their profile. */
const MissingPhoneDialog = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation()
  return (
    <ConfirmDialog
      title={t('mobile')}
      confirm={t('profile_title')}
      onClose={onClose}
      onConfirm={() => {
        navigate(screenPaths.profile)
        return Promise.resolve()
      }}
    >
      <p>{t('phone_no_update')}</p>
    </ConfirmDialog>
  )
}

/**
 * Renders what follows the button: extras, estimate, login and payment.
 *
 * @public BookingForm loads it on demand.
 */
export const BookingSteps = (props: BookingStepsProps) => {
  const { form, stage, onStage, person, onPerson, onFinished } = props
  const { t } = useTranslation()
  const profile = useAppSelector(selectProfile)
  const isSessionKnown = useAppSelector(selectIsSessionKnown)
  const details = useMissingDetails(person)
  const { series, unpaid, ...requests } = useRiderRequests(props, details.save)
  const isPhoneMissing = form.problems.mobile !== undefined
  const open = unpaid || isPhoneMissing || series.isOpen ? null : stage
  return (
    <>
      {open === 'extras' && (
        <ExtrasDialog
          form={form}
          onDone={() => onStage('estimate')}
          onClose={() => onStage('form')}
        />
      )}
      {open === 'estimate' && form.quote && form.route && isSessionKnown && (
        <EstimateDialog
          form={form}
          quote={form.quote}
          route={form.route}
          person={person}
          onPerson={onPerson}
          referral={profile && details.hasReferralField(profile) ? details : null}
          onBook={(choice) => {
            PaymentDialog.preload()
            requests.book(choice)
          }}
          onRepeat={requests.repeat}
          onClose={() => {
            form.clearProblems()
            onStage('form')
          }}
        />
      )}
      {series.dialogs}
      {isPhoneMissing && <MissingPhoneDialog onClose={form.clearProblems} />}
      {unpaid && (
        <Suspense fallback={null}>
          <PaymentDialog
            bookingId={unpaid.id}
            owed={unpaid.owed}
            preferred={form.draft.paymentMode}
            intro={`${t('payment_intro', { id: unpaid.reference })} ${t('payment_30_minutes')}`}
            onPaid={() => requests.finish(unpaid)}
            onClose={() => {
              onFinished()
              navigate(screenPaths.booking(unpaid.id))
            }}
          />
        </Suspense>
      )}
    </>
  )
}
