import { toDetailTexts } from '~/domain/booking/tripDetails'
import type { CreateBookingInput } from '~/domain/api/inputs/bookings'
import type { SaveRecurringInput } from '~/domain/api/inputs/recurring'
import {
  type BookingContext,
  type BookingProblems,
  getBookingProblems,
  getTripProblems,
} from '~/domain/booking/bookingProblems'
import type { FareQuote } from '~/domain/money/fare'
import type { BookingPlaces } from '~/src/features/bookingPlaces/bookingPlaces'
import type { ChoiceOption, Settings, VehicleType } from '~/domain/catalog/types'
import { type BookingDraft, getChosenPlaces } from './tripDraft'
import type { Part } from './useFormProblems'

/** The state of a form when it is submitted. */
export interface FormState {
  settings: Settings | null
  /** The places and the vehicle type, which the rider's form keeps longer than its page. */
  places: BookingPlaces
  draft: BookingDraft
  /** The time (ms) of a booking for later. */
  tripdate: number | null
  hasRouteFailed: boolean
  car: VehicleType | null
  quote: FareQuote | null
  isDelivery: boolean
  parcelTypes: readonly ChoiceOption[]
  options: readonly ChoiceOption[]
  actor: BookingContext['actor']
  customer: BookingContext['customer']
  /** Problems of fields that only this form has. */
  otherProblems?: BookingProblems | undefined
}

/** Returns the problems of a part at a time (ms). */
export const findProblems = (part: Part, now: number, form: FormState): BookingProblems => {
  const { draft, tripdate, places, actor, customer, settings } = form
  const booking = { ...places, ...draft, bookLater: draft.later, tripdate: tripdate ?? undefined }
  const trip = { carType: form.car, hasRoute: !form.hasRouteFailed, isDriverNearby: true }
  if (part === 'trip') return getTripProblems(booking, trip, now)
  const context = {
    ...trip,
    actor,
    customer,
    settings: { ...settings, appcat: settings?.appcat ?? 'taxi' },
  }
  return { ...form.otherProblems, ...getBookingProblems(booking, context, now) }
}

/** A booking without problems. */
export interface ReadyBooking {
  car: VehicleType
  quote: FareQuote
  /** True when the vehicle type has parcel types or options to choose from. */
  hasExtras: boolean
  time: Pick<CreateBookingInput, 'bookLater' | 'tripdate'>
  /** The fields that a booking and a recurring booking share. */
  trip: Omit<SaveRecurringInput, 'series_id' | 'days' | 'time' | 'from'>
}

/** Returns the booking of a form, or null while its places or its price are missing. */
export const toReadyBooking = (form: FormState): ReadyBooking | null => {
  const { draft, tripdate, car, quote, parcelTypes, options } = form
  const places = getChosenPlaces(form.places)
  if (!places || !car || !quote) return null
  return {
    car,
    quote,
    hasExtras: parcelTypes.length > 0 || options.length > 0,
    time: { bookLater: draft.later, ...(tripdate !== null && { tripdate }) },
    trip: {
      ...places,
      carType: car.id,
      ...(parcelTypes.length > 0 && { parcelTypeIndex: draft.parcelTypeIndex }),
      ...(options.length > 0 && { optionIndex: draft.optionIndex }),
      ...(form.isDelivery && toDetailTexts(draft)),
    },
  }
}
