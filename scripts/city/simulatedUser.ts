import type { EndpointName, EndpointOutput } from '~/domain/api/api'
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
import { err, ok, type Result } from '~/domain/api/result'
import { requestCode } from '../local/localSession'
import type { WebConfig } from '../local/suiteConfig'
import type { ActivityRecorder } from './activityRecorder'
import type { LatLng } from '~/domain/geo/types'
import type { Kilometers, Milliseconds, Seconds } from '~/domain/language/units'

/** The reason a call failed; `key` is the refusal key or 'unanswered'. */
interface CallError {
  key: string
  estimate?: number
}
export type CallResult<T> = Result<T, CallError>

/** The environment of simulated users and the recorder of their observations. */
export interface SimulationEnvironment {
  webConfig: WebConfig
  recorder: ActivityRecorder
  /** Aborted when the run is over for all users. */
  signal: AbortSignal
  /** True when the run injects no faults, so that every call must get a response. */
  isFaultFree: boolean
}

export interface Route {
  distance_in_km: Kilometers
  time_in_secs: Seconds
  coords: LatLng[]
}

/** The options of a call. */
export interface CallOptions {
  /** The name in the statistics. */
  reportedName?: string
  /**
   * Milliseconds after which the client stops waiting for the response, like a phone in a tunnel;
   * the server continues.
   */
  dropResponseAfter?: number
}

const MAX_ATTEMPTS = 12
/**
 * The emulator never responds for a killed process, so the client retries after this many
 * milliseconds.
 */
const RESPONSE_TIMEOUT_MS = 20_000

type EndpointCall = <Name extends EndpointName>(
  name: Name,
  input?: unknown,
  options?: CallOptions,
) => Promise<CallResult<EndpointOutput<Name>>>

/** A signed-in user with their own app: sign-in, websocket and calls as in the web app. */
export interface SimulatedUser {
  uid: string
  /** Calls a callable once. */
  call: EndpointCall
  /**
   * Calls a callable again while no response comes or the rate limit is exceeded, as the app's
   * outbox does.
   */
  callWithRetry: EndpointCall
  /** Posts to a plain endpoint as the signed-in user. */
  post<T>(name: string, body: object): Promise<CallResult<T>>
  fetchRoute(from: LatLng, to: LatLng): Promise<Route | null>
  read<T>(path: string, ...constraints: QueryConstraint[]): Promise<T | null>
  /**
   * Writes several paths at once; returns false when the rules refuse it. Waits for the network as
   * the app does.
   */
  write(as: string, updates: Record<string, unknown>): Promise<boolean>
  /** Subscribes to the current value and every change until the returned function is called. */
  subscribe<T>(
    path: string,
    on: (value: T | null) => void,
    ...constraints: QueryConstraint[]
  ): () => void
  createKey(path: string): string
  /** Disconnects from the network for `ms`; calls wait until it is back. */
  disconnectFor(ms: Milliseconds): Promise<void>
  close(): Promise<void>
}

interface FunctionsError {
  code?: string
  details?: { key?: string; estimate?: number }
}
const toCallError = (error: unknown): CallError => {
  const { details } = error as FunctionsError
  if (details?.key === undefined) return { key: 'unanswered' }
  return { key: details.key, ...(details.estimate !== undefined && { estimate: details.estimate }) }
}

/** Reports a failed call as our error when the run injects no faults. */
export const reportUnexpectedFailure = (
  { isFaultFree, signal, recorder }: SimulationEnvironment,
  name: string,
  why: unknown,
): void => {
  if (!isFaultFree || signal.aborted) return
  recorder.wrong(`${name} failed: ${why instanceof Error ? why.message : String(why)}`)
}

const isOffline = (error: unknown) => error instanceof Error && /offline/i.test(error.message)
const isRefused = (error: unknown) =>
  error instanceof Error &&
  /permission_denied/i.test(`${error.message} ${String(Reflect.get(error, 'code'))}`)

let appCount = 0

