import {
  type Auth,
  FacebookAuthProvider,
  GoogleAuthProvider,
  OAuthProvider,
  PhoneAuthProvider,
  RecaptchaVerifier,
  type User,
  browserLocalPersistence,
  browserPopupRedirectResolver,
  browserSessionPersistence,
  connectAuthEmulator,
  indexedDBLocalPersistence,
  initializeAuth,
  onAuthStateChanged,
  signInWithCredential,
  signInWithPopup,
  signOut,
} from 'firebase/auth'
import { FirebaseError } from 'firebase/app'
import type { ErrorKey } from '~/domain/api/errorKeys'
import { loadConfig } from '../config'
import { lazySingleton } from '../lazySingleton'
import { type AuthPort, ServiceError, type SignedInUser, type SocialProvider } from '../services'
import { subscribeWithRetry } from '../deferredSubscriptions'
import { getWindowScope } from '../windowScope'
import { getFirebaseApp } from './app'
import { sendPossibleCode } from './localCodes'
import { warmUpStorage } from './storageWarmUp'

export const getFirebaseAuth = lazySingleton(async (): Promise<Auth> => {
  const { emulators } = await loadConfig()
  const [app] = await Promise.all([getFirebaseApp(), warmUpStorage(globalThis.indexedDB)])
  // getAuth would load the popup code for everyone who signs in by phone.
  const auth = initializeAuth(app, {
    persistence:
      import.meta.env.KERBSIDE_TOUR === 'yes' && getWindowScope() !== null
        ? browserSessionPersistence
        : [indexedDBLocalPersistence, browserLocalPersistence],
  })
  if (emulators) {
    connectAuthEmulator(auth, emulators.auth, { disableWarnings: true })
    auth.settings.appVerificationDisabledForTesting = true
  }
  return auth
})

/** Returns the signed-in user's ID token, or null for a visitor. */
export const getIdToken = async (): Promise<string | null> => {
  const auth = await getFirebaseAuth()
  await auth.authStateReady()
  return (await auth.currentUser?.getIdToken()) ?? null
}

const toSignedInUser = (user: User): SignedInUser => ({ uid: user.uid, phone: user.phoneNumber })

/** Refusals by the code of Firebase Auth; all other codes are a `login_error`. */
const AUTH_ERROR_KEYS: Record<string, ErrorKey> = {
  'auth/credential-already-in-use': 'user_exists',
  'auth/account-exists-with-different-credential': 'user_exists',
  'auth/missing-verification-code': 'otp_validate_error',
  'auth/invalid-verification-code': 'login_code_wrong',
  'auth/code-expired': 'login_code_expired',
  'auth/too-many-requests': 'too_many_requests',
}

const throwAuthError = (error: unknown): never => {
  const code = (error as { code?: string }).code ?? 'auth/unknown'
  const key = AUTH_ERROR_KEYS[code] ?? 'login_error'
  // The error text of a phone sign-in includes the provider's own code and message.
  const message = error instanceof Error ? error.message : code
  throw new ServiceError(code, key, message, { params: { code, message } })
}

let captcha: { verifier: RecaptchaVerifier; holder: HTMLElement } | undefined
/** Creates a new captcha for every code, because a reused one never responds. */
const createInvisibleCaptcha = (auth: Auth): RecaptchaVerifier => {
  captcha?.verifier.clear()
  captcha?.holder.remove()
  const holder = document.createElement('div')
  document.body.append(holder)
  captcha = { verifier: new RecaptchaVerifier(auth, holder, { size: 'invisible' }), holder }
  return captcha.verifier
}

const createSocialProvider = (provider: SocialProvider) =>
  provider === 'facebook'
    ? new FacebookAuthProvider()
    : provider === 'google'
      ? new GoogleAuthProvider()
      : new OAuthProvider('apple.com')

interface SentCodes {
  verificationCodes?: { phoneNumber: string; code: string }[]
}

/** Sends the code and returns the verification id. */
const sendCode = async (phone: string): Promise<string> => {
  const auth = await getFirebaseAuth()
  return sendPossibleCode(
    () =>
      new PhoneAuthProvider(auth)
        .verifyPhoneNumber(phone, createInvisibleCaptcha(auth))
        .catch(throwAuthError),
    () => fetchSentCode(phone),
  )
}

/** Returns the code last sent to a number in local mode, otherwise null. */
const fetchSentCode = async (phone: string): Promise<string | null> => {
  const { emulators, firebase, local } = await loadConfig()
  if (!local || !emulators) return null
  const response = await fetch(
    `${emulators.auth}/emulator/v1/projects/${firebase.projectId}/verificationCodes`,
  )
  const { verificationCodes = [] } = (await response.json()) as SentCodes
  return (
    verificationCodes.findLast((verification) => verification.phoneNumber === phone)?.code ?? null
  )
}

export const authPort: AuthPort = {
  subscribe: (onChange) =>
    subscribeWithRetry(getFirebaseAuth, (auth) =>
      onAuthStateChanged(auth, (user) => onChange(user && toSignedInUser(user))),
    ),
  requestCode: sendCode,
  async verifyCode(verificationId, code) {
    const credential = PhoneAuthProvider.credential(verificationId, code)
    const auth = await getFirebaseAuth()
    const { user } = await signInWithCredential(auth, credential).catch(throwAuthError)
    return toSignedInUser(user)
  },
  fetchSentCode: fetchSentCode,
  async fetchSignInTime() {
    const { currentUser } = await getFirebaseAuth()
    return currentUser && Date.parse((await currentUser.getIdTokenResult()).authTime)
  },
  async signInWith(provider) {
    const auth = await getFirebaseAuth()
    const { user } = await signInWithPopup(
      auth,
      createSocialProvider(provider),
      browserPopupRedirectResolver,
    ).catch(throwAuthError)
    return toSignedInUser(user)
  },
  async changePhone(verificationId, code, change) {
    const { currentUser } = await getFirebaseAuth()
    if (!currentUser) throw new ServiceError('auth/no-current-user', 'must_login')
    const { provePhone } = await import('./phoneProof')
    await provePhone(verificationId, code, change).catch((error: unknown) => {
      if (error instanceof FirebaseError) throwAuthError(error)
      throw error
    })
    // The functions read the number from the token.
    await currentUser.getIdToken(true)
  },
  async signOut() {
    await signOut(await getFirebaseAuth())
  },
}
