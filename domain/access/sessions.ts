import { HOUR_MS } from '../language/timeUnits'
import type { Settings } from '../catalog/types'
import type { User } from '../accounts/types'

/** Returns true when a sign-in at this time (ms) has ended since; one without a time has too. */
export const hasSessionEnded = (
  sessionsEnd: User['sessionsEnd'] | null,
  signedInAt: number | undefined,
): boolean => typeof sessionsEnd === 'number' && (signedInAt ?? 0) < sessionsEnd

/** The limits of sign-ins to the office. */
export type OfficeLimits = Pick<Settings, 'officeIdleMinutes' | 'officeSessionHours'>

/** Returns when an office sign-in ends, ms; undefined without a limit. */
export const getOfficeSessionEnd = (
  { officeSessionHours }: Pick<OfficeLimits, 'officeSessionHours'>,
  signedInAt: number | undefined,
): number | undefined =>
  officeSessionHours === undefined ? undefined : (signedInAt ?? 0) + officeSessionHours * HOUR_MS
