import { refusal, type Refusal } from '../errors'
import { at } from '../paths'
import { increment, type BookingRefusal, type Change } from './change'
import type { Step } from './draft'

/** So many wrong codes lock the start for a minute. */
const CODE_TRIES = 5
const CODE_LOCK_MS = 60_000

/**
 * A wrong code is remembered with the booking's revision, as every change is. Safe because guesses sent at once
 * then happen one after another, and the sixth finds the lock.
 */
const wrongCode = ({ booking, world, now }: Step): Change => {
  const { otpAttempts } = world
  const revision = booking.revision + 1
  const unlocked = otpAttempts && otpAttempts.locked_until > 0 && now >= otpAttempts.locked_until
  const before = unlocked ? 0 : (otpAttempts?.tries ?? 0)
  const locks = before + 1 >= CODE_TRIES
  const attempts = at.otpAttempts(booking.id)
  return {
    updates: {
      [`${at.booking(booking.id)}/revision`]: revision,
      [`${attempts}/tries`]: unlocked ? 1 : increment(1),
      // Left alone in between: a count read a moment too early must not open a lock that was just set.
      ...(locks && { [`${attempts}/locked_until`]: now + CODE_LOCK_MS }),
      ...(!locks && (unlocked || !otpAttempts) && { [`${attempts}/locked_until`]: 0 }),
    },
    pushes: [],
    answer: { booking_id: booking.id, status: booking.status, revision },
  }
}

/**
 * Why the trip can't start with this code: code_locked, code_required, whatever `other` says, or code_wrong with the
 * change that counts it. `other` is asked before the code is compared, so that it can't cost a try.
 */
export const checkCode = (
  step: Step,
  otp: number | undefined,
  other: () => Refusal | undefined,
): BookingRefusal | undefined => {
  const { booking, world, now } = step
  if (!booking.otp) return other()
  const locked = (world.otpAttempts?.locked_until ?? 0) - now
  if (locked > 0) return refusal('code_locked', 'otp', { seconds: Math.ceil(locked / 1000) })
  if (otp === undefined) return refusal('code_required', 'otp')
  const refused = other()
  if (refused) return refused
  if (otp === world.otp) return undefined
  return { ...refusal('code_wrong', 'otp'), record: wrongCode(step) }
}
