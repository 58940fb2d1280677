import { beforeAll, describe, expect, test } from 'vitest'
import { answering } from './answering'
import { builtCity } from './builtCity'
import { chooseMaps, createMaps } from './choose'

const PLAZA = { lat: -34.90643, lng: -56.19871 }
const MALL = { lat: -34.90345, lng: -56.13655 }

let dataDir: string
beforeAll(() => {
  dataDir = builtCity()
}, 120_000)

describe('what the environment asks for', () => {
  test.each([
    [{}, 'bundled'],
    [{ KERBSIDE_OSRM_URL: 'https://osrm.example' }, 'osm'],
    [{ KERBSIDE_OSRM_URL: 'https://osrm.example', KERBSIDE_GOOGLE_MAPS_KEY: 'k' }, 'google'],
    [{ KERBSIDE_GOOGLE_MAPS_KEY: '' }, 'bundled'],
    [{ KERBSIDE_GOOGLE_MAPS_KEY: 'none' }, 'bundled'],
  ])('%o means %s', (env, id) => {
    expect(chooseMaps(env).id).toBe(id)
  })

  test('the bundled city is found without being told where', async () => {
    expect(await chooseMaps({}).address(PLAZA)).toMatch(/[^,]+, [^,]+$/)
    const told = chooseMaps({ KERBSIDE_MAPS_DIR: dataDir })
    expect((await told.directions(PLAZA, MALL))?.approximate).toBe(false)
  })
})

describe('when OpenStreetMap services are down', () => {
  const broken = () => answering({ status: 503, body: '' })
  const urls = { photon: 'https://photon.example', osrm: 'https://osrm.example' }

  test('the bundled city answers', async () => {
    const maps = createMaps({ dataDir, osmUrls: urls, remote: broken().options })
    expect((await maps.directions(PLAZA, MALL))?.approximate).toBe(false)
    expect((await maps.autocomplete('palacio salvo', { country: 'UY' }))[0]?.mainText).toBe(
      'Palacio Salvo',
    )
    expect(await maps.address(PLAZA)).toContain('Montevideo')
  })

  test('what they refuse stays refused', async () => {
    const { options } = answering({ status: 400, body: { code: 'TooBig', message: 'Too many' } })
    const maps = createMaps({ dataDir, osmUrls: urls, remote: options })
    await expect(maps.directions(PLAZA, MALL)).rejects.toMatchObject({ serviceText: 'Too many' })
  })

  test('and there is no bundled city, the first failure is told', async () => {
    const maps = createMaps({ dataDir: '/nowhere', osmUrls: urls, remote: broken().options })
    await expect(maps.directions(PLAZA, MALL)).rejects.toMatchObject({ serviceText: undefined })
  })
})

test('when Google is down, no guess is sold for its answer', async () => {
  const { options } = answering({ body: { status: 'UNKNOWN_ERROR' } })
  const maps = createMaps({ dataDir, googleKey: 'k', remote: options })
  await expect(maps.directions(PLAZA, MALL)).rejects.toMatchObject({ kind: 'unavailable' })
})
