import { type PayloadAction, createSlice } from '@reduxjs/toolkit'
import { personalDataCleared } from '~/src/store/auth'
import { rootReducer } from '~/src/store/reducer'
import type { Place } from '~/domain/geo/types'

type EndKind = 'pickup' | 'drop'
export interface BookingPlaces {
  pickup: Place | null
  drop: Place | null
  waypoints: (Place | null)[]
  /**
   * One id per place, from the pickup to the drop-off. It moves with its place, so that a late
   * lookup result still finds that place.
   */
  slots: number[]
  /** The id of the chosen vehicle type. */
  carType: string | null
  selected: EndKind
}
/** Saved booking places; `slots` are assigned again on restore. */
export type SavedBookingPlaces = Omit<BookingPlaces, 'slots'>

/** The places of an empty form. */
export const NO_PLACES: BookingPlaces = {
  pickup: null,
  drop: null,
  waypoints: [],
  slots: [0, 1],
  carType: null,
  selected: 'pickup',
}

/**
 * Returns the places in the order of the trip. Each has its slot, its kind, the name of its
 * field, the index of a stop, and the place near which it is searched.
 */
export const listPlaces = ({ pickup, drop, waypoints, slots }: BookingPlaces) =>
  slots.map((slot, at) => {
    const kind: 'pickup' | 'stop' | 'drop' =
      at === 0 ? 'pickup' : at > waypoints.length ? 'drop' : 'stop'
    return {
      slot,
      kind,
      field: kind === 'stop' ? `stop${at - 1}` : kind,
      stop: kind === 'stop' ? at - 1 : null,
      place: [pickup, ...waypoints, drop][at] ?? null,
      near: at === 0 ? drop : pickup,
    }
  })

declare module '~/src/store/reducer' {
  interface LazySlices {
    tripdata: BookingPlaces
  }
}
const getNextSlot = ({ slots }: BookingPlaces) => Math.max(...slots) + 1

const slice = createSlice({
  name: 'tripdata',
  initialState: NO_PLACES,
  reducers: {
    placeChosen: (state, { payload }: PayloadAction<{ kind: EndKind; place: Place | null }>) => {
      state[payload.kind] = payload.place
    },
    /** Sets the place of a slot; ignores a slot that has been removed. */
    placeFound: (state, { payload }: PayloadAction<{ slot: number; place: Place | null }>) => {
      const at = state.slots.indexOf(payload.slot)
      if (at === 0) state.pickup = payload.place
      else if (at === state.slots.length - 1) state.drop = payload.place
      else if (at > 0) state.waypoints[at - 1] = payload.place
    },
    waypointAdded: (state) => {
      state.slots.splice(-1, 0, getNextSlot(state))
      state.waypoints.push(null)
    },
    waypointRemoved: (state, { payload }: PayloadAction<number>) => {
      state.slots.splice(payload + 1, 1)
      state.waypoints.splice(payload, 1)
    },
    waypointMoved: (state, { payload }: PayloadAction<{ from: number; to: number }>) => {
      const [moved = null] = state.waypoints.splice(payload.from, 1)
      state.waypoints.splice(payload.to, 0, moved)
      state.slots.splice(payload.to + 1, 0, ...state.slots.splice(payload.from + 1, 1))
    },
    endsSwapped: (state) => ({
      ...state,
      pickup: state.drop,
      drop: state.pickup,
      waypoints: [...state.waypoints].reverse(),
      slots: [...state.slots].reverse(),
    }),
    carTypeChosen: (state, { payload }: PayloadAction<string | null>) => {
      state.carType = payload
    },
    pointSelected: (state, { payload }: PayloadAction<EndKind>) => {
      state.selected = payload
    },
    tripRestored: (_, { payload }: PayloadAction<SavedBookingPlaces>) => ({
      ...payload,
      slots: Array.from({ length: payload.waypoints.length + 2 }, (_slot, at) => at),
    }),
    /**
     * Clears the places but keeps the pickup; the drop-off becomes the pickup with an empty
     * address.
     */
    tripPointsCleared: (state) => ({
      ...NO_PLACES,
      pickup: state.pickup,
      drop: state.pickup && { ...state.pickup, add: '' },
      slots: [getNextSlot(state), getNextSlot(state) + 1],
    }),
  },
  extraReducers: (builder) => {
    builder.addCase(personalDataCleared, (state) => ({
      ...NO_PLACES,
      slots: [getNextSlot(state), getNextSlot(state) + 1],
    }))
  },
  selectors: { selectTripPoints: (state) => state },
})
export const {
  placeChosen,
  placeFound,
  waypointAdded,
  waypointMoved,
  waypointRemoved,
  endsSwapped,
  carTypeChosen: vehicleTypeChosen,
  tripRestored: placesRestored,
  tripPointsCleared: placesCleared,
} = slice.actions
/** Changes the places; the office's form has a state of its own. */
export const bookingPlacesReducer = slice.reducer
/** Selects an end of the booking. No form uses it yet. */
export const pointSelected = slice.actions.pointSelected
export const { selectTripPoints: selectBookingPlaces } = slice.injectInto(rootReducer).selectors
