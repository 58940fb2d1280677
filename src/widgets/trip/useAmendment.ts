import { useState } from 'react'
import type { DomainError } from '~/domain/api/errors'
import { CONTACT_DETAILS } from '~/domain/booking/tripDetails'
import { useBookingContacts } from '~/src/features/bookings/bookingContacts'
import { advanceBooking } from '~/src/features/bookings/bookings'
import { useAppDispatch } from '~/src/store/hooks'
import { noticeRaised } from '~/src/store/notices'
import { fromWallClock, toWallClock } from '~/src/ui/format/format'
import { useSingleRun } from '~/src/ui/useSingleRun'
import { useRevision } from './useRevision'
import { toTripDraft, useTripEdits } from './useTripEdits'
import type { Booking } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'

export interface AmendmentOptions {
  booking: Booking
  settings: Settings
  isPhoneHidden?: boolean
  /** The office's button that confirms a refused address. */
  addressConfirmation?: string | undefined
  onClose: () => void
}

/** Returns the booking as a form holds it, with those contacts that the person may see. */
const useBookedTrip = ({ booking, settings }: AmendmentOptions) => {
  const { pickup, drop, waypoints = [], deliveryPerson = '' } = booking
  return toTripDraft({
    ...useBookingContacts(booking, CONTACT_DETAILS),
    pickup,
    drop,
    waypoints,
    carType: booking.carTypeId,
    when: booking.bookLater ? toWallClock(booking.tripdate, settings.timezone) : '',
    deliveryPerson,
  })
}

/** Holds what is typed, and sends it; keeps the typed details when the server refuses them. */
export const useAmendment = (options: AmendmentOptions) => {
  const { booking, settings, isPhoneHidden, addressConfirmation, onClose } = options
  const dispatch = useAppDispatch()
  const [newPrice, setNewPrice] = useState<number | null>(null)
  /** True when the office may confirm the addresses that the server has refused. */
  const [isConfirmable, setIsConfirmable] = useState(false)
  const { revision, takeRefused } = useRevision(booking.revision)
  const { busy, run } = useSingleRun({ isLast: true })
  const edits = useTripEdits({
    trip: useBookedTrip(options),
    isPhoneHidden,
    onEdit: () => {
      setNewPrice(null)
      setIsConfirmable(false)
    },
  })
  const send = async () => {
    const { typedTime, editedFields } = edits
    const tripdate = typedTime ? fromWallClock(typedTime, settings.timezone) : null
    await dispatch(
      advanceBooking.quiet({
        booking_id: booking.id,
        event: 'amend',
        ...editedFields,
        ...(tripdate !== null && { tripdate }),
        estimateFare: newPrice ?? booking.trip_cost,
        ...(isConfirmable && { addressesConfirmed: true as const }),
        revision,
      }),
    ).unwrap()
    dispatch(noticeRaised({ tone: 'success', text: 'amend_done' }))
    onClose()
  }
  const save = async () => {
    edits.clearRefusal()
    if (!edits.check()) return edits.countRefusal()
    await run(send).catch((error: unknown) => {
      const refused = error as DomainError
      const { estimate } = refused.params ?? {}
      takeRefused(refused)
      if (refused.key === 'address_elsewhere' && addressConfirmation) setIsConfirmable(true)
      if (refused.key === 'estimate_changed' && typeof estimate === 'number') setNewPrice(estimate)
      else edits.refuse(refused)
    })
  }
  const mayConfirm = isConfirmable && edits.refused?.key === 'address_elsewhere'
  return { edits, newPrice, mayConfirm, isBusy: busy || edits.isLooking, save }
}
