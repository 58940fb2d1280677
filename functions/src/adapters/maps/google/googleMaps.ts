import * as v from 'valibot'
import { getOwn } from '~/domain/data/ownValue'
import { parsePlaceId, getPlaceIdProvider } from '../osm/placeId'
import { decodePolyline } from '~/domain/geo/polyline'
import { formatPosition, sampleWaypoints } from '~/domain/geo/geo'
import { toKilometers } from '../../../ports/positions'
import { MapsError, NO_ROUTE } from '../../../ports/mapsPort'
import { measureSchema, positionSchema, stepSchema, toStep } from './googleSteps'
import { createMapsHttpClient, toStatusError } from '../mapsHttp'
import {
  areStreetsInReach,
  DEFAULT_STREET_METERS,
  measureSnaps,
} from '../bundled/reach/streetReach'
import type { Position } from '../../../ports/positions'
import type { MapsErrorKind, MapsPort, MatrixCell, Suggestion } from '../../../ports/mapsPort'
import type { MapsHttpOptions, MapsHttpResponse } from '../mapsHttp'
import type { Meters } from '~/domain/language/units'

const HOST = 'https://maps.googleapis.com/maps/api'
const SEARCH_RADIUS_METERS = 50_000
const DEFAULT_LIMIT = 6
/** The maximum number of places on each side of one matrix request. The limit for pairs is 100. */
const MAX_MATRIX_SIDE = 25
const MAX_MATRIX_PAIRS = 100

/**
 * Google's documented statuses other than success. `empty` means no result, which is not a failure.
 */
const STATUS_KINDS: Record<string, MapsErrorKind | 'empty'> = {
  ZERO_RESULTS: 'empty',
  NOT_FOUND: 'empty',
  MAX_ROUTE_LENGTH_EXCEEDED: 'empty',
  INVALID_REQUEST: 'invalid',
  MAX_WAYPOINTS_EXCEEDED: 'invalid',
  MAX_ELEMENTS_EXCEEDED: 'invalid',
  MAX_DIMENSIONS_EXCEEDED: 'invalid',
  // Means no billing, no key, or an exhausted daily limit, so a retry would not help.
  OVER_DAILY_LIMIT: 'denied',
  REQUEST_DENIED: 'denied',
  OVER_QUERY_LIMIT: 'quota',
  UNKNOWN_ERROR: 'unavailable',
}

const statusSchema = v.object({ status: v.string(), error_message: v.optional(v.string()) })

/** Returns Google's result, or null for an empty one. Otherwise throws Google's error. */
const parseResponse = <Schema extends v.GenericSchema>(
  schema: Schema,
  reply: MapsHttpResponse,
): v.InferOutput<Schema> | null => {
  const parsedStatus = v.safeParse(statusSchema, reply.body)
  if (!parsedStatus.success) {
    throw reply.status === 200 ? new MapsError('unavailable') : toStatusError(reply)
  }
  const { status, error_message: serviceText } = parsedStatus.output
  if (status !== 'OK') {
    const failure = getOwn(STATUS_KINDS, status) ?? 'unavailable'
    if (failure === 'empty') return null
    throw new MapsError(failure, serviceText ?? status)
  }
  const parsed = v.safeParse(schema, reply.body)
  if (!parsed.success) throw new MapsError('unavailable')
  return parsed.output
}

