import { describe, expect, test } from 'vitest'
import { listConsiderations } from './considerations'
import type { GroupInput, GroupPair } from './decideGroup'

/** A decision about bookings; each pair is the position of a driver, seconds and earlier offers. */
const aDecision = (
  bookings: Record<string, GroupPair[]>,
  more: Partial<GroupInput> = {},
): GroupInput => ({
  at: 1000,
  isRound: true,
  weight: 0,
  fleet: { income: 0, active_s: 0 },
  drivers: [
    ['ana', 0, 0],
    ['ben', 0, 0],
    ['cid', 0, 0],
  ],
  bookings: Object.entries(bookings),
  ...more,
})
const getOutcome = (input: GroupInput, driver: string, booking: string) =>
  listConsiderations(input, driver, booking)[0]?.outcome

describe('the part of a driver in a decision', () => {
  const alone = aDecision({
    trip: [
      [0, 100, 0],
      [1, 200, 0],
      [2, 50, 1],
    ],
  })

  test('is the offer, a longer way, or an earlier offer of the same booking', () => {
    expect(getOutcome(alone, 'ana', 'trip')).toBe('offered')
    expect(getOutcome(alone, 'ben', 'trip')).toBe('farther')
    expect(getOutcome(alone, 'cid', 'trip')).toBe('asked_before')
  })

  test('names the driver who was chosen, their way and the number of drivers', () => {
    expect(listConsiderations(alone, 'ben')).toEqual([
      {
        booking: 'trip',
        at: 1000,
        outcome: 'farther',
        eta_s: 200,
        cost: 200,
        total: 3,
        chosen: { driver: 'ana', eta_s: 100, cost: 100 },
      },
    ])
  })

  test('names the other booking that the driver was asked about', () => {
    const round = aDecision({
      near: [
        [0, 100, 0],
        [1, 500, 0],
      ],
      other: [
        [0, 90, 0],
        [1, 150, 0],
      ],
    })
    expect(listConsiderations(round, 'ana')).toMatchObject([
      { booking: 'near', outcome: 'offered' },
      { booking: 'other', outcome: 'other_booking', other: 'near' },
    ])
  })

  test('is the least total when a driver would have cost less for this booking alone', () => {
    // Ben is nearer to `first`, but is the only one for `second`, which then has no driver left.
    const round = aDecision({
      first: [
        [0, 60, 0],
        [1, 10, 0],
        [2, 5, 0],
      ],
      second: [[2, 8, 0]],
      third: [[1, 20, 0]],
    })
    expect(getOutcome(round, 'ben', 'first')).toBe('other_booking')
    const short = aDecision({ first: [[0, 10, 0]], second: [[0, 20, 0]] })
    expect(getOutcome(short, 'ana', 'second')).toBe('other_booking')
  })

  test('is a higher income when a driver with a shorter way was passed', () => {
    const fair = aDecision(
      {
        trip: [
          [0, 100, 0],
          [1, 160, 0],
        ],
      },
      {
        weight: 600,
        fleet: { income: 3000, active_s: 7200 },
        drivers: [
          ['ana', 2500, 3600],
          ['ben', 500, 3600],
        ],
      },
    )
    expect(getOutcome(fair, 'ben', 'trip')).toBe('offered')
    expect(getOutcome(fair, 'ana', 'trip')).toBe('costlier')
  })

  test('is empty for a driver who could not be asked', () => {
    expect(listConsiderations(alone, 'dora')).toEqual([])
    expect(listConsiderations(alone, 'ana', 'another')).toEqual([])
  })

  test('is undecided for a booking that has to wait for its round', () => {
    const early = aDecision({ a: [[0, 10, 0]], b: [[0, 20, 0]] }, { isRound: false })
    expect(getOutcome(early, 'ana', 'b')).toBe('undecided')
  })

  test('returns at most the twenty bookings with the shortest way', () => {
    const many = aDecision(
      Object.fromEntries(
        Array.from({ length: 60 }, (_, i): [string, GroupPair[]] => [`b${i}`, [[0, 900 - i, 0]]]),
      ),
    )
    const rows = listConsiderations(many, 'ana')
    expect(rows).toHaveLength(20)
    expect(rows.map(({ eta_s }) => eta_s)).toEqual(Array.from({ length: 20 }, (_, i) => 841 + i))
  })
})
