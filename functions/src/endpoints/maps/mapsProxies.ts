import { checkStopCount } from '~/domain/booking/limits/limits'
import { cleanWords } from '~/domain/language/words'
import { defineOpenEndpoint } from '../../http/endpointTypes'
import { getOperationErrorText, parsePositions } from '../../ports/mapsPort'
import type { MapsOperation, Suggestion } from '../../ports/mapsPort'
import type { Position } from '../../ports/positions'
import { MAPS_SECRETS } from '../../deployment'
import { fail, throwIfError } from '../../domainException'
import { OTHER_LIMITS } from '../../services/limitTable'
import { findExceededLimit } from '../../services/rateLimits'

const allow = ['maps-key', 'signed-in'] as const
/**
 * Requests a minute. Address search sends about five a second while a person types; other requests
 * are less frequent.
 */
const limit = 300
/** More than an office's network needs, and far less than the limit of a minute adds up to. */
const dailyLimit = 10_000
const spends = ['maps'] as const

const parsePositionsOrFail = (text: string, field: string): [Position, ...Position[]] => {
  const [first, ...rest] = parsePositions(text) ?? []
  return first ? [first, ...rest] : fail('bad_input', field)
}

/** Returns the response, or `{error}` when the maps service fails. */
const withErrorText = async <T>(
  call: MapsOperation,
  ask: () => Promise<T>,
): Promise<T | { error: string }> => {
  try {
    return await ask()
  } catch (error) {
    return { error: getOperationErrorText(call, error) }
  }
}

/**
 * Converts an underscore in the language code to a hyphen, because maps services do not accept
 * underscores.
 */
const toLanguageOption = (language: string | undefined) =>
  language ? { language: language.replaceAll('_', '-') } : {}

/** Maps have texts that a booking refuses: marks of direction, and companies named by a domain. */
const cleanAddress = (address: string) => cleanWords(address, 'name')
const cleanSuggestion = (suggestion: Suggestion): Suggestion => ({
  ...suggestion,
  description: cleanAddress(suggestion.description),
  mainText: cleanAddress(suggestion.mainText),
  secondaryText: cleanAddress(suggestion.secondaryText),
})
const cleanDescription = <Found extends { description?: string }>(place: Found): Found =>
  place.description === undefined
    ? place
    : { ...place, description: cleanAddress(place.description) }

const readCountryOption = async (read: (path: string) => Promise<string | null>) => {
  const country = await read('settings/restrictCountry')
  return country ? { country } : {}
}

/** Returns the address of a position. */
export const getaddress = defineOpenEndpoint({
  name: 'googleapis-getaddress',
  summary:
    'Returns the address of a position, `latlng` as `lat,lng`, with names in `language` where the map has them.',
  allow,
  limit,
  spends,
  dailyLimit,
  errors: [],
  secrets: MAPS_SECRETS,
  async handle({ latlng, language }, { maps }) {
    const at = parsePositionsOrFail(latlng, 'latlng')[0]
    return withErrorText('address', async () => {
      const address = await (await maps()).getAddress(at, toLanguageOption(language))
      return address === null
        ? { error: getOperationErrorText('address', null) }
        : { address: cleanAddress(address) }
    })
  },
})

/** Returns the route between two positions. */
export const getdirections = defineOpenEndpoint({
  name: 'googleapis-getdirections',
  summary:
    'Returns the route from `start` to `dest` through `waypoints` (`lat,lng|lat,lng`, at most 25). Streets are named in `language` where the map has it.',
  allow,
  limit,
  spends,
  dailyLimit,
  errors: ['too_many_stops'],
  secrets: MAPS_SECRETS,
  async handle({ start, dest, waypoints, language }, { maps }) {
    const from = parsePositionsOrFail(start, 'start')[0]
    const to = parsePositionsOrFail(dest, 'dest')[0]
    const via = waypoints ? parsePositionsOrFail(waypoints, 'waypoints') : []
    // create_booking would refuse a price for fewer stops than requested.
    throwIfError(checkStopCount(via.length))
    return withErrorText('directions', async () => {
      const route = await (await maps()).getDirections(from, to, via, toLanguageOption(language))
      return route ?? { error: 'No Route Found' }
    })
  },
})

/** Returns the places whose names begin with the typed text. */
export const autocomplete = defineOpenEndpoint({
  name: 'googleapis-autocomplete',
  summary:
    "Returns places in the settings' country that match the text typed so far. `sessionToken` stays the same while a person types, until they choose.",
  allow,
  limit,
  spends,
  dailyLimit,
  errors: [],
  secrets: MAPS_SECRETS,
  async handle({ searchKeyword, near: around, language, sessionToken }, { maps, db }) {
    const center = around ? parsePositionsOrFail(around, 'near')[0] : undefined
    return withErrorText('autocomplete', async () => {
      const [service, country] = await Promise.all([
        maps(),
        readCountryOption((path) => db.read<string>(path)),
      ])
      const options = {
        ...country,
        ...toLanguageOption(language),
        ...(center && { near: center }),
        ...(sessionToken && { sessionToken }),
      }
      const suggestions = await service.autocomplete(searchKeyword, options)
      return { searchResults: suggestions.map(cleanSuggestion) }
    })
  },
})

/** Returns the position of a place. */
export const getcoords = defineOpenEndpoint({
  name: 'googleapis-getcoords',
  summary: 'Returns the position of a `place_id`.',
  allow,
  limit,
  spends,
  dailyLimit,
  errors: [],
  secrets: MAPS_SECRETS,
  async handle({ place_id, sessionToken }, { maps }) {
    return withErrorText('coords', async () => {
      const coords = await (await maps()).getCoords(place_id, sessionToken ? { sessionToken } : {})
      return coords
        ? { coords: cleanDescription(coords) }
        : { error: getOperationErrorText('coords', null) }
    })
  },
})

/** The maximum number of pairs in one request. */
const MAX_MATRIX_ELEMENTS = 625

/** Returns distances and durations between many positions. */
export const getdistancematrix = defineOpenEndpoint({
  name: 'googleapis-getdistancematrix',
  summary:
    'Returns distances and times from every position of `start` to every position of `dest` (`lat,lng|lat,lng`), at most 625 pairs per call, 1,250 pairs a minute and 50,000 pairs a day. Only for signed-in callers: the maps header alone is refused.',
  // `maps-key` is not enough: the page of every visitor sends that header, and each pair costs
  // money.
  allow: ['signed-in'],
  limit,
  spends,
  dailyLimit,
  errors: [],
  secrets: MAPS_SECRETS,
  async handle({ start, dest }, { maps, db, caller, now }) {
    if (!caller) return fail('must_login')
    const from = parsePositionsOrFail(start, 'start')
    const to = parsePositionsOrFail(dest, 'dest')
    const elements = from.length * to.length
    if (elements > MAX_MATRIX_ELEMENTS) fail('bad_input', 'dest')
    const limits = OTHER_LIMITS.matrixPairs
    const exceeded = await findExceededLimit(db, limits, {
      caller: caller.uid,
      now,
      amount: elements,
    })
    if (exceeded === 'minute') fail('too_many_requests', 'dest', { limit: limits.limit })
    if (exceeded === 'day') fail('too_many_today', 'dest')
    return withErrorText('distanceMatrix', async () => {
      const data = await (await maps()).getDistanceMatrix(from, to)
      return { data }
    })
  },
})
