import type { EndpointInput, EndpointName, EndpointOutput } from '~/domain/api/api'
import type { ErrorKey } from '~/domain/api/errorKeys'
import type { DomainError } from '~/domain/api/errors'
import type { DatabaseValue } from '~/domain/data/databaseValue'
import type { Milliseconds } from '~/domain/language/units'

/** The ports available to the rest of the web app. `firebase/` and `memory/` implement them. */
export interface Services {
  auth: AuthPort
  database: DatabasePort
  functions: FunctionsPort
  storage: StoragePort
  offlineStorage: OfflineStoragePort
  push: PushPort
  /**
   * Returns true in local mode, whose sign-in codes the page may show and are 100001 to 999998.
   */
  isLocal(): Promise<boolean>
  /** Returns the base map that the deployment configures, or undefined for the bundled one. */
  getMapConfig(): Promise<unknown>
  /**
   * Returns whether the server of this page responds within this many milliseconds; if not, the
   * device probably has no network.
   */
  isSiteReachable(limitMs: Milliseconds): Promise<boolean>
  /** Writes one log line for operators; never includes personal data. */
  report(what: string, error?: unknown): void
}

export type Unsubscribe = () => void

/**
 * The user as the sign-in service knows them; the profile at users/{uid} has their role and
 * approval.
 */
export interface SignedInUser {
  uid: string
  phone: string | null
}

export type SocialProvider = 'facebook' | 'apple' | 'google'

export interface AuthPort {
  /** Calls back on each change, first as soon as the user is known. */
  subscribe(onChange: (user: SignedInUser | null) => void): Unsubscribe
  /** Sends a one-time code to a full international number; returns the verification id. */
  requestCode(phone: string): Promise<string>
  verifyCode(verificationId: string, code: string): Promise<SignedInUser>
  /**
   * Returns the code last sent to `phone` where the service provides it (local mode), otherwise
   * null.
   */
  fetchSentCode(phone: string): Promise<string | null>
  /** Returns when the signed-in person signed in, ms; null for a visitor. */
  fetchSignInTime(): Promise<number | null>
  signInWith(provider: SocialProvider): Promise<SignedInUser>
  /**
   * Passes `change` an ID token which proves that the person received the code. `change` gives
   * their account the number, and their next token contains it.
   */
  changePhone(
    verificationId: string,
    code: string,
    change: (token: string) => Promise<unknown>,
  ): Promise<void>
  signOut(): Promise<void>
}

/** A bounded database query. Without `orderBy` it covers the whole node at `path`. */
export interface Query {
  path: string
  orderBy?: { child: string } | 'key'
  equalTo?: string | number | boolean
  startAt?: string | number
  startAfter?: string | number | boolean
  /** Among rows whose value is `startAfter`, returns those after this key too. */
  startAfterKey?: string
  endAt?: string | number
  endBefore?: string | number | boolean
  /** Among rows whose value is `endBefore`, returns those before this key too. */
  endBeforeKey?: string
  limitToFirst?: number
  limitToLast?: number
  /**
   * Reads these fields of these records below the path in one result; `live` only. 'all' means the
   * keys that exist at query time; the path must be publicly readable.
   */
  records?: { keys: readonly string[] | 'all'; fields: readonly string[] }
}

/** One page of a list that continues where another page ended. */
export interface Page {
  size: number
  /** The last row of the page before this one; an invalid one, from an address, is ignored. */
  cursor?: string | undefined
  /** True starts with the smallest value, which is the oldest row; otherwise the largest. */
  ascending?: boolean | undefined
}

const limitTo = ({ size, ascending }: Page) =>
  ascending ? { limitToFirst: size } : { limitToLast: size }

/**
 * Returns the part of a query for a page of the rows with one value of a child, in the order of
 * their keys. Its cursor is a key.
 */
