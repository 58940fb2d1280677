import * as api from '~/domain/api'
import { sampleWaypoints } from '~/domain/geo'
import { forAnyone } from '../definition'
import { callError, parsePoints } from '../maps/port'
import type { MapsCall } from '../maps/port'
import type { Point } from '../maps/geo'
import { MAPS_SECRETS } from '../maps/secrets'
import { refuse } from '../refused'

const allow = ['maps-key', 'signed-in'] as const
/** Somebody typing an address asks five times a second; everything else is rarer. */
const limit = 300

const points = (text: string, field: string): [Point, ...Point[]] => {
  const [first, ...rest] = parsePoints(text) ?? []
  return first ? [first, ...rest] : refuse('bad_input', field)
}

/** The answer, or the specification's `{error}` when the maps service could not give one. */
const orError = async <T>(
  call: MapsCall,
  ask: () => Promise<T>,
): Promise<T | { error: string }> => {
  try {
    return await ask()
  } catch (error) {
    return { error: callError(call, error) }
  }
}

/** As services take it: they know no underscore. */
const spoken = (language: string | undefined) =>
  language ? { language: language.replaceAll('_', '-') } : {}

const restricted = async (read: (path: string) => Promise<string | null>) => {
  const country = await read('settings/restrictCountry')
  return country ? { country } : {}
}

/** The address of a point. */
export const getaddress = forAnyone({
  name: 'googleapis-getaddress',
  summary:
    'The address of a point, `latlng` as `lat,lng`, with names in `language` where the map has them.',
  input: api.getAddress,
  allow,
  limit,
  answers: '{address} | {error}',
  refuses: [],
  secrets: MAPS_SECRETS,
  async handle({ latlng, language }, { maps }) {
    const at = points(latlng, 'latlng')[0]
    return orError('address', async () => {
      const address = await (await maps()).address(at, spoken(language))
      return address === null ? { error: callError('address', null) } : { address }
    })
  },
})

/** The way from a point to another. */
export const getdirections = forAnyone({
  name: 'googleapis-getdirections',
  summary:
    'The way from `start` to `dest`, by way of `waypoints` (`lat,lng|lat,lng`, at most 25 are used); streets are named in `language` where the map has it.',
  input: api.getDirections,
  allow,
  limit,
  answers: '{distance_in_km, time_in_secs, polylinePoints, coords, approximate, steps} | {error}',
  refuses: [],
  secrets: MAPS_SECRETS,
  async handle({ start, dest, waypoints, language }, { maps }) {
    const from = points(start, 'start')[0]
    const to = points(dest, 'dest')[0]
    const via = sampleWaypoints(waypoints ? points(waypoints, 'waypoints') : [])
    return orError('directions', async () => {
      const route = await (await maps()).directions(from, to, via, spoken(language))
      return route ?? { error: 'No Route Found' }
    })
  },
})

/** Places whose name begins as typed. */
export const autocomplete = forAnyone({
  name: 'googleapis-autocomplete',
  summary:
    "Places that match what is typed so far, in the settings' country. `sessionToken` is the same for all that one person types until he chooses.",
  input: api.autocomplete,
  allow,
  limit,
  answers:
    '{searchResults: [{description, place_id, mainText, secondaryText, kind, coords?}]} | {error}',
  refuses: [],
  secrets: MAPS_SECRETS,
  async handle({ searchKeyword, near: around, language, sessionToken }, { maps, db }) {
    const center = around ? points(around, 'near')[0] : undefined
    return orError('autocomplete', async () => {
      const [service, country] = await Promise.all([
        maps(),
        restricted((path) => db.read<string>(path)),
      ])
      const options = {
        ...country,
        ...spoken(language),
        ...(center && { near: center }),
        ...(sessionToken && { sessionToken }),
      }
      const searchResults = await service.autocomplete(searchKeyword, options)
      return { searchResults }
    })
  },
})

/** Where a place is. */
export const getcoords = forAnyone({
  name: 'googleapis-getcoords',
  summary: 'Where the place of a `place_id` is.',
  input: api.getCoords,
  allow,
  limit,
  answers: '{coords: {lat, lng, description?}} | {error}',
  refuses: [],
  secrets: MAPS_SECRETS,
  async handle({ place_id, sessionToken }, { maps }) {
    return orError('coords', async () => {
      const coords = await (await maps()).coords(place_id, sessionToken ? { sessionToken } : {})
      return coords ? { coords } : { error: callError('coords', null) }
    })
  },
})

const MAX_CELLS = 625

/** Distances and times between many points. */
export const getdistancematrix = forAnyone({
  name: 'googleapis-getdistancematrix',
  summary:
    'Distances and times from every point of `start` to every point of `dest` (`lat,lng|lat,lng`), at most 625 pairs.',
  input: api.getDistanceMatrix,
  allow,
  limit,
  answers: '{data: [[{found, distance_in_km, time_in_secs, approximate}]]} | {error}',
  refuses: [],
  secrets: MAPS_SECRETS,
  async handle({ start, dest }, { maps }) {
    const from = points(start, 'start')
    const to = points(dest, 'dest')
    if (from.length * to.length > MAX_CELLS) refuse('bad_input', 'dest')
    return orError('distanceMatrix', async () => {
      const data = await (await maps()).distanceMatrix(from, to)
      return { data }
    })
  },
})
