import { beforeAll, describe, expect, it } from 'vitest'
import { createBundledMaps } from '../../adapters/maps/bundled/bundledMaps'
import { createGoogleMaps } from '../../adapters/maps/google/googleMaps'
import { createOsmMaps } from '../../adapters/maps/osm/osmMaps'
import { createFakeHttp } from '../../testing/fakeHttp'
import { ensureBuiltCity } from '../../testing/builtCity'
import { findMisplacedAddress } from './addressCheck'
import type { MapsPort } from '../../ports/mapsPort'

/** Corner in the center of Montevideo, 15 km from its airport. */
const CENTER = { lat: -34.8855, lng: -56.1813 }
const AIRPORT = { lat: -34.838, lng: -56.03 }

const check = (maps: MapsPort, add: string, at = CENTER) =>
  findMisplacedAddress(() => Promise.resolve(maps), [['drop', { ...at, add }]], 'UY')

describe('with the bundled map', () => {
  let maps: MapsPort
  beforeAll(() => {
    maps = createBundledMaps(ensureBuiltCity())
  })

  it.each([
    ['as the map writes it', 'Aeropuerto Internacional de Carrasco, Montevideo, Uruguay'],
    ['with one word less', 'Aeropuerto Carrasco'],
    ['with one word more at the end', 'Aeropuerto Internacional de Carrasco terminal'],
    ['with one word more at the beginning', 'Terminal Aeropuerto Internacional de Carrasco'],
    ['with one word more in the middle', 'Aeropuerto Nuevo Carrasco'],
    ['with one word less and one more', 'aeropuerto carrasco llegadas'],
    ['with a part more', 'Aeropuerto Internacional de Carrasco, puerta 1'],
    ['with a part more before it', 'puerta 1, Aeropuerto de Carrasco'],
    ['with the city of the position', 'Aeropuerto de Carrasco, Villa Muñoz, Montevideo, Uruguay'],
  ])('refuses the airport in the center, %s', async (_, add) => {
    expect(await check(maps, add)).toBe('drop')
    expect(await check(maps, add, AIRPORT)).toBeNull()
  })

  it('accepts the map’s own address of every position', async () => {
    for (let at = 0; at < 60; at++) {
      const position = { lat: -34.9 + at * 0.004, lng: -56.3 + ((at * 7) % 60) * 0.006 }
      const add = await maps.getAddress(position)
      if (add !== null) expect([add, await check(maps, add, position)]).toEqual([add, null])
    }
  })

  it('accepts each place that a search offers at its position', async () => {
    const typed = [
      'farmacia',
      'plaza artigas',
      'hospital',
      'escuela',
      'avenida italia 2500',
      'ancap',
    ]
    for (const text of typed)
      for (const { description, coords } of await maps.autocomplete(text, { limit: 10 }))
        expect([description, await check(maps, description, coords)]).toEqual([description, null])
  })

  it.each([
    'Next to the station',
    'Casa de Ana',
    'Portón verde frente a la plaza',
    'Marcelino Berthelot 1724 apto 3, timbre roto',
  ])('accepts the description “%s”', async (add) => {
    expect(await check(maps, add)).toBeNull()
  })
})

describe('a place of which the map knows only a namesake far away', () => {
  const own = 'Marcelino Berthelot 1724, Villa Muñoz, Montevideo, Uruguay'
  const namesake = {
    description: 'Farmacia San Roque, Colonia Nicolich, Uruguay',
    place_id: 'namesake',
    mainText: 'Farmacia San Roque',
    secondaryText: 'Colonia Nicolich, Uruguay',
    kind: 'pharmacy',
    coords: AIRPORT,
  }
  const searches: string[] = []
  const maps = {
    id: 'bundled',
    getAddress: () => Promise.resolve(own),
    autocomplete: (text: string) => {
      searches.push(text)
      return Promise.resolve([namesake])
    },
  } as unknown as MapsPort

  it('is refused by its name only, and accepted with its street', async () => {
    expect(await check(maps, 'Farmacia San Roque')).toBe('drop')
    expect(
      await check(maps, 'Farmacia San Roque, Marcelino Berthelot 1724, Villa Muñoz'),
    ).toBeNull()
  })

  it('costs no search when the map’s address of the position explains the text', async () => {
    searches.length = 0
    expect(await check(maps, 'Marcelino Berthelot 1724 bis, Montevideo')).toBeNull()
    expect(searches).toEqual([])
  })

  it('costs at most eight searches', async () => {
    const none = {
      ...maps,
      autocomplete: (text: string) => (searches.push(text), Promise.resolve([])),
    }
    for (const add of ['one two three four five six', 'aaa bbb ccc ddd eee fff ggg hhh iii jjj']) {
      searches.length = 0
      expect(await check(none, add)).toBeNull()
      expect(searches.length).toBeLessThanOrEqual(8)
    }
  })
})

describe('with the services of OpenStreetMap', () => {
  const toFeature = (name: string, at: typeof CENTER, more: object = {}) => ({
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [at.lng, at.lat] },
    properties: {
      ...{ osm_type: 'W', osm_id: 1, osm_key: 'aeroway', osm_value: 'aerodrome', type: 'house' },
      ...{ name, countrycode: 'UY', country: 'Uruguay', city: 'Montevideo', ...more },
    },
  })
  const street = toFeature('', CENTER, {
    ...{ name: undefined, street: 'Marcelino Berthelot', housenumber: '1724' },
    ...{ osm_key: 'place', osm_value: 'house' },
  })
  const airport = toFeature('Aeropuerto Internacional de Carrasco', AIRPORT)
  const ask = async (add: string, ...features: object[][]) => {
    const http = createFakeHttp(...features.map((all) => ({ body: { features: all } })))
    const maps = createOsmMaps({ photon: 'https://photon.example' }, http.options)
    return { field: await check(maps, add), paths: http.requests.map(({ url }) => url.pathname) }
  }

  it('asks Photon for the address of the position, then for the address', async () => {
    expect(await ask('Aeropuerto Carrasco llegadas', [street], [airport])).toEqual({
      field: 'drop',
      paths: ['/reverse', '/api'],
    })
    expect(await ask('Marcelino Berthelot 1724', [street])).toEqual({
      field: null,
      paths: ['/reverse'],
    })
  })

  it('finds with a word less what Photon does not find', async () => {
    const { field } = await ask('Aeropuerto Carrasco llegadas', [street], [], [], [airport])
    expect(field).toBe('drop')
  })

  it('reads the lines of Nominatim', async () => {
    const place = {
      ...{ place_id: 1, licence: '', osm_type: 'way', osm_id: 2, importance: 0.1 },
      ...{ lat: String(AIRPORT.lat), lon: String(AIRPORT.lng), category: 'aeroway' },
      ...{ type: 'aerodrome', name: 'Aeropuerto Internacional de Carrasco' },
      display_name: 'Aeropuerto Internacional de Carrasco, Canelones, Uruguay',
    }
    const own = { ...place, display_name: '1724, Marcelino Berthelot, Montevideo, Uruguay' }
    const http = createFakeHttp({ body: own }, { body: [place] })
    const maps = createOsmMaps({ nominatim: 'https://nominatim.example' }, http.options)
    expect(await check(maps, 'Aeropuerto Carrasco llegadas')).toBe('drop')
  })
})

it('sends nothing to Google, which bills each request', async () => {
  const http = createFakeHttp({ body: {} })
  const maps = createGoogleMaps('key', http.options)
  expect(await check(maps, 'Aeropuerto Internacional de Carrasco')).toBeNull()
  expect(http.requests).toEqual([])
})
