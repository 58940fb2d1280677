import { beforeAll, expect, test } from 'vitest'
import { builtCity } from './builtCity'
import { createBundledMaps } from './bundled'
import { compareWithReferee, ratioAt, tooShort, type Compared } from './referee'

// Recorded from another router on the very same streets by scripts/maps/referee.ts. Distances can be
// compared; times cannot: it drives without lights and queues.
let compared: Compared[]
beforeAll(async () => {
  compared = await compareWithReferee(createBundledMaps(builtCity()))
}, 120_000)

test('there are enough pairs to judge by', () => {
  expect(compared.length).toBeGreaterThanOrEqual(100)
})

test('half of the routes differ by less than 3 % from the other router’s', () => {
  expect(Math.abs(ratioAt(compared, 0.5) - 1)).toBeLessThan(0.03)
})

test('all but a few differ by less than a quarter', () => {
  expect(ratioAt(compared, 0.05)).toBeGreaterThan(0.78)
  expect(ratioAt(compared, 0.95)).toBeLessThan(1.12)
})

test('none is shorter than the shortest way the law allows', () => {
  expect(tooShort(compared)).toEqual([])
})
