import { isFreshSignIn } from '~/domain/access/freshSignIn'
import type { Caller } from '../ports/accounts'
import { fail } from '../domainException'

/** Refuses a caller whose sign-in is too old to prove who uses the device now. */
export const assertFreshSignIn = ({ caller, now }: { caller: Caller; now: number }): void => {
  if (!isFreshSignIn(caller.signedInAt, now)) fail('fresh_sign_in_needed')
}