const predictionsSchema = v.object({
  predictions: v.array(
    v.object({
      description: v.string(),
      place_id: v.string(),
      types: v.optional(v.array(v.string()), []),
      structured_formatting: v.optional(
        v.object({ main_text: v.string(), secondary_text: v.optional(v.string()) }),
      ),
    }),
  ),
})
const detailsSchema = v.object({
  result: v.object({
    geometry: v.object({ location: positionSchema }),
    formatted_address: v.optional(v.string()),
    name: v.optional(v.string()),
  }),
})
const geocodingSchema = v.object({
  results: v.array(v.object({ formatted_address: v.string() })),
})
const directionsSchema = v.object({
  routes: v.pipe(
    v.array(
      v.object({
        overview_polyline: v.object({ points: v.string() }),
        legs: v.array(
          v.object({
            distance: measureSchema,
            duration: measureSchema,
            start_location: v.optional(positionSchema),
            end_location: v.optional(positionSchema),
            steps: v.optional(v.array(stepSchema), []),
          }),
        ),
      }),
    ),
    v.minLength(1),
  ),
})
const matrixSchema = v.object({
  rows: v.array(
    v.object({
      elements: v.array(
        v.object({
          status: v.string(),
          distance: v.optional(measureSchema),
          duration: v.optional(measureSchema),
        }),
      ),
    }),
  ),
})

const splitIntoChunks = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, i) =>
    items.slice(i * size, (i + 1) * size),
  )

type DirectionsLeg = v.InferOutput<typeof directionsSchema>['routes'][number]['legs'][number]

/** Returns how far Google moved the stops of a route to a street. */
const measureLegSnaps = (stops: readonly Position[], legs: readonly DirectionsLeg[]) =>
  measureSnaps(
    stops,
    legs.map((leg) => [leg.start_location, leg.end_location] as const),
  )

interface GoogleMapsOptions extends MapsHttpOptions {
  /** A place farther from the street that Google moved it to has no route. */
  maxStreetMeters?: Meters
}

/** Queries one of Google's services. Returns null for an empty result. */
type Query = <Schema extends v.GenericSchema>(
  path: string,
  fields: Record<string, string | number | undefined>,
  schema: Schema,
) => Promise<v.InferOutput<Schema> | null>

const createQuery = (key: string, options: MapsHttpOptions): Query => {
  const send = createMapsHttpClient(options)
  return (path, fields, schema) => {
    const url = new URL(`${HOST}/${path}/json`)
    for (const [name, value] of Object.entries({ ...fields, key })) {
      if (value !== undefined && value !== '') url.searchParams.set(name, String(value))
    }
    return send({ url }, (reply) => parseResponse(schema, reply))
  }
}

const createAutocomplete =
  (query: Query): MapsPort['autocomplete'] =>
  async (typed, { country, near, language, limit = DEFAULT_LIMIT, sessionToken } = {}) => {
    if (typed.trim() === '') return []
    const response = await query(
      'place/autocomplete',
      {
        input: typed,
        components: country && `country:${country.toLowerCase()}`,
        location: near && formatPosition(near),
        radius: near && SEARCH_RADIUS_METERS,
        language,
        sessiontoken: sessionToken,
      },
      predictionsSchema,
    )
    return (response?.predictions ?? []).slice(0, limit).map((one): Suggestion => ({
      description: one.description,
      place_id: one.place_id,
      mainText: one.structured_formatting?.main_text ?? one.description,
      secondaryText: one.structured_formatting?.secondary_text ?? '',
      kind: one.types[0] ?? '',
    }))
  }

const createPlaceLookup =
  (query: Query): MapsPort['getCoords'] =>
  async (placeId, { sessionToken } = {}) => {
    // Place ids that were saved before the key was set remain valid.
    if (getPlaceIdProvider(placeId) !== 'google') {
      const own = parsePlaceId(placeId)
      return own && { lat: own.lat, lng: own.lng, description: own.label }
    }
    const response = await query(
      'place/details',
      {
        place_id: placeId,
        fields: 'geometry/location,formatted_address,name',
        sessiontoken: sessionToken,
      },
      detailsSchema,
    )
    if (!response) return null
    const { geometry, formatted_address: address, name } = response.result
    const description = address ?? name
    return { ...geometry.location, ...(description && { description }) }
  }

