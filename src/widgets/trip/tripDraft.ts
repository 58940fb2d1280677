import { toDetailTexts, type TripDetail } from '~/domain/booking/tripDetails'
import type { BookingPlaces } from '~/src/features/bookingPlaces/bookingPlaces'
import type { PaymentMode } from '~/domain/booking/types'
import type { Place } from '~/domain/geo/types'

/** The recipient of a parcel and the notes for the driver, as they are typed. */
export type RecipientDraft = Record<TripDetail, string>

/**
 * A trip as a form holds it: its places, vehicle type, time, parcel choices, recipient and notes.
 */
export interface TripDraft extends BookingPlaces, RecipientDraft {
  later: boolean
  /** Local time of the city as yyyy-mm-ddThh:mm; empty while missing. */
  when: string
  parcelTypeIndex: number
  optionIndex: number
}

/** A new booking without its places and vehicle type, which the rider's form keeps in the store. */
export interface BookingDraft extends Omit<TripDraft, keyof BookingPlaces> {
  /** Created once per booking, so that a repeated request creates no second booking. */
  bookingId: string | null
  /** The method of the booking that is booked again. */
  paymentMode?: PaymentMode | undefined
}
export const EMPTY_DRAFT: BookingDraft = {
  later: false,
  when: '',
  parcelTypeIndex: 0,
  optionIndex: 0,
  ...toDetailTexts({}),
  bookingId: null,
}

export interface ChosenPlaces {
  pickup: Place
  drop: Place
  waypoints: Place[]
}

/** Returns the places of a form, or null while one is missing. */
export const getChosenPlaces = ({
  pickup,
  drop,
  waypoints,
}: BookingPlaces): ChosenPlaces | null => {
  const chosenWaypoints = waypoints.filter((place) => place !== null)
  return pickup?.add && drop?.add && chosenWaypoints.length === waypoints.length
    ? { pickup, drop, waypoints: chosenWaypoints }
    : null
}
