import { loadConfig } from '~/src/services/config'
import { makeFirebaseServices } from '~/src/services/firebaseServices'
import { startWindowScope } from '~/src/services/windowScope'
import { keepSharedStorage } from './tourProgress'
import { readRequestedRole, readTourRole, saveTourRole, TOUR_ACCOUNTS } from './tourRole'

/** The choices of the device that a new window takes over. */
const PREFERENCES = ['kerbside.scheme', 'kerbside.locale', 'kerbside.language']

const signIn = async (mobile: string): Promise<void> => {
  const { auth } = makeFirebaseServices()
  const verificationId = await auth.requestCode(mobile)
  const code = await auth.fetchSentCode(mobile)
  if (code !== null) await auth.verifyCode(verificationId, code)
}

/**
 * Gives a window of the demo tour its own session and, when it opens, signs it in as its role. Does
 * nothing where the site does not offer the tour.
 */
export const startTourWindow = async (): Promise<void> => {
  const requested = readRequestedRole()
  const role = requested ?? readTourRole()
  const config = await loadConfig().catch(() => null)
  if (!role || !config?.local || !config.emulators || !config.tour) return
  keepSharedStorage()
  const preferences = PREFERENCES.map((name) => [name, localStorage.getItem(name)] as const)
  startWindowScope(role)
  if (!requested) return
  saveTourRole(role)
  for (const [name, value] of preferences) if (value !== null) localStorage.setItem(name, value)
  // A reload must not sign in again after the person has signed out.
  history.replaceState(history.state, '', window.location.pathname)
  // The page opens as a visitor's when the sign-in fails.
  await signIn(TOUR_ACCOUNTS[role].mobile).catch(() => undefined)
}
