import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { ensureBuiltCity } from '../../../testing/builtCity'
import { createBundledMaps } from './bundledMaps'
import { getDistanceMeters } from '../../../ports/positions'
import { decodePolyline } from '~/domain/geo/polyline'
import type { Position } from '../../../ports/positions'
import type { MapsPort } from '../../../ports/mapsPort'

const PLAZA = { lat: -34.90643, lng: -56.19871 }
const SHOPPING = { lat: -34.90345, lng: -56.13655 }
const AIRPORT = { lat: -34.8341, lng: -56.0144 }
const PUNTA_DEL_ESTE = { lat: -34.962, lng: -54.945 }

let maps: MapsPort
beforeAll(() => {
  maps = createBundledMaps(ensureBuiltCity())
})

const descriptions = async (typed: string, options = {}) =>
  (await maps.autocomplete(typed, { country: 'UY', near: PLAZA, ...options })).map(
    ({ description }) => description,
  )

/** Returns the same positions in every run. */
const places = (count: number, seed = 7): Position[] => {
  let state = seed
  const random = () =>
    (state = (Math.imul(state, 48_271) & 0x7fff_ffff) % 0x7fff_ffff) / 0x7fff_ffff
  return Array.from({ length: count }, () => ({
    lat: -34.9 + 0.06 * random(),
    lng: -56.19 + 0.11 * random(),
  }))
}

describe('searching', () => {
  test.each([
    ['18 de ju', 'Avenida 18 de Julio, Cordón, Montevideo, Uruguay'],
    ['av italia', 'Avenida Italia, Malvín, Montevideo, Uruguay'],
    ['rincon 500', 'Rincón 500, Ciudad Vieja, Montevideo, Uruguay'],
    ['18 de julio 1234', 'Avenida 18 de Julio 1234, Cordón, Montevideo, Uruguay'],
    ['18 de julio 1234, montevideo', 'Avenida 18 de Julio 1234, Cordón, Montevideo, Uruguay'],
    ['palasio salbo', 'Palacio Salvo, Plaza Independencia, Montevideo, Uruguay'],
    ['MERCADO DEL PUERTO', 'Mercado del Puerto, Ciudad Vieja, Montevideo, Uruguay'],
    ['terminal tres', 'Terminal Tres Cruces, La Blanqueada, Montevideo, Uruguay'],
  ])('for "%s" offers %s first', async (typed, first) => {
    expect((await descriptions(typed))[0]).toBe(first)
  })

  test('finds the mall despite swapped and missing letters', async () => {
    expect((await descriptions('monteviedo shoping'))[0]).toMatch(/^Montevideo Shopping, /)
  })

  test('offers the nearest of several pharmacies with the same name first', async () => {
    const nearPlaza = await maps.autocomplete('farmashop', { country: 'UY', near: PLAZA })
    const nearMall = await maps.autocomplete('farmashop', { country: 'UY', near: SHOPPING })
    const [first, second] = [nearPlaza[0]?.coords, nearMall[0]?.coords]
    expect(getDistanceMeters(first!, PLAZA)).toBeLessThan(getDistanceMeters(second!, PLAZA))
    expect(getDistanceMeters(second!, SHOPPING)).toBeLessThan(getDistanceMeters(first!, SHOPPING))
  })

  test('returns names in the reader’s language where the map has them', async () => {
    expect((await descriptions('british hospital', { language: 'en' }))[0]).toMatch(
      /^British Hospital, .*Uruguay$/,
    )
    expect((await descriptions('hospital britanico', { language: 'es' }))[0]).toMatch(
      /^Hospital Británico, /,
    )
  })

  test('offers only places in the country of the settings', async () => {
    expect(await descriptions('avenida italia', { country: 'SE' })).toEqual([])
    expect(await descriptions('stockholm', { country: 'SE' })).toContain('Stockholm, Sweden')
    expect(await descriptions('stockholm', { country: 'UY' })).not.toContain('Stockholm, Sweden')
    expect(await descriptions('stockholm', { country: 'XX' })).toEqual([])
  })

  test('also offers the world’s towns when no country is set, even if misspelled', async () => {
    const [london] = await maps.autocomplete('london')
    expect(london?.description).toBe('London, United Kingdom')
    const [springfield] = await maps.autocomplete('sprigfield')
    expect(springfield?.description).toMatch(/^Springfield, \w\w, United States$/)
  })

  test('resolves a suggestion to its place, and a foreign id to null', async () => {
    const [plaza] = await maps.autocomplete('plaza independencia', { country: 'UY' })
    const place = await maps.getCoords(plaza!.place_id)
    expect(place?.description).toBe(plaza?.description)
    expect(getDistanceMeters(place!, PLAZA)).toBeLessThan(300)
    expect(await maps.getCoords('ChIJN1t_tDeuEmsRUsoyG83frY4')).toBeNull()
  })

  test('returns no more suggestions than the limit', async () => {
    expect(await descriptions('a', { limit: 3 })).toHaveLength(3)
  })

  test.each(['', '   ', '¿?', '🚕', "' OR 1=1", 'x'.repeat(5_000), 'ab '.repeat(500)])(
    'returns a list for any typed text ("%s")',
    async (typed) => {
      expect(Array.isArray(await descriptions(typed))).toBe(true)
    },
  )
})

