import { describe, expect, test } from 'vitest'
import {
  compareWithPeer,
  boundBelow,
  boundAbove,
  getMedian,
  getPercentile,
  getSlope,
  formatMeasurements,
} from './measurement'

test('returns one of the numbers as a percentile, in any order of input', () => {
  expect(getMedian([9, 1, 5])).toBe(5)
  expect(getPercentile([10, 9, 8, 7, 6, 5, 4, 3, 2, 1], 0.95)).toBe(10)
  expect(getPercentile([7], 0.95)).toBe(7)
})

test('returns the slope of the line through the points', () => {
  expect(
    getSlope([
      [0, 5],
      [1, 7],
      [2, 9],
    ]),
  ).toBe(2)
  expect(
    getSlope([
      [0, 1],
      [1, 3],
      [2, 1],
    ]),
  ).toBe(0)
})

describe('a ratio', () => {
  test('grows when our rate is higher or our cost is lower', () => {
    expect(compareWithPeer('rate', 'sets', '/s', { here: 300, peer: 100 }, 3)).toMatchObject({
      ratio: 3,
      met: true,
    })
    expect(compareWithPeer('cost', 'time', 'ms', { here: 50, peer: 100 }, 3)).toMatchObject({
      ratio: 2,
      met: false,
    })
  })

  test('is neither met nor missed without a peer', () => {
    const figure = compareWithPeer('rate', 'sets', '/s', { here: 300, peer: undefined }, 3)
    expect(figure).toEqual({ name: 'sets', unit: '/s', here: 300, bound: '≥ 3× the peer' })
    expect(formatMeasurements([figure])).toContain('not measured')
  })
})

test('the table shows PASS or MISS next to each bound', () => {
  const table = formatMeasurements([
    boundBelow('writes', '/s', 21_000, 20_000),
    boundAbove('memory', 'MB', 260, 250),
    { name: 'peak', unit: 'MB', here: 300 },
  ])
  const [, writes, memory, peak] = table.split('\n')
  expect(writes).toMatch(/^writes +21,000 \/s .* ≥ 20,000 \/s +PASS$/)
  expect(memory).toMatch(/^memory +260 MB .* ≤ 250 MB +MISS$/)
  expect(peak).toMatch(/^peak +300 MB$/)
})
