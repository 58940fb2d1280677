import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { builtCity } from './builtCity'
import { createBundledMaps } from './bundled'
import { metresBetween } from './geo'
import { decodePolyline } from '~/domain/polyline'
import type { Point } from './geo'
import type { MapsPort } from './port'

const PLAZA = { lat: -34.90643, lng: -56.19871 }
const SHOPPING = { lat: -34.90345, lng: -56.13655 }
const AIRPORT = { lat: -34.8341, lng: -56.0144 }
const PUNTA_DEL_ESTE = { lat: -34.962, lng: -54.945 }

let maps: MapsPort
beforeAll(() => {
  maps = createBundledMaps(builtCity())
}, 120_000)

const descriptions = async (typed: string, options = {}) =>
  (await maps.autocomplete(typed, { country: 'UY', near: PLAZA, ...options })).map(
    ({ description }) => description,
  )

/** The same points every run. */
const places = (count: number, seed = 7): Point[] => {
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
  ])('"%s" offers %s first', async (typed, first) => {
    expect((await descriptions(typed))[0]).toBe(first)
  })

  test('swapped and missing letters still find the mall', async () => {
    expect((await descriptions('monteviedo shoping'))[0]).toMatch(/^Montevideo Shopping, /)
  })

  test('of chemists with one name the near ones come first', async () => {
    const nearPlaza = await maps.autocomplete('farmashop', { country: 'UY', near: PLAZA })
    const nearMall = await maps.autocomplete('farmashop', { country: 'UY', near: SHOPPING })
    const [first, second] = [nearPlaza[0]?.coords, nearMall[0]?.coords]
    expect(metresBetween(first!, PLAZA)).toBeLessThan(metresBetween(second!, PLAZA))
    expect(metresBetween(second!, SHOPPING)).toBeLessThan(metresBetween(first!, SHOPPING))
  })

  test('names are in the reader’s language where the map has them', async () => {
    expect((await descriptions('british hospital', { language: 'en' }))[0]).toMatch(
      /^British Hospital, .*Uruguay$/,
    )
    expect((await descriptions('hospital britanico', { language: 'es' }))[0]).toMatch(
      /^Hospital Británico, /,
    )
  })

  test('only places of the settings’ country are offered', async () => {
    expect(await descriptions('avenida italia', { country: 'SE' })).toEqual([])
    expect(await descriptions('stockholm', { country: 'SE' })).toContain('Stockholm, Sweden')
    expect(await descriptions('stockholm', { country: 'UY' })).not.toContain('Stockholm, Sweden')
    expect(await descriptions('stockholm', { country: 'XX' })).toEqual([])
  })

  test('without a country the world’s towns are offered too, misspelt or not', async () => {
    const [london] = await maps.autocomplete('london')
    expect(london?.description).toBe('London, United Kingdom')
    const [springfield] = await maps.autocomplete('sprigfield')
    expect(springfield?.description).toMatch(/^Springfield, \w\w, United States$/)
  })

  test('a suggestion leads to its place, and a foreign id to none', async () => {
    const [plaza] = await maps.autocomplete('plaza independencia', { country: 'UY' })
    const place = await maps.coords(plaza!.place_id)
    expect(place?.description).toBe(plaza?.description)
    expect(metresBetween(place!, PLAZA)).toBeLessThan(300)
    expect(await maps.coords('ChIJN1t_tDeuEmsRUsoyG83frY4')).toBeNull()
  })

  test('no more are offered than asked for', async () => {
    expect(await descriptions('a', { limit: 3 })).toHaveLength(3)
  })

  test.each(['', '   ', '¿?', '🚕', "' OR 1=1", 'x'.repeat(5_000), 'ab '.repeat(500)])(
    'whatever is typed ("%s"), there is an answer',
    async (typed) => {
      expect(Array.isArray(await descriptions(typed))).toBe(true)
    },
  )
})

describe('the address of a place', () => {
  test('is the house next to it', async () => {
    const [house] = await maps.autocomplete('rincon 500', { country: 'UY' })
    expect(await maps.address(house!.coords!)).toMatch(/^Rincón \d+, Ciudad Vieja, Montevideo/)
  })

  test('is in the reader’s language as far as the map is', async () => {
    const [house] = await maps.autocomplete('rincon 500', { country: 'UY', language: 'en' })
    expect(house?.description).toBe('Rincón 500, Old City, Montevideo, Uruguay')
    const read = (language: string) => maps.address(house!.coords!, { language })
    expect(await read('en')).toMatch(/^Rincón \d+, Old City, Montevideo, Uruguay$/)
    expect(await read('ar-EG')).toMatch(/^Rincón \d+, Ciudad Vieja, مونتيفيديو, أورغواي$/)
    expect(await read('no language')).toMatch(/^Rincón \d+, Ciudad Vieja, Montevideo, UY$/)
  })

  test('is the nearest town outside the city, and nothing at sea', async () => {
    expect(await maps.address(PUNTA_DEL_ESTE, { language: 'es' })).toBe('Punta del Este, Uruguay')
    expect(await maps.address({ lat: 0, lng: -30 })).toBeNull()
    expect(await maps.address({ lat: 89.9, lng: 0 })).toBeNull()
  })
})

