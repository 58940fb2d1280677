import * as v from 'valibot'
import { parsePlaceId, placeOwner } from './placeId'
import { decodePolyline } from '~/domain/polyline'
import { pointText, sampleWaypoints } from '~/domain/geo'
import { kilometres } from './geo'
import { MapsError, NO_WAY } from './port'
import { createRemote, statusError } from './remote'
import type { Point } from './geo'
import type { Maneuver, MapsFailure, MapsPort, MatrixCell, Step, Suggestion } from './port'
import type { RemoteOptions, Reply } from './remote'

const HOST = 'https://maps.googleapis.com/maps/api'
const NEAR_METRES = 50_000
const LIMIT = 6
/** One matrix request takes at most 25 places a side and 100 pairs. */
const MATRIX_SIDE = 25
const MATRIX_PAIRS = 100

/**
 * Every status in Google's documentation that is not an answer. `empty` means there is none, which
 * is not a failure.
 */
const STATUS: Record<string, MapsFailure | 'empty'> = {
  ZERO_RESULTS: 'empty',
  NOT_FOUND: 'empty',
  MAX_ROUTE_LENGTH_EXCEEDED: 'empty',
  INVALID_REQUEST: 'invalid',
  MAX_WAYPOINTS_EXCEEDED: 'invalid',
  MAX_ELEMENTS_EXCEEDED: 'invalid',
  MAX_DIMENSIONS_EXCEEDED: 'invalid',
  // No billing, no key, or the day's cap: trying again would not help.
  OVER_DAILY_LIMIT: 'denied',
  REQUEST_DENIED: 'denied',
  OVER_QUERY_LIMIT: 'quota',
  UNKNOWN_ERROR: 'unavailable',
}

const head = v.object({ status: v.string(), error_message: v.optional(v.string()) })

/** The reply's answer, null for an empty one; throws what Google said otherwise. */
const read = <Schema extends v.GenericSchema>(
  schema: Schema,
  reply: Reply,
): v.InferOutput<Schema> | null => {
  const known = v.safeParse(head, reply.body)
  if (!known.success) {
    throw reply.status === 200 ? new MapsError('unavailable') : statusError(reply)
  }
  const { status, error_message: said } = known.output
  if (status !== 'OK') {
    const failure = STATUS[status] ?? 'unavailable'
    if (failure === 'empty') return null
    throw new MapsError(failure, said ?? status)
  }
  const parsed = v.safeParse(schema, reply.body)
  if (!parsed.success) throw new MapsError('unavailable')
  return parsed.output
}

const location = v.object({ lat: v.number(), lng: v.number() })
const measure = v.object({ value: v.number() })

