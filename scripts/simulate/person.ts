import { setTimeout as pause } from 'node:timers/promises'
import { deleteApp, initializeApp } from 'firebase/app'
import {
  connectAuthEmulator,
  inMemoryPersistence,
  initializeAuth,
  PhoneAuthCredential,
  signInWithCredential,
} from 'firebase/auth'
import {
  connectDatabaseEmulator,
  get,
  getDatabase,
  goOffline,
  goOnline,
  onValue,
  push,
  query,
  ref,
  update,
  type Database,
  type QueryConstraint,
} from 'firebase/database'
import { connectFunctionsEmulator, getFunctions, httpsCallable } from 'firebase/functions'
import type { LatLng } from '~/domain/entities'
import { err, ok, type Result } from '~/domain/result'
import type { WebConfig } from '../suiteConfig'
import type { Observed } from './observed'

/** Why a call was not answered as hoped; `key` is a refusal's, or 'unanswered'. */
interface No {
  key: string
  estimate?: number
}
export type Answer<T> = Result<T, No>

/** Where the people are, and what is seen of them. */
export interface City {
  webConfig: WebConfig
  observed: Observed
  /** Aborted when the run is over for everybody. */
  signal: AbortSignal
  /** Nobody kills anything, so every call must be answered. */
  isCalm: boolean
}

export interface Way {
  distance_in_km: number
  time_in_secs: number
  coords: LatLng[]
}

/** How a call is made. */
export interface Manner {
  /** The name in the figures. */
  as?: string
  /** Gives up listening for the answer after so many ms, as a phone in a tunnel does; the server goes on. */
  deafAfter?: number
}

const TRIES = 12
/** The emulator never answers for a process that was killed; whoever has waited for so long asks again. */
const PATIENCE_MS = 20_000

/** One signed-in person with an app of his own: sign-in, websocket and calls as the web app makes them. */
export interface Person {
  uid: string
  /** Calls a callable once. */
  call<T>(name: string, input?: unknown, manner?: Manner): Promise<Answer<T>>
  /** Calls again while no answer comes or the caller is too fast: what the app's outbox does. */
  insist<T>(name: string, input?: unknown, manner?: Manner): Promise<Answer<T>>
  /** Posts to a plain endpoint, signed in. */
  post<T>(name: string, body: object): Promise<Answer<T>>
  directions(from: LatLng, to: LatLng): Promise<Way | null>
  read<T>(path: string, ...constraints: QueryConstraint[]): Promise<T | null>
  /** One multi-path write; false when the rules refuse it. Waits for the network like the app's own. */
  write(as: string, updates: Record<string, unknown>): Promise<boolean>
  /** Hears the value now and whenever it changes, until the returned function is called. */
  hear<T>(
    path: string,
    on: (value: T | null) => void,
    ...constraints: QueryConstraint[]
  ): () => void
  newKey(path: string): string
  /** Without any network for so many ms; calls wait until it is back. */
  loseNetwork(ms: number): Promise<void>
  close(): Promise<void>
}

interface FunctionsError {
  code?: string
  details?: { key?: string; estimate?: number }
}
const noOf = (error: unknown): No => {
  const { details } = error as FunctionsError
  if (details?.key === undefined) return { key: 'unanswered' }
  return { key: details.key, ...(details.estimate !== undefined && { estimate: details.estimate }) }
}

/** Without faults a call that fails is a fault of ours. */
export const failed = ({ isCalm, signal, observed }: City, name: string, why: unknown): void => {
  if (!isCalm || signal.aborted) return
  observed.wrong(`${name} failed: ${why instanceof Error ? why.message : String(why)}`)
}

const isOffline = (error: unknown) => error instanceof Error && /offline/i.test(error.message)
const isRefused = (error: unknown) =>
  error instanceof Error &&
  /permission_denied/i.test(`${error.message} ${String(Reflect.get(error, 'code'))}`)

