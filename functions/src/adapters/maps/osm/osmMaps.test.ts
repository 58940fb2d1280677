import { describe, expect, test } from 'vitest'
import { createFakeHttp } from '../../../testing/fakeHttp'
import { createOsmMaps } from './osmMaps'
import { decodePolyline, encodePolyline } from '~/domain/geo/polyline'
import { getOperationErrorText } from '../../../ports/mapsPort'
import type { OsmUrls } from './osmMaps'

const A = { lat: 52.517, lng: 13.3888 }
const B = { lat: 52.5236, lng: 13.4286 }
const ALL: OsmUrls = { photon: 'https://photon.example', osrm: 'https://osrm.example/base/' }

const osm = (urls: OsmUrls, ...answers: Parameters<typeof createFakeHttp>) => {
  const service = createFakeHttp(...answers)
  return { ...service, maps: createOsmMaps(urls, service.options) }
}

const feature = (name: string, countrycode: string, more = {}) => ({
  type: 'Feature',
  geometry: { type: 'Point', coordinates: [13.4, 52.5] },
  properties: {
    osm_type: 'N',
    osm_id: 1,
    osm_key: 'place',
    osm_value: 'house',
    type: 'house',
    name,
    countrycode,
    country: 'Deutschland',
    city: 'Berlin',
    state: 'Berlin',
    postcode: '10178',
    ...more,
  },
})

describe('Photon', () => {
  test('offers only places in the country, with their positions', async () => {
    const { maps, requests } = osm(ALL, {
      body: {
        type: 'FeatureCollection',
        features: [
          feature('Alexanderplatz', 'DE', { district: 'Mitte' }),
          feature('Alexanderplatz', 'AT'),
        ],
      },
    })
    const found = await maps.autocomplete('alexanderp', {
      country: 'de',
      near: A,
      language: 'de-AT',
      limit: 5,
    })
    expect(found).toHaveLength(1)
    expect(found[0]).toMatchObject({
      description: 'Alexanderplatz, Mitte, Berlin, Deutschland',
      mainText: 'Alexanderplatz',
      coords: { lat: 52.5, lng: 13.4 },
    })
    expect(await maps.getCoords(found[0]!.place_id)).toEqual({
      lat: 52.5,
      lng: 13.4,
      description: found[0]!.description,
    })
    expect(Object.fromEntries(requests[0]!.url.searchParams)).toMatchObject({
      q: 'alexanderp',
      lang: 'de',
      lat: '52.517',
      lon: '13.3888',
      countrycode: 'DE',
    })
  })

  test('sends no language that Photon refuses', async () => {
    const { maps, requests } = osm(ALL, { body: { features: [] } })
    expect(await maps.autocomplete('x', { language: 'es' })).toEqual([])
    expect(requests[0]!.url.searchParams.has('lang')).toBe(false)
  })

  test('names an unnamed house by its street', async () => {
    const house = feature('', 'DE', {
      name: undefined,
      street: 'Unter den Linden',
      housenumber: '1',
    })
    const { maps } = osm(ALL, { body: { features: [house] } }, { body: { features: [] } })
    expect(await maps.getAddress(A)).toBe('Unter den Linden 1, Berlin, Deutschland')
    expect(await maps.getAddress(A)).toBeNull()
  })

  test('refuses with Photon’s own text', async () => {
    const { maps } = osm(ALL, { status: 400, body: { message: "missing search term 'q'" } })
    const error = await maps.autocomplete('x').catch((reason: unknown) => reason)
    expect(getOperationErrorText('autocomplete', error)).toBe("missing search term 'q'")
  })
})

