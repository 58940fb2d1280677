import * as v from 'valibot'
import { parsePlaceId, getPlaceIdProvider } from '../osm/placeId'
import { decodePolyline } from '~/domain/geo/polyline'
import { formatPosition, sampleWaypoints } from '~/domain/geo/geo'
import { toKilometers } from '../../../ports/positions'
import { MapsError, NO_ROUTE } from '../../../ports/mapsPort'
import { createMapsHttpClient, toStatusError } from '../mapsHttp'
import {
  areStreetsInReach,
  DEFAULT_STREET_METERS,
  measureSnaps,
} from '../bundled/reach/streetReach'
import type { Position } from '../../../ports/positions'
import type {
  Maneuver,
  MapsErrorKind,
  MapsPort,
  MatrixCell,
  Step,
  Suggestion,
} from '../../../ports/mapsPort'
import type { MapsHttpOptions, MapsHttpResponse } from '../mapsHttp'

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
  const known = v.safeParse(statusSchema, reply.body)
  if (!known.success) {
    throw reply.status === 200 ? new MapsError('unavailable') : toStatusError(reply)
  }
  const { status, error_message: serviceText } = known.output
  if (status !== 'OK') {
    const failure = STATUS_KINDS[status] ?? 'unavailable'
    if (failure === 'empty') return null
    throw new MapsError(failure, serviceText ?? status)
  }
  const parsed = v.safeParse(schema, reply.body)
  if (!parsed.success) throw new MapsError('unavailable')
  return parsed.output
}

const positionSchema = v.object({ lat: v.number(), lng: v.number() })
const measureSchema = v.object({ value: v.number() })

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
const stepSchema = v.object({
  distance: measureSchema,
  duration: measureSchema,
  start_location: positionSchema,
  maneuver: v.optional(v.string()),
  html_instructions: v.optional(v.string(), ''),
})
type GoogleStep = v.InferOutput<typeof stepSchema>
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

const MANEUVERS: Record<string, Maneuver> = {
  'turn-left': 'left',
  'turn-right': 'right',
  'turn-slight-left': 'slight-left',
  'turn-slight-right': 'slight-right',
  'turn-sharp-left': 'sharp-left',
  'turn-sharp-right': 'sharp-right',
  'uturn-left': 'u-turn',
  'uturn-right': 'u-turn',
  'roundabout-left': 'roundabout',
  'roundabout-right': 'roundabout',
  'fork-left': 'slight-left',
  'fork-right': 'slight-right',
  'ramp-left': 'slight-left',
  'ramp-right': 'slight-right',
  'keep-left': 'slight-left',
  'keep-right': 'slight-right',
  merge: 'continue',
  straight: 'continue',
}

/** Sides and compass directions as Google writes them in each interface language. */
const DIRECTION_PATTERNS = [
  /^(left|right|(north|south)?(east|west)?)$/i, // en
  /^(la )?(izquierda|derecha)$|^(norte|sur|(nor|nord|sur|sud)?o?este)$/i, // es
  /^(à )?(esquerda|direita)$|^(norte|sul|leste|(nor|nord|su|sud)?o?este)$/i, // pt
  /^(à )?(gauche|droite)$|^(nord|sud)?-?(est|ouest)?$/i, // fr
  /^(links|rechts)$|^(nord|süd)?(ost|west)?en$/i, // de
  /^(ال|لل)?(يسار|يمين)ا?$|^(ال)?(شمال|جنوب)? ?(ال)?(شرق|غرب)?ي?$/, // ar
  /^ל?(שמאל|שמאלה|ימין|ימינה)$|^(צפון|דרום)?[- ]?(מזרח|מערב)?$/, // he
  /^(बा|दा)(एं|एँ|ईं|यें|यीं|हिने)$|^(उत्तर|दक्षिण)?-?(पूर्व|पश्चिम)?$/, // hi
]
const ARABIC_VOWEL_MARKS = /[\u064b-\u0652]/g
/** An exit number: "2nd", "2ª", "12A". */
const EXIT_NUMBER = /^(\d{1,3})(\p{L}{1,3}|\.?[ºª]|\.)?$/u

/** Returns the bold texts in Google's sentence: the direction or exit first, then the street. */
const extractBoldTexts = (html: string): string[] =>
  [...html.matchAll(/<b>(.*?)<\/b>/g)].map(([, bold = '']) =>
    bold
      .replace(/<[^>]+>/g, '')
      .replaceAll('&nbsp;', ' ')
      .replaceAll('&amp;', '&')
      .trim(),
  )
const isDirectionText = (bold: string) =>
  DIRECTION_PATTERNS.some((direction) => direction.test(bold.replace(ARABIC_VOWEL_MARKS, '')))