describe('the address of a position', () => {
  test('is the adjacent house', async () => {
    const [house] = await maps.autocomplete('rincon 500', { country: 'UY' })
    expect(await maps.getAddress(house!.coords!)).toMatch(/^Rincón \d+, Ciudad Vieja, Montevideo/)
  })

  test('is in the reader’s language where the map has translations', async () => {
    const [house] = await maps.autocomplete('rincon 500', { country: 'UY', language: 'en' })
    expect(house?.description).toBe('Rincón 500, Old City, Montevideo, Uruguay')
    const read = (language: string) => maps.getAddress(house!.coords!, { language })
    expect(await read('en')).toMatch(/^Rincón \d+, Old City, Montevideo, Uruguay$/)
    expect(await read('ar-EG')).toMatch(/^Rincón \d+, Ciudad Vieja, مونتيفيديو, أورغواي$/)
    expect(await read('no language')).toMatch(/^Rincón \d+, Ciudad Vieja, Montevideo, UY$/)
  })

  test('is the nearest town outside the city, and null at sea', async () => {
    expect(await maps.getAddress(PUNTA_DEL_ESTE, { language: 'es' })).toBe(
      'Punta del Este, Uruguay',
    )
    expect(await maps.getAddress({ lat: 0, lng: -30 })).toBeNull()
    expect(await maps.getAddress({ lat: 89.9, lng: 0 })).toBeNull()
  })
})

describe('routes', () => {
  test('take the avenues from the old town to the airport', async () => {
    const route = await maps.getDirections(PLAZA, AIRPORT)
    expect(route?.approximate).toBe(false)
    expect(route!.distance_in_km).toBeGreaterThan(18)
    expect(route!.distance_in_km).toBeLessThan(26)
    expect(route!.time_in_secs / 60).toBeGreaterThan(25)
    expect(route!.time_in_secs / 60).toBeLessThan(50)
    expect(route!.steps.map(({ street }) => street)).toContain('Avenida Italia')
  })

  test('start and end at the requested positions and have the reported length', async () => {
    for (const [i, a] of places(40, 3).entries()) {
      const b = places(40, 11)[i]!
      const route = await maps.getDirections(a, b)
      const line = decodePolyline(route!.polylinePoints)
      expect(line).toHaveLength(route!.coords.length)
      let metres = 0
      for (let k = 1; k < line.length; k++) metres += getDistanceMeters(line[k - 1]!, line[k]!)
      expect(getDistanceMeters(line[0]!, a)).toBeLessThan(500)
      expect(getDistanceMeters(line.at(-1)!, b)).toBeLessThan(500)
      expect(Math.abs(metres / 1000 - route!.distance_in_km)).toBeLessThan(
        0.02 + route!.distance_in_km * 0.01,
      )
    }
  })

  test('have steps that add up to the total', async () => {
    const route = await maps.getDirections(PLAZA, AIRPORT, [SHOPPING])
    const sum = (pick: (step: { distance_in_km: number; time_in_secs: number }) => number) =>
      route!.steps.reduce((total, step) => total + pick(step), 0)
    expect(sum((step) => step.distance_in_km)).toBeCloseTo(route!.distance_in_km, 1)
    expect(Math.abs(sum((step) => step.time_in_secs) - route!.time_in_secs)).toBeLessThan(30)
    expect(route!.steps[0]?.maneuver).toBe('depart')
    expect(route!.steps.filter(({ maneuver }) => maneuver === 'stop')).toHaveLength(1)
    expect(route!.steps.at(-1)?.maneuver).toBe('arrive')
  })

  test('visit waypoints in order', async () => {
    const whole = await maps.getDirections(PLAZA, AIRPORT, [SHOPPING])
    const first = await maps.getDirections(PLAZA, SHOPPING)
    const second = await maps.getDirections(SHOPPING, AIRPORT)
    expect(whole!.distance_in_km).toBeCloseTo(first!.distance_in_km + second!.distance_in_km, 2)
  })

  test('differ between the two directions because of one-way streets', async () => {
    const there = await maps.getDirections(PLAZA, SHOPPING)
    const back = await maps.getDirections(SHOPPING, PLAZA)
    expect(there!.coords.slice(1, -1)).not.toEqual(back!.coords.slice(1, -1).reverse())
  })

  test('to the same position have no length but still have a line', async () => {
    const route = await maps.getDirections(PLAZA, PLAZA)
    expect(route).toMatchObject({ distance_in_km: 0, time_in_secs: 0, approximate: false })
    expect(route!.coords).toHaveLength(2)
  })

  test('outside the city are estimates, and are marked as approximate', async () => {
    const route = await maps.getDirections(PLAZA, PUNTA_DEL_ESTE)
    expect(route?.approximate).toBe(true)
    expect(route!.distance_in_km).toBeGreaterThan(120)
    expect(route!.distance_in_km).toBeLessThan(160)
  })

  test('never cost less to a farther place, even when estimated', async () => {
    let [km, seconds] = [0, 0]
    for (let step = 1; step <= 80; step++) {
      const route = await maps.getDirections(
        { lat: 10, lng: 10 },
        { lat: 10, lng: 10 + step * 0.01 },
      )
      expect(route!.distance_in_km).toBeGreaterThanOrEqual(km)
      expect(route!.time_in_secs).toBeGreaterThanOrEqual(seconds)
      km = route!.distance_in_km
      seconds = route!.time_in_secs
    }
  })

  describe('to a place without a street in reach', () => {
    /** The open Atlantic, 1,600 km from Montevideo. */
    const ATLANTIC = { lat: -40, lng: -40 }
    /** The river off Montevideo: 4 km from the shore inside the city's bounds, 40 km outside. */
    const HARBOR_MOUTH = { lat: -34.955, lng: -56.2 }
    const RIVER = { lat: -35.3, lng: -56.2 }

    test.each([
      ['the drop-off', [PLAZA, ATLANTIC], []],
      ['the pickup', [RIVER, PLAZA], []],
      ['a stop', [PLAZA, SHOPPING], [RIVER]],
      ['the drop-off in the city’s own waters', [PLAZA, HARBOR_MOUTH], []],
      ['both ends', [ATLANTIC, RIVER], []],
    ] as const)('do not exist: %s', async (_, [start, dest], stops) => {
      expect(await maps.getDirections(start, dest, stops)).toBeNull()
    })

    test('have no cell in a matrix', async () => {
      const cells = await maps.getDistanceMatrix([PLAZA, ATLANTIC], [RIVER, SHOPPING])
      expect(cells.map((row) => row.map(({ found }) => found))).toEqual([
        [false, true],
        [false, false],
      ])
    })

    test('exist when the operator allows the distance', async () => {
      const tolerant = createBundledMaps(ensureBuiltCity(), 10_000)
      expect((await tolerant.getDirections(PLAZA, HARBOR_MOUTH))?.approximate).toBe(false)
      const strict = createBundledMaps(ensureBuiltCity(), 5)
      expect(await strict.getDirections(PLAZA, SHOPPING)).toBeNull()
    })
  })

  test('do not cross an ocean', async () => {
    expect(await maps.getDirections(PLAZA, { lat: 51.5, lng: 0 })).toBeNull()
  })

  test('refuse an invalid position with a MapsError', async () => {
    await expect(maps.getDirections({ lat: NaN, lng: 0 }, PLAZA)).rejects.toMatchObject({
      name: 'MapsError',
      kind: 'invalid',
    })
  })
})