describe('Nominatim', () => {
  const urls = { nominatim: 'https://nominatim.example' }
  const place = {
    place_id: 1,
    licence: 'Data © OpenStreetMap contributors, ODbL 1.0',
    osm_type: 'way',
    osm_id: 2,
    lat: '52.5',
    lon: '13.4',
    category: 'building',
    type: 'yes',
    importance: 0.1,
    name: '',
    display_name: '1, Unter den Linden, Mitte, Berlin, 10117, Deutschland',
  }

  test('returns addresses', async () => {
    const { maps, requests } = osm(urls, { body: place })
    expect(await maps.getAddress(A, { language: 'de' })).toBe(place.display_name)
    expect(requests[0]!.url.pathname).toBe('/reverse')
    expect(requests[0]!.url.searchParams.get('accept-language')).toBe('de')
  })

  test('returns no address at sea', async () => {
    const { maps } = osm(urls, { body: { error: 'Unable to geocode' } })
    expect(await maps.getAddress({ lat: 0, lng: 0 })).toBeNull()
  })

  test('searches when Photon is not configured', async () => {
    const { maps, requests } = osm(urls, { body: [place] })
    const [first] = await maps.autocomplete('unter den', { country: 'DE' })
    expect(first).toMatchObject({ mainText: '1', coords: { lat: 52.5, lng: 13.4 } })
    expect(requests[0]!.url.searchParams.get('countrycodes')).toBe('de')
  })

  test('refuses with Photon’s own text', async () => {
    const { maps } = osm(urls, { status: 400, body: { error: { code: 400, message: 'Bad lat' } } })
    await expect(maps.getAddress(A)).rejects.toMatchObject({
      kind: 'invalid',
      serviceText: 'Bad lat',
    })
  })
})

