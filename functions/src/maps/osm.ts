import * as v from 'valibot'
import { sampleWaypoints } from '~/domain/geo'
import { kilometres } from './geo'
import { parsePlaceId, placeIdOf, placeOwner } from './placeId'
import { decodePolyline, encodePolyline } from '~/domain/polyline'
import { MapsError, NO_WAY, oneLine } from './port'
import { createRemote, statusError } from './remote'
import type { Point } from './geo'
import type {
  AutocompleteOptions,
  Maneuver,
  MapsPort,
  MatrixCell,
  Route,
  Step,
  Suggestion,
} from './port'
import type { RemoteOptions, Reply } from './remote'

/** Base addresses of services that speak these protocols, without a path. */
export interface OsmUrls {
  /** Search, and addresses when there is no Nominatim. */
  photon?: string
  /** Addresses, and search when there is no Photon (public ones forbid search while typing). */
  nominatim?: string
  osrm?: string
  valhalla?: string
}

const LIMIT = 6
/** Languages Photon answers in; it refuses others. */
const PHOTON_LANGUAGES = ['en', 'de', 'fr']

const read = <Schema extends v.GenericSchema>(
  schema: Schema,
  reply: Reply,
  textOf: (body: unknown) => string | undefined,
): v.InferOutput<Schema> => {
  if (reply.status !== 200) throw statusError(reply, textOf(reply.body))
  const parsed = v.safeParse(schema, reply.body)
  // Something answered, but not the service: a login page, a proxy's apology.
  if (!parsed.success) throw new MapsError('unavailable')
  return parsed.output
}

const text = v.optional(v.string())
const lngLat = ({ lat, lng }: Point) => `${lng},${lat}`

// ---- Photon

const photonReply = v.object({
  features: v.array(
    v.object({
      geometry: v.object({ coordinates: v.tuple([v.number(), v.number()]) }),
      properties: v.object({
        name: text,
        street: text,
        housenumber: text,
        district: text,
        locality: text,
        city: text,
        county: text,
        state: text,
        country: text,
        countrycode: text,
        osm_value: text,
        type: text,
      }),
    }),
  ),
})
type PhotonFeature = v.InferOutput<typeof photonReply>['features'][number]

const photonText = (body: unknown) => {
  const parsed = v.safeParse(v.object({ message: v.string() }), body)
  return parsed.success ? parsed.output.message : undefined
}

const photonLine = ({ properties: p }: PhotonFeature) => {
  const door = p.street && [p.street, p.housenumber].filter(Boolean).join(' ')
  const main = p.name ?? door ?? p.city ?? p.county ?? p.state ?? p.country ?? ''
  const secondary = oneLine(p.name ? door : undefined, p.district, p.city, p.state, p.country)
  return { main, secondary, description: oneLine(main, ...secondary.split(', ')) }
}

const photonSuggestion = (feature: PhotonFeature): Suggestion => {
  const [lng, lat] = feature.geometry.coordinates
  const { main, secondary, description } = photonLine(feature)
  return {
    description,
    place_id: placeIdOf('osm', { lat, lng, label: description }),
    mainText: main,
    secondaryText: secondary,
    kind: feature.properties.osm_value ?? feature.properties.type ?? '',
    coords: { lat, lng },
  }
}

// ---- Nominatim

const nominatimPlace = v.object({
  lat: v.pipe(v.string(), v.transform(Number), v.number()),
  lon: v.pipe(v.string(), v.transform(Number), v.number()),
  display_name: v.string(),
  name: text,
  type: text,
})
const nominatimReverse = v.union([nominatimPlace, v.object({ error: v.string() })])

const nominatimText = (body: unknown) => {
  const parsed = v.safeParse(
    v.object({ error: v.union([v.string(), v.object({ message: v.string() })]) }),
    body,
  )
  if (!parsed.success) return undefined
  const { error } = parsed.output
  return typeof error === 'string' ? error : error.message
}

