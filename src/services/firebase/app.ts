import { type FirebaseApp, initializeApp } from 'firebase/app'
import { loadConfig } from '../config'
import { lazySingleton } from '../lazySingleton'
import { abortTransactionsOnLeave } from '../pendingTransactions'

/** Returns the only Firebase app of this page. */
export const getFirebaseApp = lazySingleton(async (): Promise<FirebaseApp> => {
  const { firebase, appCheckSiteKey } = await loadConfig()
  // Loaded first, because the services must not send a request before App Check is there.
  const appCheck = appCheckSiteKey === undefined ? null : await import('./appCheck')
  abortTransactionsOnLeave()
  const app = initializeApp(firebase)
  appCheck?.startAppCheck(app, appCheckSiteKey ?? '')
  return app
})
