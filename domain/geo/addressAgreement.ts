import { splitWords } from '../language/foldedWords'
import { getDistanceKm } from './geo'
import type { LatLng, Place } from './types'

/**
 * Decides from the responses of a map whether an address belongs to its position. A text is never
 * compared as a whole, because one more or one missing word would change the result.
 */

/** A place that a map's search returns. */
export interface MapPlace {
  /** One line, most specific part first. */
  description: string
  mainText: string
  /** The kind of place in the words of the service. */
  kind: string
  coords?: LatLng
}

/** Distance from the position of an address beyond which another position is not there, km. */
const MAX_ADDRESS_OFFSET_KM = 10
/** A single word, such as the name of a quarter, says too little about a position. */
const MIN_WORDS = 2
/** The share of the words of a place's name that an address must have to name the place. */
const NAME_SHARE = 2 / 3
/** Words of an address that are left out in turn. Each costs one search. */
const MAX_OMITTED = 6
/** Kinds of streets and areas, which have no single position, in the words of all services. */
const EXTENDED_KINDS: ReadonlySet<string> = new Set([
  ...['street', 'road', 'residential', 'living_street', 'pedestrian', 'unclassified'],
  ...['primary', 'secondary', 'tertiary', 'trunk', 'motorway'],
  ...['settlement', 'city', 'town', 'village', 'hamlet', 'locality', 'suburb', 'quarter'],
  ...['neighbourhood', 'district', 'borough', 'county', 'state', 'region', 'country', 'island'],
  ...['administrative', 'municipality', 'postcode'],
])

/** Returns the words that name something: no numbers, and no articles of Latin scripts. */
const toNameWords = (text: string): ReadonlySet<string> =>
  new Set(splitWords(text).filter((word) => /\p{L}/u.test(word) && !/^[a-z]{1,2}$/.test(word)))

const countShared = (words: ReadonlySet<string>, others: ReadonlySet<string>): number =>
  [...words].filter((word) => others.has(word)).length

/** The parts of the map's own address of a position. */
interface OwnAddress {
  /** The words of the street; null without a number in that part, because it may be a town. */
  street: ReadonlySet<string> | null
  /**
   * The words of the quarter, the city and the country. They fit ten thousand positions, so that an
   * address proves nothing by them.
   */
  area: ReadonlySet<string>
}

const readOwnAddress = (own: string): OwnAddress => {
  const parts = own.split(',')
  // Some services write the number of the house as the first part.
  const end = parts.findIndex((part) => toNameWords(part).size > 0) + 1
  const street = parts.slice(0, end).join(',')
  return {
    street: /\p{N}/u.test(street) ? toNameWords(street) : null,
    area: toNameWords(parts.slice(end).join(',')),
  }
}

/** Returns the words of the address that the map's own address of the position does not have. */
const listSurplus = (address: string, own: string | null): string[] => {
  const near = toNameWords(own ?? '')
  return [...toNameWords(address)].filter((word) => !near.has(word))
}

/**
 * Returns the texts to search, the most telling first; none when the map's own address of the
 * position has the words of the address, or the address has the street of the position, which the
 * driver then reads. A search that needs each word finds nothing for a text
 * with one word more, so that each word is left out once.
 */
export const listAddressSearches = (address: string, own: string | null): string[] => {
  const { street } = readOwnAddress(own ?? '')
  const isShared = street && countShared(street, toNameWords(address)) === street.size
  if (isShared && street.size >= MIN_WORDS) return []
  const surplus = listSurplus(address, own)
  if (surplus.length < MIN_WORDS) return []
  const omitted = surplus.length > MIN_WORDS && surplus.length <= MAX_OMITTED ? surplus : []
  return [
    ...new Set([
      address,
      surplus.join(' '),
      ...omitted.map((word) => surplus.filter((one) => one !== word).join(' ')).toReversed(),
    ]),
  ]
}

/** Returns true when the address names this place, whatever other words it has. */
const isNamedBy = (address: ReadonlySet<string>, place: MapPlace): boolean => {
  const name = toNameWords(place.mainText)
  const descriptionWords = toNameWords(place.description)
  const shared = countShared(name, address)
  if (EXTENDED_KINDS.has(place.kind) || shared === 0) return false
  const isWhole = countShared(address, descriptionWords) === address.size
  return isWhole || (name.size >= MIN_WORDS && shared >= NAME_SHARE * name.size)
}

const isNear = (one: LatLng, other: LatLng): boolean =>
  getDistanceKm(one, other) <= MAX_ADDRESS_OFFSET_KM

/**
 * Returns true when places far from the position explain more words of its address than the map's
 * own address of the position and the places near it do.
 */
export const isAddressElsewhere = (
  { add, lat, lng }: Place,
  own: string | null,
  places: readonly MapPlace[],
): boolean => {
  const { area } = readOwnAddress(own ?? '')
  const address = new Set([...toNameWords(add)].filter((word) => !area.has(word)))
  const explain = (text: string) => countShared(address, toNameWords(text))
  const located = places.flatMap(({ coords, ...place }) => (coords ? [{ coords, ...place }] : []))
  const far = located.filter((one) => !isNear(one.coords, { lat, lng }) && isNamedBy(address, one))
  const near = located.filter((one) => isNear(one.coords, { lat, lng }))
  const most = Math.max(0, ...far.map(({ description }) => explain(description)))
  return (
    most >= MIN_WORDS &&
    most > Math.max(explain(own ?? ''), ...near.map(({ description }) => explain(description)))
  )
}
