import * as v from 'valibot'
import { decodePolyline, encodePolyline } from '~/domain/geo/polyline'
import { toKilometers, type Position } from '../../../ports/positions'
import type { MapsHttpClient } from '../mapsHttp'
import type { Maneuver, Step } from '../../../ports/mapsPort'
import { areStreetsInReach, measureSnaps } from '../bundled/reach/streetReach'
import {
  createEmptyMatrix,
  fillMatrix,
  parseResponse,
  toServiceUrl,
  type OsmRoutes,
} from './osmServices'
import type { Meters } from '~/domain/language/units'

const getValhallaErrorText = (body: unknown) => {
  const parsed = v.safeParse(v.object({ error: v.string() }), body)
  return parsed.success ? parsed.output.error : undefined
}
const getValhallaErrorCode = (body: unknown) => {
  const parsed = v.safeParse(v.object({ error_code: v.number() }), body)
  return parsed.success ? parsed.output.error_code : undefined
}
/** No suitable edges nearby, no path, unreachable locations, too far. */
const VALHALLA_NO_ROUTE_CODES = [154, 170, 171, 442]
const hasNoRoute = (body: unknown) =>
  VALHALLA_NO_ROUTE_CODES.includes(getValhallaErrorCode(body) ?? 0)

const valhallaRouteSchema = v.object({
  trip: v.object({
    summary: v.object({ length: v.number(), time: v.number() }),
    legs: v.array(
      v.object({
        shape: v.string(),
        maneuvers: v.array(
          v.object({
            type: v.number(),
            length: v.number(),
            time: v.number(),
            begin_shape_index: v.number(),
            street_names: v.optional(v.array(v.string()), []),
            roundabout_exit_count: v.optional(v.number()),
          }),
        ),
      }),
    ),
  }),
})

type ValhallaManeuver = v.InferOutput<
  typeof valhallaRouteSchema
>['trip']['legs'][number]['maneuvers'][number]

const toManeuver = (type: number, isLastLeg: boolean): Maneuver => {
  if (type >= 1 && type <= 3) return 'depart'
  if (type >= 4 && type <= 6) return isLastLeg ? 'arrive' : 'stop'
  const turns: Record<number, Maneuver> = {
    9: 'slight-right',
    10: 'right',
    11: 'sharp-right',
    12: 'u-turn',
    13: 'u-turn',
    14: 'sharp-left',
    15: 'left',
    16: 'slight-left',
    18: 'slight-right',
    19: 'slight-left',
    20: 'slight-right',
    21: 'slight-left',
    23: 'slight-right',
    24: 'slight-left',
    26: 'roundabout',
  }
  return turns[type] ?? 'continue'
}

const toValhallaStep = (maneuver: ValhallaManeuver, at: Position, isLastLeg: boolean): Step => ({
  maneuver: toManeuver(maneuver.type, isLastLeg),
  street: maneuver.street_names[0] ?? '',
  distance_in_km: toKilometers(maneuver.length * 1_000),
  time_in_secs: Math.round(maneuver.time),
  at,
  ...(maneuver.roundabout_exit_count !== undefined && { exit: maneuver.roundabout_exit_count }),
})

const valhallaMatrixSchema = v.object({
  sources_to_targets: v.array(
    v.array(v.object({ distance: v.nullable(v.number()), time: v.nullable(v.number()) })),
  ),
})

const toLocations = (points: readonly Position[]) =>
  points.map(({ lat, lng }) => ({ lat, lon: lng }))

const createRouteBody = (
  stops: readonly Position[],
  language: string | undefined,
  maxStreetMeters: Meters,
) => ({
  locations: toLocations(stops).map((location) => ({
    ...location,
    type: 'break',
    // Its default is 35 km. A matrix has no cutoff: one far position would fail all pairs.
    search_cutoff: maxStreetMeters,
  })),
  costing: 'auto',
  units: 'kilometers',
  ...(language && { language }),
})

/** Creates the routes of a Valhalla server. `maxStreetMeters` limits the way to a street. */
export const createValhalla = (
  base: string,
  http: MapsHttpClient,
  maxStreetMeters: Meters,
): OsmRoutes => ({
  getRoute: (stops, language) => {
    const body = createRouteBody(stops, language, maxStreetMeters)
    return http({ url: toServiceUrl(base, '/route'), body }, (reply) => {
      if (hasNoRoute(reply.body)) return null
      const { trip } = parseResponse(valhallaRouteSchema, reply, getValhallaErrorText)
      const shapes = trip.legs.map(({ shape }) => decodePolyline(shape, 6))
      const ends = shapes.map((shape) => [shape[0], shape.at(-1)] as const)
      if (!areStreetsInReach(measureSnaps(stops, ends), maxStreetMeters)) return null
      const coords = shapes.flatMap((shape, i) => (i ? shape.slice(1) : shape))
      return {
        distance_in_km: toKilometers(trip.summary.length * 1_000),
        time_in_secs: Math.round(trip.summary.time),
        polylinePoints: encodePolyline(coords),
        coords,
        steps: trip.legs.flatMap(({ maneuvers }, i) =>
          maneuvers.map((maneuver) =>
            toValhallaStep(
              maneuver,
              shapes[i]?.[maneuver.begin_shape_index] ?? stops[i]!,
              i === trip.legs.length - 1,
            ),
          ),
        ),
        approximate: false,
      }
    })
  },
  getMatrix: (from, to) => {
    const body = {
      sources: toLocations(from),
      targets: toLocations(to),
      costing: 'auto',
      units: 'kilometers',
      verbose: true,
    }
    return http({ url: toServiceUrl(base, '/sources_to_targets'), body }, (reply) => {
      if (hasNoRoute(reply.body)) return createEmptyMatrix(from, to)
      const { sources_to_targets: rows } = parseResponse(
        valhallaMatrixSchema,
        reply,
        getValhallaErrorText,
      )
      return fillMatrix(from, to, (i, j) => {
        const { distance, time } = rows[i]?.[j] ?? {}
        return {
          meters: typeof distance === 'number' ? distance * 1_000 : null,
          seconds: time,
        }
      })
    })
  },
})
