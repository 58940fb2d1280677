import type { DecodedIdToken } from 'firebase-admin/auth'
import type { AccountsPort, Caller } from './accounts'
import { firebaseApp } from './firebaseDatabase'

// Loaded when first needed: most calls get their caller from the callable SDK.
const auth = async () => (await import('firebase-admin/auth')).getAuth(firebaseApp())

const PROVIDERS: Readonly<Record<string, NonNullable<Caller['provider']>>> = {
  'facebook.com': 'facebook',
  'apple.com': 'apple',
  'google.com': 'google',
}
const providerOf = (id: string | undefined): Pick<Caller, 'provider'> => {
  const provider = PROVIDERS[id ?? '']
  return provider ? { provider } : {}
}

/** The claims handlers may use, out of a verified token. */
export const claimsOf = (token: DecodedIdToken): Caller => ({
  uid: token.uid,
  ...(typeof token.phone_number === 'string' && { phone: token.phone_number }),
  ...(typeof token.email === 'string' && { email: token.email }),
  ...(typeof token.name === 'string' && { name: token.name }),
  ...providerOf(token.firebase?.sign_in_provider),
})

const codeOf = (error: unknown): string =>
  error instanceof Error ? String(Reflect.get(error, 'code')) : ''
const TAKEN = [
  'auth/phone-number-already-exists',
  'auth/email-already-exists',
  'auth/uid-already-exists',
]

/** Firebase Auth. */
export const firebaseAccounts: AccountsPort = {
  async verify(idToken) {
    try {
      return claimsOf(await (await auth()).verifyIdToken(idToken))
    } catch {
      return null
    }
  },
  async isOpen(uid) {
    try {
      return !(await (await auth()).getUser(uid)).disabled
    } catch (error) {
      if (codeOf(error) === 'auth/user-not-found') return false
      throw error
    }
  },
  async create({ phone, uid }) {
    try {
      return (await (await auth()).createUser({ phoneNumber: phone, ...(uid && { uid }) })).uid
    } catch (error) {
      if (TAKEN.includes(codeOf(error))) return null
      throw error
    }
  },
  async byPhone(phone) {
    try {
      return (await (await auth()).getUserByPhoneNumber(phone)).uid
    } catch (error) {
      if (codeOf(error) === 'auth/user-not-found') return null
      throw error
    }
  },
  async changePhone(uid, phone) {
    try {
      await (await auth()).updateUser(uid, { phoneNumber: phone })
      return true
    } catch (error) {
      if (TAKEN.includes(codeOf(error))) return false
      throw error
    }
  },
  async remove(uid) {
    try {
      await (await auth()).deleteUser(uid)
    } catch (error) {
      if (codeOf(error) !== 'auth/user-not-found') throw error
    }
  },
}
