import { MapsError } from '../../ports/mapsPort'

export interface MapsHttpOptions {
  fetch?: typeof fetch
  /** Returns the time in ms since 1970. */
  now?: () => number
  /** Returns a number from 0 to 1. */
  random?: () => number
  wait?: (ms: number) => Promise<void>
  timeoutMs?: number
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
  circuitOpenMs?: number
}

export interface MapsHttpResponse {
  status: number
  /** Parsed JSON, or undefined when the body is not JSON. */
  body: unknown
  /** The pause in seconds that the service requests. */
  retryAfterSeconds: number | undefined
}

/** Sends a request to a URL and reads the response. `read` throws a MapsError for a refusal. */
export type MapsHttpClient = <T>(
  request: { url: URL | string; body?: unknown },
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

/**
 * Creates the HTTP client of one maps service. Each call has a timeout. Temporary failures are
 * retried after a random pause. A service that keeps failing gets no calls for half a minute.
 */
export const createMapsHttpClient = ({
  fetch: ask = fetch,
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
  let failures = 0
  let closedUntil = 0
  let minute = 0
  let spent = 0

  const spend = () => {
    const current = Math.floor(now() / 60_000)
    if (current !== minute) [minute, spent] = [current, 0]
    if (spent >= maxPerMinute) throw new MapsError('quota')
    spent++
  }

  const once = async (request: {
    url: URL | string
    body?: unknown
  }): Promise<MapsHttpResponse> => {
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
        retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
      }
    } catch (cause) {
      throw new MapsError(timeout.aborted ? 'timeout' : 'unavailable', undefined, { cause })
    }
  }

  return async (request, read) => {
    if (now() < closedUntil) throw new MapsError('unavailable')
    for (let attempt = 1; ; attempt++) {
      spend()
      let reply: MapsHttpResponse | undefined
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
          closedUntil = now() + circuitOpenMs
          throw error
        }
        if (!isDown) failures = 0
        if (attempt >= maxTries || !isTransientError(error)) throw error
        // Full jitter spreads out the retries of callers that failed together.
        const requestedMs =
          reply?.retryAfterSeconds === undefined ? 0 : reply.retryAfterSeconds * 1_000
        if (requestedMs > MAX_WAIT_MS) throw error
        await wait(Math.max(requestedMs, random() * FIRST_WAIT_MS * 2 ** attempt))
      }
    }
  }
}
