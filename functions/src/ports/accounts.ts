import type { DecodedIdToken } from 'firebase-admin/auth'
import type { OwnSignIn, SignIn } from '~/domain/access/ownSignIn'
import type { RoleClaim } from '~/domain/access/roles'

/**
 * The verified claims of a caller's ID token that handlers may use. `phone` is verified by a code;
 * `provider` is the social account used to sign in, and absent for a phone sign-in.
 */
export interface Caller extends SignIn {
  uid: string
  /** In lower case; present only if the provider has verified it. */
  email?: string
  name?: string
  /** The role that the functions last wrote to the account's claims. */
  role?: string
  /** The time (ms) of the sign-in, which later tokens of the same session keep. */
  signedInAt?: number
  /** The id of that social account at its provider, which stays when the sign-in is deleted. */
  providerId?: string
}

/**
 * Sign-in accounts. The database's `users/` is the source of truth about people; this port says who
 * can sign in.
 */
export interface AccountsPort {
  /**
   * Returns the verified claims, or null for an invalid token. Refuses a sign-in method that is not
   * in use.
   */
  verifyToken(idToken: string): Promise<Caller | null>
  /** Returns the claims of a token that the platform has verified, with the same refusal. */
  readToken(token: DecodedIdToken): Caller
  /**
   * Returns true when the account exists and is enabled. A token stays valid for up to an hour
   * after either ends.
   */
  isActive(uid: string): Promise<boolean>
  /** Creates an account. Returns null when the phone number or e-mail already has one. */
  create(account: { phone: string; uid?: string }): Promise<string | null>
  /** Returns the account's uid, or null. */
  findByPhone(phone: string): Promise<string | null>
  /** Changes the phone number. Returns false when another account has it. */
  changePhone(uid: string, phone: string): Promise<boolean>
  /** Sets the role claim in the next token; null removes it. Does nothing without an account. */
  setRole(uid: string, role: RoleClaim | null): Promise<void>
  /**
   * Ends all sessions: no device gets another ID token without a sign-in. A token that a device has
   * stays valid for up to an hour. First removes the ways to sign in that `own` excludes and
   * restores its number, unless another account has it now. Returns true when this changed the
   * account. Does nothing without an account.
   */
  endSessions(uid: string, own: OwnSignIn): Promise<boolean>
  /** Removes the account. Does nothing when none exists. */
  remove(uid: string): Promise<void>
}
