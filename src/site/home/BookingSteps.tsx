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
import { saveRecurring } from '~/src/features/recurring/recurring'
import type { WeeklyChoice } from '~/src/features/recurring/RepeatDialog'
import { selectProfile, selectIsSessionKnown } from '~/src/store/auth'
import { useAppDispatch, useAppSelector, useServices } from '~/src/store/hooks'
import { screenPaths } from '~/src/store/screenPaths'
import { ConfirmDialog } from '~/src/ui/Dialog'
import { lazyWithRetry } from '~/src/ui/lazyWithRetry'
import { navigate } from '~/src/ui/router'
import type { DraftedForm, ReadyBooking } from '~/src/widgets/useBookingDraft'
import { useBookTrip } from '~/src/widgets/useBookTrip'
import { BookingSuccessDialog } from '../bookings/BookingSuccessDialog'
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

const RepeatDialog = lazyWithRetry(
  async () => (await import('~/src/features/recurring/RepeatDialog')).RepeatDialog,
)
const RepeatSavedDialog = lazyWithRetry(
  async () => (await import('~/src/features/recurring/RepeatSavedDialog')).RepeatSavedDialog,
)

/**
 * Renders the steps after the button: extras, estimate, login, payment and confirmation.
 *
 * @public BookingForm loads it on demand.
 */
export const BookingSteps = ({
  form,
  stage,
  onStage,
  person,
  onPerson,
  onFinished,
}: {
  form: DraftedForm
  stage: Stage
  onStage: (stage: Stage) => void
  /** Values that the person typed for missing fields of their profile. */
  person: Partial<Record<ProfileField, string>>
  onPerson: (changes: Partial<Record<ProfileField, string>>) => void
  /** Called when the booking is created and paid or postponed, so that the form can be reset. */
  onFinished: () => void
}) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const services = useServices()
  const profile = useAppSelector(selectProfile)
  const isSessionKnown = useAppSelector(selectIsSessionKnown)
  const bookTrip = useBookTrip(form)
  const [invitedBy] = useState(loadReferralCode)
  const [opened] = useState(() => Date.now())
  const [referralId, setReferralId] = useState(invitedBy)
  const [unpaid, setUnpaid] = useState<{ id: string; reference: string; owed: number } | null>(null)
  /** The id of the recurring booking whose dialog is open. */
  const [series, setSeries] = useState<{ id: string; ready: ReadyBooking } | null>(null)
  const [isSeriesSaved, setIsSeriesSaved] = useState(false)
  /** The reference of the created booking. */
  const [booked, setBooked] = useState<string | null>(null)

  const finish = (reference: string) => {
    setUnpaid(null)
    setBooked(reference)
    onFinished()
  }
  const hasReferralField = (owner: User) => {
    if (getMissingFields(owner).length > 0) return !owner.signupViaReferral
    return invitedBy !== '' && isReferrerAsked(owner, opened)
  }
  const saveMissingDetails = async (owner: User) => {
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
  /** Checks the booking, asks a visitor to sign in, and saves what their profile lacked. */
  const submit = <Answer,>(
    request: (ready: ReadyBooking) => Promise<Answer>,
    onAnswer: (answer: Answer, ready: ReadyBooking) => void,
  ) =>
    form.submit('booking', async (ready) => {
      if (!profile)
        return navigate(screenPaths.login, { state: { from: screenPaths.home, forBooking: true } })
      const answer = await form.send(async () => {
        await saveMissingDetails(profile)
        return request(ready)
      })
      if (answer !== null) onAnswer(answer, ready)
    })
  const repeat = () =>
    submit(
      () => services.database.newKey(),
      (id, ready) => setSeries({ id, ready }),
    )
  const saveSeries = async (choice: WeeklyChoice) => {
    if (!series) return
    const { id, ready } = series
    await dispatch(saveRecurring.quiet({ series_id: id, ...ready.trip, ...choice })).unwrap()
    setSeries(null)
    setIsSeriesSaved(true)
    onFinished()
  }
  const book = () => {
    PaymentDialog.preload()
    submit(
      (ready) => bookTrip(ready),
      (answer, { quote }) => {
        const { booking_id: id, reference = id, estimate: owed = quote.estimateFare } = answer
        if (answer.status === 'PAYMENT_PENDING') setUnpaid({ id, reference, owed })
        else finish(reference)
      },
    )
  }

  const isPhoneMissing = form.problems.mobile !== undefined
  const isElsewhere = series !== null || isSeriesSaved
  const open = booked || unpaid || isPhoneMissing || isElsewhere ? null : stage
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
          profile={profile}
          person={person}
          onPerson={onPerson}
          hasReferralField={profile !== null && hasReferralField(profile)}
          referralId={referralId}
          onReferralId={(code) => {
            form.clearRefusal()
            setReferralId(code)
          }}
          onBook={book}
          onRepeat={repeat}
          onClose={() => {
            form.clearProblems()
            onStage('form')
          }}
        />
      )}
      <Suspense fallback={null}>
        {series && (
          <RepeatDialog
            when={form.draft.when}
            price={(form.quote ?? series.ready.quote).estimateFare}
            asksPayment={form.isDelivery}
            onSave={saveSeries}
            onClose={() => setSeries(null)}
          />
        )}
        {isSeriesSaved && <RepeatSavedDialog onClose={() => setIsSeriesSaved(false)} />}
      </Suspense>
      {isPhoneMissing && (
        <ConfirmDialog
          title={t('mobile')}
          confirm={t('profile_title')}
          onClose={form.clearProblems}
          onConfirm={() => {
            navigate(screenPaths.profile)
            return Promise.resolve()
          }}
        >
          <p>{t('phone_no_update')}</p>
        </ConfirmDialog>
      )}
      {unpaid && (
        <Suspense fallback={null}>
          <PaymentDialog
            bookingId={unpaid.id}
            owed={unpaid.owed}
            preferred={form.draft.paymentMode}
            intro={`${t('payment_intro', { id: unpaid.reference })} ${t('payment_30_minutes')}`}
            onPaid={() => finish(unpaid.reference)}
            onClose={() => {
              onFinished()
              navigate(screenPaths.booking(unpaid.id))
            }}
          />
        </Suspense>
      )}
      {booked && <BookingSuccessDialog reference={booked} onClose={() => setBooked(null)} />}
    </>
  )
}
