import type { ErrorKey, Refusal } from '~/domain/errors'
import type { Value } from '~/domain/booking/change'

/** The ports the rest of the web app is given. `firebase/` and `memory/` implement them. */
export interface Services {
  auth: AuthPort
  database: DatabasePort
  functions: FunctionsPort
  storage: StoragePort
  device: DevicePort
  /** True where the sign-in code may be shown on the page. */
  isLocal(): Promise<boolean>
  /** The picture of the world the deployment asks for; undefined for the bundled one. */
  maps(): Promise<unknown>
  /** Writes one line for whoever operates the product; never personal data. */
  report(what: string, error?: unknown): void
}

export type Stop = () => void

/** Who the sign-in service says is here; the profile at users/{uid} says what he may do. */
export interface SignedIn {
  uid: string
  phone: string | null
}

export type SocialProvider = 'facebook' | 'apple' | 'google'

export interface AuthPort {
  /** Calls back with each change, the first time as soon as it is known. */
  watch(onChange: (user: SignedIn | null) => void): Stop
  /** Sends a one-time code to a full international number; answers the verification id. */
  requestCode(phone: string): Promise<string>
  verifyCode(verificationId: string, code: string): Promise<SignedIn>
  /** The code last sent to `phone`, where the service tells (local mode); else null. */
  offeredCode(phone: string): Promise<string | null>
  signInWith(provider: SocialProvider): Promise<SignedIn>
  /** Gives the signed-in person the number the code was sent to; his next token says it. */
  changePhone(verificationId: string, code: string): Promise<void>
  signOut(): Promise<void>
}

/** A bounded question to the database. Without `orderBy` it is the whole node at `path`. */
export interface Query {
  path: string
  orderBy?: { child: string } | 'key'
  equalTo?: string | number | boolean
  startAt?: string | number
  endAt?: string | number
  endBefore?: string | number | boolean
  /** Among the rows of the value `endBefore`: only those before this key. */
  endBeforeKey?: string
  limitToFirst?: number
  limitToLast?: number
  /**
   * Of the records with these keys below the path these parts, in one answer; `live` only. 'all' are those that are there
   * when it is asked, of what everybody may read.
   */
  records?: { keys: readonly string[] | 'all'; fields: readonly string[] }
  /** Where an empty answer is asked for again: a list may be younger than the records it follows from; `live` only. */
  orElse?: string
}

export interface DatabasePort {
  /** Calls back with the whole answer at every change; `null` when nothing is there. */
  live(
    query: Query,
    onValue: (value: unknown) => void,
    onError: (error: ServiceError) => void,
  ): Stop
  once(query: Query): Promise<unknown>
  /** One atomic write of several paths from the root; null removes. */
  update(changes: Record<string, Value>): Promise<void>
  /** A fresh, time-ordered key such as -O4x…; needs no connection. */
  newKey(): Promise<string>
  /** Tells whether the database is reachable, at once and at every change. */
  connected(onChange: (online: boolean) => void): Stop
}

export interface FunctionsPort {
  /** A callable by its name. Rejects with a ServiceError that carries the refusal. */
  call<Answer>(name: string, input: unknown): Promise<Answer>
  /** A plain endpoint that takes JSON by POST. */
  post<Answer>(name: string, body: unknown): Promise<Answer>
  get<Answer>(name: string): Promise<Answer>
}

export interface StoragePort {
  /** Answers the download link. `onProgress` is told a share from 0 to 1. */
  upload(path: string, file: Blob, onProgress?: (share: number) => void): Promise<string>
}

/** The name in localStorage under which stands whose work the device keeps. */
export const KEPT_FOR = 'kerbside.kept'

/** What this device keeps of one person's work for a start without a connection. */
export interface DevicePort {
  /** Everything kept of him by its name; nothing of anybody else. */
  kept(uid: string): Promise<Record<string, unknown>>
  /** null drops one. */
  keep(uid: string, changes: Record<string, unknown>): Promise<void>
  /** Nobody's work stays. */
  forget(): Promise<void>
}

/** Uploads above this many bytes are resumable; smaller ones go in one request (specification 5). */
export const RESUMABLE_ABOVE = 262_144

/** Every failure of a port. `refusal` is what the person is told. */
export class ServiceError extends Error {
  readonly code: string
  readonly refusal: Refusal

  constructor(
    code: string,
    key: ErrorKey | string,
    message = code,
    refusal: Partial<Refusal> = {},
  ) {
    super(message)
    this.name = 'ServiceError'
    this.code = code
    this.refusal = { ...refusal, key: key as ErrorKey }
  }
}

/** Any thrown thing as the refusal a person can be told. */
export const refusalOf = (error: unknown): Refusal =>
  error instanceof ServiceError
    ? error.refusal
    : {
        key: 'call_failed' as ErrorKey,
        params: { message: error instanceof Error ? error.message : '' },
      }
