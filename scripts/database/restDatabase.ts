import { setTimeout as pause } from 'node:timers/promises'
import type { DatabaseValue } from '~/domain/data/databaseValue'

/** The settings for access to a database over REST, without its rules. */
export interface DatabaseAccess {
  /** For example http://127.0.0.1:9000 or https://acme-taxis.firebaseio.com */
  url: string
  /** Returns the token of each request: an access token, or an emulator's `owner`. */
  readAccessToken: () => Promise<string>
  /** Parameters added to each request, such as an emulator's namespace. */
  query?: Readonly<Record<string, string>>
  /**
   * Maximum average number of bytes written per second. Google's limit for one database is 64 MB a
   * minute.
   */
  bytesPerSecond?: number
}

/** A value at one moment. */
export interface TaggedValue {
  value: DatabaseValue
  /** Changes whenever the value changes. */
  tag: string
  /** The server's time in ms, to the second. */
  at: number
}

/** The result of a read of bounded size. */
export type BoundedAnswer =
  | { value: DatabaseValue; bytes: number }
  /** It is larger; the beginning of its JSON. */
  | { beginning: string }
  /** The server refuses the size of the response, or a query of a path with too many nodes. */
  | { isRefused: true }

type Query = Readonly<Record<string, string>>
type Updates = Readonly<Record<string, DatabaseValue>>

/** A database over REST, read and written as its owner, without rules and triggers. */
export interface RestDatabase {
  get(path: string, query?: Query): Promise<unknown>
  /** Returns the value and its size in bytes of JSON unless it is larger than `most` bytes. */
  getUpTo(path: string, query: Query, most: number): Promise<BoundedAnswer>
  getTagged(path: string): Promise<TaggedValue>
  put(path: string, value: DatabaseValue): Promise<void>
  /** Writes only if the value still has this tag; returns false otherwise. */
  putIf(path: string, value: DatabaseValue, tag: string): Promise<boolean>
  /** Writes many paths atomically. Throws a TooLargeError when the server refuses their size. */
  update(updates: Updates): Promise<void>
}

const MAX_ATTEMPTS = 5
const FIRST_PAUSE_MS = 200
/**
 * Shorter than half a lease (lease.ts), so that no write arrives after another process took over.
 */
const WRITE_TIMEOUT_MS = 25_000
const SILENT_PARAMS = { print: 'silent' }
const NO_TRIGGER_PARAMS = { ...SILENT_PARAMS, disableTriggers: 'true', writeSizeLimit: 'unlimited' }

/** No response came, or the server was busy; the request may or may not have taken effect. */
export class NoResponseError extends Error {}

/** The server refuses the size of one read or write. */
export class TooLargeError extends Error {}

/**
 * Retries when no response came or the server is busy, because an idle socket may just have been
 * closed. Use it only for requests that are safe to repeat.
 */
export const retryUnanswered = async <Result>(ask: () => Promise<Result>): Promise<Result> => {
  for (let tries = 1; ; tries++) {
    try {
      return await ask()
    } catch (error) {
      const passing = error instanceof NoResponseError || error instanceof TypeError
      if (!passing || tries >= MAX_ATTEMPTS) throw error
      await pause(FIRST_PAUSE_MS * 2 ** (tries - 1))
    }
  }
}

/**
 * Google's texts: “Data requested exceeds the maximum size that can be accessed with a single
 * request” and “Data to write exceeds the maximum size that can be modified with a single request”.
 */
const TOO_LARGE = /exceeds the maximum size/

const createRefusedError = async (what: string, response: Response): Promise<Error> => {
  const text = await response.text()
  if (response.status === 401)
    return new Error(
      'The access token is invalid or has expired. Run the command again with a new one; it continues where it stopped.',
    )
  const sentence = `The database refused ${what} with ${response.status}: ${text}`
  if (response.status < 500 && TOO_LARGE.test(text)) return new TooLargeError(sentence)
  return response.status === 429 || response.status >= 500
    ? new NoResponseError(sentence)
    : new Error(sentence)
}

/** Longer than any key, which has at most 768 bytes. */
const BEGINNING_BYTES = 4096

/** Reads a body of at most `most` bytes as JSON, and only the beginning of a longer one. */
const readBodyUpTo = async (response: Response, most: number): Promise<BoundedAnswer> => {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of response.body ?? []) {
    bytes += piece.length
    pieces.push(Buffer.from(piece))
    // Leaving the loop cancels the body.
    if (bytes > Math.max(most, BEGINNING_BYTES)) break
  }
  const body = Buffer.concat(pieces)
  if (bytes > most) return { beginning: body.subarray(0, BEGINNING_BYTES).toString() }
  return { value: JSON.parse(body.toString()) as DatabaseValue, bytes }
}

