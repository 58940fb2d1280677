import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { chooseLength } from '~/domain/testing/endurance'
import { ensureBuiltCity } from '../../../../testing/builtCity'
import { createBundledMaps } from '../bundledMaps'
import { decodeColumnFile, type Column } from '../columnFile'
import { getDistanceMeters, type Position } from '../../../../ports/positions'
import { joinAddressParts, type MapsPort, type Suggestion } from '../../../../ports/mapsPort'

const CENTER = { lat: -34.90643, lng: -56.19871 }
/** The search offers only one of several places of the same name within this distance. */
const DUPLICATE_METERS = 1_500
const LEAST_SHARE = 0.98
const HOUSE_COUNT = chooseLength(2_000, 40_000)
/** Every second place is enough in `npm test`; every street is always tried. */
const PLACE_STEP = chooseLength(2, 1)

interface Header {
  kinds: string[]
  names: string[]
  contexts: string[]
  houseNumbers: string
}
type ColumnName = 'kind' | 'lng' | 'lat' | 'houseStreet' | 'houseStart' | 'houseLng' | 'houseLat'

interface ShownPlace {
  text: string
  at: Position
}

let maps: MapsPort
let places: { streets: ShownPlace[]; others: ShownPlace[]; houses: ShownPlace[] }

/** Returns the same whole numbers below `limit` in every run. */
const createRandom = (seed: number) => {
  let state = seed
  return (limit: number) => (state = (Math.imul(state, 48_271) & 0x7fff_ffff) % 0x7fff_ffff) % limit
}

/** Reads from the map's file how the product shows each place, without the search. */
const readPlaces = (directory: string): typeof places => {
  const { header, columns } = decodeColumnFile<Header, Record<ColumnName, Column>>(
    readFileSync(join(directory, 'gaz.bin')),
  )
  const show = (item: number, number = '') => {
    const name = header.names[item]!
    const context = header.contexts[item]!
    const behind = joinAddressParts(context === name ? '' : context, 'Montevideo', 'Uruguay')
    return joinAddressParts(number ? `${name} ${number}` : name, behind)
  }
  const toPosition = (lat: Column, lng: Column, i: number) => ({
    lat: lat[i]! / 1e6,
    lng: lng[i]! / 1e6,
  })
  const all = header.names.map((_, item) => ({
    text: show(item),
    at: toPosition(columns.lat, columns.lng, item),
    isStreet: header.kinds[columns.kind[item]!] === 'street',
  }))
  const numbers = header.houseNumbers.split('\n')
  const random = createRandom(11)
  const houses = Array.from({ length: HOUSE_COUNT }, () => {
    const house = random(numbers.length)
    const row = columns.houseStart.findLastIndex((start) => start <= house)
    return {
      text: show(columns.houseStreet[row]!, numbers[house]),
      at: toPosition(columns.houseLat, columns.houseLng, house),
    }
  })
  return {
    streets: all.filter(({ isStreet }) => isStreet),
    others: all.filter(({ isStreet }, i) => !isStreet && i % PLACE_STEP === 0),
    houses,
  }
}

beforeAll(() => {
  const directory = ensureBuiltCity()
  maps = createBundledMaps(directory)
  places = readPlaces(directory)
})

/**
 * Returns true when the first suggestion has the place's text, and one of the first three with that
 * text is at the place: several places can have the same text.
 */
const isItself = ({ text, at }: ShownPlace, suggestions: readonly Suggestion[]) =>
  suggestions[0]?.description === text &&
  suggestions
    .slice(0, 3)
    .some(
      ({ description, coords }) =>
        description === text && getDistanceMeters(coords!, at) < DUPLICATE_METERS,
    )

const checkOwnTexts = async (list: readonly ShownPlace[], near: Position | undefined) => {
  const failures: string[] = []
  for (const place of list) {
    const suggestions = await maps.autocomplete(place.text, {
      country: 'UY',
      ...(near && { near }),
    })
    if (isItself(place, suggestions)) continue
    failures.push(`${place.text} → ${suggestions[0]?.description}`)
  }
  const share = 1 - failures.length / list.length
  expect(list.length).toBeGreaterThan(1_000)
  expect(share, failures.slice(0, 30).join('\n')).toBeGreaterThanOrEqual(LEAST_SHARE)
}

test('every street finds itself by its shown text', () => checkOwnTexts(places.streets, CENTER))

test('every place finds itself by its shown text', () => checkOwnTexts(places.others, CENTER))

test('house numbers find themselves by their shown text', () =>
  checkOwnTexts(places.houses, undefined))

test.each([CENTER, undefined])(
  'the address of a position is the first place that it finds (near %j)',
  async (near) => {
    const random = createRandom(5)
    const failures: string[] = []
    const count = chooseLength(500, 5_000)
    for (let i = 0; i < count; i++) {
      const at = { lat: -34.93 + random(100_000) / 1e6, lng: -56.25 + random(200_000) / 1e6 }
      const address = await maps.getAddress(at, { language: 'es' })
      if (address === null) continue
      const [first] = await maps.autocomplete(address, {
        country: 'UY',
        language: 'es',
        ...(near && { near }),
      })
      if (first?.description !== address) failures.push(`${address} → ${first?.description}`)
    }
    expect(failures.length, failures.join('\n')).toBeLessThanOrEqual(count * (1 - LEAST_SHARE))
  },
)
