import { describe, expect, test } from 'vitest'
import { against, atLeast, atMost, median, percentile, tableOf } from './figure'

test('a percentile is one of the numbers, whatever their order', () => {
  expect(median([9, 1, 5])).toBe(5)
  expect(percentile([10, 9, 8, 7, 6, 5, 4, 3, 2, 1], 0.95)).toBe(10)
  expect(percentile([7], 0.95)).toBe(7)
})

describe('a ratio', () => {
  test('of rates grows when we do more, one of costs when we need less', () => {
    expect(against('rate', 'sets', '/s', { here: 300, peer: 100 }, 3)).toMatchObject({
      ratio: 3,
      met: true,
    })
    expect(against('cost', 'time', 'ms', { here: 50, peer: 100 }, 3)).toMatchObject({
      ratio: 2,
      met: false,
    })
  })

  test('is neither met nor missed without a peer', () => {
    const figure = against('rate', 'sets', '/s', { here: 300, peer: undefined }, 3)
    expect(figure).toEqual({ name: 'sets', unit: '/s', here: 300, bound: '≥ 3× the peer' })
    expect(tableOf([figure])).toContain('not measured')
  })
})

test('the table says PASS and MISS beside the bounds', () => {
  const table = tableOf([
    atLeast('writes', '/s', 21_000, 20_000),
    atMost('memory', 'MB', 260, 250),
    { name: 'peak', unit: 'MB', here: 300 },
  ])
  const [, writes, memory, peak] = table.split('\n')
  expect(writes).toMatch(/^writes +21,000 \/s .* ≥ 20,000 \/s +PASS$/)
  expect(memory).toMatch(/^memory +260 MB .* ≤ 250 MB +MISS$/)
  expect(peak).toMatch(/^peak +300 MB$/)
})
