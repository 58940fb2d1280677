import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { findViolations } from '../data/invariants'
import type { DatabaseTree } from '../data/databaseTree'
import { sumAmounts } from '../money/money'
import { getPaymentLines } from '../payments/paymentStatement'
import { chooseLength } from '../testing/endurance'
import { platformHistories, replayHistory } from '../testing/platformHistories'
import { BOOKING_ENTRY_KEY, toSignedAmount } from '../money/wallet'

const HISTORIES = chooseLength(40, 80)
const MAX_STEPS = 450

/** Returns the bookings whose statement differs from the entries of the customer's wallet. */
const findMisstatements = ({ bookings = {}, users = {} }: DatabaseTree): string[] =>
  Object.values(bookings).flatMap((booking) => {
    const stated = [
      ...getPaymentLines(booking)
        .filter(({ method }) => method === 'wallet')
        .map(({ kind, amount }) => (kind === 'return' ? amount : -amount)),
      ...Object.values(booking.adjustments ?? {}).map(({ rider = 0 }) => rider),
    ]
    const entries = Object.entries(users[booking.customer]?.walletHistory ?? {})
      .filter(([key, { txRef }]) => BOOKING_ENTRY_KEY.test(key) && txRef === booking.id)
      .map(([, entry]) => toSignedAmount(entry))
    const [statement, wallet] = [stated, entries].map((amounts) => sumAmounts(amounts, 2))
    return statement === wallet
      ? []
      : [`bookings/${booking.id}: the statement moves ${statement}, the wallet ${wallet}`]
  })

test('keeps money, totals, queues, promos and tasks consistent after thousands of legal and illegal steps', () => {
  const ends = new Map<string, number>()
  const lost = new Map<string, number>()
  let taken = 0
  let decided = 0
  let released = 0
  let compensated = 0
  const amended = new Map<string, number>()
  const stopEvents = new Set<string>()
  const staysConsistent = fc.property(platformHistories(MAX_STEPS), (history) => {
    const { tree, steps } = replayHistory(history)
    const story: string[] = []
    for (const { did, wrong } of steps()) {
      taken++
      story.push(did)
      const [, status] = /amend (\w+): \1$/.exec(did) ?? []
      if (/ release \w+: NEW$/.test(did)) released++
      if (/ compensate (\w+): \1$/.test(did)) compensated++
      const [, stopEvent] = / (\w+_stop) STARTED: STARTED$/.exec(did) ?? []
      if (stopEvent) stopEvents.add(stopEvent)
      if (status) amended.set(status, (amended.get(status) ?? 0) + 1)
      const race = /lost: (.*)\)$/.exec(did)?.[1]
      if (race) lost.set(race, (lost.get(race) ?? 0) + 1)
      const found = [...(wrong ? [wrong] : []), ...findViolations(tree)]
      if (found.length > 0) expect.fail(`${found.join('\n')}\n— ${story.slice(-12).join('\n— ')}`)
    }
    expect(findMisstatements(tree as DatabaseTree)).toEqual([])
    for (const { status, distance_review } of Object.values(
      (tree as DatabaseTree).bookings ?? {},
    )) {
      ends.set(status, (ends.get(status) ?? 0) + 1)
      if (distance_review?.decision) decided++
    }
  })
  fc.assert(staysConsistent, { seed: 3, numRuns: HISTORIES })
  expect(taken).toBeGreaterThanOrEqual(HISTORIES * 200)
  // The histories must reach every status; otherwise the test proves nothing.
  expect([...ends.keys()].sort()).toEqual([
    'ACCEPTED',
    'ARRIVED',
    'CANCELLED',
    'COMPLETE',
    'NEW',
    'PAID',
    'PAYMENT_PENDING',
    'PENDING',
    'REACHED',
    'STARTED',
  ])
  expect(ends.get('COMPLETE')).toBeGreaterThan(HISTORIES / 4)
  expect([...amended.keys()].sort()).toEqual([
    'ACCEPTED',
    'ARRIVED',
    'NEW',
    'PAYMENT_PENDING',
    'STARTED',
  ])
  expect(Math.min(...amended.values())).toBeGreaterThan(HISTORIES / 4)
  expect([...stopEvents].sort()).toEqual(['arrive_stop', 'leave_stop', 'skip_stop'])
  expect(released).toBeGreaterThan(HISTORIES / 4)
  expect(decided).toBeGreaterThan(HISTORIES / 16)
  expect(compensated).toBeGreaterThan(HISTORIES / 16)
  expect([...lost.keys()].sort()).toEqual([
    'balance',
    'busy driver',
    'open bookings',
    'open requests',
    'revision',
    'second open request',
  ])
})
