import { encodeColumnFile } from '~/functions/src/adapters/maps/bundled/columnFile'
import { findCenter } from './osmFeature'
import { distanceMeters, toLngLat, toMicrodegrees } from './mercator'
import type { CityInput, OsmFeature, Tags } from './osmFeature'
import type { LngLat } from './mercator'

/** Weight of each kind of place when names match equally well. */
export const KIND_WEIGHT = {
  aerodrome: 10,
  city: 9,
  station: 8,
  mall: 8,
  hospital: 7,
  university: 7,
  suburb: 7,
  attraction: 6,
  park: 6,
  street: 6,
  hotel: 5,
  school: 4,
  restaurant: 3,
  service: 3,
  shop: 2,
  office: 1,
} as const
type PlaceKind = keyof typeof KIND_WEIGHT
const KINDS = Object.keys(KIND_WEIGHT) as PlaceKind[]

const SUBURB = /^(suburb|neighbourhood|quarter|village|hamlet|town|locality|borough)$/
const isOneOf = (value: string | undefined, ...values: string[]) =>
  value !== undefined && values.includes(value)

/**
 * Returns the kind of place a rider would see in the object; null when it is not a likely
 * destination.
 */
export const getPlaceKind = (tags: Tags): PlaceKind | null => {
  const { amenity, shop, tourism, leisure } = tags
  if (tags.place === 'city') return 'city'
  if (SUBURB.test(tags.place ?? '')) return 'suburb'
  if (isOneOf(tags.aeroway, 'aerodrome', 'terminal')) return 'aerodrome'
  if (isOneOf(amenity, 'bus_station', 'ferry_terminal') || tags.railway === 'station') {
    return 'station'
  }
  if (isOneOf(amenity, 'hospital', 'clinic')) return 'hospital'
  if (isOneOf(amenity, 'university', 'college')) return 'university'
  if (isOneOf(shop, 'mall', 'department_store')) return 'mall'
  if (isOneOf(tourism, 'hotel', 'hostel', 'guest_house')) return 'hotel'
  if (tourism || tags.historic || leisure === 'stadium') return 'attraction'
  if (isOneOf(amenity, 'theatre', 'cinema', 'place_of_worship')) return 'attraction'
  if (isOneOf(leisure, 'park', 'garden') || tags.natural === 'beach') return 'park'
  if (tags.place === 'square') return 'attraction'
  if (isOneOf(amenity, 'school', 'kindergarten')) return 'school'
  if (isOneOf(amenity, 'restaurant', 'cafe', 'bar', 'pub', 'fast_food', 'ice_cream'))
    return 'restaurant'
  if (amenity) return 'service'
  if (shop) return 'shop'
  return tags.office ? 'office' : null
}

const ALIAS_KEYS = ['alt_name', 'short_name', 'old_name', 'official_name', 'int_name', 'loc_name']

/** Returns other searchable names, without duplicates. */
const getAliases = (tags: Tags): string[] => {
  const aliases = new Set<string>()
  for (const [key, value] of Object.entries(tags)) {
    if (!ALIAS_KEYS.includes(key) && !/^name:[a-z]{2}$/.test(key)) continue
    for (const name of value.split(';')) if (name.trim()) aliases.add(name.trim())
  }
  aliases.delete(tags.name ?? '')
  return [...aliases]
}

/** Returns the names by language that differ from the local one. */
const getTranslations = (tags: Tags): Record<string, string> =>
  Object.fromEntries(
    Object.entries(tags).flatMap(([key, value]) => {
      const language = /^name:([a-z]{2})$/.exec(key)?.[1]
      return language && value !== tags.name ? [[language, value]] : []
    }),
  )

interface Item {
  name: string
  kind: PlaceKind
  at: LngLat
  weight: number
  /** Distinguishes places with the same name: the quarter, or a street and number. */
  context: string
  aliases: string[]
  translations: Record<string, string>
}

const isNamedStreet = ({ kind, tags }: OsmFeature) =>
  kind === 'line' && tags.highway !== undefined && tags.name !== undefined

/** Returns the function that finds the quarter of a position, within 4 km. */
const createQuarterSearch = (features: readonly OsmFeature[]) => {
  const quarters = features
    .filter(({ kind, tags }) => kind === 'point' && SUBURB.test(tags.place ?? '') && tags.name)
    .map((feature) => ({ name: feature.tags.name!, at: findCenter(feature) }))
  return (at: LngLat): string => {
    let [best, nearest] = ['', 4_000]
    for (const quarter of quarters) {
      const distance = distanceMeters(quarter.at, at)
      if (distance < nearest) [best, nearest] = [quarter.name, distance]
    }
    return best
  }
}
type FindQuarter = ReturnType<typeof createQuarterSearch>

interface Street extends Pick<Item, 'translations'> {
  length: number
  middles: LngLat[]
  aliases: Set<string>
}

/** Joins the parts of each street, by its name. */
const collectStreets = (features: readonly OsmFeature[]): Map<string, Street> => {
  const streets = new Map<string, Street>()
  for (const feature of features) {
    if (!isNamedStreet(feature)) continue
    const name = feature.tags.name!
    const street = streets.get(name) ?? {
      length: 0,
      middles: [],
      aliases: new Set<string>(),
      translations: {},
    }
    streets.set(name, street)
    for (const alias of getAliases(feature.tags)) street.aliases.add(alias)
    Object.assign(street.translations, getTranslations(feature.tags))
    for (const part of feature.shape) {
      street.middles.push(toLngLat(part[part.length >> 1]!))
      for (let i = 1; i < part.length; i++) {
        street.length += distanceMeters(toLngLat(part[i - 1]!), toLngLat(part[i]!))
      }
    }
  }
  return streets
}