let apps = 0

const json = async <T>(url: string, body?: object): Promise<T> => {
  const response = await fetch(url, {
    ...(body && {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    }),
  })
  if (!response.ok) throw new Error(`${new URL(url).pathname} answered ${response.status}.`)
  return response.json() as Promise<T>
}

interface SentCode {
  sessionInfo: string
  code: string
}

/** Asks for the code a phone is sent. */
const codeFor = async (mobile: string, { webConfig }: City): Promise<SentCode> => {
  const { emulators, firebase } = webConfig
  if (!emulators) throw new Error('The simulator drives a local Kerbside only.')
  const { sessionInfo } = await json<{ sessionInfo: string }>(
    `${emulators.auth}/identitytoolkit.googleapis.com/v1/accounts:sendVerificationCode?key=${firebase.apiKey}`,
    { phoneNumber: mobile, recaptchaToken: 'local' },
  )
  const { verificationCodes } = await json<{ verificationCodes: SentCode[] }>(
    `${emulators.auth}/emulator/v1/projects/${firebase.projectId}/verificationCodes`,
  )
  const sent = verificationCodes.find((code) => code.sessionInfo === sessionInfo)
  if (!sent) throw new Error(`No code was sent to ${mobile}.`)
  return sent
}

/** Asks again while no answer comes, or the asker is too fast. */
const patiently = async <T>(
  { signal }: City,
  ask: (again: boolean) => Promise<Answer<T>>,
): Promise<Answer<T>> => {
  for (let tries = 1, again = false; ; again = true) {
    const answer = await ask(again)
    if (answer.ok) return answer
    const { key } = answer.error
    if (key === 'too_many_requests') {
      // His turn comes, however many others wait for theirs.
      await pause(5000, undefined, { signal })
      continue
    }
    if (key !== 'unanswered' || tries === TRIES) return answer
    await pause(200 * tries, undefined, { signal })
    tries += 1
  }
}

