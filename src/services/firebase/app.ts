import { type FirebaseApp, initializeApp } from 'firebase/app'
import { config } from '../config'

let app: FirebaseApp | undefined

/** The one Firebase app of this page. */
export const firebaseApp = async (): Promise<FirebaseApp> => {
  const { firebase } = await config()
  app ??= initializeApp(firebase)
  return app
}
