import { useState } from 'react'
import type { DomainError } from '~/domain/api/errors'
import { isReferrerAsked } from '~/domain/accounts/referral'
import { updateProfile } from '~/src/features/auth/account'
import {
  clearReferralCode,
  loadReferralCode,
  normalizeReferralCode,
} from '~/src/features/referral/referralCode'
import { selectProfile } from '~/src/store/auth'
import { useAppDispatch, useAppSelector, useServices } from '~/src/store/hooks'
import { screenPaths } from '~/src/store/screenPaths'
import { navigate } from '~/src/ui/navigation/router'
import type { ReadyBooking } from '~/src/widgets/trip/bookingChecks'
import type { DraftedForm } from '~/src/widgets/trip/useBookingDraft'
import { useBookTrip } from '~/src/widgets/trip/useBookTrip'
import { useRepeatBooking } from '~/src/widgets/trip/useRepeatBooking'
import { showBooked } from '../bookings/showBooked'
import { getMissingFields, type ProfileField } from '../profileFields'
import type { Stage } from './bookingDraft'
import type { User } from '~/domain/accounts/types'

type Person = Partial<Record<ProfileField, string>>

export interface BookingStepsProps {
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
export const useMissingDetails = (person: Person) => {
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
export const useRiderRequests = (
  { form, onFinished }: BookingStepsProps,
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
  const submit = <Response>(
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
  const book = (choice: { wait?: true } = {}) =>
    submit(
      (ready) => bookTrip(ready, choice),
      (response, { quote }) => {
        const { booking_id: id, reference = id, estimate: owed = quote.estimateFare } = response
        if (response.status === 'PAYMENT_PENDING') setUnpaid({ id, reference, owed })
        else finish({ id, reference })
      },
    )
  return { series, unpaid, finish, repeat, book }
}
