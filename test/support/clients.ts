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

const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')

/** The Auth emulator takes unsigned tokens, so a test signs in as anybody without a phone. */
function customToken(uid: string): string {
  const now = Math.floor(Date.now() / 1000)
  const account = 'test@demo-kerbside.iam.gserviceaccount.com'
  const claims = {
    uid,
    iss: account,
    sub: account,
    aud: 'https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit',
    iat: now,
    exp: now + 3600,
  }
  return `${encoded({ alg: 'none', typ: 'JWT' })}.${encoded(claims)}.`
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

/** The sign-in code the Auth emulator last made for a phone number (+15555550103). */
export async function lastCode(mobile: string): Promise<string> {
  const response = await fetch(
    `${inject('urls').auth}/emulator/v1/projects/demo-kerbside/verificationCodes`,
  )
  const { verificationCodes } = (await response.json()) as {
    verificationCodes: { phoneNumber: string; code: string }[]
  }
  const found = verificationCodes.findLast(({ phoneNumber }) => phoneNumber === mobile)
  if (!found) throw new Error(`No code was sent to ${mobile}.`)
  return found.code
}

interface Tokens {
  idToken: string
  refreshToken: string
  expiresIn: string
}

/** A signed-in user as the web SDK keeps it in the browser, with the key it keeps it under. */
export async function storedUser(uid: string): Promise<{ key: string; value: string }> {
  const { firebase } = inject('webConfig')
  const identity = `${inject('urls').auth}/identitytoolkit.googleapis.com/v1/accounts`
  const post = async (action: string, body: object) => {
    const response = await fetch(`${identity}:${action}?key=${firebase.apiKey}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`Could not sign in as ${uid}: ${await response.text()}`)
    return response.json() as Promise<unknown>
  }
  const tokens = (await post('signInWithCustomToken', {
    token: customToken(uid),
    returnSecureToken: true,
  })) as Tokens
  const { users } = (await post('lookup', { idToken: tokens.idToken })) as {
    users: { phoneNumber?: string; createdAt: string; lastLoginAt?: string }[]
  }
  const { phoneNumber, createdAt, lastLoginAt } = users[0] ?? {}
  return {
    key: `firebase:authUser:${firebase.apiKey}:[DEFAULT]`,
    value: JSON.stringify({
      uid,
      ...(phoneNumber !== undefined && { phoneNumber }),
      emailVerified: false,
      isAnonymous: false,
      providerData: [],
      stsTokenManager: {
        refreshToken: tokens.refreshToken,
        accessToken: tokens.idToken,
        expirationTime: Date.now() + Number(tokens.expiresIn) * 1000,
      },
      createdAt,
      lastLoginAt: lastLoginAt ?? createdAt,
      apiKey: firebase.apiKey,
      appName: '[DEFAULT]',
    }),
  }
}