/** Returns the street from the bold texts, because Google names it only inside its sentence. */
const findStreet = (bold: readonly string[]): string =>
  bold.find((name) => !isDirectionText(name) && !EXIT_NUMBER.test(name)) ?? ''

const findExitNumber = (bold: readonly string[]): number | undefined => {
  const number = bold.map((name) => EXIT_NUMBER.exec(name)?.[1]).find(Boolean)
  return number === undefined ? undefined : Number(number)
}

const toStep = (
  {
    distance,
    duration,
    start_location: at,
    maneuver: serviceText = '',
    html_instructions: html,
  }: GoogleStep,
  isFirst: boolean,
): Step => {
  const bold = extractBoldTexts(html)
  const maneuver = isFirst ? 'depart' : (MANEUVERS[serviceText] ?? 'continue')
  const exit = maneuver === 'roundabout' ? findExitNumber(bold) : undefined
  return {
    maneuver,
    street: findStreet(bold),
    distance_in_km: toKilometers(distance.value),
    time_in_secs: duration.value,
    at,
    ...(exit !== undefined && { exit }),
  }
}

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
  maxStreetMeters?: number
}

/**
 * Creates maps from Google's Places, Geocoding, Directions and Distance Matrix with a server key. A
 * matrix is not checked for streets in reach, because its response has no positions.
 */
export const createGoogleMaps = (key: string, options: GoogleMapsOptions = {}): MapsPort => {
  const { maxStreetMeters = DEFAULT_STREET_METERS } = options
  const remote = createMapsHttpClient(options)
  const ask = <Schema extends v.GenericSchema>(
    path: string,
    query: Record<string, string | number | undefined>,
    schema: Schema,
  ) => {
    const url = new URL(`${HOST}/${path}/json`)
    for (const [name, value] of Object.entries({ ...query, key })) {
      if (value !== undefined && value !== '') url.searchParams.set(name, String(value))
    }
    return remote({ url }, (reply) => parseResponse(schema, reply))
  }

  const matrixPart = async (from: Position[], to: Position[]): Promise<MatrixCell[][]> => {
    const found = await ask(
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
        const element = found?.rows[i]?.elements[j]
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

  return {
    id: 'google',

    autocomplete: async (
      typed,
      { country, near, language, limit = DEFAULT_LIMIT, sessionToken } = {},
    ) => {
      if (typed.trim() === '') return []
      const found = await ask(
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
      return (found?.predictions ?? []).slice(0, limit).map((one): Suggestion => ({
        description: one.description,
        place_id: one.place_id,
        mainText: one.structured_formatting?.main_text ?? one.description,
        secondaryText: one.structured_formatting?.secondary_text ?? '',
        kind: one.types[0] ?? '',
      }))
    },

    getCoords: async (placeId, { sessionToken } = {}) => {
      // Place ids that were saved before the key was set remain valid.
      if (getPlaceIdProvider(placeId) !== 'google') {
        const own = parsePlaceId(placeId)
        return own && { lat: own.lat, lng: own.lng, description: own.label }
      }
      const found = await ask(
        'place/details',
        {
          place_id: placeId,
          fields: 'geometry/location,formatted_address,name',
          sessiontoken: sessionToken,
        },
        detailsSchema,
      )
      if (!found) return null
      const { geometry, formatted_address: address, name } = found.result
      const description = address ?? name
      return { ...geometry.location, ...(description && { description }) }
    },

    getAddress: async (at, { language } = {}) => {
      const found = await ask('geocode', { latlng: formatPosition(at), language }, geocodingSchema)
      return found?.results[0]?.formatted_address ?? null
    },

    getDirections: async (start, dest, waypoints = [], { language } = {}) => {
      const via = sampleWaypoints(waypoints)
      const found = await ask(
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
      const route = found?.routes[0]
      if (!route) return null
      const legs = route.legs
      const snaps = measureLegSnaps([start, ...via, dest], legs)
      if (!areStreetsInReach(snaps, maxStreetMeters)) return null
      const steps = legs.flatMap(({ steps: own }, leg) => [
        ...own.map((step, i) => toStep(step, i === 0)),
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
    },

    getDistanceMatrix: async (origins, destinations) => {
      if (origins.length === 0 || destinations.length === 0) return origins.map(() => [])
      const columns = splitIntoChunks(destinations, MAX_MATRIX_SIDE)
      const widest = Math.min(MAX_MATRIX_SIDE, destinations.length)
      const rows = splitIntoChunks(
        origins,
        Math.min(MAX_MATRIX_SIDE, Math.floor(MAX_MATRIX_PAIRS / widest)),
      )
      const parts = await Promise.all(
        rows.map((from) => Promise.all(columns.map((to) => matrixPart(from, to)))),
      )
      return parts.flatMap((bands, r) =>
        (rows[r] ?? []).map((_, i) => bands.flatMap((band) => band[i] ?? [])),
      )
    },
  }
}