interface Sending {
  headers?: Record<string, string>
  body?: string
  signal?: AbortSignal
}

/** Returns the function that sends requests to a database. */
const createSender = ({ url, readAccessToken, query = {} }: DatabaseAccess) => {
  const base = url.replace(/\/+$/, '')
  return async (
    method: string,
    path: string,
    more: Query,
    { headers, ...sending }: Sending = {},
  ): Promise<Response> => {
    const encoded = path.split('/').map(encodeURIComponent).join('/')
    const where = new URL(`${base}/${encoded}.json`)
    for (const [name, value] of Object.entries({ ...query, ...more }))
      where.searchParams.set(name, value)
    return fetch(where, {
      method,
      headers: {
        Authorization: `Bearer ${await readAccessToken()}`,
        'Content-Type': 'application/json',
        ...headers,
      },
      ...sending,
    }).catch((error: unknown) => {
      throw new NoResponseError(
        `The database at ${base} gave no answer to ${method} /${path}: ${String(
          error instanceof Error ? (error.cause ?? error.message) : error,
        )}`,
      )
    })
  }
}

/** Returns the function that waits before a write, to keep to a number of bytes per second. */
const createBrake = (bytesPerSecond: number | undefined) => {
  let freeAt = 0
  return async (bytes: number): Promise<void> => {
    if (bytesPerSecond === undefined) return
    const now = Date.now()
    const wait = freeAt - now
    freeAt = Math.max(now, freeAt) + (bytes / bytesPerSecond) * 1000
    if (wait > 0) await pause(wait)
  }
}

const finish = async (what: string, response: Response): Promise<void> => {
  if (!response.ok) throw await createRefusedError(what, response)
  await response.arrayBuffer()
}

/** Opens a database. Refused requests throw an error with the server's message. */
export const openRestDatabase = (access: DatabaseAccess): RestDatabase => {
  const send = createSender(access)
  const brake = createBrake(access.bytesPerSecond)
  const write = async (
    method: string,
    path: string,
    body: string,
    headers: Record<string, string> = {},
  ): Promise<Response> => {
    await brake(body.length)
    // An unconditional write may contain a whole city.
    const isConditional = 'if-match' in headers
    const isTimed = method === 'PATCH' || isConditional
    return send(method, path, isConditional ? SILENT_PARAMS : NO_TRIGGER_PARAMS, {
      headers,
      body,
      ...(isTimed && { signal: AbortSignal.timeout(WRITE_TIMEOUT_MS) }),
    })
  }
  return {
    get: (path, more = {}) =>
      retryUnanswered(async () => {
        const response = await send('GET', path, more)
        if (!response.ok) throw await createRefusedError(`GET /${path}`, response)
        return response.json() as Promise<unknown>
      }),
    getUpTo: (path, more, most) =>
      retryUnanswered(async () => {
        const response = await send('GET', path, more)
        if (response.ok) return readBodyUpTo(response, most)
        const error = await createRefusedError(`GET /${path}`, response)
        if (error instanceof TooLargeError) return { isRefused: true }
        throw error
      }),
    getTagged: (path) =>
      retryUnanswered(async () => {
        const response = await send('GET', path, {}, { headers: { 'X-Firebase-ETag': 'true' } })
        if (!response.ok) throw await createRefusedError(`GET /${path}`, response)
        return {
          value: (await response.json()) as DatabaseValue,
          tag: response.headers.get('etag') ?? '',
          at: Date.parse(response.headers.get('date') ?? '') || Date.now(),
        }
      }),
    put: (path, value) =>
      retryUnanswered(async () =>
        finish(`PUT /${path}`, await write('PUT', path, JSON.stringify(value))),
      ),
    putIf: async (path, value, tag) => {
      // Never retried: a retry would find the value of its own first try and take it for another
      // process's write.
      const response = await write('PUT', path, JSON.stringify(value), { 'if-match': tag })
      if (response.status === 412) {
        await response.arrayBuffer()
        return false
      }
      await finish(`PUT /${path}`, response)
      return true
    },
    update: (updates) =>
      retryUnanswered(async () =>
        finish('an update', await write('PATCH', '', JSON.stringify(updates))),
      ),
  }
}
