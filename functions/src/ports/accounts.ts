/** The verified claims of a caller's ID token that handlers may use. */
export interface Caller {
  uid: string
  phone?: string
  email?: string
  name?: string
  /** How he signed in, when it was not by phone. */
  provider?: 'facebook' | 'apple' | 'google'
}

/** Sign-in accounts. The database's `users/` is the truth about people; this is who can sign in. */
export interface AccountsPort {
  /** The verified claims, or null when the token is not good. */
  verify(idToken: string): Promise<Caller | null>
  /** Whether the account is there and may sign in: a token outlives both by up to an hour. */
  isOpen(uid: string): Promise<boolean>
  /** Makes an account; null when the phone number or e-mail already has one. */
  create(account: { phone: string; uid?: string }): Promise<string | null>
  /** The account's uid, or null. */
  byPhone(phone: string): Promise<string | null>
  /** Changes the phone number; false when another account has it. */
  changePhone(uid: string, phone: string): Promise<boolean>
  /** Removes the account; nothing happens when there is none. */
  remove(uid: string): Promise<void>
}
