import { describe, expect, test } from 'vitest'
import { createFakeHttp } from '../../../testing/fakeHttp'
import { createGoogleMaps } from './googleMaps'
import { createPlaceId } from '../osm/placeId'
import { getOperationErrorText } from '../../../ports/mapsPort'
import type { MapsPort } from '../../../ports/mapsPort'

const A = { lat: -34.9064, lng: -56.1987 }
const B = { lat: -34.9034, lng: -56.1365 }

const google = (...answers: Parameters<typeof createFakeHttp>) => {
  const service = createFakeHttp(...answers)
  return { ...service, maps: createGoogleMaps('server-key', service.options) }
}
const query = (url: URL | undefined) => Object.fromEntries(url?.searchParams ?? [])

const PREDICTIONS = {
  status: 'OK',
  predictions: [
    {
      description: 'Plaza Independencia, Montevideo, Uruguay',
      place_id: 'ChIJ8fA1bTmAn5URCFTgzYXUVYU',
      matched_substrings: [{ length: 5, offset: 0 }],
      reference: 'ChIJ8fA1bTmAn5URCFTgzYXUVYU',
      structured_formatting: {
        main_text: 'Plaza Independencia',
        main_text_matched_substrings: [{ length: 5, offset: 0 }],
        secondary_text: 'Montevideo, Uruguay',
      },
      terms: [{ offset: 0, value: 'Plaza Independencia' }],
      types: ['tourist_attraction', 'point_of_interest', 'establishment'],
    },
  ],
}

const step = (html: string, metres: number, maneuver?: string) => ({
  distance: { text: `${metres} m`, value: metres },
  duration: { text: '1 min', value: 60 },
  start_location: A,
  end_location: B,
  html_instructions: html,
  polyline: { points: '_p~iF~ps|U' },
  travel_mode: 'DRIVING',
  ...(maneuver && { maneuver }),
})
const DIRECTIONS = {
  status: 'OK',
  geocoded_waypoints: [{ geocoder_status: 'OK', place_id: 'x', types: ['premise'] }],
  routes: [
    {
      bounds: { northeast: B, southwest: A },
      copyrights: 'Map data ©2026',
      summary: 'Av. 18 de Julio',
      warnings: [],
      waypoint_order: [],
      overview_polyline: { points: '_p~iF~ps|U_ulLnnqC_mqNvxq`@' },
      legs: [
        {
          distance: { text: '4.0 km', value: 4_012 },
          duration: { text: '14 mins', value: 840 },
          steps: [
            step('Head <b>east</b> on <b>Av. 18 de Julio</b>', 4_000),
            step(
              'At the roundabout, take the <b>2nd</b> exit onto <b>Rambla</b>',
              12,
              'roundabout-right',
            ),
          ],
        },
        {
          distance: { text: '2.0 km', value: 2_000 },
          duration: { text: '6 mins', value: 360 },
          steps: [
            step('Head <b>north</b>', 1_000),
            step('Turn <b>left</b> onto <b>Benito Blanco &amp; Co</b>', 1_000, 'turn-left'),
          ],
        },
      ],
    },
  ],
}

describe('searching', () => {
  test('sends the country, position and language to Places', async () => {
    const { maps, requests } = google({ body: PREDICTIONS })
    const [first] = await maps.autocomplete('plaza', {
      country: 'UY',
      near: A,
      language: 'es',
      sessionToken: 't1',
    })
    expect(first).toEqual({
      description: 'Plaza Independencia, Montevideo, Uruguay',
      place_id: 'ChIJ8fA1bTmAn5URCFTgzYXUVYU',
      mainText: 'Plaza Independencia',
      secondaryText: 'Montevideo, Uruguay',
      kind: 'tourist_attraction',
    })
    expect(requests[0]?.url.pathname).toBe('/maps/api/place/autocomplete/json')
    expect(query(requests[0]?.url)).toEqual({
      input: 'plaza',
      components: 'country:uy',
      location: '-34.9064,-56.1987',
      radius: '50000',
      language: 'es',
      sessiontoken: 't1',
      key: 'server-key',
    })
  })

  test('sends no request for empty text', async () => {
    const { maps, requests } = google({ body: PREDICTIONS })
    expect(await maps.autocomplete('  ')).toEqual([])
    expect(requests).toHaveLength(0)
  })
})