const nominatimSuggestion = (place: v.InferOutput<typeof nominatimPlace>): Suggestion => {
  const [first = '', ...rest] = place.display_name.split(', ')
  const at = { lat: place.lat, lng: place.lon }
  return {
    description: place.display_name,
    place_id: placeIdOf('osm', { ...at, label: place.display_name }),
    mainText: place.name || first,
    secondaryText: rest.join(', '),
    kind: place.type ?? '',
    coords: at,
  }
}

// ---- OSRM

const osrmText = (body: unknown) => photonText(body)
const osrmCode = (body: unknown) => {
  const parsed = v.safeParse(v.object({ code: v.string() }), body)
  return parsed.success ? parsed.output.code : undefined
}
/** Points in the sea and islands without a ferry are answers, not failures. */
const OSRM_NO_WAY = ['NoRoute', 'NoSegment', 'NoTable']

const osrmRoute = v.object({
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
                    modifier: text,
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
  v.InferOutput<typeof osrmRoute>['routes'][number]['legs'][number]['steps']
>[number]

const OSRM_TURNS: Record<string, Maneuver> = {
  uturn: 'u-turn',
  'sharp right': 'sharp-right',
  right: 'right',
  'slight right': 'slight-right',
  straight: 'continue',
  'slight left': 'slight-left',
  left: 'left',
  'sharp left': 'sharp-left',
}

const osrmStep = ({ maneuver, name, distance, duration }: OsrmStep, isLastLeg: boolean): Step => {
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
          : (OSRM_TURNS[modifier ?? ''] ?? 'continue')
  return {
    maneuver: turn,
    street: name,
    distance_in_km: kilometres(distance),
    time_in_secs: Math.round(duration),
    at: { lat, lng },
    ...(turn === 'roundabout' && exit !== undefined && { exit }),
  }
}

const nullable = v.nullable(v.number())
const osrmTable = v.object({
  durations: v.array(v.array(nullable)),
  distances: v.array(v.array(nullable)),
})

// ---- Valhalla

const valhallaText = (body: unknown) => {
  const parsed = v.safeParse(v.object({ error: v.string() }), body)
  return parsed.success ? parsed.output.error : undefined
}
const valhallaCode = (body: unknown) => {
  const parsed = v.safeParse(v.object({ error_code: v.number() }), body)
  return parsed.success ? parsed.output.error_code : undefined
}
/** No suitable edges near, no path, locations unreachable from each other, too far. */
const VALHALLA_NO_WAY = [154, 170, 171, 442]

const valhallaRoute = v.object({
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

const valhallaTurn = (type: number, isLastLeg: boolean): Maneuver => {
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

const valhallaMatrix = v.object({
  sources_to_targets: v.array(
    v.array(v.object({ distance: v.nullable(v.number()), time: v.nullable(v.number()) })),
  ),
})

const notSetUp = () => Promise.reject(new MapsError('unavailable'))

/** Maps from OpenStreetMap services at addresses of one's own choice. */
export const createOsmMaps = (urls: OsmUrls, options: RemoteOptions = {}): MapsPort => {
  // One breaker each: a search service that is down must not close the router.
  const remotes = {
    photon: createRemote(options),
    nominatim: createRemote(options),
    osrm: createRemote(options),
    valhalla: createRemote(options),
  }
  const at = (
    base: string,
    path: string,
    query: Record<string, string | number | undefined> = {},
  ) => {
    const url = new URL(base.replace(/\/+$/, '') + path)
    for (const [key, value] of Object.entries(query)) {
      if (value !== undefined && value !== '') url.searchParams.set(key, String(value))
    }
    return url
  }

  const searchPhoton = async (
    base: string,
    typed: string,
    { country, near, language, limit = LIMIT }: AutocompleteOptions,
  ) => {
    const url = at(base, '/api', {
      q: typed,
      lat: near?.lat,
      lon: near?.lng,
      // Older servers ignore the country, so ask for more and choose here.
      limit: country ? limit * 4 : limit,
      countrycode: country?.toUpperCase(),
      lang: PHOTON_LANGUAGES.find((known) => language?.toLowerCase().startsWith(known)),
    })
    const { features } = await remotes.photon({ url }, (reply) =>
      read(photonReply, reply, photonText),
    )
    return features
      .filter(
        ({ properties }) =>
          !country || properties.countrycode?.toUpperCase() === country.toUpperCase(),
      )
      .slice(0, limit)
      .map(photonSuggestion)
  }

  const searchNominatim = async (
    base: string,
    typed: string,
    { country, near, language, limit = LIMIT }: AutocompleteOptions,
  ) => {
    const url = at(base, '/search', {
      q: typed,
      format: 'jsonv2',
      limit,
      countrycodes: country?.toLowerCase(),
      'accept-language': language,
      viewbox: near && [near.lng - 0.3, near.lat + 0.3, near.lng + 0.3, near.lat - 0.3].join(','),
    })
    const places = await remotes.nominatim({ url }, (reply) =>
      read(v.array(nominatimPlace), reply, nominatimText),
    )
    return places.map(nominatimSuggestion)
  }

  const routeOsrm = (base: string, stops: Point[]): Promise<Route | null> => {
    const url = at(base, `/route/v1/driving/${stops.map(lngLat).join(';')}`, {
      overview: 'full',
      geometries: 'polyline',
      steps: 'true',
    })
    return remotes.osrm({ url }, (reply) => {
      if (OSRM_NO_WAY.includes(osrmCode(reply.body) ?? '')) return null
      const route = read(osrmRoute, reply, osrmText).routes[0]!
      return {
        distance_in_km: kilometres(route.distance),
        time_in_secs: Math.round(route.duration),
        polylinePoints: route.geometry,
        coords: decodePolyline(route.geometry),
        steps: route.legs.flatMap(({ steps }, i) =>
          steps.map((step) => osrmStep(step, i === route.legs.length - 1)),
        ),
        approximate: false,
      }
    })
  }

  const routeValhalla = (
    base: string,
    stops: Point[],
    language: string | undefined,
  ): Promise<Route | null> => {
    const body = {
      locations: stops.map(({ lat, lng }) => ({ lat, lon: lng, type: 'break' })),
      costing: 'auto',
      units: 'kilometers',
      ...(language && { language }),
    }
    return remotes.valhalla({ url: at(base, '/route'), body }, (reply) => {
      if (VALHALLA_NO_WAY.includes(valhallaCode(reply.body) ?? 0)) return null
      const { trip } = read(valhallaRoute, reply, valhallaText)
      const shapes = trip.legs.map(({ shape }) => decodePolyline(shape, 6))
      const coords = shapes.flatMap((shape, i) => (i ? shape.slice(1) : shape))
      return {
        distance_in_km: kilometres(trip.summary.length * 1_000),
        time_in_secs: Math.round(trip.summary.time),
        polylinePoints: encodePolyline(coords),
        coords,
        steps: trip.legs.flatMap(({ maneuvers }, i) =>
          maneuvers.map((one): Step => {
            const maneuver = valhallaTurn(one.type, i === trip.legs.length - 1)
            return {
              maneuver,
              street: one.street_names[0] ?? '',
              distance_in_km: kilometres(one.length * 1_000),
              time_in_secs: Math.round(one.time),
              at: shapes[i]?.[one.begin_shape_index] ?? stops[i]!,
              ...(one.roundabout_exit_count !== undefined && { exit: one.roundabout_exit_count }),
            }
          }),
        ),
        approximate: false,
      }
    })
  }

  const tableOsrm = (base: string, from: readonly Point[], to: readonly Point[]) => {
    const url = at(base, `/table/v1/driving/${[...from, ...to].map(lngLat).join(';')}`, {
      sources: from.map((_, i) => i).join(';'),
      destinations: to.map((_, i) => from.length + i).join(';'),
      annotations: 'duration,distance',
    })
    return remotes.osrm({ url }, (reply) => {
      if (OSRM_NO_WAY.includes(osrmCode(reply.body) ?? '')) {
        return from.map(() => to.map(() => NO_WAY))
      }
      const { durations, distances } = read(osrmTable, reply, osrmText)
      return from.map((_, i) =>
        to.map((__, j) => cell(distances[i]?.[j] ?? null, durations[i]?.[j] ?? null)),
      )
    })
  }

  const tableValhalla = (base: string, from: readonly Point[], to: readonly Point[]) => {
    const places = (points: readonly Point[]) => points.map(({ lat, lng }) => ({ lat, lon: lng }))
    const body = {
      sources: places(from),
      targets: places(to),
      costing: 'auto',
      units: 'kilometers',
      verbose: true,
    }
    return remotes.valhalla({ url: at(base, '/sources_to_targets'), body }, (reply) => {
      if (VALHALLA_NO_WAY.includes(valhallaCode(reply.body) ?? 0)) {
        return from.map(() => to.map(() => NO_WAY))
      }
      const { sources_to_targets: rows } = read(valhallaMatrix, reply, valhallaText)
      return from.map((_, i) =>
        to.map((__, j) => {
          const known = rows[i]?.[j]
          const km = known?.distance ?? null
          return cell(km === null ? null : km * 1_000, known?.time ?? null)
        }),
      )
    })
  }

  const cell = (metres: number | null, seconds: number | null): MatrixCell =>
    metres === null || seconds === null
      ? NO_WAY
      : {
          found: true,
          distance_in_km: kilometres(metres),
          time_in_secs: Math.round(seconds),
          approximate: false,
        }

  return {
    id: 'osm',
    autocomplete: (typed, search = {}) => {
      if (typed.trim() === '') return Promise.resolve([])
      if (urls.photon) return searchPhoton(urls.photon, typed, search)
      return urls.nominatim ? searchNominatim(urls.nominatim, typed, search) : notSetUp()
    },
    coords: (placeId) => {
      const place = placeOwner(placeId) === 'google' ? null : parsePlaceId(placeId)
      return Promise.resolve(place && { lat: place.lat, lng: place.lng, description: place.label })
    },
    address: async ({ lat, lng }, { language } = {}) => {
      if (urls.nominatim) {
        const url = at(urls.nominatim, '/reverse', {
          lat,
          lon: lng,
          format: 'jsonv2',
          'accept-language': language,
        })
        return remotes.nominatim({ url }, (reply) => {
          const place = read(nominatimReverse, reply, nominatimText)
          return 'display_name' in place ? place.display_name : null
        })
      }
      if (!urls.photon) return notSetUp()
      const url = at(urls.photon, '/reverse', {
        lat,
        lon: lng,
        lang: PHOTON_LANGUAGES.find((known) => language?.toLowerCase().startsWith(known)),
      })
      const { features } = await remotes.photon({ url }, (reply) =>
        read(photonReply, reply, photonText),
      )
      return features[0] ? photonLine(features[0]).description : null
    },
    directions: (start, dest, waypoints = [], { language } = {}) => {
      const stops = [start, ...sampleWaypoints(waypoints), dest]
      if (urls.osrm) return routeOsrm(urls.osrm, stops)
      return urls.valhalla ? routeValhalla(urls.valhalla, stops, language) : notSetUp()
    },
    distanceMatrix: (from, to) => {
      if (from.length === 0 || to.length === 0) return Promise.resolve(from.map(() => []))
      if (urls.osrm) return tableOsrm(urls.osrm, from, to)
      return urls.valhalla ? tableValhalla(urls.valhalla, from, to) : notSetUp()
    },
  }
}
