import type { User } from './entities'

/** Rounds a time (ms) down to a second, the unit of the times in ID tokens. */
export const toWholeSecond = (time: number): number => time - (time % 1000)

/** Returns true when a sign-in at this time (ms) has ended since; one without a time has too. */
export const hasSessionEnded = (
  sessionsEnd: User['sessionsEnd'] | null,
  signedInAt: number | undefined,
): boolean => typeof sessionsEnd === 'number' && (signedInAt ?? 0) < sessionsEnd
