import { type PayloadAction, createSlice } from '@reduxjs/toolkit'
import type { Place } from '~/domain/entities'
import { rootReducer } from '~/src/store/reducer'

export type PointKind = 'pickup' | 'drop'
export interface TripPoints {
  pickup: Place | null
  drop: Place | null
  waypoints: (Place | null)[]
  /**
   * A name for each of the places, from the pickup to the drop. It stays with a place that is moved: what is still being
   * looked up then finds its own, wherever that has got to.
   */
  slots: number[]
  /** The chosen car type's id. */
  carType: string | null
  selected: PointKind
}
/** A trip to come back to; its names are given anew. */
export type KeptTrip = Omit<TripPoints, 'slots'>

const initialState: TripPoints = {
  pickup: null,
  drop: null,
  waypoints: [],
  slots: [0, 1],
  carType: null,
  selected: 'pickup',
}

declare module '~/src/store/reducer' {
  interface LazySlices {
    tripdata: TripPoints
  }
}
const nextOf = ({ slots }: TripPoints) => Math.max(...slots) + 1

const slice = createSlice({
  name: 'tripdata',
  initialState,
  reducers: {
    placeChosen: (state, { payload }: PayloadAction<{ kind: PointKind; place: Place | null }>) => {
      state[payload.kind] = payload.place
    },
    /** The same for a place by its name in `slots`; one that was removed is nobody's any more. */
    placeFound: (state, { payload }: PayloadAction<{ slot: number; place: Place | null }>) => {
      const at = state.slots.indexOf(payload.slot)
      if (at === 0) state.pickup = payload.place
      else if (at === state.slots.length - 1) state.drop = payload.place
      else if (at > 0) state.waypoints[at - 1] = payload.place
    },
    waypointAdded: (state) => {
      state.slots.splice(-1, 0, nextOf(state))
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
    pointSelected: (state, { payload }: PayloadAction<PointKind>) => {
      state.selected = payload
    },
    tripRestored: (_, { payload }: PayloadAction<KeptTrip>) => ({
      ...payload,
      slots: Array.from({ length: payload.waypoints.length + 2 }, (_slot, at) => at),
    }),
    /** The drop goes to the pickup with an empty address, as the specification has it. */
    tripPointsCleared: (state) => ({
      ...initialState,
      pickup: state.pickup,
      drop: state.pickup && { ...state.pickup, add: '' },
      slots: [nextOf(state), nextOf(state) + 1],
    }),
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
  carTypeChosen,
  pointSelected,
  tripRestored,
  tripPointsCleared,
} = slice.actions
export const { selectTripPoints } = slice.injectInto(rootReducer).selectors
