import { beforeAll, describe, expect, test } from 'vitest'
import { createFakeHttp } from '../../testing/fakeHttp'
import { ensureBuiltCity } from '../../testing/builtCity'
import { createMapsFromEnv, createMaps } from './mapsSelection'

const PLAZA = { lat: -34.90643, lng: -56.19871 }
const MALL = { lat: -34.90345, lng: -56.13655 }

let dataDir: string
beforeAll(() => {
  dataDir = ensureBuiltCity()
})

describe('the maps service that the environment selects', () => {
  test.each([
    [{}, 'bundled'],
    [{ KERBSIDE_OSRM_URL: 'https://osrm.example' }, 'osm'],
    [{ KERBSIDE_OSRM_URL: 'https://osrm.example', KERBSIDE_GOOGLE_MAPS_KEY: 'k' }, 'google'],
    [{ KERBSIDE_GOOGLE_MAPS_KEY: '' }, 'bundled'],
    [{ KERBSIDE_GOOGLE_MAPS_KEY: 'none' }, 'bundled'],
  ])('%o selects %s', (env, id) => {
    expect(createMapsFromEnv(env).id).toBe(id)
  })

  test('finds the bundled city without a configured path', async () => {
    expect(await createMapsFromEnv({}).getAddress(PLAZA)).toMatch(/[^,]+, [^,]+$/)
    const selected = createMapsFromEnv({ KERBSIDE_MAPS_DIR: dataDir })
    expect((await selected.getDirections(PLAZA, MALL))?.approximate).toBe(false)
  })
})

describe('the operator’s distance to a street', () => {
  /** In the river, 3 to 4 km from the nearest street. */
  const RIVER = { lat: -34.955, lng: -56.2 }
  const GOOGLE = {
    status: 'OK',
    routes: [
      {
        overview_polyline: { points: '_p~iF~ps|U_ulLnnqC' },
        legs: [
          {
            distance: { value: 900 },
            duration: { value: 90 },
            start_location: PLAZA,
            end_location: MALL,
          },
        ],
      },
    ],
  }
  const OSRM = {
    code: 'Ok',
    waypoints: [{ distance: 4 }, { distance: 5_900 }],
    routes: [{ distance: 900, duration: 90, geometry: '_p~iF~ps|U_ulLnnqC', legs: [] }],
  }

  test.each([
    ['bundled', {}, {}],
    ['google', GOOGLE, { googleKey: 'k' }],
    ['osm', OSRM, { osmUrls: { osrm: 'https://osrm.example' } }],
  ])('holds for %s', async (id, body, config) => {
    const create = (maxStreetMeters: number) =>
      createMaps({ dataDir, remote: createFakeHttp({ body }).options, maxStreetMeters, ...config })
    expect(create(2_000).id).toBe(id)
    expect(await create(2_000).getDirections(PLAZA, RIVER)).toBeNull()
    expect(await create(20_000).getDirections(PLAZA, RIVER)).not.toBeNull()
  })

  test('is read from the environment', async () => {
    const select = (meters: string) =>
      createMapsFromEnv({ KERBSIDE_MAPS_DIR: dataDir, KERBSIDE_MAPS_STREET_METERS: meters })
    expect(await select('').getDirections(PLAZA, RIVER)).toBeNull()
    expect(await select('20000').getDirections(PLAZA, RIVER)).not.toBeNull()
  })
})

describe('when OpenStreetMap services are down', () => {
  const broken = () => createFakeHttp({ status: 503, body: '' })
  const urls = { photon: 'https://photon.example', osrm: 'https://osrm.example' }

  test('the bundled city responds', async () => {
    const maps = createMaps({ dataDir, osmUrls: urls, remote: broken().options })
    expect((await maps.getDirections(PLAZA, MALL))?.approximate).toBe(false)
    expect((await maps.autocomplete('palacio salvo', { country: 'UY' }))[0]?.mainText).toBe(
      'Palacio Salvo',
    )
    expect(await maps.getAddress(PLAZA)).toContain('Montevideo')
  })

  test('their refusals remain refusals', async () => {
    const { options } = createFakeHttp({
      status: 400,
      body: { code: 'TooBig', message: 'Too many' },
    })
    const maps = createMaps({ dataDir, osmUrls: urls, remote: options })
    await expect(maps.getDirections(PLAZA, MALL)).rejects.toMatchObject({ serviceText: 'Too many' })
  })

  test('without a bundled city, the first failure is reported', async () => {
    const maps = createMaps({ dataDir: '/nowhere', osmUrls: urls, remote: broken().options })
    await expect(maps.getDirections(PLAZA, MALL)).rejects.toMatchObject({ serviceText: undefined })
  })
})

test('does not replace Google’s results with estimates when Google is down', async () => {
  const { options } = createFakeHttp({ body: { status: 'UNKNOWN_ERROR' } })
  const maps = createMaps({ dataDir, googleKey: 'k', remote: options })
  await expect(maps.getDirections(PLAZA, MALL)).rejects.toMatchObject({ kind: 'unavailable' })
})