export const equalPage = (child: string, value: string, page: Page): Omit<Query, 'path'> => {
  const { cursor, ascending } = page
  const bounded = { orderBy: { child }, ...limitTo(page) }
  if (!cursor || /[.#$[\]/]/.test(cursor)) return { ...bounded, equalTo: value }
  return ascending
    ? { ...bounded, startAfter: value, startAfterKey: cursor, endAt: value }
    : { ...bounded, startAt: value, endBefore: value, endBeforeKey: cursor }
}

/** Returns the cursor of a row for `textPage`. */
export const toTextCursor = (text: string, id: string): string => `${id}.${text}`

/**
 * Returns the part of a query for a page of the rows whose child begins with a text, in the order
 * of the child. Rows with the same text are in the order of their keys.
 */
export const textPage = (child: string, prefix: string, page: Page): Omit<Query, 'path'> => {
  const { cursor = '', ascending } = page
  const [, key, text] = /^([^.#$[\]/]+)\.(.+)$/su.exec(cursor) ?? []
  const after = key !== undefined && text?.startsWith(prefix) ? { text, key } : null
  const [first, last] = [prefix, `${prefix}\uf8ff`]
  return {
    orderBy: { child },
    ...limitTo(page),
    ...(ascending && after
      ? { startAfter: after.text, startAfterKey: after.key }
      : { startAt: first }),
    ...(!ascending && after ? { endBefore: after.text, endBeforeKey: after.key } : { endAt: last }),
  }
}

/** Returns the cursor of a row for `timePage`. */
export const toTimeCursor = (at: number, id: string): string => `${at}.${id}`

/**
 * Returns the part of a query for a page of rows in the order of a child with a time in ms, within
 * a span. Rows of the same millisecond are in the order of their keys.
 */
export const timePage = (
  child: string,
  page: Page & { from?: number | undefined; until?: number | undefined },
): Omit<Query, 'path'> => {
  const { cursor = '', ascending, from = 0, until } = page
  const [, at, key] = /^(\d{1,16})\.([^.#$[\]/]+)$/.exec(cursor) ?? []
  const after = at && key ? { at: Number(at), key } : null
  return {
    orderBy: { child },
    ...limitTo(page),
    ...(after && ascending
      ? { startAfter: after.at, startAfterKey: after.key }
      : // A row without a time is before all others, and no page shows it.
        { startAt: from }),
    ...(after && !ascending
      ? { endBefore: after.at, endBeforeKey: after.key }
      : until !== undefined && { endAt: until }),
  }
}

export interface DatabasePort {
  /** Calls back with the whole result on every change; `null` when nothing exists. */
  subscribe(
    query: Query,
    onValue: (value: unknown) => void,
    onError: (error: ServiceError) => void,
  ): Unsubscribe
  read(query: Query): Promise<unknown>
  /** Writes several paths from the root atomically; null removes a path. */
  update(changes: Record<string, DatabaseValue>): Promise<void>
  /** Returns a new time-ordered key such as -O4x…; needs no connection. */
  newKey(): Promise<string>
  /** Reports whether the database is reachable: after the first attempt and on every change. */
  subscribeToConnection(onChange: (online: boolean) => void): Unsubscribe
  /** Connects at once, because the next automatic attempt after failures can be minutes away. */
  reconnect(): Promise<void>
}

type EndpointCall = <Name extends EndpointName>(
  name: Name,
  input: EndpointInput<Name>,
  onWait?: () => void,
) => Promise<EndpointOutput<Name>>

/**
 * The server's functions. With `onWait`, a call that is refused because the service is being
 * updated is sent again for a minute, and `onWait` is called before each pause.
 */
export interface FunctionsPort {
  /** Calls a callable by name. Rejects with a ServiceError that carries the refusal. */
  call: EndpointCall
  /** Posts JSON to a plain endpoint. */
  post: EndpointCall
  /** Reads a plain endpoint; the input is in the query string. */
  get<Name extends 'get_providers' | 'track' | 'health'>(
    name: Name,
    query: EndpointInput<Name>,
    onWait?: () => void,
  ): Promise<EndpointOutput<Name>>
}

export interface StoragePort {
  /**
   * Uploads a file of a person with an approved profile; returns its link. `onProgress` gets a
   * fraction from 0 to 1.
   */
  upload(path: string, file: Blob, onProgress?: (share: number) => void): Promise<string>
  /**
   * Uploads the license of a person who signs up without a profile: one file, which another attempt
   * replaces.
   */
  uploadAtSignUp(uid: string, file: Blob): Promise<string>
}

/** This device's registration with the push service. */
export interface PushPort {
  /**
   * Returns the token with which this device receives pushes; null when the browser or the site
   * does not support them. Call it after the person has granted the permission.
   */
  getToken(): Promise<string | null>
  /** Ends the pushes to this device: its token becomes invalid. */
  removeToken(): Promise<void>
}

/** Decides whose data this device keeps. */
export interface DeviceStorage {
  /**
   * Records the current person (null for a visitor) after removing data of another person. Returns
   * true when such data existed.
   */
  claim(uid: string | null): Promise<boolean>
  /** Removes all data of the person; the language and the color scheme stay. */
  clear(): Promise<void>
}

/** One person's data on this device, for a start without a connection. */
export interface OfflineStoragePort extends DeviceStorage {
  /** Returns the person's stored entries by name, never those of another person. */
  read(uid: string): Promise<Record<string, unknown>>
  /** Writes entries by name; null removes one. */
  write(uid: string, changes: Record<string, unknown>): Promise<void>
}

/** Uploads above this many bytes are resumable; smaller ones use one request. */
export const RESUMABLE_ABOVE = 262_144

/** Any failure of a port. `domainError` is the refusal that the UI shows. */
export class ServiceError extends Error {
  readonly code: string
  readonly domainError: DomainError

  constructor(code: string, key: string, message = code, refusal: Partial<DomainError> = {}) {
    super(message)
    this.name = 'ServiceError'
    this.code = code
    this.domainError = { ...refusal, key: key as ErrorKey }
  }
}

/** Converts any thrown value into a refusal that the UI can show. */
export const toDomainError = (error: unknown): DomainError =>
  error instanceof ServiceError
    ? error.domainError
    : {
        key: 'call_failed' as ErrorKey,
        params: { message: error instanceof Error ? error.message : '' },
      }