describe('a place', () => {
  test('with a Google id comes from Places', async () => {
    const { maps, requests } = google({
      body: {
        status: 'OK',
        html_attributions: [],
        result: {
          geometry: { location: A },
          formatted_address: 'Plaza Independencia',
          name: 'Plaza',
        },
      },
    })
    expect(await maps.getCoords('ChIJ8fA1bTmAn5URCFTgzYXUVYU', { sessionToken: 't1' })).toEqual({
      ...A,
      description: 'Plaza Independencia',
    })
    expect(query(requests[0]?.url)).toMatchObject({
      place_id: 'ChIJ8fA1bTmAn5URCFTgzYXUVYU',
      sessiontoken: 't1',
    })
  })

  test('saved before the key was set is resolved without a request', async () => {
    const { maps, requests } = google({ body: {} })
    const id = createPlaceId('bundled', { ...A, label: 'Plaza' })
    expect(await maps.getCoords(id)).toEqual({ ...A, description: 'Plaza' })
    expect(requests).toHaveLength(0)
  })
})

test('returns the first address from Geocoding', async () => {
  const { maps, requests } = google({
    body: {
      status: 'OK',
      plus_code: { global_code: '48Q53R2X+C2' },
      results: [
        { formatted_address: 'Sarandí 500, Montevideo' },
        { formatted_address: 'Montevideo' },
      ],
    },
  })
  expect(await maps.getAddress(A, { language: 'es' })).toBe('Sarandí 500, Montevideo')
  expect(query(requests[0]?.url)).toMatchObject({ latlng: '-34.9064,-56.1987', language: 'es' })
})

describe('directions', () => {
  test('add up their legs, with steps and the overview line', async () => {
    const { maps, requests } = google({ body: DIRECTIONS })
    const route = await maps.getDirections(A, B, [{ lat: 1, lng: 2 }])
    expect(route).toMatchObject({
      distance_in_km: 6.012,
      time_in_secs: 1_200,
      approximate: false,
      polylinePoints: '_p~iF~ps|U_ulLnnqC_mqNvxq`@',
    })
    expect(route?.coords).toHaveLength(3)
    expect(route?.steps.map(({ maneuver, street }) => [maneuver, street])).toEqual([
      ['depart', 'Av. 18 de Julio'],
      ['roundabout', 'Rambla'],
      ['stop', ''],
      ['depart', ''],
      ['left', 'Benito Blanco & Co'],
      ['arrive', ''],
    ])
    expect(query(requests[0]?.url)).toMatchObject({
      origin: '-34.9064,-56.1987',
      destination: '-34.9034,-56.1365',
      waypoints: '1,2',
    })
  })

  describe('that Google moved to a far street', () => {
    /** The open sea, 8 km from the nearest street, to which Google moves it without a word. */
    const SEA = { lat: -34.975, lng: -56.1365 }
    const toLeg = (start_location: typeof A, end_location: typeof A) => ({
      ...DIRECTIONS.routes[0]!.legs[1],
      start_location,
      end_location,
    })
    const via = (...legs: ReturnType<typeof toLeg>[]) => ({
      body: { status: 'OK', routes: [{ ...DIRECTIONS.routes[0], legs }] },
    })

    test.each([
      ['the drop-off', [A, SEA], [], [toLeg(A, B)]],
      ['the pickup', [SEA, A], [], [toLeg(B, A)]],
      ['a stop', [A, A], [SEA], [toLeg(A, B), toLeg(B, A)]],
    ] as const)('are refused: %s', async (_, [start, dest], stops, legs) => {
      const { maps } = google(via(...legs))
      expect(await maps.getDirections(start, dest, stops)).toBeNull()
    })

    test('are accepted within the operator’s limit', async () => {
      expect(await google(via(toLeg(A, B))).maps.getDirections(A, B)).not.toBeNull()
      const { options } = createFakeHttp(via(toLeg(A, B)))
      expect(
        await createGoogleMaps('k', { ...options, maxStreetMeters: 10_000 }).getDirections(A, SEA),
      ).not.toBeNull()
    })
  })

  test('are requested in the reader’s language', async () => {
    const { maps, requests } = google({ body: DIRECTIONS })
    await maps.getDirections(A, B, [], { language: 'pt-BR' })
    expect(query(requests[0]?.url)).toMatchObject({ language: 'pt-BR' })
    await maps.getDirections(A, B)
    expect(query(requests[1]?.url)).not.toHaveProperty('language')
  })

  const stepIn = async (html: string, maneuver: string) => {
    const legs = [
      {
        distance: { text: '1 km', value: 1_000 },
        duration: { text: '1 min', value: 60 },
        steps: [step('', 500), step(html, 500, maneuver)],
      },
    ]
    const route = { overview_polyline: { points: '_p~iF~ps|U' }, legs }
    const { maps } = google({ body: { status: 'OK', routes: [route] } })
    return (await maps.getDirections(A, B))?.steps[1]
  }

  test.each([
    ['en', 'Turn <b>left</b> onto <b>Rincón</b> toward <b>Sarandí</b>'],
    ['en', 'Head <b>northwest</b> on <b>Rincón</b>'],
    ['es', 'Gira a la <b>izquierda</b> hacia <b>Rincón</b>'],
    ['es', 'Dirígete al <b>suroeste</b> por <b>Rincón</b>'],
    ['pt', 'Vire <b>à esquerda</b> na <b>Rincón</b>'],
    ['pt', 'Siga na direção <b>leste</b> na <b>Rincón</b>'],
    ['fr', 'Tournez <b>à gauche</b> sur <b>Rincón</b>'],
    ['fr', 'Prendre la direction <b>nord-est</b> sur <b>Rincón</b>'],
    ['de', 'Auf <b>Rincón</b> Richtung <b>Nordosten</b> starten'],
    ['de', '<b>Links</b> abbiegen auf <b>Rincón</b>'],
    ['ar', 'انعطف <b>يسارًا</b> إلى <b>Rincón</b>'],
    ['ar', 'اتجه نحو <b>الشمال الغربي</b> على <b>Rincón</b>'],
    ['he', 'פונים <b>שמאלה</b> אל <b>Rincón</b>'],
    ['he', 'נוסעים <b>צפון-מזרח</b> על <b>Rincón</b>'],
    ['hi', '<b>Rincón</b> पर <b>बाएं</b> मुड़ें'],
    ['hi', '<b>Rincón</b> पर <b>उत्तर-पूर्व</b> की ओर बढ़ें'],
  ])('in %s separate the street from the direction: %s', async (_, html) => {
    expect((await stepIn(html, 'turn-left'))?.street).toBe('Rincón')
    const unnamed = html.replaceAll('<b>Rincón</b>', '').replaceAll('<b>Sarandí</b>', '')
    expect((await stepIn(unnamed, 'turn-left'))?.street).toBe('')
  })

  test.each([
    ['At the roundabout, take the <b>2nd</b> exit onto <b>Rambla</b>', 2, 'Rambla'],
    ['En la rotonda, toma la <b>3.ª</b> salida', 3, ''],
    ['En la rotonda, toma la <b>3ª</b> salida en dirección <b>Rambla</b>', 3, 'Rambla'],
    ['Im Kreisverkehr <b>1.</b> Ausfahrt nehmen', 1, ''],
    ['At the roundabout, continue straight onto <b>18 de Julio</b>', undefined, '18 de Julio'],
  ])('read "%s" as exit %s and street "%s"', async (html, exit, street) => {
    const found = await stepIn(html, 'roundabout-right')
    expect(found).toMatchObject({ maneuver: 'roundabout', street })
    expect(found?.exit).toBe(exit)
  })

  test('never send more waypoints than Google accepts', async () => {
    const { maps, requests } = google({ body: DIRECTIONS })
    await maps.getDirections(
      A,
      B,
      Array.from({ length: 400 }, (_, i) => ({ lat: i / 100, lng: 0 })),
    )
    expect(query(requests[0]?.url).waypoints?.split('|')).toHaveLength(25)
  })
})

