import { describe, expect, test } from 'vitest'
import { parsePlaceId, createPlaceId, getPlaceIdProvider } from '../adapters/maps/osm/placeId'
import { getOperationErrorText, MapsError, parsePositions } from './mapsPort'

describe('waypoints', () => {
  test('are parsed as pairs separated by bars', () => {
    const points = [
      { lat: -34.9, lng: -56.1 },
      { lat: 1, lng: 2 },
    ]
    expect(parsePositions('-34.9,-56.1| 1, 2')).toEqual(points)
    expect(parsePositions('')).toEqual([])
  })

  test.each(['x', '1', '1,2,3', '91,0', '0,181', '1,2|', '1e5,2', 'NaN,0'])('refuse "%s"', (text) =>
    expect(parsePositions(text)).toBeNull(),
  )
})

describe('place ids', () => {
  const place = { lat: -34.9064, lng: -56.1987, label: 'Plaza Independencia, Montevideo' }

  test('contain their place, so that they survive a map rebuild', () => {
    expect(parsePlaceId(createPlaceId('bundled', place))).toEqual(place)
    expect(parsePlaceId(createPlaceId('osm', place))).toEqual(place)
  })

  test('identify their provider', () => {
    expect(getPlaceIdProvider(createPlaceId('bundled', place))).toBe('bundled')
    expect(getPlaceIdProvider(createPlaceId('osm', place))).toBe('osm')
    expect(getPlaceIdProvider('ChIJN1t_tDeuEmsRUsoyG83frY4')).toBe('google')
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
  ])('parse the forged or foreign id "%s" as null', (id) => {
    expect(parsePlaceId(id)).toBeNull()
  })
})

describe('the error text of a failed call', () => {
  test('is the service’s own text when it sends one', () => {
    const error = new MapsError('denied', 'The provided API key is invalid.')
    expect(getOperationErrorText('directions', error)).toBe('The provided API key is invalid.')
  })

  test.each([
    ['address', 'fetchAddressfromCoords Call Error'],
    ['directions', 'getDirectionsApi Call Error'],
    ['autocomplete', 'fetchPlacesAutocomplete Call Error'],
    ['coords', 'fetchCoordsfromPlace Call Error'],
    ['distanceMatrix', 'getDistanceMatrix Call Error'],
  ] as const)('is the default for %s when the service sends none', (call, text) => {
    expect(getOperationErrorText(call, new MapsError('timeout'))).toBe(text)
    expect(getOperationErrorText(call, new Error('socket hang up'))).toBe(text)
  })
})
