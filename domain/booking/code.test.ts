import { expect, test } from 'vitest'
import type { Booking } from '../entities'
import { aBooking, aSettings, aWorld, driver, MINUTE, NOON } from '../testing/builders'
import { commit, guarded, valueAt, type Tree } from '../testing/tree'
import { apply } from './apply'
import type { World } from './change'

const ID = aBooking().id
const door = (settings = aSettings()) => {
  const tree: Tree = {
    bookings: { [ID]: JSON.parse(JSON.stringify(aBooking({ status: 'ARRIVED' }))) },
  }
  const attempts = () => valueAt(tree, `otp_attempts/${ID}`) as World['otpAttempts']
  const ask = (otp: number | undefined, now: number, pickup_image?: string) =>
    apply(
      valueAt(tree, `bookings/${ID}`) as unknown as Booking,
      { event: 'start', otp, pickup_image },
      driver,
      aWorld({ settings, otpAttempts: attempts() }),
      now,
    )
  const does = (otp: number | undefined, now: number, image?: string) => {
    const result = ask(otp, now, image)
    const change = result.ok ? result.value : result.error.record
    if (change) commit(tree, change)
    return result.ok ? 'STARTED' : result.error.key
  }
  return { tree, ask, does, attempts }
}

test('five wrong codes lock the start for a minute, even for the right one', () => {
  const { does } = door()
  const keys = [1, 2, 3, 4, 5].map((n) => does(11111, NOON + n))
  expect(keys).toEqual(Array(5).fill('code_wrong'))
  expect(does(12345, NOON + 6)).toBe('code_locked')
  expect(does(12345, NOON + 5 + MINUTE - 1)).toBe('code_locked')
  expect(does(12345, NOON + 5 + MINUTE)).toBe('STARTED')
})

test('after the minute there are five tries again, not one', () => {
  const { does } = door()
  for (let n = 0; n < 5; n++) does(11111, NOON)
  const keys = [0, 1, 2, 3].map(() => does(11111, NOON + MINUTE))
  expect(keys).toEqual(Array(4).fill('code_wrong'))
  expect(does(12345, NOON + MINUTE)).toBe('STARTED')
})

test('wrong codes sent all at once are counted one by one: the database lets only one through', () => {
  const { tree, ask } = door()
  const guesses = Array.from({ length: 50 }, () => ask(11111, NOON))
  const counted = guesses.filter((guess) => {
    const record = guess.ok ? undefined : guess.error.record
    if (!record || guarded(tree, record)) return false
    commit(tree, record)
    return true
  })
  expect(counted).toHaveLength(1)
})

test('the right code opens the first time and forgets the wrong ones', () => {
  const { does, attempts } = door()
  does(11111, NOON)
  expect(attempts()).toMatchObject({ tries: 1 })
  expect(does(12345, NOON)).toBe('STARTED')
  expect(attempts()).toBeNull()
})

test('no code is not a wrong code', () => {
  const { does, attempts } = door()
  expect(does(undefined, NOON)).toBe('code_required')
  expect(attempts()).toBeNull()
})

test('a missing picture is said before the code is compared, and costs no try', () => {
  const { does, attempts } = door(aSettings({ AllowDeliveryPickupImageCapture: true }))
  expect(does(11111, NOON)).toBe('image_required')
  expect(attempts()).toBeNull()
  expect(does(12345, NOON, 'https://pictures.example/1.jpg')).toBe('STARTED')
})

test('a booking without a code starts without one', () => {
  const open = aBooking({ status: 'ARRIVED', otp: false })
  expect(apply(open, { event: 'start' }, driver, aWorld(), NOON).ok).toBe(true)
})

test('the refusal never says how the code goes', () => {
  const { ask } = door()
  expect(JSON.stringify(ask(11111, NOON))).not.toContain('12345')
})
