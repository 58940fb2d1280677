import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DomainError } from '~/domain/api/errors'
import { isReferrerAsked } from '~/domain/accounts/referral'
import { updateProfile } from '~/src/features/auth/account'
import {
  normalizeReferralCode,
  clearReferralCode,
  loadReferralCode,
} from '~/src/features/referral/referralCode'
import { selectProfile, selectIsSessionKnown } from '~/src/store/auth'
import { useAppDispatch, useAppSelector, useServices } from '~/src/store/hooks'
import { screenPaths } from '~/src/store/screenPaths'
import { ConfirmDialog } from '~/src/ui/dialogs/Dialog'
import { lazyWithRetry } from '~/src/ui/loading/lazyWithRetry'
import { navigate } from '~/src/ui/navigation/router'
import type { ReadyBooking } from '~/src/widgets/trip/bookingChecks'
import type { DraftedForm } from '~/src/widgets/trip/useBookingDraft'
import { useBookTrip } from '~/src/widgets/trip/useBookTrip'
import { useRepeatBooking } from '~/src/widgets/trip/useRepeatBooking'
import { showBooked } from '../bookings/showBooked'
import { type ProfileField, getMissingFields } from '../profileFields'
import type { Stage } from './bookingDraft'
import { EstimateDialog } from './EstimateDialog'
import { ExtrasDialog } from './ExtrasDialog'
import type { User } from '~/domain/accounts/types'

/** @public BookingForm loads it on demand. */
export { UnsavedPlaces } from './UnsavedPlaces'

const PaymentDialog = lazyWithRetry(
  async () => (await import('../bookings/PaymentDialog')).PaymentDialog,
)

type Person = Partial<Record<ProfileField, string>>

interface Props {
  form: DraftedForm
  stage: Stage
  onStage: (stage: Stage) => void
  /** Values that the person typed for missing fields of their profile. */
  person: Person
  onPerson: (changes: Person) => void
  /** Called when the booking is created and paid or postponed, so that the form can be reset. */
  onFinished: () => void
}

/** Holds who invited the person, and saves what their profile lacks before they book. */
const useMissingDetails = (person: Person) => {
  const dispatch = useAppDispatch()
  const [invitedBy] = useState(loadReferralCode)
  const [opened] = useState(() => Date.now())
  const [referralId, setReferralId] = useState(invitedBy)
  const hasReferralField = (owner: User) => {
    if (getMissingFields(owner).length > 0) return !owner.signupViaReferral
    return invitedBy !== '' && isReferrerAsked(owner, opened)
  }
  const save = async (owner: User) => {
    if (!hasReferralField(owner) && getMissingFields(owner).length === 0) return
    const code = hasReferralField(owner) ? normalizeReferralCode(referralId) : ''
    const missing = Object.fromEntries(
      getMissingFields(owner).map((field) => [field, person[field]?.trim()]),
    )
    const changes = { ...missing, ...(code && { referralId: code }) }
    const isOptional = Object.keys(missing).length === 0
    try {
      if (code || !isOptional)
        await dispatch(updateProfile.quiet({ uid: owner.id, changes })).unwrap()
    } catch (error) {
      // A complete profile can book without the code: its owner may have booked before.
      if (!isOptional || (error as DomainError).field !== 'referralId') throw error
    }
    clearReferralCode()
  }
  return { referralId, setReferralId, hasReferralField, save }
}

interface UnpaidBooking {
  id: string
  reference: string
  owed: number
}

/** Books, or opens the dialog of a recurring booking; holds what has come of it. */
const useRiderRequests = (
  { form, onFinished }: Props,
  saveMissingDetails: (owner: User) => Promise<void>,
) => {
  const { database } = useServices()
  const dispatch = useAppDispatch()
  const profile = useAppSelector(selectProfile)
  const bookTrip = useBookTrip(form)
  const series = useRepeatBooking({ form, asksPayment: form.isDelivery, onSaved: onFinished })
  const [unpaid, setUnpaid] = useState<UnpaidBooking | null>(null)
  const finish = (booking: Pick<UnpaidBooking, 'id' | 'reference'>) => {
    setUnpaid(null)
    onFinished()
    dispatch(showBooked(booking))
  }
  /** Checks the booking, asks a visitor to sign in, and saves what their profile lacked. */
  const submit = <Response,>(
    request: (ready: ReadyBooking) => Promise<Response>,
    onResponse: (response: Response, ready: ReadyBooking) => void,
  ) =>
    form.submit('booking', async (ready) => {
      if (!profile)
        return navigate(screenPaths.login, { state: { from: screenPaths.home, forBooking: true } })
      const response = await form.send(async () => {
        await saveMissingDetails(profile)
        return request(ready)
      })
      if (response !== null) onResponse(response, ready)
    })
  const repeat = () => submit(() => database.newKey(), series.open)
  const book = () => {
    PaymentDialog.preload()
    submit(bookTrip, (response, { quote }) => {
      const { booking_id: id, reference = id, estimate: owed = quote.estimateFare } = response
      if (response.status === 'PAYMENT_PENDING') setUnpaid({ id, reference, owed })
      else finish({ id, reference })
    })
  }
  return { series, unpaid, finish, repeat, book }
}

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
export const BookingSteps = (props: Props) => {
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
          onBook={requests.book}
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
