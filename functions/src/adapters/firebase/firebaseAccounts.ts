import type { DecodedIdToken, UpdateRequest, UserRecord } from 'firebase-admin/auth'
import { isOwnProvider, isSignInUnknown, type OwnSignIn } from '~/domain/access/ownSignIn'
import type { AccountsPort, Caller } from '../../ports/accounts'
import { fail } from '../../domainException'
import { getFirebaseApp } from './firebaseDatabase'

// Loaded on first use, because most calls get their caller from the callable SDK.
const getFirebaseAuth = async () => (await import('firebase-admin/auth')).getAuth(getFirebaseApp())

const PHONE_METHOD = 'phone'
/**
 * The sign-in methods that Kerbside supports, by their name in tokens. A project may have others
 * enabled, such as anonymous or password sign-in, which prove nothing about a person.
 */
const SIGN_IN_METHODS: ReadonlyMap<unknown, 'phone' | NonNullable<Caller['provider']>> = new Map([
  [PHONE_METHOD, 'phone'],
  ['facebook.com', 'facebook'],
  ['apple.com', 'apple'],
  ['google.com', 'google'],
] as const)

/** Returns the kind of a social account by its provider's id; undefined for others. */
const toProvider = (providerId: string): Caller['provider'] => {
  const method = SIGN_IN_METHODS.get(providerId)
  return method === 'phone' ? undefined : method
}

/**
 * Returns the claims of a verified token that handlers may use. Omits an e-mail address that the
 * provider has not verified. Refuses any other sign-in method with sign_in_not_offered.
 */
const toCaller = (token: DecodedIdToken): Caller => {
  const method =
    SIGN_IN_METHODS.get(token.firebase?.sign_in_provider) ?? fail('sign_in_not_offered')
  return {
    uid: token.uid,
    signedInAt: token.auth_time * 1000,
    ...(typeof token.phone_number === 'string' && { phone: token.phone_number }),
    ...(typeof token.email === 'string' &&
      token.email_verified === true && { email: token.email.toLowerCase() }),
    ...(typeof token.name === 'string' && { name: token.name }),
    ...(typeof token['role'] === 'string' && { role: token['role'] }),
    ...(method !== 'phone' && { provider: method, ...getProviderId(token) }),
  }
}

/** Returns the account's id at the provider, which the token lists by the provider's name. */
const getProviderId = ({ firebase }: DecodedIdToken): Pick<Caller, 'providerId'> => {
  // The SDK's type claims more than it verifies.
  const identities = firebase.identities as Record<string, unknown> | undefined
  const ids = identities?.[firebase.sign_in_provider]
  const id: unknown = Array.isArray(ids) ? ids[0] : undefined
  return typeof id === 'string' ? { providerId: id } : {}
}

const getAuthErrorCode = (error: unknown): string =>
  error instanceof Error ? String(Reflect.get(error, 'code')) : ''
const ALREADY_EXISTS_CODES = [
  'auth/phone-number-already-exists',
  'auth/email-already-exists',
  'auth/uid-already-exists',
]

/**
 * Returns the update that leaves only the ways to sign in of the record, or null. Gives a number to
 * an account without one only in the office, because an earlier release stored unproved numbers.
 */
const listForeignSignIns = (
  { providerData, phoneNumber }: UserRecord,
  own: OwnSignIn,
): UpdateRequest | null => {
  if (isSignInUnknown(own)) return null
  const foreign = providerData
    .map(({ providerId }) => providerId)
    .filter((id) => id !== PHONE_METHOD && !isOwnProvider(toProvider(id), own))
  const hasOtherNumber = phoneNumber !== own.phone && (phoneNumber !== undefined || own.isOffice)
  if (foreign.length === 0 && !hasOtherNumber) return null
  return {
    ...(foreign.length > 0 && { providersToUnlink: foreign }),
    ...(hasOtherNumber && { phoneNumber: own.phone ?? null }),
  }
}

/** Accounts in Firebase Auth. */
export const firebaseAccounts: AccountsPort = {
  async verifyToken(idToken) {
    const token = await (await getFirebaseAuth()).verifyIdToken(idToken).catch(() => null)
    return token && toCaller(token)
  },
  readToken: toCaller,
  async isActive(uid) {
    try {
      return !(await (await getFirebaseAuth()).getUser(uid)).disabled
    } catch (error) {
      if (getAuthErrorCode(error) === 'auth/user-not-found') return false
      throw error
    }
  },
  async create({ phone, uid }) {
    try {
      return (
        await (await getFirebaseAuth()).createUser({ phoneNumber: phone, ...(uid && { uid }) })
      ).uid
    } catch (error) {
      if (ALREADY_EXISTS_CODES.includes(getAuthErrorCode(error))) return null
      throw error
    }
  },
  async findByPhone(phone) {
    try {
      return (await (await getFirebaseAuth()).getUserByPhoneNumber(phone)).uid
    } catch (error) {
      if (getAuthErrorCode(error) === 'auth/user-not-found') return null
      throw error
    }
  },
  async changePhone(uid, phone) {
    try {
      await (await getFirebaseAuth()).updateUser(uid, { phoneNumber: phone })
      return true
    } catch (error) {
      if (ALREADY_EXISTS_CODES.includes(getAuthErrorCode(error))) return false
      throw error
    }
  },
  async setRole(uid, role) {
    try {
      await (await getFirebaseAuth()).setCustomUserClaims(uid, role === null ? null : { role })
    } catch (error) {
      if (getAuthErrorCode(error) !== 'auth/user-not-found') throw error
    }
  },
  async endSessions(uid, own) {
    const auth = await getFirebaseAuth()
    try {
      const changes = listForeignSignIns(await auth.getUser(uid), own)
      if (changes)
        await auth.updateUser(uid, changes).catch((error: unknown) => {
          if (!ALREADY_EXISTS_CODES.includes(getAuthErrorCode(error))) throw error
          return auth.updateUser(uid, { ...changes, phoneNumber: null })
        })
      // Last, so that a session of a removed number cannot begin in between.
      await auth.revokeRefreshTokens(uid)
      return changes !== null
    } catch (error) {
      if (getAuthErrorCode(error) !== 'auth/user-not-found') throw error
      return false
    }
  },
  async remove(uid) {
    try {
      await (await getFirebaseAuth()).deleteUser(uid)
    } catch (error) {
      if (getAuthErrorCode(error) !== 'auth/user-not-found') throw error
    }
  },
}