const createAddressLookup =
  (query: Query): MapsPort['getAddress'] =>
  async (at, { language } = {}) => {
    const response = await query(
      'geocode',
      { latlng: formatPosition(at), language },
      geocodingSchema,
    )
    return response?.results[0]?.formatted_address ?? null
  }

const createDirections =
  (query: Query, maxStreetMeters: Meters): MapsPort['getDirections'] =>
  async (start, dest, waypoints = [], { language } = {}) => {
    const via = sampleWaypoints(waypoints)
    const response = await query(
      'directions',
      {
        origin: formatPosition(start),
        destination: formatPosition(dest),
        waypoints: via.map(formatPosition).join('|'),
        mode: 'driving',
        language,
      },
      directionsSchema,
    )
    const route = response?.routes[0]
    if (!route) return null
    const legs = route.legs
    const snaps = measureLegSnaps([start, ...via, dest], legs)
    if (!areStreetsInReach(snaps, maxStreetMeters)) return null
    const steps = legs.flatMap(({ steps: own }, leg) => [
      ...own.map((googleStep, i) => toStep(googleStep, i === 0)),
      {
        maneuver: leg === legs.length - 1 ? ('arrive' as const) : ('stop' as const),
        street: '',
        distance_in_km: 0,
        time_in_secs: 0,
        at: leg === legs.length - 1 ? dest : (via[leg] ?? dest),
      },
    ])
    return {
      distance_in_km: toKilometers(legs.reduce((sum, leg) => sum + leg.distance.value, 0)),
      time_in_secs: legs.reduce((sum, leg) => sum + leg.duration.value, 0),
      polylinePoints: route.overview_polyline.points,
      coords: decodePolyline(route.overview_polyline.points),
      steps,
      approximate: false,
    }
  }

const fetchMatrix = async (
  query: Query,
  from: Position[],
  to: Position[],
): Promise<MatrixCell[][]> => {
  const matrix = await query(
    'distancematrix',
    {
      origins: from.map(formatPosition).join('|'),
      destinations: to.map(formatPosition).join('|'),
      mode: 'driving',
    },
    matrixSchema,
  )
  return from.map((_, i) =>
    to.map((__, j) => {
      const element = matrix?.rows[i]?.elements[j]
      if (element?.status !== 'OK') return NO_ROUTE
      return {
        found: true,
        distance_in_km: toKilometers(element.distance?.value ?? 0),
        time_in_secs: element.duration?.value ?? 0,
        approximate: false,
      }
    }),
  )
}

const createDistanceMatrix =
  (query: Query): MapsPort['getDistanceMatrix'] =>
  async (origins, destinations) => {
    if (origins.length === 0 || destinations.length === 0) return origins.map(() => [])
    const columns = splitIntoChunks(destinations, MAX_MATRIX_SIDE)
    const widest = Math.min(MAX_MATRIX_SIDE, destinations.length)
    const rows = splitIntoChunks(
      origins,
      Math.min(MAX_MATRIX_SIDE, Math.floor(MAX_MATRIX_PAIRS / widest)),
    )
    const parts = await Promise.all(
      rows.map((from) => Promise.all(columns.map((to) => fetchMatrix(query, from, to)))),
    )
    return parts.flatMap((bands, r) =>
      (rows[r] ?? []).map((_, i) => bands.flatMap((band) => band[i] ?? [])),
    )
  }

/**
 * Creates maps from Google's Places, Geocoding, Directions and Distance Matrix with a server key. A
 * matrix is not checked for streets in reach, because its response has no positions.
 */
export const createGoogleMaps = (key: string, options: GoogleMapsOptions = {}): MapsPort => {
  const query = createQuery(key, options)
  return {
    id: 'google',
    autocomplete: createAutocomplete(query),
    getCoords: createPlaceLookup(query),
    getAddress: createAddressLookup(query),
    getDirections: createDirections(query, options.maxStreetMeters ?? DEFAULT_STREET_METERS),
    getDistanceMatrix: createDistanceMatrix(query),
  }
}
