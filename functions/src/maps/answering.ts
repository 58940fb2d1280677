import type { RemoteOptions } from './remote'

interface Answer {
  status?: number
  body: unknown
  headers?: Record<string, string>
}

/**
 * For tests: a service that gives these answers in turn (the last one for ever) and remembers what it
 * was asked; time stands still unless told, and nobody really waits.
 */
export const answering = (...answers: (Answer | Error)[]) => {
  const asked: { url: URL; body: unknown; headers: Headers }[] = []
  const waited: number[] = []
  const clock = { now: 1_700_000_000_000 }
  const options: RemoteOptions = {
    fetch: (input, init) => {
      const text = typeof init?.body === 'string' ? init.body : undefined
      asked.push({
        url: new URL(String(input)),
        body: text === undefined ? undefined : (JSON.parse(text) as unknown),
        headers: new Headers(init?.headers),
      })
      const answer = answers[Math.min(asked.length, answers.length) - 1]
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
  return { options, asked, waited, clock }
}
