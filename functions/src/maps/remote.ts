import { MapsError } from './port'

export interface RemoteOptions {
  fetch?: typeof fetch
  /** ms since 1970. */
  now?: () => number
  /** 0 to 1. */
  random?: () => number
  wait?: (ms: number) => Promise<void>
  timeoutMs?: number
  /** How often a call is tried in all. */
  tries?: number
  userAgent?: string
  /** Calls a minute the provider allows us; beyond it calls fail at once with `quota`. */
  perMinute?: number
  /** Failed calls in a row after which the service is left alone for a while. */
  failuresToOpen?: number
  /** How long it is left alone, ms. */
  openMs?: number
}

export interface Reply {
  status: number
  /** Parsed JSON; undefined when the body was none. */
  body: unknown
  /** Seconds the service asked us to wait. */
  retryAfter: number | undefined
}

/** Asks a URL and reads the reply; `read` throws a MapsError for a refusal. */
export type Remote = <T>(
  request: { url: URL | string; body?: unknown },
  read: (reply: Reply) => T,
) => Promise<T>

const isPassing = (error: MapsError) =>
  error.kind === 'unavailable' || error.kind === 'timeout' || error.kind === 'quota'

const MOST_WAIT_MS = 2_000
const FIRST_WAIT_MS = 150

/** A reply that is not the answer, as an error in the service's own words. */
export const statusError = ({ status }: Reply, text?: string): MapsError => {
  if (status === 429) return new MapsError('quota', text)
  if (status === 401 || status === 403) return new MapsError('denied', text)
  if (status >= 500 || status === 0) return new MapsError('unavailable', text)
  return new MapsError('invalid', text)
}

/**
 * Calls of one maps service: each has a timeout, passing failures are tried again after a random
 * pause, and a service that keeps failing is left alone for half a minute.
 */
export const createRemote = ({
  fetch: ask = fetch,
  now = Date.now,
  random = Math.random,
  wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  timeoutMs = 4_000,
  tries = 3,
  userAgent = 'Kerbside/1',
  perMinute = Infinity,
  failuresToOpen = 5,
  openMs = 30_000,
}: RemoteOptions = {}): Remote => {
  let failures = 0
  let closedUntil = 0
  let minute = 0
  let spent = 0

  const spend = () => {
    const current = Math.floor(now() / 60_000)
    if (current !== minute) [minute, spent] = [current, 0]
    if (spent >= perMinute) throw new MapsError('quota')
    spent++
  }

  const once = async (request: { url: URL | string; body?: unknown }): Promise<Reply> => {
    const timeout = AbortSignal.timeout(timeoutMs)
    try {
      const response = await ask(request.url, {
        signal: timeout,
        headers: {
          'User-Agent': userAgent,
          Accept: 'application/json',
          ...(request.body !== undefined && { 'Content-Type': 'application/json' }),
        },
        ...(request.body !== undefined && { method: 'POST', body: JSON.stringify(request.body) }),
      })
      const text = await response.text()
      let body: unknown
      try {
        body = JSON.parse(text)
      } catch {
        body = undefined
      }
      const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
      return {
        status: response.status,
        body,
        retryAfter: Number.isFinite(retryAfter) ? retryAfter : undefined,
      }
    } catch (cause) {
      throw new MapsError(timeout.aborted ? 'timeout' : 'unavailable', undefined, { cause })
    }
  }

  return async (request, read) => {
    if (now() < closedUntil) throw new MapsError('unavailable')
    for (let attempt = 1; ; attempt++) {
      spend()
      let reply: Reply | undefined
      try {
        reply = await once(request)
        const answer = read(reply)
        failures = 0
        return answer
      } catch (error) {
        if (!(error instanceof MapsError)) {
          throw new MapsError('unavailable', undefined, { cause: error })
        }
        const isDown = error.kind === 'unavailable' || error.kind === 'timeout'
        if (isDown && ++failures >= failuresToOpen) {
          failures = 0
          closedUntil = now() + openMs
          throw error
        }
        if (!isDown) failures = 0
        if (attempt >= tries || !isPassing(error)) throw error
        // Full jitter: callers that failed together do not come back together.
        const asked = reply?.retryAfter === undefined ? 0 : reply.retryAfter * 1_000
        if (asked > MOST_WAIT_MS) throw error
        await wait(Math.max(asked, random() * FIRST_WAIT_MS * 2 ** attempt))
      }
    }
  }
}
