import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { findViolations } from '../data/invariants'
import type { DatabaseTree } from '../data/databaseTree'
import { aBookingRequest, admin, DROP, MINUTE, NOON, PICKUP, system } from '../testing/builders'
import { checkRaceGuards, commitChange, readValue, type Tree } from '../data/memoryTree'
import { chooseLength } from '../testing/endurance'
import { createRandomPlatform } from '../testing/randomPlatform'
import { createSeededRandom, type Random } from '../data/seededRandom'
import { applyBookingEvent } from './applyBookingEvent'
import type { Actor } from './eventTypes'
import type { EventInput } from './eventInput'
import type { Booking } from './types'

const RUNS = chooseLength(400, 1500)
const STEPS = 12
const CODE = 12345
const ana: Actor = { uid: 'ana', role: 'rider' }
const bea: Actor = { uid: 'bea', role: 'rider' }
const davi: Actor = { uid: 'davi', role: 'driver' }
const edu: Actor = { uid: 'edu', role: 'driver' }
const IDS = ['-OAbcdefghijklmnop-A', '-OAbcdefghijklmnop-B', '-OAbcdefghijklmnop-C']
const [TRIP, NEXT, OTHER] = IDS as [string, string, string]

const platform = createRandomPlatform(createSeededRandom(1), {
  appcat: 'taxi',
  autoDispatch: true,
  dispatchMode: 'nearest',
  followOnMinutes: 60,
  negativeBalance: true,
  otp_secure: true,
})

interface Step {
  id: string
  actor: Actor
  input: EventInput
}

const readBooking = (tree: Tree, id: string) =>
  structuredClone(readValue(tree, `bookings/${id}`)) as Booking | null

/** Returns the input with the price that the rider agrees to. */
const withPrice = (input: EventInput, estimateFare: number): EventInput => {
  if (input.event === 'amend') return { ...input, estimateFare }
  return input.event === 'create' ? { ...input, input: { ...input.input, estimateFare } } : input
}

/** Applies a step to what its process saw, and writes it. Returns `done` or why it was refused. */
const take = (tree: Tree, seen: Tree, { id, actor, input }: Step, now: number): string => {
  const booking = readBooking(seen, id)
  const context = platform.getContext(seen, booking, input, actor)
  const apply = (given: EventInput) => applyBookingEvent(booking, given, { actor, context, now })
  const first = apply(input)
  const price = first.ok ? undefined : first.error.params?.estimate
  const result = typeof price === 'number' ? apply(withPrice(input, price)) : first
  if (!result.ok) return result.error.key
  const lost = checkRaceGuards(tree, result.value)
  if (lost) return `lost: ${lost}`
  commitChange(tree, result.value)
  return 'done'
}

const create = (id: string, customer: string): Step => ({
  id,
  actor: admin,
  input: {
    event: 'create',
    input: aBookingRequest({ booking_id: id, customer, pickup: PICKUP, drop: DROP }),
  },
})

/** Davi is on a trip that ends soon. Two more bookings wait. */
const createStart = (): Tree => {
  const tree = structuredClone(platform.tree)
  const steps: Step[] = [
    create(TRIP, 'ana'),
    create(NEXT, 'bea'),
    create(OTHER, 'caio'),
    { id: TRIP, actor: system, input: { event: 'dispatch', drivers: ['davi'] } },
    { id: TRIP, actor: davi, input: { event: 'accept' } },
    { id: TRIP, actor: davi, input: { event: 'arrive', lat: PICKUP.lat, lng: PICKUP.lng } },
    { id: TRIP, actor: davi, input: { event: 'start', otp: CODE } },
  ]
  for (const step of steps) expect([step.input, take(tree, tree, step, NOON)][1]).toBe('done')
  return tree
}

const drawStep = (random: Random, tree: Tree): Step => {
  const id = random.pick([TRIP, TRIP, NEXT, NEXT, NEXT, OTHER, OTHER])
  const status = readBooking(tree, id)?.status ?? 'NEW'
  const asDriver = (input: EventInput): Step => ({
    id,
    input,
    actor: random.chance(0.9) ? davi : edu,
  })
  const { lat, lng } = DROP
  const cancel: Step = {
    id,
    actor: random.pick([ana, bea, davi, admin]),
    input: { event: 'cancel', reason: 'changed_mind' },
  }
  const amend: Step = {
    id,
    actor: admin,
    input: { event: 'amend', drop: { ...DROP, lat: lat - random.integer(0, 3) / 100 } },
  }
  const reached = asDriver({ event: 'reach', lat, lng })
  const kinds: Record<string, readonly Step[]> = {
    NEW: [
      {
        id,
        actor: system,
        input: { event: 'dispatch', drivers: [random.pick(['davi', 'davi', 'edu'])] },
      },
      asDriver({ event: 'accept' }),
      asDriver({ event: 'accept' }),
      asDriver({ event: 'decline' }),
      { id, actor: system, input: { event: 'withdraw', driver: 'davi' } },
      cancel,
    ],
    ACCEPTED: [asDriver({ event: 'arrive', lat, lng }), cancel, amend],
    ARRIVED: [asDriver({ event: 'start', otp: CODE }), cancel],
    STARTED: [reached, reached, amend],
    REACHED: [asDriver({ event: 'finish' })],
    PENDING: [asDriver({ event: 'collect' })],
  }
  return random.pick(kinds[status] ?? [cancel])
}

test('keeps the current and the next booking of a driver sound with two processes', () => {
  const start = createStart()
  expect(findViolations(start as DatabaseTree)).toEqual([])
  const counts: Record<string, number> = {}
  const count = (kind: string) => (counts[kind] = (counts[kind] ?? 0) + 1)
  const staysSound = fc.property(fc.noShrink(fc.integer()), (seed) => {
    const random = createSeededRandom(seed)
    const tree = structuredClone(start)
    const story: string[] = []
    let late = structuredClone(tree)
    for (let n = 1; n <= STEPS; n++) {
      // The other process has read before the last steps were written.
      const isLate = random.chance(0.4)
      const seen = isLate ? late : tree
      const step = drawStep(random, seen)
      const before = readBooking(tree, step.id)
      const outcome = take(tree, seen, step, NOON + n * MINUTE)
      story.push(`${step.actor.uid} ${step.input.event} ${IDS.indexOf(step.id)}: ${outcome}`)
      if (outcome.startsWith('lost')) {
        if (!isLate) expect.fail(`The present was refused.\n— ${story.join('\n— ')}`)
        count('lost')
      }
      const after = readBooking(tree, step.id)
      if (outcome === 'done') {
        if (after?.follows) count(`${step.input.event} of the next one`)
        if (before?.follows && !after?.follows) count(`${step.input.event} of the next one`)
        if (before?.next) count(`${step.input.event} of a followed trip`)
        const found = findViolations(tree)
        if (found.length > 0) expect.fail(`${found.join('\n')}\n— ${story.join('\n— ')}`)
      }
      if (random.chance(0.3)) late = structuredClone(tree)
    }
  })
  fc.assert(staysSound, { seed: 5, numRuns: RUNS })
  // The histories must reach each case; otherwise the test proves nothing.
  for (const kind of [
    'accept of the next one',
    'amend of the next one',
    'cancel of the next one',
    'amend of a followed trip',
    'reach of a followed trip',
    'finish of a followed trip',
    'lost',
  ])
    expect([kind, counts[kind] ?? 0, (counts[kind] ?? 0) > RUNS / 75]).toEqual([
      kind,
      counts[kind],
      true,
    ])
})
