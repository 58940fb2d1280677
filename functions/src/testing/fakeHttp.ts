import type { MapsHttpOptions } from '../adapters/maps/mapsHttp'

interface FakeResponse {
  status?: number
  body: unknown
  headers?: Record<string, string>
}

/**
 * Creates a fake HTTP service for tests. It returns these responses in turn (the last one forever)
 * and records the requests. The clock stands still unless the test moves it, and waits end at once.
 */
export const createFakeHttp = (...answers: (FakeResponse | Error)[]) => {
  const requests: { url: URL; body: unknown; headers: Headers }[] = []
  const waited: number[] = []
  const clock = { now: 1_700_000_000_000 }
  const options: MapsHttpOptions = {
    fetch: (input, init) => {
      const text = typeof init?.body === 'string' ? init.body : undefined
      requests.push({
        url: new URL(input instanceof Request ? input.url : input),
        body: text === undefined ? undefined : (JSON.parse(text) as unknown),
        headers: new Headers(init?.headers),
      })
      const answer = answers[Math.min(requests.length, answers.length) - 1]
      if (answer instanceof Error) return Promise.reject(answer)
      const { status = 200, body, headers = {} } = answer ?? { body: null }
      const payload = typeof body === 'string' ? body : JSON.stringify(body)
      return Promise.resolve(new Response(payload, { status, headers }))
    },
    now: () => clock.now,
    random: () => 0.5,
    wait: (ms) => {
      waited.push(ms)
      return Promise.resolve()
    },
  }
  return { options, requests, waited, clock }
}
