import { encodeColumnFile } from '~/functions/src/adapters/maps/bundled/columnFile'
import { findCenter } from './osmFeature'
import { distanceMeters, toLngLat } from './mercator'
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
  const found = new Set<string>()
  for (const [key, value] of Object.entries(tags)) {
    if (!ALIAS_KEYS.includes(key) && !/^name:[a-z]{2}$/.test(key)) continue
    for (const name of value.split(';')) if (name.trim()) found.add(name.trim())
  }
  found.delete(tags.name ?? '')
  return [...found]
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

/** Returns the searchable names and house numbers as `gaz.bin`, and a summary line to print. */
export const buildPlaces = (city: CityInput): { file: Buffer; summary: string } => {
  const quarters = city.features
    .filter(({ kind, tags }) => kind === 'point' && SUBURB.test(tags.place ?? '') && tags.name)
    .map((feature) => ({ name: feature.tags.name!, at: findCenter(feature) }))
  const findQuarter = (at: LngLat) => {
    let [best, nearest] = ['', 4_000]
    for (const quarter of quarters) {
      const distance = distanceMeters(quarter.at, at)
      if (distance < nearest) [best, nearest] = [quarter.name, distance]
    }
    return best
  }

  const items: Item[] = []
  interface Street extends Pick<Item, 'translations'> {
    length: number
    middles: LngLat[]
    aliases: Set<string>
  }
  const streets = new Map<string, Street>()
  for (const feature of city.features) {
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
  const streetItem = new Map<string, number>()
  for (const [name, { length, middles, aliases, translations }] of streets) {
    const mean = middles.reduce<LngLat>(
      ([lng, lat], at) => [lng + at[0] / middles.length, lat + at[1] / middles.length],
      [0, 0],
    )
    const at = middles.reduce((a, b) => (distanceMeters(a, mean) < distanceMeters(b, mean) ? a : b))
    const weight = KIND_WEIGHT.street + Math.min(2, length / 4_000)
    const context = findQuarter(at)
    streetItem.set(name, items.length)
    items.push({
      name,
      kind: 'street',
      at,
      weight,
      context,
      aliases: [...aliases],
      translations,
    })
  }

  const houses = new Map<string, { number: string; at: LngLat }[]>()
  for (const feature of city.features) {
    const street = feature.tags['addr:street']
    const number = feature.tags['addr:housenumber']
    if (!street || !number || number.includes('\n')) continue
    const row = houses.get(street) ?? []
    houses.set(street, row)
    const at = findCenter(feature)
    // One house may have the number "1234,1236,1240"; each part is searchable separately.
    for (const one of number.split(/[,;]/)) if (one.trim()) row.push({ number: one.trim(), at })
  }
  for (const [name, row] of houses) {
    if (streetItem.has(name)) continue
    const { at } = row[row.length >> 1]!
    streetItem.set(name, items.length)
    items.push({
      name,
      kind: 'street',
      at,
      weight: KIND_WEIGHT.street - 1,
      context: findQuarter(at),
      aliases: [],
      translations: {},
    })
  }

  const seen = new Set<string>()
  for (const feature of city.features) {
    const { tags } = feature
    if (!tags.name || tags.public_transport || tags.highway === 'bus_stop') continue
    if (tags.highway && feature.kind !== 'point') continue
    const kind = getPlaceKind(tags)
    if (!kind) continue
    const at = findCenter(feature)
    // A hospital is often mapped twice, as a building and as a point in it.
    const key = `${tags.name}|${kind}|${at.map((degrees) => degrees.toFixed(2)).join()}`
    if (seen.has(key)) continue
    seen.add(key)
    const address = [tags['addr:street'], tags['addr:housenumber']].filter(Boolean).join(' ')
    items.push({
      name: tags.name,
      kind,
      at,
      weight: KIND_WEIGHT[kind],
      context: tags['addr:street'] ? address : findQuarter(at),
      aliases: getAliases(tags),
      translations: getTranslations(tags),
    })
  }

  const byNumber = (a: { number: string }, b: { number: string }) =>
    (Number.parseInt(a.number) || 0) - (Number.parseInt(b.number) || 0) ||
    (a.number < b.number ? -1 : 1)
  const rows = [...houses].map(([street, row]) => ({
    street: streetItem.get(street)!,
    row: row.sort(byNumber),
  }))
  const flat = rows.flatMap(({ row }) => row)
  const starts = [0]
  for (const { row } of rows) starts.push(starts[starts.length - 1]! + row.length)
  const micro = (degrees: number) => Math.round(degrees * 1e6)
  const file = encodeColumnFile(
    {
      country: city.country,
      city: city.name,
      kinds: KINDS,
      names: items.map((item) => item.name),
      contexts: items.map((item) => item.context),
      aliases: items.flatMap(({ aliases }, i) => aliases.map((alias) => [i, alias])),
      translations: items.flatMap(({ translations }, i) =>
        Object.keys(translations).length ? [[i, translations]] : [],
      ),
      houseNumbers: flat.map((house) => house.number).join('\n'),
    },
    {
      kind: Uint8Array.from(items, (item) => KINDS.indexOf(item.kind)),
      weight: Float32Array.from(items, (item) => item.weight),
      lng: Int32Array.from(items, (item) => micro(item.at[0])),
      lat: Int32Array.from(items, (item) => micro(item.at[1])),
      houseStreet: Uint32Array.from(rows, (row) => row.street),
      houseStart: Uint32Array.from(starts),
      houseLng: Int32Array.from(flat, (house) => micro(house.at[0])),
      houseLat: Int32Array.from(flat, (house) => micro(house.at[1])),
    },
  )
  return {
    file,
    summary: `${items.length} names, ${flat.length} house numbers on ${rows.length} streets`,
  }
}
