import { MINUTE_MS } from '../language/timeUnits'

/** Age (ms) up to which a sign-in proves who uses the device now. */
export const FRESH_SIGN_IN_MS = 10 * MINUTE_MS

/**
 * Returns true when a person has proved their identity a moment ago. `signedInAt` is the time (ms)
 * of their sign-in with a code or a social account, which a refreshed token keeps.
 */
export const isFreshSignIn = (signedInAt: number | undefined, now: number): boolean =>
  signedInAt !== undefined && now - signedInAt <= FRESH_SIGN_IN_MS
