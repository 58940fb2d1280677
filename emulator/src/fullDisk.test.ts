import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startDatabase } from './server'
import type { RunningDatabase } from './server'

let folder = ''
let database: RunningDatabase
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'full-disk-'))
  database = await startDatabase({ host: '127.0.0.1', port: 0, dataFolder: folder })
})
afterEach(async () => {
  await database.close()
  await rm(folder, { recursive: true, force: true })
})

const request = async (
  method: string,
  path: string,
  body?: unknown,
): Promise<[number, unknown]> => {
  const response = await fetch(`http://127.0.0.1:${database.port}/${path}.json?ns=city`, {
    method,
    headers: { Authorization: 'Bearer owner' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return [response.status, await response.json()]
}
const fillDisk = () => request('PUT', '.settings/disk', 'full')
const freeDisk = () => request('PUT', '.settings/disk', 'ok')
/** Retries a write until it succeeds, because the server notices free space with a short delay. */
const writeUntilAccepted = async (path: string, value: unknown) => {
  while ((await request('PUT', path, value))[0] !== 200)
    await new Promise((resolve) => setTimeout(resolve, 50))
}

test('refuses a write on a full disk and does not show it, either now or after a restart', async () => {
  await request('PUT', 'wallet', { balance: 5 })
  await fillDisk()
  expect((await request('PATCH', 'wallet', { balance: { '.sv': { increment: 3 } } }))[0]).toBe(503)
  expect(await request('GET', 'wallet/balance')).toEqual([200, 5])
  expect((await request('PUT', 'new', 1))[0]).toBe(503)
  expect(await request('GET', 'new')).toEqual([200, null])
  await database.close()
  database = await startDatabase({ host: '127.0.0.1', port: 0, dataFolder: folder })
  expect(await request('GET', '')).toEqual([200, { wallet: { balance: 5 } }])
})

test('resumes when the disk has space, with the acknowledged writes only', async () => {
  await request('PUT', 'a', 1)
  await fillDisk()
  const refused = await Promise.all([
    request('PUT', 'b', 2),
    request('PUT', 'c', 3),
    request('GET', 'c'),
  ])
  expect(refused.map(([status]) => status)).toEqual([503, 503, 503])
  await freeDisk()
  await writeUntilAccepted('d', 4)
  expect(await request('GET', '')).toEqual([200, { a: 1, d: 4 }])
  await database.close()
  database = await startDatabase({ host: '127.0.0.1', port: 0, dataFolder: folder })
  expect(await request('GET', '')).toEqual([200, { a: 1, d: 4 }])
})

test('never shows a refused write to a listener', async () => {
  await request('PUT', 'status', 'NEW')
  const shown: string[] = []
  const listen = async () => {
    const response = await fetch(`http://127.0.0.1:${database.port}/status.json?ns=city`, {
      headers: { Authorization: 'Bearer owner', Accept: 'text/event-stream' },
    })
    const text = new TextDecoder()
    const reader = response.body?.getReader()
    for (;;) {
      const part = await reader?.read().catch(() => undefined)
      if (!part?.value) return
      shown.push(text.decode(part.value))
    }
  }
  const ended = listen()
  while (shown.length === 0) await new Promise((resolve) => setImmediate(resolve))
  await fillDisk()
  expect((await request('PUT', 'status', 'ACCEPTED'))[0]).toBe(503)
  await ended
  expect(shown.join('')).not.toContain('ACCEPTED')
  await freeDisk()
})

test('does not apply rules that could not be saved', async () => {
  const open = '{"rules": {".read": true}}'
  const put = (rules: string) =>
    fetch(`http://127.0.0.1:${database.port}/.settings/rules.json?ns=city`, {
      method: 'PUT',
      headers: { Authorization: 'Bearer owner' },
      body: rules,
    })
  await put(open)
  await fillDisk()
  expect((await put('{"rules": {".read": false}}')).status).toBe(503)
  const read = await fetch(`http://127.0.0.1:${database.port}/.json?ns=city`)
  expect(read.status).toBe(200)
})
