import type { UnknownAction } from '@reduxjs/toolkit'
import { useState } from 'react'
import { type BookingProblems, getTripProblems } from '~/domain/booking/bookingProblems'
import { bookingPlacesReducer, NO_PLACES } from '~/src/features/bookingPlaces/bookingPlaces'
import { toDetailTexts, TRIP_DETAILS } from '~/domain/booking/tripDetails'
import { EMPTY_DRAFT, type RecipientDraft, type TripDraft } from './tripDraft'
import { useFormProblems } from './useFormProblems'
import { useLookups } from './useLookups'
import type { Place } from '~/domain/geo/types'

/** A trip that exists: a booking, or the trip of a recurring booking. */
interface ExistingTrip extends Partial<RecipientDraft> {
  pickup: Place
  drop: Place
  waypoints?: readonly Place[]
  carType: string
  when?: string
}

/** Returns a trip that exists as a form holds it. */
export const toTripDraft = ({
  pickup,
  drop,
  waypoints = [],
  carType,
  when = '',
  ...details
}: ExistingTrip): TripDraft => ({
  ...EMPTY_DRAFT,
  ...NO_PLACES,
  pickup,
  drop,
  waypoints: [...waypoints],
  // The ends keep their slots when a stop is added meanwhile.
  slots: [0, ...waypoints.map((_, index) => index + 2), 1],
  carType,
  when,
  ...toDetailTexts(details),
})

type Edits = Partial<TripDraft>

/** Returns the edits after an action on the places; those that it does not change stay out. */
const editPlaces = (trip: TripDraft, edits: Edits, action: UnknownAction): Edits => {
  const before = { ...trip, ...edits }
  const { pickup, drop, waypoints, slots } = bookingPlacesReducer(before, action)
  return {
    ...edits,
    ...(pickup !== before.pickup && { pickup }),
    ...(drop !== before.drop && { drop }),
    ...(waypoints !== before.waypoints && { waypoints, slots }),
  }
}

const isSame = (before: readonly (Place | null)[], after: readonly (Place | null)[]): boolean => {
  const [one, other] = [before, after].map((places) =>
    JSON.stringify(places.map((place) => place && [place.lat, place.lng, place.add])),
  )
  return one === other
}

/** Returns the fields of a request whose values differ from the trip. */
const getEditedFields = (trip: TripDraft, edits: Edits) => {
  const { pickup, drop, carType } = edits
  const waypoints = edits.waypoints?.filter((place) => place !== null)
  const recipient: Partial<RecipientDraft> = Object.fromEntries(
    TRIP_DETAILS.flatMap((field) => {
      const text = edits[field]
      return text === undefined || text === trip[field] ? [] : [[field, text]]
    }),
  )
  return {
    ...(pickup && !isSame([trip.pickup], [pickup]) && { pickup }),
    ...(drop && !isSame([trip.drop], [drop]) && { drop }),
    ...(waypoints && !isSame(trip.waypoints, waypoints) && { waypoints }),
    ...(carType && carType !== trip.carType && { carType }),
    ...recipient,
  }
}

/** Returns the problems of edited places. The trip itself has passed these checks. */
const findPlaceProblems = (draft: TripDraft, edits: Edits, now: number): BookingProblems =>
  'pickup' in edits || 'drop' in edits || 'waypoints' in edits
    ? getTripProblems(
        { ...draft, bookLater: false },
        { carType: {}, hasRoute: true, isDriverNearby: true },
        now,
      )
    : {}

/**
 * Holds what is edited in a trip that exists, and its problems. Fields without an edit follow the
 * trip, which other people may change meanwhile.
 */
export const useTripEdits = ({
  trip,
  isPhoneHidden = false,
  onEdit,
}: {
  trip: TripDraft
  /** True where phone numbers are hidden; a new one can be typed all the same. */
  isPhoneHidden?: boolean | undefined
  /** Called at each edit. */
  onEdit: () => void
}) => {
  const [edits, setEdits] = useState<Edits>({})
  const { lookups, trackLookup } = useLookups()
  const draft = { ...trip, ...(isPhoneHidden && { deliveryPersonPhone: '' }), ...edits }
  const { shownProblems, check, refuse, countRefusal } = useFormProblems((_part, now) =>
    findPlaceProblems(draft, edits, now),
  )
  const changeEdits = (toEdits: (before: Edits) => Edits) => {
    setEdits(toEdits)
    onEdit()
  }
  return {
    ...shownProblems,
    draft,
    /** The time as it was typed; undefined while it was not touched. */
    typedTime: edits.when,
    editedFields: getEditedFields(trip, edits),
    change: (changes: Edits) => changeEdits((before) => ({ ...before, ...changes })),
    changePlaces: (action: UnknownAction) =>
      changeEdits((before) => editPlaces(trip, before, action)),
    isLooking: lookups.length > 0,
    trackLookup,
    /** Returns true when the edited places have no problems; shows them otherwise. */
    check: () => check('trip'),
    refuse,
    countRefusal,
  }
}
export type TripEdits = ReturnType<typeof useTripEdits>
