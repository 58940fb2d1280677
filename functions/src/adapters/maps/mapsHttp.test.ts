import { createServer } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { createFakeHttp } from '../../testing/fakeHttp'
import { createMapsHttpClient, toStatusError } from './mapsHttp'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { MapsHttpResponse } from './mapsHttp'

const url = 'https://maps.example/route'
const body = (reply: MapsHttpResponse) => {
  if (reply.status !== 200) throw toStatusError(reply)
  return reply.body
}

describe('a call with a temporary failure', () => {
  test.each([500, 502, 503, 429])('is retried after status %i', async (status) => {
    const service = createFakeHttp({ status, body: '' }, { body: 'yes' }, { body: '"no"' })
    service.requests.length = 0
    const remote = createMapsHttpClient(service.options)
    await expect(
      remote({ url }, ({ status: code }) => {
        if (code !== 200)
          throw toStatusError({ status: code, body: undefined, retryAfterSeconds: undefined })
        return 'answered'
      }),
    ).resolves.toBe('answered')
    expect(service.requests).toHaveLength(2)
    expect(service.waited).toHaveLength(1)
  })

  test('is tried at most three times', async () => {
    const service = createFakeHttp(new TypeError('fetch failed'))
    await expect(createMapsHttpClient(service.options)({ url }, body)).rejects.toMatchObject({
      kind: 'unavailable',
      serviceText: undefined,
    })
    expect(service.requests).toHaveLength(3)
    expect(service.waited[1]).toBeGreaterThan(service.waited[0]!)
  })

  test('is retried after a growing random pause, so that callers that failed together spread out', async () => {
    const pauses = async (random: number) => {
      const { options, waited } = createFakeHttp({ status: 503, body: '' })
      await expect(
        createMapsHttpClient({ ...options, random: () => random })({ url }, body),
      ).rejects.toThrow()
      return waited
    }
    expect(await pauses(0)).toEqual([0, 0])
    expect(await pauses(0.2)).toEqual([60, 120])
    expect(await pauses(1)).toEqual([300, 600])
  })

  test('waits as long as the service requests, if that is short', async () => {
    const slow = { status: 429, body: '', headers: { 'retry-after': '1' } }
    const service = createFakeHttp(slow, { body: { fine: true } })
    await expect(createMapsHttpClient(service.options)({ url }, body)).resolves.toEqual({
      fine: true,
    })
    expect(service.waited).toEqual([1_000])
  })

  test('fails immediately when the service requests a long pause', async () => {
    const slow = { status: 429, body: '', headers: { 'retry-after': '60' } }
    const service = createFakeHttp(slow)
    await expect(createMapsHttpClient(service.options)({ url }, body)).rejects.toMatchObject({
      kind: 'quota',
    })
    expect(service.requests).toHaveLength(1)
  })
})

test.each([400, 401, 403, 404])('does not retry a call refused with %i', async (status) => {
  const service = createFakeHttp({ status, body: {} })
  await expect(createMapsHttpClient(service.options)({ url }, body)).rejects.toThrow()
  expect(service.requests).toHaveLength(1)
})

test('stops calling a service that keeps failing for half a minute', async () => {
  const down = { status: 503, body: '' }
  const service = createFakeHttp(down, down, down, down, down, { body: 1 })
  const remote = createMapsHttpClient(service.options)
  await expect(remote({ url }, body)).rejects.toMatchObject({ kind: 'unavailable' })
  await expect(remote({ url }, body)).rejects.toMatchObject({ kind: 'unavailable' })
  expect(service.requests).toHaveLength(5)
  await expect(remote({ url }, body)).rejects.toMatchObject({ kind: 'unavailable' })
  expect(service.requests).toHaveLength(5)
  service.clock.now += 30_001
  await expect(remote({ url }, body)).resolves.toBe(1)
})

test('makes no more calls a minute than the provider allows', async () => {
  const service = createFakeHttp({ body: 1 })
  const remote = createMapsHttpClient({ ...service.options, maxPerMinute: 2 })
  await remote({ url }, body)
  await remote({ url }, body)
  await expect(remote({ url }, body)).rejects.toMatchObject({ kind: 'quota' })
  expect(service.requests).toHaveLength(2)
  service.clock.now += 60_000
  await expect(remote({ url }, body)).resolves.toBe(1)
})

test('sends its user agent to the service', async () => {
  const service = createFakeHttp({ body: 1 })
  await createMapsHttpClient({ ...service.options, userAgent: 'Acme Taxis/1' })({ url }, body)
  expect(service.requests[0]?.headers.get('user-agent')).toBe('Acme Taxis/1')
})

describe('a real server', () => {
  let server: Server | undefined
  afterEach(() => {
    server?.closeAllConnections()
    server?.close()
  })
  const serve = (handle: Parameters<typeof createServer>[1]) =>
    new Promise<string>((resolve) => {
      const listening = createServer(handle)
      server = listening
      listening.listen(0, '127.0.0.1', () =>
        resolve(`http://127.0.0.1:${(listening.address() as AddressInfo).port}/`),
      )
    })

  test('that never responds causes a timeout', async () => {
    const silent = await serve(() => undefined)
    const remote = createMapsHttpClient({ timeoutMs: 30, maxTries: 1 })
    await expect(remote({ url: silent }, body)).rejects.toMatchObject({ kind: 'timeout' })
  })

  test('receives a JSON body and returns parsed JSON', async () => {
    const echo = await serve((request, response) => {
      let text = ''
      request.on('data', (chunk: Buffer) => (text += chunk.toString()))
      request.on('end', () =>
        response.end(JSON.stringify({ method: request.method, got: JSON.parse(text) as unknown })),
      )
    })
    await expect(createMapsHttpClient()({ url: echo, body: { a: 1 } }, body)).resolves.toEqual({
      method: 'POST',
      got: { a: 1 },
    })
  })
})