/** Retries while no response comes or the rate limit is exceeded. */
export const retryUnanswered = async <T>(
  { signal }: SimulationEnvironment,
  ask: (again: boolean) => Promise<CallResult<T>>,
): Promise<CallResult<T>> => {
  for (let tries = 1, again = false; ; again = true) {
    const result = await ask(again)
    if (result.ok) return result
    const { key } = result.error
    if (key === 'too_many_requests') {
      // The rate limit admits every user eventually, so this does not count as a try.
      await pause(5000, undefined, { signal })
      continue
    }
    if (key === 'maintenance') {
      await pause(500, undefined, { signal })
      continue
    }
    if (key !== 'unanswered' || tries === MAX_ATTEMPTS) return result
    await pause(200 * tries, undefined, { signal })
    tries += 1
  }
}

const postJson = async <T>(
  city: SimulationEnvironment,
  name: string,
  body: object,
  headers: Record<string, string>,
): Promise<CallResult<T>> => {
  try {
    const response = await fetch(`${city.webConfig.functionsUrl}/${name}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    const result = (await response.json()) as T & { key?: string }
    if (response.ok) return ok(result)
    if (result.key === undefined) reportUnexpectedFailure(city, name, `status ${response.status}`)
    return err({ key: result.key ?? 'unanswered' })
  } catch (error) {
    reportUnexpectedFailure(city, name, error)
    return err({ key: 'unanswered' })
  }
}

/**
 * Returns a separate network address for each user; otherwise the rate limits would treat all as
 * one caller.
 */
const createNetworkAddress = (mobile: string): string =>
  ['10', ...(mobile.slice(-6).match(/../g) ?? [])].map(Number).join('.')

/** Posts to a plain endpoint as a signed-out visitor, with retries. */
export const postAnonymously = <T>(
  city: SimulationEnvironment,
  name: string,
  body: { mobile: string },
): Promise<CallResult<T>> =>
  retryUnanswered(city, async () => {
    const began = performance.now()
    const response = await postJson<T>(city, name, body, {
      'X-Forwarded-For': createNetworkAddress(body.mobile),
    })
    city.recorder.called(name, performance.now() - began, response.ok ? 'ok' : response.error.key)
    return response
  })

/** Opens the SDKs of one simulated person. */
const openApp = ({ firebase, emulators }: WebConfig) => {
  if (!emulators)
    throw new Error('The simulator works only with a local Kerbside. Run `npm start` first.')
  const app = initializeApp(firebase, `simulated-${appCount++}`)
  const auth = initializeAuth(app, { persistence: inMemoryPersistence })
  connectAuthEmulator(auth, emulators.auth, { disableWarnings: true })
  const database: Database = getDatabase(app)
  connectDatabaseEmulator(database, emulators.database.host, emulators.database.port)
  const functions = getFunctions(app, 'us-central1')
  connectFunctionsEmulator(functions, emulators.functions.host, emulators.functions.port)
  /** Signs in with the code that is sent to the number. */
  const proveIdentity = async (mobile: string) => {
    const { sessionInfo, code } = await requestCode(emulators.auth, firebase.apiKey, mobile)
    const credential = PhoneAuthCredential.fromJSON({
      verificationId: sessionInfo,
      verificationCode: code,
    })
    if (!credential)
      throw new Error('The SDK did not accept a phone credential. Check its version.')
    return (await signInWithCredential(auth, credential)).user
  }
  return { app, database, functions, proveIdentity }
}

/** The network of a person, which is lost now and then. */
const createNetwork = (database: Database, { recorder, signal }: SimulationEnvironment) => {
  let restored: Promise<unknown> = Promise.resolve()
  let cuts = 0
  return {
    /** Waits until the network is there. */
    wait: () => restored,
    disconnectFor: async (ms: Milliseconds): Promise<void> => {
      recorder.mishap(ms >= 60_000 ? 'network lost for a minute' : 'network lost')
      cuts += 1
      goOffline(database)
      // The connection also comes back when the run is over.
      const back = pause(ms, undefined, { signal }).catch(() => undefined)
      restored = Promise.all([restored, back])
      await back
      cuts -= 1
      if (cuts === 0) goOnline(database)
    },
  }
}
type Network = ReturnType<typeof createNetwork>

/** Returns the reads and writes of a person, which wait for the network as people do. */
const createDatabaseAccess = (
  database: Database,
  city: SimulationEnvironment,
  network: Network,
): Pick<SimulatedUser, 'read' | 'write' | 'subscribe' | 'createKey'> => ({
  async read<T>(path: string, ...constraints: QueryConstraint[]) {
    for (;;) {
      await network.wait()
      try {
        return (await get(query(ref(database, path), ...constraints))).val() as T | null
      } catch (error) {
        // The SDK waits three seconds for a connection; people wait longer.
        if (!isOffline(error)) throw error
        await pause(500, undefined, { signal: city.signal })
      }
    }
  },
  async write(as, updates) {
    for (;;) {
      const began = performance.now()
      const record = (ending: string) =>
        city.recorder.called(`write ${as}`, performance.now() - began, ending)
      try {
        await update(ref(database), updates)
        record('ok')
        return true
      } catch (error) {
        if (isRefused(error)) {
          record('refused by the rules')
          return false
        }
        // The database had no disk space for it.
        record('unanswered')
        reportUnexpectedFailure(city, `write ${as}`, error)
        await pause(500, undefined, { signal: city.signal })
      }
    }
  },
  subscribe: <T>(path: string, on: (value: T | null) => void, ...constraints: QueryConstraint[]) =>
    onValue(
      query(ref(database, path), ...constraints),
      (snapshot) => on(snapshot.val() as T | null),
      () => on(null),
    ),
  createKey: (path) => push(ref(database, path)).key,
})

/** Signs in with a phone number and the code sent to it. */
export const signIn = async (
  mobile: string,
  city: SimulationEnvironment,
): Promise<SimulatedUser> => {
  const { recorder, signal } = city
  const { app, database, functions, proveIdentity } = openApp(city.webConfig)
  const user = await proveIdentity(mobile)
  const network = createNetwork(database, city)
  const measure = async <T>(
    name: string,
    send: () => Promise<CallResult<T>>,
  ): Promise<CallResult<T>> => {
    await network.wait()
    signal.throwIfAborted()
    const began = performance.now()
    const result = await send()
    recorder.called(name, performance.now() - began, result.ok ? 'ok' : result.error.key)
    return result
  }
  const call: SimulatedUser['call'] = <T>(
    name: string,
    input: unknown = {},
    options: CallOptions = {},
  ) =>
    measure<T>(options.reportedName ?? name, async () => {
      const { dropResponseAfter } = options
      const callable = httpsCallable<unknown, T>(functions, name, {
        timeout: dropResponseAfter ?? RESPONSE_TIMEOUT_MS,
      })
      const send = async () => ok((await callable(input)).data)
      try {
        return await send().catch(async (error: unknown) => {
          if (toCallError(error).key !== 'fresh_sign_in_needed') throw error
          await proveIdentity(mobile)
          return send()
        })
      } catch (error) {
        const refusal = toCallError(error)
        // A client that stopped waiting also gets no response.
        if (refusal.key === 'unanswered' && dropResponseAfter === undefined)
          reportUnexpectedFailure(city, options.reportedName ?? name, error)
        return err(refusal)
      }
    })
  const post: SimulatedUser['post'] = <T>(name: string, body: object) =>
    measure<T>(name, async () =>
      postJson<T>(city, name, body, { Authorization: `Bearer ${await user.getIdToken()}` }),
    )
  return {
    uid: user.uid,
    call,
    callWithRetry: (name, input = {}, options = {}) =>
      retryUnanswered(city, (isRetry) => {
        const { reportedName = name } = options
        return call(name, input, isRetry ? { reportedName } : options)
      }),
    post: (name, body) => retryUnanswered(city, () => post(name, body)),
    async fetchRoute(from, to) {
      const toText = ({ lat, lng }: LatLng) => `${lat},${lng}`
      const result = await retryUnanswered(city, () =>
        post<Route | { error: string }>('googleapis-getdirections', {
          start: toText(from),
          dest: toText(to),
        }),
      )
      return result.ok && 'coords' in result.value ? result.value : null
    },
    ...createDatabaseAccess(database, city, network),
    disconnectFor: network.disconnectFor,
    close: () => deleteApp(app),
  }
}
