import * as v from 'valibot'
import { getOwn } from '~/domain/data/ownValue'
import { decodePolyline } from '~/domain/geo/polyline'
import { toKilometers, type Position } from '../../../ports/positions'
import type { MapsHttpClient } from '../mapsHttp'
import type { Maneuver, Step } from '../../../ports/mapsPort'
import { areStreetsInReach, type StreetSnap } from '../bundled/reach/streetReach'
import {
  createEmptyMatrix,
  fillMatrix,
  getMessageText,
  parseResponse,
  textSchema,
  toServiceUrl,
  type OsmRoutes,
} from './osmServices'
import type { Meters } from '~/domain/language/units'

const formatLngLat = ({ lat, lng }: Position) => `${lng},${lat}`

const getOsrmErrorCode = (body: unknown) => {
  const parsed = v.safeParse(v.object({ code: v.string() }), body)
  return parsed.success ? parsed.output.code : undefined
}
/** Positions at sea and islands without a ferry give empty results, not failures. */
const OSRM_NO_ROUTE_CODES = ['NoRoute', 'NoSegment', 'NoTable']
const hasNoRoute = (body: unknown) => OSRM_NO_ROUTE_CODES.includes(getOsrmErrorCode(body) ?? '')

/** A requested position as OSRM moved it to a street, with the distance in meters. */
const waypointSchema = v.nullish(v.object({ distance: v.optional(v.number()) }))
const waypointsSchema = v.optional(v.array(waypointSchema), [])

const toSnap = (waypoint: v.InferOutput<typeof waypointSchema>): StreetSnap =>
  waypoint?.distance === undefined ? undefined : { meters: waypoint.distance }

const osrmRouteSchema = v.object({
  waypoints: waypointsSchema,
  routes: v.pipe(
    v.array(
      v.object({
        distance: v.number(),
        duration: v.number(),
        geometry: v.string(),
        legs: v.array(
          v.object({
            steps: v.optional(
              v.array(
                v.object({
                  distance: v.number(),
                  duration: v.number(),
                  name: v.optional(v.string(), ''),
                  maneuver: v.object({
                    type: v.string(),
                    modifier: textSchema,
                    exit: v.optional(v.number()),
                    location: v.tuple([v.number(), v.number()]),
                  }),
                }),
              ),
              [],
            ),
          }),
        ),
      }),
    ),
    v.minLength(1),
  ),
})
type OsrmStep = NonNullable<
  v.InferOutput<typeof osrmRouteSchema>['routes'][number]['legs'][number]['steps']
>[number]

const OSRM_MANEUVERS: Record<string, Maneuver> = {
  uturn: 'u-turn',
  'sharp right': 'sharp-right',
  right: 'right',
  'slight right': 'slight-right',
  straight: 'continue',
  'slight left': 'slight-left',
  left: 'left',
  'sharp left': 'sharp-left',
}

const toOsrmStep = ({ maneuver, name, distance, duration }: OsrmStep, isLastLeg: boolean): Step => {
  const [lng, lat] = maneuver.location
  const { type, modifier, exit } = maneuver
  const turn: Maneuver =
    type === 'depart'
      ? 'depart'
      : type === 'arrive'
        ? isLastLeg
          ? 'arrive'
          : 'stop'
        : type === 'roundabout' || type === 'rotary'
          ? 'roundabout'
          : (getOwn(OSRM_MANEUVERS, modifier ?? '') ?? 'continue')
  return {
    maneuver: turn,
    street: name,
    distance_in_km: toKilometers(distance),
    time_in_secs: Math.round(duration),
    at: { lat, lng },
    ...(turn === 'roundabout' && exit !== undefined && { exit }),
  }
}

const nullableNumberSchema = v.nullable(v.number())
const osrmTableSchema = v.object({
  durations: v.array(v.array(nullableNumberSchema)),
  distances: v.array(v.array(nullableNumberSchema)),
  sources: waypointsSchema,
  destinations: waypointsSchema,
})

/**
 * Creates the routes of an OSRM server. OSRM moves every position to the nearest street of its map,
 * at any distance, so a place farther than `maxStreetMeters` from that street has no route.
 */
export const createOsrm = (
  base: string,
  http: MapsHttpClient,
  maxStreetMeters: Meters,
): OsmRoutes => {
  return {
    getRoute: (stops) => {
      const url = toServiceUrl(base, `/route/v1/driving/${stops.map(formatLngLat).join(';')}`, {
        // The server responds NoSegment when a position has no street within its radius.
        radiuses: stops.map(() => maxStreetMeters).join(';'),
        overview: 'full',
        geometries: 'polyline',
        steps: 'true',
      })
      return http({ url }, (reply) => {
        if (hasNoRoute(reply.body)) return null
        const { waypoints, routes } = parseResponse(osrmRouteSchema, reply, getMessageText)
        if (!areStreetsInReach(waypoints.map(toSnap), maxStreetMeters)) return null
        const route = routes[0]!
        return {
          distance_in_km: toKilometers(route.distance),
          time_in_secs: Math.round(route.duration),
          polylinePoints: route.geometry,
          coords: decodePolyline(route.geometry),
          steps: route.legs.flatMap(({ steps }, i) =>
            steps.map((osrmStep) => toOsrmStep(osrmStep, i === route.legs.length - 1)),
          ),
          approximate: false,
        }
      })
    },
    getMatrix: (from, to) => {
      // Without `radiuses`, because one position outside the map would fail the whole table.
      const places = [...from, ...to].map(formatLngLat).join(';')
      const url = toServiceUrl(base, `/table/v1/driving/${places}`, {
        sources: from.map((_, i) => i).join(';'),
        destinations: to.map((_, i) => from.length + i).join(';'),
        annotations: 'duration,distance',
      })
      return http({ url }, (reply) => {
        if (hasNoRoute(reply.body)) return createEmptyMatrix(from, to)
        const table = parseResponse(osrmTableSchema, reply, getMessageText)
        return fillMatrix(from, to, (i, j) =>
          areStreetsInReach(
            [toSnap(table.sources[i]), toSnap(table.destinations[j])],
            maxStreetMeters,
          )
            ? { meters: table.distances[i]?.[j], seconds: table.durations[i]?.[j] }
            : { meters: null, seconds: null },
        )
      })
    },
  }
}
