import { createServer } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { answering } from './answering'
import { createRemote, statusError } from './remote'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Reply } from './remote'

const url = 'https://maps.example/route'
const body = (reply: Reply) => {
  if (reply.status !== 200) throw statusError(reply)
  return reply.body
}

describe('a call that fails in passing', () => {
  test.each([500, 502, 503, 429])('with %i is tried again', async (status) => {
    const service = answering({ status, body: '' }, { body: 'yes' }, { body: '"no"' })
    service.asked.length = 0
    const remote = createRemote(service.options)
    await expect(
      remote({ url }, ({ status: code }) => {
        if (code !== 200)
          throw statusError({ status: code, body: undefined, retryAfter: undefined })
        return 'answered'
      }),
    ).resolves.toBe('answered')
    expect(service.asked).toHaveLength(2)
    expect(service.waited).toHaveLength(1)
  })

  test('is tried three times and no more', async () => {
    const service = answering(new TypeError('fetch failed'))
    await expect(createRemote(service.options)({ url }, body)).rejects.toMatchObject({
      kind: 'unavailable',
      serviceText: undefined,
    })
    expect(service.asked).toHaveLength(3)
    expect(service.waited[1]).toBeGreaterThan(service.waited[0]!)
  })

  test('comes back after a random pause that may grow: callers that failed together part', async () => {
    const pauses = async (random: number) => {
      const { options, waited } = answering({ status: 503, body: '' })
      await expect(
        createRemote({ ...options, random: () => random })({ url }, body),
      ).rejects.toThrow()
      return waited
    }
    expect(await pauses(0)).toEqual([0, 0])
    expect(await pauses(0.2)).toEqual([60, 120])
    expect(await pauses(1)).toEqual([300, 600])
  })

  test('waits as long as the service asks, when that is short', async () => {
    const slow = { status: 429, body: '', headers: { 'retry-after': '1' } }
    const service = answering(slow, { body: { fine: true } })
    await expect(createRemote(service.options)({ url }, body)).resolves.toEqual({ fine: true })
    expect(service.waited).toEqual([1_000])
  })

  test('fails at once when the service asks for a long pause', async () => {
    const slow = { status: 429, body: '', headers: { 'retry-after': '60' } }
    const service = answering(slow)
    await expect(createRemote(service.options)({ url }, body)).rejects.toMatchObject({
      kind: 'quota',
    })
    expect(service.asked).toHaveLength(1)
  })
})

test.each([400, 401, 403, 404])('a call refused with %i is not tried again', async (status) => {
  const service = answering({ status, body: {} })
  await expect(createRemote(service.options)({ url }, body)).rejects.toThrow()
  expect(service.asked).toHaveLength(1)
})

test('a service that keeps failing is left alone for half a minute', async () => {
  const down = { status: 503, body: '' }
  const service = answering(down, down, down, down, down, { body: 1 })
  const remote = createRemote(service.options)
  await expect(remote({ url }, body)).rejects.toMatchObject({ kind: 'unavailable' })
  await expect(remote({ url }, body)).rejects.toMatchObject({ kind: 'unavailable' })
  expect(service.asked).toHaveLength(5)
  await expect(remote({ url }, body)).rejects.toMatchObject({ kind: 'unavailable' })
  expect(service.asked).toHaveLength(5)
  service.clock.now += 30_001
  await expect(remote({ url }, body)).resolves.toBe(1)
})

test('no more calls a minute are made than the provider allows', async () => {
  const service = answering({ body: 1 })
  const remote = createRemote({ ...service.options, perMinute: 2 })
  await remote({ url }, body)
  await remote({ url }, body)
  await expect(remote({ url }, body)).rejects.toMatchObject({ kind: 'quota' })
  expect(service.asked).toHaveLength(2)
  service.clock.now += 60_000
  await expect(remote({ url }, body)).resolves.toBe(1)
})

test('the service is told who asks', async () => {
  const service = answering({ body: 1 })
  await createRemote({ ...service.options, userAgent: 'Acme Taxis/1' })({ url }, body)
  expect(service.asked[0]?.headers.get('user-agent')).toBe('Acme Taxis/1')
})

describe('a real server', () => {
  let server: Server | undefined
  afterEach(() => {
    server?.closeAllConnections()
    server?.close()
  })
  const serve = (handle: Parameters<typeof createServer>[1]) =>
    new Promise<string>((resolve) => {
      server = createServer(handle)
      server.listen(0, '127.0.0.1', () =>
        resolve(`http://127.0.0.1:${(server?.address() as AddressInfo).port}/`),
      )
    })

  test('that never answers is given up on', async () => {
    const silent = await serve(() => undefined)
    const remote = createRemote({ timeoutMs: 30, tries: 1 })
    await expect(remote({ url: silent }, body)).rejects.toMatchObject({ kind: 'timeout' })
  })

  test('gets a body as JSON and its answer is read as JSON', async () => {
    const echo = await serve((request, response) => {
      let text = ''
      request.on('data', (chunk: Buffer) => (text += chunk.toString()))
      request.on('end', () =>
        response.end(JSON.stringify({ method: request.method, got: JSON.parse(text) as unknown })),
      )
    })
    await expect(createRemote()({ url: echo, body: { a: 1 } }, body)).resolves.toEqual({
      method: 'POST',
      got: { a: 1 },
    })
  })
})
