import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { ensureBuiltCity } from '../../../../testing/builtCity'
import { LandMap } from './landMap'

let land: LandMap
beforeAll(() => {
  land = new LandMap(readFileSync(join(ensureBuiltCity(), 'land.bin')))
}, 120_000)

describe('the world’s land', () => {
  test.each([
    ['Madrid', 40.4168, -3.7038],
    ['Berlin', 52.52, 13.405],
    ['Suva in Fiji, beside the date line', -18.1416, 178.4419],
    ['Anadyr, east of the date line', 64.73, 177.5],
    ['Uelen, where Russia crosses the date line', 66.16, -169.81],
    ['Wellington', -41.2865, 174.7762],
    ['the South Pole', -89.9, 30],
  ])('includes %s', (_, lat, lng) => {
    expect(land.measureToLand({ lat, lng }, 2_000)).toBeLessThan(2_000)
  })

  test.each([
    ['the Atlantic', -40, -40],
    ['the Pacific on the date line', 0, 180],
    ['the Pacific beside it', 0, -179.999],
    ['the North Pole', 89.9, 0],
    ['the Channel', 50.2, -1.5],
    ['the Mediterranean', 38, 6],
  ])('does not include %s', (_, lat, lng) => {
    expect(land.measureToLand({ lat, lng }, 2_000)).toBeNull()
  })

  test('measures how far a position at sea is from the shore', () => {
    // Cabo Polonio's cape points east; the sea begins there.
    const [near, far] = [0.03, 0.3].map((east) =>
      land.measureToLand({ lat: -34.4, lng: -53.783 + east }, 60_000),
    )
    expect(near).toBeGreaterThan(500)
    expect(near).toBeLessThan(5_000)
    expect(far! - near!).toBeGreaterThan(20_000)
    expect(far! - near!).toBeLessThan(26_000)
  })
})
