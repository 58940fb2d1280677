import { expect, test } from 'vitest'
import { aBooking, aSettings, anEventContext, driver, MINUTE, NOON } from '../../testing/builders'
import { commitChange, checkRaceGuards, readValue, type Tree } from '../../data/memoryTree'
import { applyBookingEvent } from '../applyBookingEvent'
import type { EventContext } from '../eventContext'
import type { Booking } from '../types'

const ID = aBooking().id
const scene = (settings = aSettings()) => {
  const tree: Tree = {
    bookings: { [ID]: JSON.parse(JSON.stringify(aBooking({ status: 'ARRIVED' }))) },
  }
  const attempts = () => readValue(tree, `otp_attempts/${ID}`) as EventContext['otpAttempts']
  const ask = (otp: number | undefined, now: number, pickup_image?: string) =>
    applyBookingEvent(
      readValue(tree, `bookings/${ID}`) as unknown as Booking,
      { event: 'start', otp, pickup_image },
      { actor: driver, context: anEventContext({ settings, otpAttempts: attempts() }), now },
    )
  const does = (otp: number | undefined, now: number, image?: string) => {
    const result = ask(otp, now, image)
    const change = result.ok ? result.value : result.error.failureChange
    if (change) commitChange(tree, change)
    return result.ok ? 'STARTED' : result.error.key
  }
  return { tree, ask, does, attempts }
}

test('locks the start for a minute after five wrong codes, even for the right one', () => {
  const { does } = scene()
  const keys = [1, 2, 3, 4, 5].map((n) => does(11111, NOON + n))
  expect(keys).toEqual(Array(5).fill('code_wrong'))
  expect(does(12345, NOON + 6)).toBe('code_locked')
  expect(does(12345, NOON + 5 + MINUTE - 1)).toBe('code_locked')
  expect(does(12345, NOON + 5 + MINUTE)).toBe('STARTED')
})

test('allows five more attempts after the minute, not one', () => {
  const { does } = scene()
  for (let n = 0; n < 5; n++) does(11111, NOON)
  const keys = [0, 1, 2, 3].map(() => does(11111, NOON + MINUTE))
  expect(keys).toEqual(Array(4).fill('code_wrong'))
  expect(does(12345, NOON + MINUTE)).toBe('STARTED')
})

test('counts simultaneous wrong codes one by one, because the database accepts only one', () => {
  const { tree, ask } = scene()
  const guesses = Array.from({ length: 50 }, () => ask(11111, NOON))
  const counted = guesses.filter((guess) => {
    const record = guess.ok ? undefined : guess.error.failureChange
    if (!record || checkRaceGuards(tree, record)) return false
    commitChange(tree, record)
    return true
  })
  expect(counted).toHaveLength(1)
})

test('accepts the right code the first time and clears the wrong attempts', () => {
  const { does, attempts } = scene()
  does(11111, NOON)
  expect(attempts()).toMatchObject({ tries: 1 })
  expect(does(12345, NOON)).toBe('STARTED')
  expect(attempts()).toBeNull()
})

test('does not count a missing code as a wrong one', () => {
  const { does, attempts } = scene()
  expect(does(undefined, NOON)).toBe('code_required')
  expect(attempts()).toBeNull()
})

test('reports a missing picture before it compares the code, and counts no attempt', () => {
  const { does, attempts } = scene(aSettings({ AllowDeliveryPickupImageCapture: true }))
  expect(does(11111, NOON)).toBe('image_required')
  expect(attempts()).toBeNull()
  expect(does(12345, NOON, 'https://pictures.example/1.jpg')).toBe('STARTED')
})

test('starts a booking without a code', () => {
  const open = aBooking({ status: 'ARRIVED', otp: false })
  expect(
    applyBookingEvent(
      open,
      { event: 'start' },
      { actor: driver, context: anEventContext(), now: NOON },
    ).ok,
  ).toBe(true)
})

test('never reveals the code in a refusal', () => {
  const { ask } = scene()
  expect(JSON.stringify(ask(11111, NOON))).not.toContain('12345')
})