describe('routes', () => {
  test('from the old town to the airport takes the avenues', async () => {
    const route = await maps.directions(PLAZA, AIRPORT)
    expect(route?.approximate).toBe(false)
    expect(route!.distance_in_km).toBeGreaterThan(18)
    expect(route!.distance_in_km).toBeLessThan(26)
    expect(route!.time_in_secs / 60).toBeGreaterThan(25)
    expect(route!.time_in_secs / 60).toBeLessThan(50)
    expect(route!.steps.map(({ street }) => street)).toContain('Avenida Italia')
  })

  test('the line starts and ends where asked and is as long as said', async () => {
    for (const [i, a] of places(40, 3).entries()) {
      const b = places(40, 11)[i]!
      const route = await maps.directions(a, b)
      const line = decodePolyline(route!.polylinePoints)
      expect(line).toHaveLength(route!.coords.length)
      let metres = 0
      for (let k = 1; k < line.length; k++) metres += metresBetween(line[k - 1]!, line[k]!)
      expect(metresBetween(line[0]!, a)).toBeLessThan(500)
      expect(metresBetween(line.at(-1)!, b)).toBeLessThan(500)
      expect(Math.abs(metres / 1000 - route!.distance_in_km)).toBeLessThan(
        0.02 + route!.distance_in_km * 0.01,
      )
    }
  })

  test('the steps add up to the whole', async () => {
    const route = await maps.directions(PLAZA, AIRPORT, [SHOPPING])
    const sum = (pick: (step: { distance_in_km: number; time_in_secs: number }) => number) =>
      route!.steps.reduce((total, step) => total + pick(step), 0)
    expect(sum((step) => step.distance_in_km)).toBeCloseTo(route!.distance_in_km, 1)
    expect(Math.abs(sum((step) => step.time_in_secs) - route!.time_in_secs)).toBeLessThan(30)
    expect(route!.steps[0]?.maneuver).toBe('depart')
    expect(route!.steps.filter(({ maneuver }) => maneuver === 'stop')).toHaveLength(1)
    expect(route!.steps.at(-1)?.maneuver).toBe('arrive')
  })

  test('waypoints are visited in order', async () => {
    const whole = await maps.directions(PLAZA, AIRPORT, [SHOPPING])
    const first = await maps.directions(PLAZA, SHOPPING)
    const second = await maps.directions(SHOPPING, AIRPORT)
    expect(whole!.distance_in_km).toBeCloseTo(first!.distance_in_km + second!.distance_in_km, 2)
  })

  test('one-way streets make the way back another one', async () => {
    const there = await maps.directions(PLAZA, SHOPPING)
    const back = await maps.directions(SHOPPING, PLAZA)
    expect(there!.coords.slice(1, -1)).not.toEqual(back!.coords.slice(1, -1).reverse())
  })

  test('to where one already is has no length and still a line', async () => {
    const route = await maps.directions(PLAZA, PLAZA)
    expect(route).toMatchObject({ distance_in_km: 0, time_in_secs: 0, approximate: false })
    expect(route!.coords).toHaveLength(2)
  })

  test('out of the city they are guessed, and say so', async () => {
    const route = await maps.directions(PLAZA, PUNTA_DEL_ESTE)
    expect(route?.approximate).toBe(true)
    expect(route!.distance_in_km).toBeGreaterThan(120)
    expect(route!.distance_in_km).toBeLessThan(160)
  })

  test('a farther place never costs less, in the guess either', async () => {
    let [km, seconds] = [0, 0]
    for (let step = 1; step <= 80; step++) {
      const route = await maps.directions({ lat: 10, lng: 10 }, { lat: 10, lng: 10 + step * 0.01 })
      expect(route!.distance_in_km).toBeGreaterThanOrEqual(km)
      expect(route!.time_in_secs).toBeGreaterThanOrEqual(seconds)
      km = route!.distance_in_km
      seconds = route!.time_in_secs
    }
  })

  test('nobody is driven across an ocean', async () => {
    expect(await maps.directions(PLAZA, { lat: 51.5, lng: 0 })).toBeNull()
  })

  test('a point that is not on earth is refused by name', async () => {
    await expect(maps.directions({ lat: NaN, lng: 0 }, PLAZA)).rejects.toMatchObject({
      name: 'MapsError',
      kind: 'invalid',
    })
  })
})

describe('the distance matrix', () => {
  test('agrees with the routes, both ways round', async () => {
    const [some, others] = [places(6, 3), places(4, 5)]
    for (const [origins, destinations] of [
      [some, others],
      [others, some],
    ] as const) {
      const cells = await maps.distanceMatrix(origins, destinations)
      for (const [i, a] of origins.entries())
        for (const [j, b] of destinations.entries()) {
          const route = await maps.directions(a, b)
          const cell = cells[i]![j]!
          expect(Math.abs(cell.time_in_secs - route!.time_in_secs)).toBeLessThanOrEqual(1)
          expect(Math.abs(cell.distance_in_km - route!.distance_in_km)).toBeLessThan(0.01)
        }
    }
  })

  test('guesses cells that leave the city and marks those beyond reach', async () => {
    const cells = await maps.distanceMatrix(
      [PLAZA],
      [PUNTA_DEL_ESTE, SHOPPING, { lat: 51, lng: 0 }],
    )
    expect(cells[0]).toMatchObject([
      { found: true, approximate: true },
      { found: true, approximate: false },
      { found: false, approximate: false, distance_in_km: 0 },
    ])
  })

  test('of nothing is nothing', async () => {
    expect(await maps.distanceMatrix([], [PLAZA])).toEqual([])
    expect(await maps.distanceMatrix([PLAZA], [])).toEqual([[]])
  })
})

test('a map that was never built says how to build it', async () => {
  const empty = createBundledMaps(mkdtempSync(join(tmpdir(), 'no-maps-')))
  await expect(empty.directions(PLAZA, SHOPPING)).rejects.toThrow('npm run maps:build')
})
