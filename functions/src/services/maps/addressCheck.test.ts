import { describe, expect, it } from 'vitest'
import { straightLineMaps } from '../../testing/testPorts'
import { findMisplacedAddress } from './addressCheck'
import type { MapsPort, Suggestion } from '../../ports/mapsPort'

const PLAZA = { lat: -34.906, lng: -56.199 }
const AIRPORT = { lat: -34.838, lng: -56.03 }
const AIRPORT_TEXT = 'Aeropuerto Internacional de Carrasco, Montevideo, Uruguay'
const toSuggestion = (
  description: string,
  coords: Suggestion['coords'],
  kind = 'aerodrome',
): Suggestion => ({
  description,
  place_id: description,
  mainText: description.split(', ')[0] ?? '',
  secondaryText: description.split(', ').slice(1).join(', '),
  kind,
  ...(coords && { coords }),
})
const aMap = (found: Suggestion[], over: Partial<MapsPort> = {}) =>
  Promise.resolve({ ...straightLineMaps, autocomplete: () => Promise.resolve(found), ...over })
const airport = [toSuggestion(AIRPORT_TEXT, AIRPORT)]
const find = (add: string, at = PLAZA, maps = aMap(airport)) =>
  findMisplacedAddress(() => maps, [['drop', { ...at, add }]], 'UY')

describe('an address that lies far from its position', () => {
  it.each([
    ['in full', AIRPORT_TEXT],
    ['without its city', 'Aeropuerto Internacional de Carrasco'],
    ['in capitals, without accents and commas', AIRPORT_TEXT.toUpperCase().replaceAll(',', '')],
    ['with more words', `${AIRPORT_TEXT}, main entrance`],
  ])('is found %s', async (_, add) => {
    expect(await find(add)).toBe('drop')
  })

  it('is named by its field, also among correct ones', async () => {
    const places = [
      ['pickup', { ...AIRPORT, add: AIRPORT_TEXT }],
      ['stop0', { ...PLAZA, add: 'Next to the church' }],
      ['stop1', { ...PLAZA, add: AIRPORT_TEXT }],
      ['drop', { ...PLAZA, add: 'Behind the church' }],
    ] as const
    expect(await findMisplacedAddress(() => aMap(airport), places, 'UY')).toBe('stop1')
  })

  it('is found at the drop-off behind 25 stops, which together cost no more than a few', async () => {
    let queries = 0
    const autocomplete = (text: string) => {
      queries += 1
      return Promise.resolve(text === AIRPORT_TEXT ? airport : [])
    }
    const stops = Array.from(
      { length: 25 },
      (_, at) => [`stop${at}`, { ...PLAZA, add: 'One two three four five' }] as const,
    )
    const maps = () => aMap([], { autocomplete })
    const drop = ['drop', { ...PLAZA, add: AIRPORT_TEXT }] as const
    expect(await findMisplacedAddress(maps, [...stops, drop], 'UY')).toBe('drop')
    expect(await findMisplacedAddress(maps, stops, 'UY')).toBeNull()
    expect(queries).toBeLessThan(50)
  })
})

describe('an address is accepted', () => {
  it.each<[string, string, Suggestion[]]>([
    ['that the map does not know', 'To there', airport],
    ['of another place of the same name', 'Plaza Artigas, Colonia', airport],
    [
      'with a place of its name nearby',
      'Plaza Artigas',
      [toSuggestion('Plaza Artigas, A', AIRPORT), toSuggestion('Plaza Artigas, B', PLAZA)],
    ],
    ['of the city only', 'Montevideo, Uruguay', airport],
    ['of one word', 'Carrasco', [toSuggestion('Carrasco, Montevideo', AIRPORT)]],
    ['of a long street', 'Ruta 8, Uruguay', [toSuggestion('Ruta 8, Uruguay', AIRPORT, 'street')]],
    ['without a position in the answer', AIRPORT_TEXT, [toSuggestion(AIRPORT_TEXT, undefined)]],
  ])('%s', async (_, add, found) => {
    expect(await find(add, PLAZA, aMap(found))).toBeNull()
  })

  it('that the map itself gives for the position', async () => {
    const getAddress = () => Promise.resolve(AIRPORT_TEXT)
    expect(await find(AIRPORT_TEXT, PLAZA, aMap(airport, { getAddress }))).toBeNull()
  })

  it('at its position', async () => {
    expect(await find(AIRPORT_TEXT, AIRPORT)).toBeNull()
  })

  it('when the service bills each search, fails or cannot be loaded', async () => {
    const failing = { autocomplete: () => Promise.reject(new Error('unreachable')) }
    expect(await find(AIRPORT_TEXT, PLAZA, aMap(airport, { id: 'google' }))).toBeNull()
    expect(await find(AIRPORT_TEXT, PLAZA, aMap(airport, failing))).toBeNull()
    const unloadable = () => Promise.reject(new Error('not built'))
    const places = [['drop', { ...PLAZA, add: AIRPORT_TEXT }]] as const
    expect(await findMisplacedAddress(unloadable, places, 'UY')).toBeNull()
  })
})
