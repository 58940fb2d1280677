import { expect, it } from 'vitest'
import { createSeededRandom } from '../../data/seededRandom'
import { assignMinimumCost, FORBIDDEN } from './assignment'

/** Returns the number of matched rows and the total cost of an assignment. */
const measure = (costs: number[][], assigned: readonly number[]): [matched: number, cost: number] =>
  assigned.reduce<[number, number]>(
    ([matched, cost], column, row) =>
      column === -1 ? [matched, cost] : [matched + 1, cost + (costs[row]?.[column] ?? NaN)],
    [0, 0],
  )

/** Tries every assignment. */
const findBest = (costs: number[][], row = 0, used: readonly number[] = []): [number, number] => {
  const line = costs[row]
  if (!line) return [0, 0]
  let best = findBest(costs, row + 1, used)
  for (const [column, cost] of line.entries()) {
    if (cost === FORBIDDEN || used.includes(column)) continue
    const [matched, rest] = findBest(costs, row + 1, [...used, column])
    const found: [number, number] = [matched + 1, rest + cost]
    if (found[0] > best[0] || (found[0] === best[0] && found[1] < best[1])) best = found
  }
  return best
}

it('matches as many rows and costs as little as the best of all assignments', () => {
  const random = createSeededRandom(7)
  for (let i = 0; i < 3000; i++) {
    const [rows, columns] = [random.integer(1, 5), random.integer(1, 5)]
    const forbidden = random.next() * 0.8
    const most = random.integer(0, 20)
    const costs = Array.from({ length: rows }, () =>
      Array.from({ length: columns }, () =>
        random.chance(forbidden) ? FORBIDDEN : random.integer(-5, most),
      ),
    )
    const assigned = assignMinimumCost(costs)
    const used = assigned.filter((column) => column !== -1)
    expect(new Set(used).size).toBe(used.length)
    expect(measure(costs, assigned), JSON.stringify(costs)).toEqual(findBest(costs))
  }
})

it('leaves rows without any allowed column unmatched', () => {
  expect(assignMinimumCost([])).toEqual([])
  expect(assignMinimumCost([[], []])).toEqual([-1, -1])
  expect(assignMinimumCost([[FORBIDDEN, 4], [FORBIDDEN, 9], [FORBIDDEN]])).toEqual([1, -1, -1])
})

it('gives up a cheap pair when another row has no other column', () => {
  const costs = [
    [1, 100],
    [2, FORBIDDEN],
  ]
  expect(assignMinimumCost(costs)).toEqual([1, 0])
})
