import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { UPDATE_ERRORS } from '~/domain/api/errorKeys'
import type { FunctionsPort } from '../services'
import { DEPLOYED_CONFIG, endFirebaseApps } from './testing/deployedConfig'

/** The key of the next responses, or undefined for an answer; the last one repeats. */
let keys: (string | undefined)[] = []
let sentCount = 0

/** Responds as the functions do: `call` is a callable, the others are plain endpoints. */
const respond = (url: string) => {
  const key = keys[Math.min(sentCount, keys.length - 1)]
  sentCount += 1
  const isCallable = url.endsWith('/ensure_profile')
  if (key === undefined) return Response.json(isCallable ? { result: 'answer' } : 'answer')
  const body = isCallable
    ? { error: { status: 'UNAVAILABLE', message: key, details: { key } } }
    : { error: key, key }
  return Response.json(body, { status: 503 })
}

let functionsPort: FunctionsPort

beforeEach(async () => {
  vi.resetModules()
  vi.useFakeTimers()
  sentCount = 0
  vi.stubGlobal('fetch', async (input: string | URL | Request) => {
    const url = input instanceof Request ? input.url : input.toString()
    return url === '/config.json' ? Response.json(DEPLOYED_CONFIG) : respond(url)
  })
  functionsPort = (await import('./functions')).functionsPort
})
afterEach(async () => {
  vi.useRealTimers()
  await endFirebaseApps()
  vi.unstubAllGlobals()
})

type Send = (onWait?: () => void) => Promise<unknown>
const send: Record<keyof FunctionsPort, Send> = {
  call: (onWait) => functionsPort.call('ensure_profile', {}, onWait),
  post: (onWait) => functionsPort.post('googleapis-getcoords', { place_id: 'p' }, onWait),
  get: (onWait) => functionsPort.get('get_providers', {}, onWait),
}

test.each(
  (['call', 'post', 'get'] as const).flatMap((method) =>
    UPDATE_ERRORS.map((key) => ({ method, key })),
  ),
)('$method sends again what was refused with $key, and reports each pause', async (row) => {
  keys = [row.key, row.key, undefined]
  const onWait = vi.fn()
  const output = send[row.method](onWait)
  await vi.waitFor(() => expect(onWait).toHaveBeenCalledTimes(1))
  await vi.advanceTimersByTimeAsync(3000)
  expect(await output).toBe('answer')
  expect(sentCount).toBe(3)
  expect(onWait).toHaveBeenCalledTimes(2)
})

test('the refusal is final after a minute', async () => {
  keys = ['maintenance']
  const onWait = vi.fn()
  const refused = expect(send.call(onWait)).rejects.toMatchObject({
    domainError: { key: 'maintenance' },
  })
  await vi.waitFor(() => expect(onWait).toHaveBeenCalledTimes(1))
  await vi.advanceTimersByTimeAsync(60_000)
  await refused
  expect(sentCount).toBe(8)
})

test('any other refusal is final at once', async () => {
  keys = ['not_allowed']
  const onWait = vi.fn()
  await expect(send.post(onWait)).rejects.toMatchObject({ domainError: { key: 'not_allowed' } })
  expect(sentCount).toBe(1)
  expect(onWait).not.toHaveBeenCalled()
})

test('a call without a callback is sent only once', async () => {
  keys = ['maintenance']
  await expect(send.call()).rejects.toMatchObject({ domainError: { key: 'maintenance' } })
  expect(sentCount).toBe(1)
})