describe('the distance matrix', () => {
  const element = (metres: number) => ({
    status: 'OK',
    distance: { text: '', value: metres },
    duration: { text: '', value: metres / 10 },
  })

  test('marks pairs without a route', async () => {
    const { maps } = google({
      body: {
        status: 'OK',
        origin_addresses: ['a'],
        destination_addresses: ['b', 'c', 'd', 'e'],
        rows: [
          {
            elements: [
              element(1_500),
              { status: 'ZERO_RESULTS' },
              { status: 'NOT_FOUND' },
              { status: 'MAX_ROUTE_LENGTH_EXCEEDED' },
            ],
          },
        ],
      },
    })
    const none = { found: false, distance_in_km: 0, time_in_secs: 0, approximate: false }
    expect(await maps.getDistanceMatrix([A], [B, B, B, B])).toEqual([
      [
        { found: true, distance_in_km: 1.5, time_in_secs: 150, approximate: false },
        none,
        none,
        none,
      ],
    ])
  })

  test('splits a request for 100 drivers into parts that Google accepts, and keeps the order', async () => {
    const service = createFakeHttp({ body: {} })
    const { maps, requests } = {
      ...service,
      maps: createGoogleMaps('key', {
        ...service.options,
        fetch: (input, init) => {
          void service.options.fetch?.(input, init)
          const origins = new URL(input instanceof Request ? input.url : input).searchParams
            .get('origins')!
            .split('|')
          const rows = origins.map((text) => ({ elements: [element(Number(text.split(',')[0]))] }))
          return Promise.resolve(new Response(JSON.stringify({ status: 'OK', rows })))
        },
      }),
    }
    const drivers = Array.from({ length: 100 }, (_, i) => ({ lat: i / 2, lng: 0 }))
    const cells = await maps.getDistanceMatrix(drivers, [A])
    expect(requests).toHaveLength(4)
    expect(cells).toHaveLength(100)
    expect(cells[98]![0]!.distance_in_km).toBe(0.049)
  })

  test('sends no request without origins or destinations', async () => {
    const { maps, requests } = google({ body: {} })
    expect(await maps.getDistanceMatrix([A], [])).toEqual([[]])
    expect(await maps.getDistanceMatrix([], [A])).toEqual([])
    expect(requests).toHaveLength(0)
  })
})

