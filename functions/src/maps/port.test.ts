import { describe, expect, test } from 'vitest'
import { parsePlaceId, placeIdOf, placeOwner } from './placeId'
import { callError, MapsError, parsePoints } from './port'

describe('waypoints', () => {
  test('they are read as pairs parted by bars', () => {
    const points = [
      { lat: -34.9, lng: -56.1 },
      { lat: 1, lng: 2 },
    ]
    expect(parsePoints('-34.9,-56.1| 1, 2')).toEqual(points)
    expect(parsePoints('')).toEqual([])
  })

  test.each(['x', '1', '1,2,3', '91,0', '0,181', '1,2|', '1e5,2', 'NaN,0'])(
    '"%s" is not a list of points',
    (text) => expect(parsePoints(text)).toBeNull(),
  )
})

describe('place ids', () => {
  const place = { lat: -34.9064, lng: -56.1987, label: 'Plaza Independencia, Montevideo' }

  test('an id holds its place, so that it outlives a rebuilt map', () => {
    expect(parsePlaceId(placeIdOf('bundled', place))).toEqual(place)
    expect(parsePlaceId(placeIdOf('osm', place))).toEqual(place)
  })

  test('an id says whose it is', () => {
    expect(placeOwner(placeIdOf('bundled', place))).toBe('bundled')
    expect(placeOwner(placeIdOf('osm', place))).toBe('osm')
    expect(placeOwner('ChIJN1t_tDeuEmsRUsoyG83frY4')).toBe('google')
  })

  test.each([
    '',
    'emb1:',
    'emb1:!!!!',
    'ChIJN1t_tDeuEmsRUsoyG83frY4',
    `emb1:${Buffer.from('95000000,0,North of the pole').toString('base64url')}`,
    `emb1:${Buffer.from('1,2,').toString('base64url')}`,
    `emb1:${Buffer.from('1,2,a\nb').toString('base64url')}`,
    `emb1:${'A'.repeat(5_000)}`,
  ])('a forged or foreign id "%s" is no place', (id) => {
    expect(parsePlaceId(id)).toBeNull()
  })
})

describe('the text of a failed call', () => {
  test("is the service's own when it gave one", () => {
    const error = new MapsError('denied', 'The provided API key is invalid.')
    expect(callError('directions', error)).toBe('The provided API key is invalid.')
  })

  test.each([
    ['address', 'fetchAddressfromCoords Call Error'],
    ['directions', 'getDirectionsApi Call Error'],
    ['autocomplete', 'fetchPlacesAutocomplete Call Error'],
    ['coords', 'fetchCoordsfromPlace Call Error'],
    ['distanceMatrix', 'getDistanceMatrix Call Error'],
  ] as const)('of %s without one is the catalogue’s', (call, text) => {
    expect(callError(call, new MapsError('timeout'))).toBe(text)
    expect(callError(call, new Error('socket hang up'))).toBe(text)
  })
})
