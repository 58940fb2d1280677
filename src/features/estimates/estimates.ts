import { createSlice } from '@reduxjs/toolkit'
import { domainError } from '~/domain/api/errors'
import { type FareInput, type FareQuote, quoteFare } from '~/domain/money/fare'
import { formatPosition, formatWaypoints } from '~/domain/geo/geo'
import { toLanguageTag } from '~/domain/language/locales'
import { type SliceError, NO_ERROR, toSliceError, personalDataCleared } from '~/src/store/auth'
import { createServiceThunk } from '~/src/store/serviceThunk'
import { rootReducer } from '~/src/store/reducer'
import type { Route } from '~/domain/booking/trip/route'
import type { LatLng } from '~/domain/geo/types'
import type { Kilometers } from '~/domain/language/units'

interface RouteRequest {
  pickup: LatLng
  drop: LatLng
  waypoints: LatLng[]
  /** Language of street names, where they are shown. */
  language?: string
}
/** An instruction at a position of a route. */
export interface RouteStep {
  /** left, slight-right, roundabout, arrive …, as the maps port defines them. */
  maneuver: string
  /** The street after the maneuver; empty when it has no name. */
  street: string
  /** Distance along that street until the next step. */
  distance_in_km: Kilometers
  at: LatLng
  /** The exit number of a roundabout, from 1. */
  exit?: number
}
interface RouteWithSteps extends Route {
  steps: RouteStep[]
}

/**
 * Returns distance and time between the places; refuses with place_to_coords_error when no route
 * exists.
 */
export const fetchRoute = createServiceThunk<RouteRequest, RouteWithSteps>(
  'estimatedata/fetchRoute',
  async ({ pickup, drop, waypoints, language }, { functions }) => {
    const tag = toLanguageTag(language)
    const response = await functions
      .post('googleapis-getdirections', {
        start: formatPosition(pickup),
        dest: formatPosition(drop),
        ...(waypoints.length > 0 && { waypoints: formatWaypoints(waypoints) }),
        ...(tag && { language: tag }),
      })
      .catch(() => {
        throw domainError('place_to_coords_error', 'drop')
      })
    if ('error' in response) throw domainError('place_to_coords_error', 'drop')
    const { distance_in_km, time_in_secs, polylinePoints, approximate, steps } = response
    return { distance_in_km, time_in_secs, polylinePoints, approximate, steps }
  },
)

interface EstimateRequest extends Omit<FareInput, 'distanceKm' | 'seconds'> {
  route: Route | null
}
/** Computes the fare as the server will; returns null while the route is unknown. */
export const calculateEstimate = ({ route, ...fare }: EstimateRequest): FareQuote | null =>
  route && quoteFare({ ...fare, distanceKm: route.distance_in_km, seconds: route.time_in_secs })

/**
 * Calculates the fare of a route and stores it in the slice. Refuses with no_route_found. No page
 * uses it: forms calculate the fare while they render.
 */
export const getEstimate = createServiceThunk<EstimateRequest, FareQuote>(
  'estimatedata/getEstimate',
  async (request) => {
    const estimate = calculateEstimate(request)
    if (!estimate) throw domainError('no_route_found')
    return estimate
  },
)

interface EstimateState {
  estimate: FareQuote | null
  error: SliceError
}
const initialState: EstimateState = { estimate: null, error: NO_ERROR }
declare module '~/src/store/reducer' {
  interface LazySlices {
    estimatedata: EstimateState
  }
}
const slice = createSlice({
  name: 'estimatedata',
  initialState,
  reducers: { estimateCleared: () => initialState },
  extraReducers: (builder) => {
    builder
      .addCase(personalDataCleared, () => initialState)
      .addCase(getEstimate.fulfilled, (_, { payload }) => ({ estimate: payload, error: NO_ERROR }))
      .addCase(getEstimate.rejected, (_, { payload }) => ({
        estimate: null,
        error: toSliceError(payload ?? domainError('no_route_found')),
      }))
  },
})
slice.injectInto(rootReducer)
/** Clears the estimate of `getEstimate`. */
export const { estimateCleared } = slice.actions
