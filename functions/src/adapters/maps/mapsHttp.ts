import { MapsError } from '../../ports/mapsPort'
import type { Milliseconds, Seconds } from '~/domain/language/units'

export interface MapsHttpOptions {
  fetch?: typeof fetch
  /** Returns the time in ms since 1970. */
  now?: () => number
  /** Returns a number from 0 to 1. */
  random?: () => number
  wait?: (ms: Milliseconds) => Promise<void>
  timeoutMs?: Milliseconds
  /** Maximum attempts for one call, including the first. */
  maxTries?: number
  userAgent?: string
  /**
   * Maximum calls a minute that the provider allows. Further calls fail immediately with `quota`.
   */
  maxPerMinute?: number
  /** Number of consecutive failed calls that pauses all calls to the service. */
  failuresToOpen?: number
  /** Length of this pause, in ms. */
  circuitOpenMs?: Milliseconds
}

export interface MapsHttpResponse {
  status: number
  /** Parsed JSON, or undefined when the body is not JSON. */
  body: unknown
  /** The pause in seconds that the service requests. */
  retryAfterSeconds: Seconds | undefined
}

interface MapsHttpRequest {
  url: URL | string
  body?: unknown
}

/** Sends a request to a URL and reads the response. `read` throws a MapsError for a refusal. */
export type MapsHttpClient = <T>(
  request: MapsHttpRequest,
  read: (reply: MapsHttpResponse) => T,
) => Promise<T>

const isTransientError = (error: MapsError) =>
  error.kind === 'unavailable' || error.kind === 'timeout' || error.kind === 'quota'

const MAX_WAIT_MS = 2_000
const FIRST_WAIT_MS = 150

/** Converts a failed response into an error with the service's own text. */
export const toStatusError = ({ status }: MapsHttpResponse, text?: string): MapsError => {
  if (status === 429) return new MapsError('quota', text)
  if (status === 401 || status === 403) return new MapsError('denied', text)
  if (status >= 500 || status === 0) return new MapsError('unavailable', text)
  return new MapsError('invalid', text)
}

/** Counts calls, and throws `quota` for a call beyond the limit of its minute. */
const createMinuteLimit = (maxPerMinute: number, now: () => number) => {
  let minute = 0
  let spent = 0
  return () => {
    const current = Math.floor(now() / 60_000)
    if (current !== minute) [minute, spent] = [current, 0]
    if (spent >= maxPerMinute) throw new MapsError('quota')
    spent++
  }
}

/** Blocks all calls for a time after consecutive failures of the service. */
const createCircuit = (failuresToOpen: number, openMs: Milliseconds, now: () => number) => {
  let failures = 0
  let closedUntil = 0
  return {
    assertClosed() {
      if (now() < closedUntil) throw new MapsError('unavailable')
    },
    succeed() {
      failures = 0
    },
    /** Counts a failed call. Returns true when it blocks the calls that follow. */
    fail({ kind }: MapsError): boolean {
      const isDown = kind === 'unavailable' || kind === 'timeout'
      failures = isDown ? failures + 1 : 0
      if (failures < failuresToOpen) return false
      failures = 0
      closedUntil = now() + openMs
      return true
    },
  }
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Sends a request once. Throws a MapsError when it gets no response in time. */
const sendOnce = async (
  { url, body }: MapsHttpRequest,
  fetcher: typeof fetch,
  { timeoutMs, userAgent }: { timeoutMs: Milliseconds; userAgent: string },
): Promise<MapsHttpResponse> => {
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetcher(url, {
      signal: timeout,
      headers: {
        'User-Agent': userAgent,
        Accept: 'application/json',
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
    return {
      status: response.status,
      body: parseJson(text),
      retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
    }
  } catch (cause) {
    throw new MapsError(timeout.aborted ? 'timeout' : 'unavailable', undefined, { cause })
  }
}

/**
 * Creates the HTTP client of one maps service. Each call has a timeout. Temporary failures are
 * retried after a random pause. A service that keeps failing gets no calls for half a minute.
 */
export const createMapsHttpClient = ({
  fetch: fetcher = fetch,
  now = Date.now,
  random = Math.random,
  wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  timeoutMs = 4_000,
  maxTries = 3,
  userAgent = 'Kerbside/1',
  maxPerMinute = Infinity,
  failuresToOpen = 5,
  circuitOpenMs = 30_000,
}: MapsHttpOptions = {}): MapsHttpClient => {
  const spend = createMinuteLimit(maxPerMinute, now)
  const circuit = createCircuit(failuresToOpen, circuitOpenMs, now)
  return async (request, read) => {
    circuit.assertClosed()
    for (let attempt = 1; ; attempt++) {
      spend()
      let reply: MapsHttpResponse | undefined
      try {
        reply = await sendOnce(request, fetcher, { timeoutMs, userAgent })
        const result = read(reply)
        circuit.succeed()
        return result
      } catch (error) {
        if (!(error instanceof MapsError)) {
          throw new MapsError('unavailable', undefined, { cause: error })
        }
        if (circuit.fail(error) || attempt >= maxTries || !isTransientError(error)) throw error
        // Full jitter spreads out the retries of callers that failed together.
        const requestedMs = (reply?.retryAfterSeconds ?? 0) * 1_000
        if (requestedMs > MAX_WAIT_MS) throw error
        await wait(Math.max(requestedMs, random() * FIRST_WAIT_MS * 2 ** attempt))
      }
    }
  }
}