const toStreetItem = (name: string, street: Street, findQuarter: FindQuarter): Item => {
  const { length, middles, aliases, translations } = street
  const mean = middles.reduce<LngLat>(
    ([lng, lat], at) => [lng + at[0] / middles.length, lat + at[1] / middles.length],
    [0, 0],
  )
  const at = middles.reduce((a, b) => (distanceMeters(a, mean) < distanceMeters(b, mean) ? a : b))
  return {
    name,
    kind: 'street',
    at,
    weight: KIND_WEIGHT.street + Math.min(2, length / 4_000),
    context: findQuarter(at),
    aliases: [...aliases],
    translations,
  }
}

interface House {
  number: string
  at: LngLat
}

/** Returns the houses of each street, by its name. */
const collectHouses = (features: readonly OsmFeature[]): Map<string, House[]> => {
  const houses = new Map<string, House[]>()
  for (const feature of features) {
    const street = feature.tags['addr:street']
    const number = feature.tags['addr:housenumber']
    if (!street || !number || number.includes('\n')) continue
    const row = houses.get(street) ?? []
    houses.set(street, row)
    const at = findCenter(feature)
    // One house may have the number "1234,1236,1240"; each part is searchable separately.
    for (const one of number.split(/[,;]/)) if (one.trim()) row.push({ number: one.trim(), at })
  }
  return houses
}

const collectPlaces = (features: readonly OsmFeature[], findQuarter: FindQuarter): Item[] => {
  const usedNames = new Set<string>()
  return features.flatMap((feature) => {
    const { tags } = feature
    if (!tags.name || tags.public_transport || tags.highway === 'bus_stop') return []
    if (tags.highway && feature.kind !== 'point') return []
    const kind = getPlaceKind(tags)
    if (!kind) return []
    const at = findCenter(feature)
    // A hospital is often mapped twice, as a building and as a point in it.
    const key = `${tags.name}|${kind}|${at.map((degrees) => degrees.toFixed(2)).join()}`
    if (usedNames.has(key)) return []
    usedNames.add(key)
    const address = [tags['addr:street'], tags['addr:housenumber']].filter(Boolean).join(' ')
    return [
      {
        name: tags.name,
        kind,
        at,
        weight: KIND_WEIGHT[kind],
        context: tags['addr:street'] ? address : findQuarter(at),
        aliases: getAliases(tags),
        translations: getTranslations(tags),
      },
    ]
  })
}

const compareNumbers = (a: House, b: House) =>
  (Number.parseInt(a.number) || 0) - (Number.parseInt(b.number) || 0) ||
  (a.number < b.number ? -1 : 1)

/** Returns the columns of the houses: by street, in the order of their numbers. */
const toHouseColumns = (houses: Map<string, House[]>, streetIds: Map<string, number>) => {
  const rows = [...houses].map(([street, row]) => ({
    street: streetIds.get(street)!,
    row: row.sort(compareNumbers),
  }))
  const flat = rows.flatMap(({ row }) => row)
  const starts = [0]
  for (const { row } of rows) starts.push(starts[starts.length - 1]! + row.length)
  return {
    numbers: flat.map(({ number }) => number),
    columns: {
      houseStreet: Uint32Array.from(rows, ({ street }) => street),
      houseStart: Uint32Array.from(starts),
      houseLng: Int32Array.from(flat, ({ at }) => toMicrodegrees(at[0])),
      houseLat: Int32Array.from(flat, ({ at }) => toMicrodegrees(at[1])),
    },
  }
}

/** Returns a street whose name only its houses have. */
const toHouseStreet = (name: string, row: readonly House[], findQuarter: FindQuarter): Item => {
  const { at } = row[row.length >> 1]!
  const weight = KIND_WEIGHT.street - 1
  const context = findQuarter(at)
  return { name, kind: 'street', at, weight, context, aliases: [], translations: {} }
}

/** Returns the searchable names and house numbers as `gaz.bin`, and a summary line to print. */
export const buildPlaces = (city: CityInput): { file: Buffer; summary: string } => {
  const { features } = city
  const findQuarter = createQuarterSearch(features)
  const streets = collectStreets(features)
  const houses = collectHouses(features)
  const streetItems = [
    ...[...streets].map(([name, street]) => toStreetItem(name, street, findQuarter)),
    ...[...houses]
      .filter(([name]) => !streets.has(name))
      .map(([name, row]) => toHouseStreet(name, row, findQuarter)),
  ]
  const streetIds = new Map(streetItems.map(({ name }, i) => [name, i]))
  const items = [...streetItems, ...collectPlaces(features, findQuarter)]
  const { numbers, columns } = toHouseColumns(houses, streetIds)
  const file = encodeColumnFile(
    {
      country: city.country,
      city: city.name,
      kinds: KINDS,
      names: items.map(({ name }) => name),
      contexts: items.map(({ context }) => context),
      aliases: items.flatMap(({ aliases }, i) => aliases.map((alias) => [i, alias])),
      translations: items.flatMap(({ translations }, i) =>
        Object.keys(translations).length ? [[i, translations]] : [],
      ),
      houseNumbers: numbers.join('\n'),
    },
    {
      kind: Uint8Array.from(items, ({ kind }) => KINDS.indexOf(kind)),
      weight: Float32Array.from(items, ({ weight }) => weight),
      lng: Int32Array.from(items, ({ at }) => toMicrodegrees(at[0])),
      lat: Int32Array.from(items, ({ at }) => toMicrodegrees(at[1])),
      ...columns,
    },
  )
  return {
    file,
    summary: `${items.length} names, ${numbers.length} house numbers on ${houses.size} streets`,
  }
}
