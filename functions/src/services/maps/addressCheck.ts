import { getDistanceKm } from '~/domain/geo/geo'
import type { MapsPort, Suggestion } from '../../ports/mapsPort'
import { splitWords } from '../../adapters/maps/bundled/typoMatching'
import type { Place } from '~/domain/geo/types'

/** Distance from the position of an address beyond which another position is not there, km. */
const MAX_ADDRESS_OFFSET_KM = 10
/** Suggestions for one address; the nearest are among the first. */
const MAX_SUGGESTIONS = 10
/** A single word, such as the name of a quarter, says too little about a position. */
const MIN_WORDS = 2
/** Kinds of streets and areas, which have no single position, in the words of all services. */
const EXTENDED_KINDS: ReadonlySet<string> = new Set([
  ...['street', 'road', 'residential', 'living_street', 'pedestrian', 'unclassified'],
  ...['primary', 'secondary', 'tertiary', 'trunk', 'motorway'],
  ...['settlement', 'city', 'town', 'village', 'hamlet', 'locality', 'suburb', 'quarter'],
  ...['neighbourhood', 'district', 'borough', 'county', 'state', 'region', 'country', 'island'],
  ...['administrative', 'municipality', 'postcode'],
])

const containsAll = (words: ReadonlySet<string>, wanted: ReadonlySet<string>): boolean =>
  [...wanted].every((word) => words.has(word))

/**
 * Returns true when the address is the text of the suggestion, or one of the two contains the
 * other. An address with the city only names no place in it.
 */
const isNamedBy = (
  address: ReadonlySet<string>,
  { description, mainText, secondaryText, kind }: Suggestion,
): boolean => {
  const shown = new Set(splitWords(description))
  const around = new Set(splitWords(secondaryText))
  const isPlace = splitWords(mainText).some((word) => address.has(word) && !around.has(word))
  return (
    isPlace &&
    !EXTENDED_KINDS.has(kind) &&
    (containsAll(shown, address) || containsAll(address, shown))
  )
}

const isElsewhere = async (
  maps: MapsPort,
  { add, lat, lng }: Place,
  country: string | undefined,
): Promise<boolean> => {
  const words = new Set(splitWords(add))
  if (words.size < MIN_WORDS) return false
  const found = await maps.autocomplete(add, {
    near: { lat, lng },
    limit: MAX_SUGGESTIONS,
    ...(country && { country }),
  })
  const positions = found.flatMap((one) =>
    one.coords && isNamedBy(words, one) ? [one.coords] : [],
  )
  const isKnownElsewhere =
    positions.length > 0 &&
    positions.every((position) => getDistanceKm(position, { lat, lng }) > MAX_ADDRESS_OFFSET_KM)
  if (!isKnownElsewhere) return false
  // A map may give an address that its own search does not find there.
  const own = await maps.getAddress({ lat, lng })
  return own === null || !containsAll(new Set(splitWords(own)), words)
}

/** A place with the name of the field in which it was entered. */
export type EnteredPlace = readonly [field: string, place: Place]

/** Returns the places of a request with the names under which a booking refuses them. */
export const toEnteredPlaces = ({
  pickup,
  drop,
  waypoints = [],
}: {
  pickup?: Place | undefined
  drop?: Place | undefined
  waypoints?: readonly Place[] | undefined
}): EnteredPlace[] => [
  ...(pickup ? [['pickup', pickup] as const] : []),
  ...waypoints.map((place, at) => [`stop${at}`, place] as const),
  ...(drop ? [['drop', drop] as const] : []),
]

/**
 * Returns the field of the first place whose address the map knows, but only far from its position;
 * null without one. Accepts an address that the map does not know, and every address when the
 * service bills each search (Google) or fails.
 */
export const findMisplacedAddress = async (
  loadMaps: () => Promise<MapsPort>,
  places: readonly EnteredPlace[],
  country: string | undefined,
): Promise<string | null> => {
  if (places.length === 0) return null
  const isMisplaced = async ([, place]: EnteredPlace): Promise<boolean> => {
    try {
      const maps = await loadMaps()
      return maps.id !== 'google' && (await isElsewhere(maps, place, country))
    } catch {
      return false
    }
  }
  const misplaced = await Promise.all(places.map(isMisplaced))
  return places.find((_, at) => misplaced[at])?.[0] ?? null
}