describe('OSRM', () => {
  const line = encodePolyline([A, B])
  const maneuver = (type: string, modifier?: string, exit?: number) => ({
    type,
    location: [13.39, 52.52],
    bearing_before: 0,
    bearing_after: 90,
    ...(modifier && { modifier }),
    ...(exit && { exit }),
  })
  const body = {
    code: 'Ok',
    waypoints: [{ hint: '', distance: 4.1, name: 'Friedrichstraße', location: [13.38, 52.51] }],
    routes: [
      {
        distance: 1_886.8,
        duration: 260.3,
        weight: 260.3,
        weight_name: 'routability',
        geometry: line,
        legs: [
          {
            distance: 1_886.8,
            duration: 260.3,
            summary: '',
            weight: 260.3,
            steps: [
              {
                distance: 900,
                duration: 100,
                name: 'Friedrichstraße',
                maneuver: maneuver('depart'),
              },
              {
                distance: 900,
                duration: 100,
                name: 'Torstraße',
                maneuver: maneuver('turn', 'sharp left'),
              },
              {
                distance: 86.8,
                duration: 60.3,
                name: 'Kreisel',
                maneuver: maneuver('rotary', 'right', 3),
              },
              { distance: 0, duration: 0, name: '', maneuver: maneuver('arrive') },
            ],
          },
        ],
      },
    ],
  }

  test('returns the route, its line and its turns', async () => {
    const { maps, requests } = osm(ALL, { body })
    const route = await maps.getDirections(A, B)
    expect(route).toMatchObject({
      distance_in_km: 1.887,
      time_in_secs: 260,
      polylinePoints: line,
      approximate: false,
    })
    expect(route?.steps.map((one) => [one.maneuver, one.street, one.exit])).toEqual([
      ['depart', 'Friedrichstraße', undefined],
      ['sharp-left', 'Torstraße', undefined],
      ['roundabout', 'Kreisel', 3],
      ['arrive', '', undefined],
    ])
    expect(requests[0]!.url.pathname).toBe('/base/route/v1/driving/13.3888,52.517;13.4286,52.5236')
  })

  test.each(['NoRoute', 'NoSegment'])('treats %s as no route, not a failure', async (code) => {
    const { maps } = osm(ALL, { status: 400, body: { code, message: 'Impossible route' } })
    expect(await maps.getDirections(A, B)).toBeNull()
  })

  test.each([
    ['InvalidQuery', 400, 'invalid'],
    ['InvalidUrl', 400, 'invalid'],
    ['InvalidOptions', 400, 'invalid'],
    ['InvalidValue', 400, 'invalid'],
    ['TooBig', 400, 'invalid'],
    ['NotImplemented', 501, 'unavailable'],
  ])('treats %s as a failure with OSRM’s own text', async (code, status, kind) => {
    const { maps } = osm(ALL, { status, body: { code, message: `Because ${code}` } })
    await expect(maps.getDirections(A, B)).rejects.toMatchObject({
      kind,
      serviceText: `Because ${code}`,
    })
  })

  test('returns the table, with null where no route exists', async () => {
    const { maps, requests } = osm(ALL, {
      body: {
        code: 'Ok',
        durations: [[60.4], [null]],
        distances: [[1_500.2], [null]],
        sources: [],
        destinations: [],
      },
    })
    expect(await maps.getDistanceMatrix([A, B], [A])).toMatchObject([
      [{ found: true, distance_in_km: 1.5, time_in_secs: 60 }],
      [{ found: false }],
    ])
    expect(Object.fromEntries(requests[0]!.url.searchParams)).toMatchObject({
      sources: '0;1',
      destinations: '2',
      annotations: 'duration,distance',
    })
  })

  describe('on a map that does not reach every place', () => {
    /** Paris, which the server of another city moves 1,212 km to its nearest street. */
    const PARIS = { lat: 48.8566, lng: 2.3522 }
    const moved = (distance: number) => ({
      hint: 'kAkAgP___38',
      distance,
      name: 'Rua do Almada',
      location: [-8.612, 41.15],
    })
    const near = moved(4.1)
    const far = moved(1_212_000)

    test.each([
      ['the destination', [near, far]],
      ['the pickup', [far, near]],
      ['a stop', [near, far, near]],
    ])('finds no route when %s is far from every street', async (_, waypoints) => {
      const { maps } = osm(ALL, { body: { ...body, waypoints } })
      expect(await maps.getDirections(A, PARIS)).toBeNull()
    })

    test('asks the server for a street within two kilometers of every stop', async () => {
      const { maps, requests } = osm(ALL, { body })
      await maps.getDirections(A, PARIS, [B])
      expect(requests[0]!.url.searchParams.get('radiuses')).toBe('2000;2000;2000')
    })

    test('finds no route for the pairs with a far place, and all other pairs', async () => {
      const { maps, requests } = osm(ALL, {
        body: {
          code: 'Ok',
          durations: [
            [60, 700],
            [90, 800],
          ],
          distances: [
            [500, 9_800],
            [900, 9_900],
          ],
          sources: [near, moved(2_001)],
          destinations: [moved(2_000), far],
        },
      })
      const matrix = await maps.getDistanceMatrix([A, B], [B, PARIS])
      expect(matrix.map((row) => row.map(({ found }) => found))).toEqual([
        [true, false],
        [false, false],
      ])
      expect(requests[0]!.url.searchParams.has('radiuses')).toBe(false)
    })

    test('takes another limit from the operator', async () => {
      const service = createFakeHttp({ body: { ...body, waypoints: [near, moved(2_500)] } })
      const maps = createOsmMaps(ALL, service.options, 3_000)
      expect(await maps.getDirections(A, B)).not.toBeNull()
      const strict = createFakeHttp({ body: { ...body, waypoints: [near, moved(2_500)] } })
      expect(await createOsmMaps(ALL, strict.options, 1_000).getDirections(A, B)).toBeNull()
    })
  })
})

