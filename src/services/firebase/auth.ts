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
  connectAuthEmulator,
  indexedDBLocalPersistence,
  initializeAuth,
  onAuthStateChanged,
  signInWithCredential,
  signInWithPopup,
  signOut,
  updatePhoneNumber,
} from 'firebase/auth'
import { config } from '../config'
import { onceMade } from '../onceMade'
import { type AuthPort, ServiceError, type SignedIn, type SocialProvider } from '../services'
import { startWhenHad } from '../starting'
import { firebaseApp } from './app'

export const firebaseAuth = onceMade(async (): Promise<Auth> => {
  const { emulators } = await config()
  // Not getAuth: it would pull in the popup machinery for everybody who signs in by phone.
  const auth = initializeAuth(await firebaseApp(), {
    persistence: [indexedDBLocalPersistence, browserLocalPersistence],
  })
  if (emulators) {
    connectAuthEmulator(auth, emulators.auth, { disableWarnings: true })
    auth.settings.appVerificationDisabledForTesting = true
  }
  return auth
})

/** The signed-in user's ID token, or null for a visitor. */
export const idToken = async (): Promise<string | null> => {
  const auth = await firebaseAuth()
  await auth.authStateReady()
  return (await auth.currentUser?.getIdToken()) ?? null
}

const signedIn = (user: User): SignedIn => ({ uid: user.uid, phone: user.phoneNumber })

const failed = (error: unknown): never => {
  const code = (error as { code?: string }).code ?? 'auth/unknown'
  const key =
    code === 'auth/credential-already-in-use' ||
    code === 'auth/account-exists-with-different-credential'
      ? 'user_exists'
      : code === 'auth/invalid-verification-code' || code === 'auth/code-expired'
        ? 'otp_validate_error'
        : code === 'auth/too-many-requests'
          ? 'too_many_requests'
          : 'login_error'
  // The catalogue shows the provider's own code and message for a phone sign-in error.
  const message = error instanceof Error ? error.message : code
  throw new ServiceError(code, key, message, { params: { code, message } })
}

let captcha: { verifier: RecaptchaVerifier; holder: HTMLElement } | undefined
/** A fresh one for every code: the same one, asked a second time, never answers. */
const invisibleCaptcha = (auth: Auth): RecaptchaVerifier => {
  captcha?.verifier.clear()
  captcha?.holder.remove()
  const holder = document.createElement('div')
  document.body.append(holder)
  captcha = { verifier: new RecaptchaVerifier(auth, holder, { size: 'invisible' }), holder }
  return captcha.verifier
}

const socialProvider = (provider: SocialProvider) =>
  provider === 'facebook'
    ? new FacebookAuthProvider()
    : provider === 'google'
      ? new GoogleAuthProvider()
      : new OAuthProvider('apple.com')

interface SentCodes {
  verificationCodes?: { phoneNumber: string; code: string }[]
}

/** Sends the code and answers the verification's id. */
const sendCode = async (phone: string): Promise<string> => {
  const auth = await firebaseAuth()
  return new PhoneAuthProvider(auth).verifyPhoneNumber(phone, invisibleCaptcha(auth)).catch(failed)
}

/** In local mode the code last sent to a number; else null. */
const offeredCode = async (phone: string): Promise<string | null> => {
  const { emulators, firebase, local } = await config()
  if (!local || !emulators) return null
  const answer = await fetch(
    `${emulators.auth}/emulator/v1/projects/${firebase.projectId}/verificationCodes`,
  )
  const { verificationCodes = [] } = (await answer.json()) as SentCodes
  return verificationCodes.findLast((sent) => sent.phoneNumber === phone)?.code ?? null
}
const LOCAL_TRIES = 8

export const authPort: AuthPort = {
  watch: (onChange) =>
    startWhenHad(firebaseAuth, (auth) =>
      onAuthStateChanged(auth, (user) => onChange(user && signedIn(user))),
    ),
  async requestCode(phone) {
    // A local code may begin with 0, which the specification's login code never does: then another is asked for.
    for (let tries = 0; tries < LOCAL_TRIES; tries += 1) {
      const verificationId = await sendCode(phone)
      const offered = await offeredCode(phone)
      if (!offered?.startsWith('0')) return verificationId
    }
    return sendCode(phone)
  },
  async verifyCode(verificationId, code) {
    const credential = PhoneAuthProvider.credential(verificationId, code)
    const auth = await firebaseAuth()
    const { user } = await signInWithCredential(auth, credential).catch(failed)
    return signedIn(user)
  },
  offeredCode,
  async signInWith(provider) {
    const auth = await firebaseAuth()
    const { user } = await signInWithPopup(
      auth,
      socialProvider(provider),
      browserPopupRedirectResolver,
    ).catch(failed)
    return signedIn(user)
  },
  async changePhone(verificationId, code) {
    const { currentUser } = await firebaseAuth()
    if (!currentUser) throw new ServiceError('auth/no-current-user', 'must_login')
    const credential = PhoneAuthProvider.credential(verificationId, code)
    await updatePhoneNumber(currentUser, credential).catch(failed)
    // The functions read the number from the token.
    await currentUser.getIdToken(true)
  },
  async signOut() {
    await signOut(await firebaseAuth())
  },
}