const posted = async <T>(
  city: City,
  name: string,
  body: object,
  headers: Record<string, string>,
): Promise<Answer<T>> => {
  try {
    const response = await fetch(`${city.webConfig.functionsUrl}/${name}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    const answer = (await response.json()) as T & { key?: string }
    if (response.ok) return ok(answer)
    if (answer.key === undefined) failed(city, name, `status ${response.status}`)
    return err({ key: answer.key ?? 'unanswered' })
  } catch (error) {
    failed(city, name, error)
    return err({ key: 'unanswered' })
  }
}

/** Everybody has a network address of his own, as in a town; the limits would take them all for one. */
const addressOf = (mobile: string): string =>
  ['10', ...(mobile.slice(-6).match(/../g) ?? [])].map(Number).join('.')

/** Posts to a plain endpoint as somebody who has not signed in, patiently. */
export const postAsStranger = <T>(
  city: City,
  name: string,
  body: { mobile: string },
): Promise<Answer<T>> =>
  patiently(city, async () => {
    const began = performance.now()
    const answer = await posted<T>(city, name, body, { 'X-Forwarded-For': addressOf(body.mobile) })
    city.observed.called(name, performance.now() - began, answer.ok ? 'ok' : answer.error.key)
    return answer
  })

/** Signs in with a phone number and the code sent to it. */
export const signIn = async (mobile: string, city: City): Promise<Person> => {
  const { webConfig, observed, signal } = city
  const { firebase, emulators } = webConfig
  if (!emulators) throw new Error('The simulator drives a local Kerbside only.')
  const app = initializeApp(firebase, `simulated-${apps++}`)
  const auth = initializeAuth(app, { persistence: inMemoryPersistence })
  connectAuthEmulator(auth, emulators.auth, { disableWarnings: true })
  const database: Database = getDatabase(app)
  connectDatabaseEmulator(database, emulators.database.host, emulators.database.port)
  const functions = getFunctions(app, 'us-central1')
  connectFunctionsEmulator(functions, emulators.functions.host, emulators.functions.port)

  const { sessionInfo, code } = await codeFor(mobile, city)
  const credential = PhoneAuthCredential.fromJSON({
    verificationId: sessionInfo,
    verificationCode: code,
  })
  if (!credential) throw new Error('The SDK does not take a phone credential.')
  const { user } = await signInWithCredential(auth, credential)

  let network: Promise<unknown> = Promise.resolve()
  let cuts = 0
  const timed = async <T>(name: string, ask: () => Promise<Answer<T>>): Promise<Answer<T>> => {
    await network
    signal.throwIfAborted()
    const began = performance.now()
    const answer = await ask()
    observed.called(name, performance.now() - began, answer.ok ? 'ok' : answer.error.key)
    return answer
  }
  const call: Person['call'] = <T>(name: string, input: unknown = {}, manner: Manner = {}) =>
    timed<T>(manner.as ?? name, async () => {
      const { deafAfter } = manner
      const asked = httpsCallable<unknown, T>(functions, name, {
        timeout: deafAfter ?? PATIENCE_MS,
      })
      try {
        return ok((await asked(input)).data)
      } catch (error) {
        const no = noOf(error)
        // Who hung up himself has no answer either.
        if (no.key === 'unanswered' && deafAfter === undefined)
          failed(city, manner.as ?? name, error)
        return err(no)
      }
    })
  const post: Person['post'] = <T>(name: string, body: object) =>
    timed<T>(name, async () =>
      posted<T>(city, name, body, { Authorization: `Bearer ${await user.getIdToken()}` }),
    )
  return {
    uid: user.uid,
    call,
    insist: <T>(name: string, input: unknown = {}, manner: Manner = {}) =>
      patiently<T>(city, (again) => {
        const { as = name } = manner
        return call<T>(name, input, again ? { as } : manner)
      }),
    post: (name, body) => patiently(city, () => post(name, body)),
    async directions(from, to) {
      const text = ({ lat, lng }: LatLng) => `${lat},${lng}`
      const answer = await patiently(city, () =>
        post<Way | { error: string }>('googleapis-getdirections', {
          start: text(from),
          dest: text(to),
        }),
      )
      return answer.ok && 'coords' in answer.value ? answer.value : null
    },
    async read<T>(path: string, ...constraints: QueryConstraint[]) {
      for (;;) {
        await network
        try {
          return (await get(query(ref(database, path), ...constraints))).val() as T | null
        } catch (error) {
          // The SDK waits three seconds for a connection; people wait for longer.
          if (!isOffline(error)) throw error
          await pause(500, undefined, { signal })
        }
      }
    },
    async write(as, updates) {
      for (;;) {
        const began = performance.now()
        const tell = (ending: string) =>
          observed.called(`write ${as}`, performance.now() - began, ending)
        try {
          await update(ref(database), updates)
          tell('ok')
          return true
        } catch (error) {
          if (isRefused(error)) {
            tell('refused by the rules')
            return false
          }
          // There was no room for it.
          tell('unanswered')
          failed(city, `write ${as}`, error)
          await pause(500, undefined, { signal })
        }
      }
    },
    hear: (path, on, ...constraints) =>
      onValue(
        query(ref(database, path), ...constraints),
        (snapshot) => on(snapshot.val() as never),
        () => on(null),
      ),
    newKey: (path) => push(ref(database, path)).key as string,
    async loseNetwork(ms) {
      observed.mishap(ms >= 60_000 ? 'network lost for a minute' : 'network lost')
      cuts += 1
      goOffline(database)
      // It comes back when the run is over, too.
      const back = pause(ms, undefined, { signal }).catch(() => undefined)
      network = Promise.all([network, back])
      await back
      cuts -= 1
      if (cuts === 0) goOnline(database)
    },
    async close() {
      await deleteApp(app)
    },
  }
}