describe('the distance from positions to streets', () => {
  test('is small on land, large in the river, and unknown outside the city', async () => {
    const corner = { lat: PLAZA.lat + 0.0002, lng: PLAZA.lng }
    const [street, river, elsewhere] =
      (await maps.getStreetDistances?.([
        corner,
        { lat: -34.95, lng: -56.2 },
        { lat: 0, lng: 0 },
      ])) ?? []
    expect(street).toBeLessThan(60)
    expect(river).toBeGreaterThan(1000)
    expect(elsewhere).toBeNull()
  })

  test('refuse an invalid position with a MapsError', async () => {
    await expect(maps.getStreetDistances?.([{ lat: 91, lng: 0 }])).rejects.toThrow('on earth')
  })
})

describe('the distance matrix', () => {
  test('agrees with the routes in both directions', async () => {
    const [some, others] = [places(6, 3), places(4, 5)]
    for (const [origins, destinations] of [
      [some, others],
      [others, some],
    ] as const) {
      const cells = await maps.getDistanceMatrix(origins, destinations)
      for (const [i, a] of origins.entries())
        for (const [j, b] of destinations.entries()) {
          const route = await maps.getDirections(a, b)
          const cell = cells[i]![j]!
          expect(Math.abs(cell.time_in_secs - route!.time_in_secs)).toBeLessThanOrEqual(1)
          expect(Math.abs(cell.distance_in_km - route!.distance_in_km)).toBeLessThan(0.01)
        }
    }
  })

  test('estimates cells outside the city and marks unreachable ones', async () => {
    const cells = await maps.getDistanceMatrix(
      [PLAZA],
      [PUNTA_DEL_ESTE, SHOPPING, { lat: 51, lng: 0 }],
    )
    expect(cells[0]).toMatchObject([
      { found: true, approximate: true },
      { found: true, approximate: false },
      { found: false, approximate: false, distance_in_km: 0 },
    ])
  })

  test('is empty without origins or destinations', async () => {
    expect(await maps.getDistanceMatrix([], [PLAZA])).toEqual([])
    expect(await maps.getDistanceMatrix([PLAZA], [])).toEqual([[]])
  })
})

test('explains how to build the map when its files are missing', async () => {
  const empty = createBundledMaps(mkdtempSync(join(tmpdir(), 'no-maps-')))
  await expect(empty.getDirections(PLAZA, SHOPPING)).rejects.toThrow(
    'npm run --prefix lab maps:build',
  )
})
