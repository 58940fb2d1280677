import { useReducer } from 'react'
import {
  bookingPlacesReducer,
  NO_PLACES,
  placesRestored,
} from '~/src/features/bookingPlaces/bookingPlaces'
import { liveVehicleTypes } from '~/src/features/vehicleTypes/vehicleTypes'
import { useLive } from '~/src/store/live/liveSlice'
import { findChoice } from '~/src/widgets/trip/findChoice'
import { toDetailTexts, TRIP_DETAILS } from '~/domain/booking/tripDetails'
import { useBookingDraft } from '~/src/widgets/trip/useBookingDraft'
import { useOfficeSession } from '../useOfficeSession'
import { useCaller } from './useCaller'
import type { CallerTrip } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'

/** Holds the caller, the places and the rest of the booking. */
export const useOfficeForm = (settings: Settings, calling: string | null) => {
  const { cars } = useLive(liveVehicleTypes)
  const { profile } = useOfficeSession()
  const caller = useCaller(calling)
  const [trip, changePlaces] = useReducer(bookingPlacesReducer, NO_PLACES)
  const form = useBookingDraft({
    settings,
    cars,
    places: trip,
    changePlaces,
    actor: { uid: profile?.id ?? '', role: 'admin' },
    customer: caller.customer,
    otherProblems: caller.problems,
  })
  const repeatTrip = (repeated: CallerTrip) => {
    const type = cars.find(({ id }) => id === repeated.carTypeId)
    const { pickup, drop, waypoints = [] } = repeated
    changePlaces(
      placesRestored({ pickup, drop, waypoints, carType: type?.id ?? null, selected: 'pickup' }),
    )
    form.change({
      parcelTypeIndex: findChoice(type?.parcelTypes, repeated.parcelType),
      optionIndex: findChoice(type?.options, repeated.option),
      ...toDetailTexts(repeated),
    })
  }
  const isTouched =
    caller.isTouched ||
    [trip.pickup, trip.drop, ...trip.waypoints, trip.carType].some(Boolean) ||
    TRIP_DETAILS.some((field) => form.draft[field])
  return { caller, trip, changePlaces, form, repeatTrip, isTouched }
}
