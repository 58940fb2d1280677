import {
  deleteApp as deleteAdminApp,
  initializeApp as initializeAdminApp,
} from 'firebase-admin/app'
import {
  getDatabase as getAdminDatabase,
  type Database as AdminDatabase,
} from 'firebase-admin/database'
import { deleteApp, initializeApp, type FirebaseApp } from 'firebase/app'
import {
  connectAuthEmulator,
  initializeAuth,
  inMemoryPersistence,
  PhoneAuthCredential,
  signInWithCredential,
} from 'firebase/auth'
import { connectDatabaseEmulator, getDatabase, type Database } from 'firebase/database'
import { connectFunctionsEmulator, getFunctions, httpsCallable } from 'firebase/functions'
import type { EndpointName, EndpointOutput } from '~/domain/api/api'
import {
  requestCode,
  createLocalSession,
  readMobile,
  getPhoneNumber,
} from '~/scripts/local/localSession'
import { getSuite } from './testSuite'

/** One signed-in person, with the same SDK that the web app uses. */
export interface TestClient {
  uid: string
  /** The phone number that they signed in with. */
  phone: string
  app: FirebaseApp
  database: Database
  idToken(): Promise<string>
  /** Calls a callable function; a refusal rejects with the SDK's FunctionsError. */
  call<Name extends EndpointName>(name: Name, input?: unknown): Promise<EndpointOutput<Name>>
  close(): Promise<void>
}

let clientCount = 0

/**
 * Signs in by phone as `uid`, a seeded or a new account. A new account gets the number of its
 * record, `number`, or a generated one. Close the client at the end of the test.
 */
export async function signIn(uid: string, number: string | null = null): Promise<TestClient> {
  const { firebase, emulators } = getSuite().webConfig
  if (!emulators) throw new Error('The suite of a test is local.')
  const app = initializeApp(firebase, `client-${(clientCount += 1)}`)
  const auth = initializeAuth(app, { persistence: inMemoryPersistence })
  connectAuthEmulator(auth, emulators.auth, { disableWarnings: true })
  const database = getDatabase(app)
  connectDatabaseEmulator(database, emulators.database.host, emulators.database.port)
  const functions = getFunctions(app, 'us-central1')
  connectFunctionsEmulator(functions, emulators.functions.host, emulators.functions.port)
  const mobile = (await readMobile(getSuite().urls.database, uid)) ?? number
  const phone = await getPhoneNumber(emulators.auth, uid, mobile)
  const { sessionInfo, code } = await requestCode(emulators.auth, firebase.apiKey, phone)
  const credential = PhoneAuthCredential.fromJSON({
    verificationId: sessionInfo,
    verificationCode: code,
  })
  if (!credential) throw new Error('The SDK does not take a phone credential.')
  const { user } = await signInWithCredential(auth, credential)
  return {
    uid,
    phone,
    app,
    database,
    idToken: () => user.getIdToken(),
    call: async <Name extends EndpointName>(name: Name, input: unknown = {}) =>
      (await httpsCallable<unknown, EndpointOutput<Name>>(functions, name)(input)).data,
    close: () => deleteApp(app),
  }
}

/** Opens the database without rules, for setup and checks. */
export function openAdmin(): { database: AdminDatabase; close(): Promise<void> } {
  const { firebase } = getSuite().webConfig
  const app = initializeAdminApp(
    { projectId: firebase.projectId, databaseURL: firebase.databaseURL },
    `admin-${(clientCount += 1)}`,
  )
  return { database: getAdminDatabase(app), close: () => deleteAdminApp(app) }
}

/** Returns a signed-in user and its storage key, as the web SDK keeps them in the browser. */
export const createStoredUser = (uid: string) => createLocalSession(getSuite().webConfig, uid)
