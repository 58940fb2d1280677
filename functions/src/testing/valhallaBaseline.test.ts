import { beforeAll, expect, test } from 'vitest'
import { ensureBuiltCity } from './builtCity'
import { createBundledMaps } from '../adapters/maps/bundled/bundledMaps'
import {
  compareWithBaseline,
  getRatioAt,
  findTooShort,
  type BaselineComparison,
} from './valhallaBaseline'

// Recorded from another router on the same streets by scripts/maps/valhallaComparison.ts. Only
// distances are comparable: its times ignore traffic lights and congestion.
let compared: BaselineComparison[]
beforeAll(async () => {
  compared = await compareWithBaseline(createBundledMaps(ensureBuiltCity()))
})

test('the baseline has enough pairs for a comparison', () => {
  expect(compared.length).toBeGreaterThanOrEqual(100)
})

test('half of the routes differ by less than 3 % from the baseline', () => {
  expect(Math.abs(getRatioAt(compared, 0.5) - 1)).toBeLessThan(0.03)
})

test('all but a few routes differ by less than a quarter', () => {
  expect(getRatioAt(compared, 0.05)).toBeGreaterThan(0.78)
  expect(getRatioAt(compared, 0.95)).toBeLessThan(1.12)
})

test('no route is shorter than the shortest legal one', () => {
  expect(findTooShort(compared)).toEqual([])
})
