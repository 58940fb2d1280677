import { deleteApp, initializeApp } from 'firebase/app'
import {
  connectAuthEmulator,
  getAdditionalUserInfo,
  initializeAuth,
  inMemoryPersistence,
  PhoneAuthProvider,
  signInWithCredential,
} from 'firebase/auth'
import { loadConfig } from '../config'

/**
 * Signs in with a code in a second Firebase app that this page forgets, and passes `change` the
 * ID token, which proves the number. The signed-in person's own session stays as it is. Removes the
 * account that the sign-in created when `change` fails.
 */
export const provePhone = async (
  verificationId: string,
  code: string,
  change: (token: string) => Promise<unknown>,
): Promise<void> => {
  const { appCheckSiteKey, emulators, firebase } = await loadConfig()
  const app = initializeApp(firebase, `phone-proof-${verificationId}`)
  try {
    if (appCheckSiteKey !== undefined)
      (await import('./appCheck')).startAppCheck(app, appCheckSiteKey)
    const auth = initializeAuth(app, { persistence: inMemoryPersistence })
    if (emulators) connectAuthEmulator(auth, emulators.auth, { disableWarnings: true })
    const credential = PhoneAuthProvider.credential(verificationId, code)
    const signedIn = await signInWithCredential(auth, credential)
    try {
      await change(await signedIn.user.getIdToken())
    } catch (error) {
      if (getAdditionalUserInfo(signedIn)?.isNewUser)
        await signedIn.user.delete().catch(() => undefined)
      throw error
    }
  } finally {
    await deleteApp(app)
  }
}