const predictions = v.object({
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
const details = v.object({
  result: v.object({
    geometry: v.object({ location }),
    formatted_address: v.optional(v.string()),
    name: v.optional(v.string()),
  }),
})
const geocoding = v.object({
  results: v.array(v.object({ formatted_address: v.string() })),
})
const googleStep = v.object({
  distance: measure,
  duration: measure,
  start_location: location,
  maneuver: v.optional(v.string()),
  html_instructions: v.optional(v.string(), ''),
})
type GoogleStep = v.InferOutput<typeof googleStep>
const directions = v.object({
  routes: v.pipe(
    v.array(
      v.object({
        overview_polyline: v.object({ points: v.string() }),
        legs: v.array(
          v.object({
            distance: measure,
            duration: measure,
            steps: v.optional(v.array(googleStep), []),
          }),
        ),
      }),
    ),
    v.minLength(1),
  ),
})
const matrix = v.object({
  rows: v.array(
    v.object({
      elements: v.array(
        v.object({
          status: v.string(),
          distance: v.optional(measure),
          duration: v.optional(measure),
        }),
      ),
    }),
  ),
})

const TURNS: Record<string, Maneuver> = {
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

/** Sides and winds as Google writes them in each language of the interface. */
const DIRECTIONS = [
  /^(left|right|(north|south)?(east|west)?)$/i, // en
  /^(la )?(izquierda|derecha)$|^(norte|sur|(nor|nord|sur|sud)?o?este)$/i, // es
  /^(à )?(esquerda|direita)$|^(norte|sul|leste|(nor|nord|su|sud)?o?este)$/i, // pt
  /^(à )?(gauche|droite)$|^(nord|sud)?-?(est|ouest)?$/i, // fr
  /^(links|rechts)$|^(nord|süd)?(ost|west)?en$/i, // de
  /^(ال|لل)?(يسار|يمين)ا?$|^(ال)?(شمال|جنوب)? ?(ال)?(شرق|غرب)?ي?$/, // ar
  /^ל?(שמאל|שמאלה|ימין|ימינה)$|^(צפון|דרום)?[- ]?(מזרח|מערב)?$/, // he
  /^(बा|दा)(एं|एँ|ईं|यें|यीं|हिने)$|^(उत्तर|दक्षिण)?-?(पूर्व|पश्चिम)?$/, // hi
]
const ARABIC_MARKS = /[\u064b-\u0652]/g
/** The number of an exit: "2nd", "2ª", "12A". */
const EXIT = /^(\d{1,3})(\p{L}{1,3}|\.?[ºª]|\.)?$/u

/** What Google sets in bold in its sentence: where to turn, which exit to take, and then the street. */
const boldIn = (html: string): string[] =>
  [...html.matchAll(/<b>(.*?)<\/b>/g)].map(([, bold = '']) =>
    bold
      .replace(/<[^>]+>/g, '')
      .replaceAll('&nbsp;', ' ')
      .replaceAll('&amp;', '&')
      .trim(),
  )
const isDirection = (bold: string) =>
  DIRECTIONS.some((direction) => direction.test(bold.replace(ARABIC_MARKS, '')))

/** Google names the street only inside its sentence. */
const streetIn = (bold: readonly string[]): string =>
  bold.find((name) => !isDirection(name) && !EXIT.test(name)) ?? ''

const exitIn = (bold: readonly string[]): number | undefined => {
  const number = bold.map((name) => EXIT.exec(name)?.[1]).find(Boolean)
  return number === undefined ? undefined : Number(number)
}

const stepOf = (
  {
    distance,
    duration,
    start_location: at,
    maneuver: said = '',
    html_instructions: html,
  }: GoogleStep,
  isFirst: boolean,
): Step => {
  const bold = boldIn(html)
  const maneuver = isFirst ? 'depart' : (TURNS[said] ?? 'continue')
  const exit = maneuver === 'roundabout' ? exitIn(bold) : undefined
  return {
    maneuver,
    street: streetIn(bold),
    distance_in_km: kilometres(distance.value),
    time_in_secs: duration.value,
    at,
    ...(exit !== undefined && { exit }),
  }
}

const chunks = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, i) =>
    items.slice(i * size, (i + 1) * size),
  )

/** Google's Places, Geocoding, Directions and Distance Matrix with a server key. */
export const createGoogleMaps = (key: string, options: RemoteOptions = {}): MapsPort => {
  const remote = createRemote(options)
  const ask = <Schema extends v.GenericSchema>(
    path: string,
    query: Record<string, string | number | undefined>,
    schema: Schema,
  ) => {
    const url = new URL(`${HOST}/${path}/json`)
    for (const [name, value] of Object.entries({ ...query, key })) {
      if (value !== undefined && value !== '') url.searchParams.set(name, String(value))
    }
    return remote({ url }, (reply) => read(schema, reply))
  }

  const matrixPart = async (from: Point[], to: Point[]): Promise<MatrixCell[][]> => {
    const found = await ask(
      'distancematrix',
      {
        origins: from.map(pointText).join('|'),
        destinations: to.map(pointText).join('|'),
        mode: 'driving',
      },
      matrix,
    )
    return from.map((_, i) =>
      to.map((__, j) => {
        const element = found?.rows[i]?.elements[j]
        if (element?.status !== 'OK') return NO_WAY
        return {
          found: true,
          distance_in_km: kilometres(element.distance?.value ?? 0),
          time_in_secs: element.duration?.value ?? 0,
          approximate: false,
        }
      }),
    )
  }

  return {
    id: 'google',

    autocomplete: async (typed, { country, near, language, limit = LIMIT, sessionToken } = {}) => {
      if (typed.trim() === '') return []
      const found = await ask(
        'place/autocomplete',
        {
          input: typed,
          components: country && `country:${country.toLowerCase()}`,
          location: near && pointText(near),
          radius: near && NEAR_METRES,
          language,
          sessiontoken: sessionToken,
        },
        predictions,
      )
      return (found?.predictions ?? []).slice(0, limit).map((one): Suggestion => ({
        description: one.description,
        place_id: one.place_id,
        mainText: one.structured_formatting?.main_text ?? one.description,
        secondaryText: one.structured_formatting?.secondary_text ?? '',
        kind: one.types[0] ?? '',
      }))
    },

    coords: async (placeId, { sessionToken } = {}) => {
      // Places saved before the key was set are still the same places.
      if (placeOwner(placeId) !== 'google') {
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
        details,
      )
      if (!found) return null
      const { geometry, formatted_address: address, name } = found.result
      const description = address ?? name
      return { ...geometry.location, ...(description && { description }) }
    },

    address: async (at, { language } = {}) => {
      const found = await ask('geocode', { latlng: pointText(at), language }, geocoding)
      return found?.results[0]?.formatted_address ?? null
    },

    directions: async (start, dest, waypoints = [], { language } = {}) => {
      const via = sampleWaypoints(waypoints)
      const found = await ask(
        'directions',
        {
          origin: pointText(start),
          destination: pointText(dest),
          waypoints: via.map(pointText).join('|'),
          mode: 'driving',
          language,
        },
        directions,
      )
      const route = found?.routes[0]
      if (!route) return null
      const legs = route.legs
      const steps = legs.flatMap(({ steps: own }, leg) => [
        ...own.map((step, i) => stepOf(step, i === 0)),
        {
          maneuver: leg === legs.length - 1 ? ('arrive' as const) : ('stop' as const),
          street: '',
          distance_in_km: 0,
          time_in_secs: 0,
          at: leg === legs.length - 1 ? dest : (via[leg] ?? dest),
        },
      ])
      return {
        distance_in_km: kilometres(legs.reduce((sum, leg) => sum + leg.distance.value, 0)),
        time_in_secs: legs.reduce((sum, leg) => sum + leg.duration.value, 0),
        polylinePoints: route.overview_polyline.points,
        coords: decodePolyline(route.overview_polyline.points),
        steps,
        approximate: false,
      }
    },

    distanceMatrix: async (origins, destinations) => {
      if (origins.length === 0 || destinations.length === 0) return origins.map(() => [])
      const columns = chunks(destinations, MATRIX_SIDE)
      const widest = Math.min(MATRIX_SIDE, destinations.length)
      const rows = chunks(origins, Math.min(MATRIX_SIDE, Math.floor(MATRIX_PAIRS / widest)))
      const parts = await Promise.all(
        rows.map((from) => Promise.all(columns.map((to) => matrixPart(from, to)))),
      )
      return parts.flatMap((bands, r) =>
        (rows[r] ?? []).map((_, i) => bands.flatMap((band) => band[i] ?? [])),
      )
    },
  }
}
