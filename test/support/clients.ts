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
  signInWithCustomToken,
} from 'firebase/auth'
import { connectDatabaseEmulator, getDatabase, type Database } from 'firebase/database'
import { connectFunctionsEmulator, getFunctions, httpsCallable } from 'firebase/functions'
import { inject } from 'vitest'
import { localSession } from '~/scripts/localSession'
import { customToken } from '~/scripts/tokens'

/** One signed-in person, through the same SDK the web app uses. */
export interface Client {
  uid: string
  app: FirebaseApp
  database: Database
  idToken(): Promise<string>
  /** Calls a callable function; a refusal rejects with the SDK's FunctionsError. */
  call<Answer = unknown>(name: string, input?: unknown): Promise<Answer>
  close(): Promise<void>
}

let count = 0

/** Signs in as `uid`, a seeded account or a new one. Close it when the test is done. */
export async function signIn(uid: string): Promise<Client> {
  const { firebase, emulators } = inject('webConfig')
  if (!emulators) throw new Error('The suite of a test is local.')
  const app = initializeApp(firebase, `client-${(count += 1)}`)
  const auth = initializeAuth(app, { persistence: inMemoryPersistence })
  connectAuthEmulator(auth, emulators.auth, { disableWarnings: true })
  const database = getDatabase(app)
  connectDatabaseEmulator(database, emulators.database.host, emulators.database.port)
  const functions = getFunctions(app, 'us-central1')
  connectFunctionsEmulator(functions, emulators.functions.host, emulators.functions.port)
  const { user } = await signInWithCustomToken(auth, customToken(uid))
  return {
    uid,
    app,
    database,
    idToken: () => user.getIdToken(),
    call: async <Answer>(name: string, input: unknown = {}) =>
      (await httpsCallable<unknown, Answer>(functions, name)(input)).data,
    close: () => deleteApp(app),
  }
}

/** The database past its rules, for arranging and checking. */
export function openAdmin(): { database: AdminDatabase; close(): Promise<void> } {
  const { firebase, emulators } = inject('webConfig')
  if (emulators) {
    const { host, port } = emulators.database
    process.env.FIREBASE_DATABASE_EMULATOR_HOST = `${host}:${port}`
  }
  const app = initializeAdminApp(
    { projectId: firebase.projectId, databaseURL: firebase.databaseURL },
    `admin-${(count += 1)}`,
  )
  return { database: getAdminDatabase(app), close: () => deleteAdminApp(app) }
}

/** A signed-in user as the web SDK keeps it in the browser, with the key it keeps it under. */
export const storedUser = (uid: string) => localSession(inject('webConfig'), uid)
