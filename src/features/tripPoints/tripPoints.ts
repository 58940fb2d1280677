import { type PayloadAction, createSlice } from '@reduxjs/toolkit'
import type { Place } from '~/domain/entities'
import { rootReducer } from '~/src/store/reducer'

export type PointKind = 'pickup' | 'drop'
export interface TripPoints {
  pickup: Place | null
  drop: Place | null
  waypoints: (Place | null)[]
  /** The chosen car type's id. */
  carType: string | null
  selected: PointKind
}
const initialState: TripPoints = {
  pickup: null,
  drop: null,
  waypoints: [],
  carType: null,
  selected: 'pickup',
}

declare module '~/src/store/reducer' {
  interface LazySlices {
    tripdata: TripPoints
  }
}
const slice = createSlice({
  name: 'tripdata',
  initialState,
  reducers: {
    placeChosen: (state, { payload }: PayloadAction<{ kind: PointKind; place: Place | null }>) => {
      state[payload.kind] = payload.place
    },
    waypointAdded: (state) => {
      state.waypoints.push(null)
    },
    waypointChosen: (state, { payload }: PayloadAction<{ index: number; place: Place | null }>) => {
      state.waypoints[payload.index] = payload.place
    },
    waypointRemoved: (state, { payload }: PayloadAction<number>) => {
      state.waypoints.splice(payload, 1)
    },
    waypointMoved: (state, { payload }: PayloadAction<{ from: number; to: number }>) => {
      const [moved = null] = state.waypoints.splice(payload.from, 1)
      state.waypoints.splice(payload.to, 0, moved)
    },
    endsSwapped: (state) => ({
      ...state,
      pickup: state.drop,
      drop: state.pickup,
      waypoints: [...state.waypoints].reverse(),
    }),
    carTypeChosen: (state, { payload }: PayloadAction<string | null>) => {
      state.carType = payload
    },
    pointSelected: (state, { payload }: PayloadAction<PointKind>) => {
      state.selected = payload
    },
    tripRestored: (_, { payload }: PayloadAction<TripPoints>) => payload,
    /** The drop goes to the pickup with an empty address, as the specification has it. */
    tripPointsCleared: (state) => ({
      ...initialState,
      pickup: state.pickup,
      drop: state.pickup && { ...state.pickup, add: '' },
    }),
  },
  selectors: { selectTripPoints: (state) => state },
})
export const {
  placeChosen,
  waypointAdded,
  waypointChosen,
  waypointMoved,
  waypointRemoved,
  endsSwapped,
  carTypeChosen,
  pointSelected,
  tripRestored,
  tripPointsCleared,
} = slice.actions
export const { selectTripPoints } = slice.injectInto(rootReducer).selectors
