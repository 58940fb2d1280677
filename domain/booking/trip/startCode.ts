import { domainError, type DomainError } from '../../api/errors'
import { dbPaths } from '../../data/databasePaths'
import { increment } from '../../data/databaseValue'
import { type BookingError, type BookingChange } from '../eventTypes'
import type { TransitionArgs } from '../eventArgs'

/** Number of wrong codes that lock the start for a minute. */
const MAX_CODE_ATTEMPTS = 5
const CODE_LOCK_MS = 60_000

/**
 * Records a wrong code with the booking's revision, like every change. Safe because simultaneous
 * guesses are then written one after another, and the sixth meets the lock.
 */
const recordWrongCode = ({
  booking,
  context,
  now,
}: TransitionArgs<'otpAttempts'>): BookingChange => {
  const { otpAttempts } = context
  const revision = booking.revision + 1
  const unlocked = otpAttempts && otpAttempts.locked_until > 0 && now >= otpAttempts.locked_until
  const before = unlocked ? 0 : (otpAttempts?.tries ?? 0)
  const locks = before + 1 >= MAX_CODE_ATTEMPTS
  const attempts = dbPaths.otpAttempts(booking.id)
  return {
    updates: {
      [`${dbPaths.booking(booking.id)}/revision`]: revision,
      [`${attempts}/tries`]: unlocked ? 1 : increment(1),
      // Left unchanged otherwise: an outdated count must not remove a lock that was just set.
      ...(locks && { [`${attempts}/locked_until`]: now + CODE_LOCK_MS }),
      ...(!locks && (unlocked || !otpAttempts) && { [`${attempts}/locked_until`]: 0 }),
    },
    pushes: [],
    response: { booking_id: booking.id, status: booking.status, revision },
  }
}

/**
 * Returns the reason the trip cannot start with this code: code_locked, code_required, the result
 * of `other`, or code_wrong with the change that counts it. `other` runs before the code is
 * compared, so that its refusal costs no attempt.
 */
export const checkStartCode = (
  args: TransitionArgs<'otpAttempts' | 'otp'>,
  otp: number | undefined,
  other: () => DomainError | undefined,
): BookingError | undefined => {
  const { booking, context, now } = args
  if (!booking.otp) return other()
  const locked = (context.otpAttempts?.locked_until ?? 0) - now
  if (locked > 0) return domainError('code_locked', 'otp', { seconds: Math.ceil(locked / 1000) })
  if (otp === undefined) return domainError('code_required', 'otp')
  const refused = other()
  if (refused) return refused
  if (otp === context.otp) return undefined
  return { ...domainError('code_wrong', 'otp'), failureChange: recordWrongCode(args) }
}