const CALLS = {
  autocomplete: (maps: MapsPort) => maps.autocomplete('plaza'),
  coords: (maps: MapsPort) => maps.getCoords('ChIJ8fA1bTmAn5URCFTgzYXUVYU'),
  address: (maps: MapsPort) => maps.getAddress(A),
  directions: (maps: MapsPort) => maps.getDirections(A, B),
  distanceMatrix: (maps: MapsPort) => maps.getDistanceMatrix([A], [B]),
}
type Call = keyof typeof CALLS

describe('statuses that mean an empty result', () => {
  test.each([
    ['autocomplete', 'ZERO_RESULTS', []],
    ['coords', 'ZERO_RESULTS', null],
    ['coords', 'NOT_FOUND', null],
    ['address', 'ZERO_RESULTS', null],
    ['directions', 'ZERO_RESULTS', null],
    ['directions', 'NOT_FOUND', null],
    ['directions', 'MAX_ROUTE_LENGTH_EXCEEDED', null],
  ] as const)('%s returns an empty result for %s', async (call, status, answer) => {
    const { maps } = google({ body: { status, results: [], predictions: [], routes: [] } })
    expect(await CALLS[call](maps)).toEqual(answer)
  })
})

describe('statuses that mean a failure', () => {
  const everywhere = [
    ['INVALID_REQUEST', 'invalid', 1],
    ['REQUEST_DENIED', 'denied', 1],
    ['OVER_DAILY_LIMIT', 'denied', 1],
    ['OVER_QUERY_LIMIT', 'quota', 3],
    ['UNKNOWN_ERROR', 'unavailable', 3],
    ['A_STATUS_OF_TOMORROW', 'unavailable', 3],
  ] as const
  const rows = (Object.keys(CALLS) as Call[]).flatMap((call) =>
    everywhere.map(([status, kind, tries]) => [call, status, kind, tries] as const),
  )
  test.each([
    ...rows,
    ['directions', 'MAX_WAYPOINTS_EXCEEDED', 'invalid', 1] as const,
    ['distanceMatrix', 'MAX_ELEMENTS_EXCEEDED', 'invalid', 1] as const,
    ['distanceMatrix', 'MAX_DIMENSIONS_EXCEEDED', 'invalid', 1] as const,
  ])(
    '%s turns %s into %s after %i requests, with Google’s text',
    async (call, status, kind, tries) => {
      const { maps, requests } = google({ body: { status, error_message: `Why ${status}.` } })
      const error = await CALLS[call](maps).then(
        () => null,
        (reason: unknown) => reason,
      )
      expect(error).toMatchObject({ name: 'MapsError', kind, serviceText: `Why ${status}.` })
      expect(getOperationErrorText(call, error)).toBe(`Why ${status}.`)
      expect(requests).toHaveLength(tries)
    },
  )

  test('uses the status as the text when Google sends no message', async () => {
    const { maps } = google({ body: { status: 'REQUEST_DENIED' } })
    await expect(maps.getAddress(A)).rejects.toMatchObject({ serviceText: 'REQUEST_DENIED' })
  })

  test.each([
    [{ status: 502, body: '<html>Bad gateway</html>' }, 'unavailable'],
    [{ status: 403, body: '<html>Forbidden</html>' }, 'denied'],
    [{ status: 200, body: '<html>Sign in to the café’s network</html>' }, 'unavailable'],
    [{ status: 200, body: { status: 'OK', nothing: 'known' } }, 'unavailable'],
  ])(
    'turns a response that is not Google’s (%o) into %s, with our own text',
    async (answer, kind) => {
      const { maps } = google(answer)
      const error = await maps.getDirections(A, B).catch((reason: unknown) => reason)
      expect(error).toMatchObject({ kind, serviceText: undefined })
      expect(getOperationErrorText('directions', error)).toBe('getDirectionsApi Call Error')
    },
  )

  test('never includes the key in an error', async () => {
    const { maps } = google(new TypeError('fetch failed'))
    const error = await maps.getAddress(A).catch((reason: unknown) => reason)
    expect(String(error)).not.toContain('server-key')
  })
})
