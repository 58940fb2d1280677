import { type PayloadAction, createSlice } from '@reduxjs/toolkit'
import type { Route } from '~/domain/booking/change'
import type { CarType, ChoiceOption, LatLng, Settings } from '~/domain/entities'
import { refusal } from '~/domain/errors'
import { type Quote, quote } from '~/domain/fare'
import { pointText, waypointsText } from '~/domain/geo'
import { type CycleError, NO_ERROR, errorOf } from '~/src/store/auth'
import { tagOf } from '~/src/i18n/speak'
import { operation } from '~/src/store/operation'
import { rootReducer } from '~/src/store/reducer'

export interface RouteAsked {
  pickup: LatLng
  drop: LatLng
  waypoints: LatLng[]
  /** For the names of streets, where they are shown. */
  language?: string
  quiet?: boolean
}
/** Names a route by its points: an answer that comes late for other points is not taken for this one's. */
export const routeKeyOf = ({ pickup, drop, waypoints }: RouteAsked) =>
  waypointsText([pickup, ...waypoints, drop])

/** What to do at a point of a way. */
export interface RouteStep {
  /** left, slight-right, roundabout, arrive …: the maps port's words. */
  maneuver: string
  /** The street one is on after it; empty when it has no name. */
  street: string
  /** How far one then follows it. */
  distance_in_km: number
  at: LatLng
  /** Roundabouts: which exit, from 1. */
  exit?: number
}
interface DrivenRoute extends Route {
  steps: RouteStep[]
}

/** Distance and time between the places; place_to_coords_error when there is no way. */
export const fetchRoute = operation<RouteAsked, DrivenRoute>(
  'estimatedata/fetchRoute',
  async ({ pickup, drop, waypoints, language }, { functions }) => {
    const tag = tagOf(language)
    const answer = await functions
      .post<Partial<DrivenRoute> & { error?: string }>('googleapis-getdirections', {
        start: pointText(pickup),
        dest: pointText(drop),
        ...(waypoints.length > 0 && { waypoints: waypointsText(waypoints) }),
        ...(tag && { language: tag }),
      })
      .catch(() => {
        throw refusal('place_to_coords_error', 'drop')
      })
    const { distance_in_km, time_in_secs, polylinePoints = '', approximate, steps = [] } = answer
    if (answer.error || distance_in_km === undefined || time_in_secs === undefined)
      throw refusal('place_to_coords_error', 'drop')
    return {
      distance_in_km,
      time_in_secs,
      polylinePoints,
      approximate: approximate === true,
      steps,
    }
  },
)

interface EstimateAsked {
  carDetails: CarType
  routeDetails: Route | null
  settings: Settings
  parcelTypeSelected?: ChoiceOption | undefined
  optionSelected?: ChoiceOption | undefined
}
/** The fare as the server will compute it; 'No Route Found' without route details. */
export const estimateOf = ({
  carDetails,
  routeDetails,
  settings,
  parcelTypeSelected,
  optionSelected,
}: EstimateAsked): Quote | null =>
  routeDetails &&
  quote({
    carType: carDetails,
    distanceKm: routeDetails.distance_in_km,
    seconds: routeDetails.time_in_secs,
    settings,
    parcelType: parcelTypeSelected,
    option: optionSelected,
  })

export const getEstimate = operation<EstimateAsked, Quote>(
  'estimatedata/getEstimate',
  async (asked) => {
    const estimate = estimateOf(asked)
    if (!estimate) throw refusal('no_route_found')
    return estimate
  },
)

interface EstimateState {
  estimate: Quote | null
  route: Route | null
  /** The points `route` belongs to. */
  routeKey: string | null
  loading: boolean
  error: CycleError
}
const initialState: EstimateState = {
  estimate: null,
  route: null,
  routeKey: null,
  loading: false,
  error: NO_ERROR,
}
declare module '~/src/store/reducer' {
  interface LazySlices {
    estimatedata: EstimateState
  }
}
const slice = createSlice({
  name: 'estimatedata',
  initialState,
  reducers: {
    /** Closing the estimate keeps the route: the places are still chosen. */
    estimateCleared: (state) => ({ ...state, estimate: null, loading: false, error: NO_ERROR }),
    estimateShown: (state, { payload }: PayloadAction<Quote>) => {
      state.estimate = payload
    },
  },
  extraReducers: (builder) => {
    builder
      .addCase(fetchRoute.pending, (state, { meta }) => ({
        ...initialState,
        estimate: state.estimate,
        routeKey: routeKeyOf(meta.arg),
        loading: true,
      }))
      .addCase(fetchRoute.fulfilled, (state, { payload, meta }) => {
        if (state.routeKey !== routeKeyOf(meta.arg)) return
        state.route = payload
        state.loading = false
      })
      .addCase(fetchRoute.rejected, (state, { payload, meta }) => {
        if (state.routeKey !== routeKeyOf(meta.arg)) return
        state.loading = false
        state.error = errorOf(payload ?? refusal('place_to_coords_error', 'drop'))
      })
      .addCase(getEstimate.fulfilled, (state, { payload }) => {
        state.estimate = payload
        state.error = NO_ERROR
      })
      .addCase(getEstimate.rejected, (state, { payload }) => {
        state.estimate = null
        state.error = errorOf(payload ?? refusal('no_route_found'))
      })
  },
  selectors: { selectEstimate: (state) => state },
})
export const { estimateCleared, estimateShown } = slice.actions
export const { selectEstimate } = slice.injectInto(rootReducer).selectors