describe('Valhalla', () => {
  const urls = { valhalla: 'https://valhalla.example' }
  const leg = (type: number, [start, end] = [A, B]) => ({
    shape: encodePolyline([start, { lat: 52.52, lng: 13.4 }, end], 6),
    summary: { length: 3, time: 600 },
    maneuvers: [
      {
        type: 1,
        instruction: 'Drive east.',
        street_names: ['Torstraße'],
        length: 2,
        time: 400,
        begin_shape_index: 0,
        end_shape_index: 1,
      },
      {
        type: 26,
        length: 1,
        time: 200,
        begin_shape_index: 1,
        end_shape_index: 2,
        roundabout_exit_count: 2,
      },
      { type, length: 0, time: 0, begin_shape_index: 2, end_shape_index: 2 },
    ],
  })

  test('converts precision 6 to our precision 5', async () => {
    const trip = {
      status: 0,
      status_message: 'Found route between points',
      units: 'kilometers',
      summary: { length: 6.0004, time: 1_200.4 },
      legs: [leg(4), leg(4, [B, A])],
    }
    const { maps, requests } = osm(urls, { body: { trip } })
    const route = await maps.getDirections(A, A, [B])
    expect(route).toMatchObject({ distance_in_km: 6, time_in_secs: 1_200 })
    expect(decodePolyline(route!.polylinePoints)[0]).toEqual(A)
    expect(route?.steps.map(({ maneuver }) => maneuver)).toEqual([
      'depart',
      'roundabout',
      'stop',
      'depart',
      'roundabout',
      'arrive',
    ])
    expect(route?.steps[1]).toMatchObject({ exit: 2, at: { lat: 52.52, lng: 13.4 } })
    expect(requests[0]!.body).toMatchObject({ costing: 'auto', units: 'kilometers' })
    expect(requests[0]!.body).not.toHaveProperty('language')
    await maps.getDirections(A, B, [], { language: 'pt-BR' })
    expect(requests[1]!.body).toMatchObject({ language: 'pt-BR' })
  })

  test('finds no route when the line ends far from a place', async () => {
    const trip = { summary: { length: 3, time: 600 }, legs: [leg(4)] }
    const far = { lat: B.lat + 0.03, lng: B.lng }
    expect(await osm(urls, { body: { trip } }).maps.getDirections(A, far)).toBeNull()
    const { options } = createFakeHttp({ body: { trip } })
    expect(await createOsmMaps(urls, options, 10_000).getDirections(A, far)).not.toBeNull()
  })

  test.each([
    [442, 'No path could be found for input'],
    [171, 'No suitable edges near location'],
    [154, 'Path distance exceeds the max distance limit'],
  ])('treats error %i as no route, not a failure', async (error_code, error) => {
    const { maps } = osm(urls, { status: 400, body: { error_code, error, status_code: 400 } })
    expect(await maps.getDirections(A, B)).toBeNull()
  })

  test('refuses with Photon’s own text', async () => {
    const refusal = { error_code: 125, error: 'No costing method found', status_code: 400 }
    const { maps } = osm(urls, { status: 400, body: refusal })
    await expect(maps.getDirections(A, B)).rejects.toMatchObject({
      kind: 'invalid',
      serviceText: 'No costing method found',
    })
  })

  test('returns the table', async () => {
    const { maps } = osm(urls, {
      body: {
        units: 'kilometers',
        sources_to_targets: [
          [{ distance: 1.5, time: 90, from_index: 0, to_index: 0 }],
          [{ distance: null, time: null }],
        ],
      },
    })
    expect(await maps.getDistanceMatrix([A, B], [A])).toMatchObject([
      [{ found: true, distance_in_km: 1.5, time_in_secs: 90 }],
      [{ found: false }],
    ])
  })
})

test('reports a service that is not configured as unavailable, without affecting the others', async () => {
  const { maps } = osm({ osrm: 'https://osrm.example' }, { body: {} })
  await expect(maps.autocomplete('x')).rejects.toMatchObject({ kind: 'unavailable' })
  await expect(maps.getAddress(A)).rejects.toMatchObject({ kind: 'unavailable' })
})

test('keeps routing when the search service is down', async () => {
  const service = createFakeHttp({ status: 503, body: '' })
  const maps = createOsmMaps(ALL, { ...service.options, maxTries: 1, failuresToOpen: 1 })
  await expect(maps.autocomplete('x')).rejects.toThrow()
  await expect(maps.autocomplete('x')).rejects.toThrow()
  expect(service.requests).toHaveLength(1)
  await expect(maps.getDirections(A, B)).rejects.toThrow()
  expect(service.requests).toHaveLength(2)
})
