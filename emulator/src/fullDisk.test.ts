import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startDatabase } from './server'
import type { Database } from './server'

let folder = ''
let database: Database
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'full-disk-'))
  database = await startDatabase({ host: '127.0.0.1', port: 0, folder })
})
afterEach(async () => {
  await database.close()
  await rm(folder, { recursive: true, force: true })
})

const ask = async (method: string, path: string, body?: unknown): Promise<[number, unknown]> => {
  const response = await fetch(`http://127.0.0.1:${database.port}/${path}.json?ns=city`, {
    method,
    headers: { Authorization: 'Bearer owner' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return [response.status, await response.json()]
}
const fill = () => ask('PUT', '.settings/disk', 'full')
const makeRoom = () => ask('PUT', '.settings/disk', 'ok')
/** Writes until it is told yes: room is noticed a moment after there is some. */
const writeAtLast = async (path: string, value: unknown) => {
  while ((await ask('PUT', path, value))[0] !== 200)
    await new Promise((resolve) => setTimeout(resolve, 50))
}

test('a write that finds no room is refused, and is not there: neither now nor after a restart', async () => {
  await ask('PUT', 'wallet', { balance: 5 })
  await fill()
  expect((await ask('PATCH', 'wallet', { balance: { '.sv': { increment: 3 } } }))[0]).toBe(503)
  expect(await ask('GET', 'wallet/balance')).toEqual([200, 5])
  expect((await ask('PUT', 'new', 1))[0]).toBe(503)
  expect(await ask('GET', 'new')).toEqual([200, null])
  await database.close()
  database = await startDatabase({ host: '127.0.0.1', port: 0, folder })
  expect(await ask('GET', '')).toEqual([200, { wallet: { balance: 5 } }])
})

test('once there is room it goes on, with what was acknowledged and nothing else', async () => {
  await ask('PUT', 'a', 1)
  await fill()
  const refused = await Promise.all([ask('PUT', 'b', 2), ask('PUT', 'c', 3), ask('GET', 'c')])
  expect(refused.map(([status]) => status)).toEqual([503, 503, 503])
  await makeRoom()
  await writeAtLast('d', 4)
  expect(await ask('GET', '')).toEqual([200, { a: 1, d: 4 }])
  await database.close()
  database = await startDatabase({ host: '127.0.0.1', port: 0, folder })
  expect(await ask('GET', '')).toEqual([200, { a: 1, d: 4 }])
})

test('who listens is never shown what was refused', async () => {
  await ask('PUT', 'status', 'NEW')
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
  await fill()
  expect((await ask('PUT', 'status', 'ACCEPTED'))[0]).toBe(503)
  await ended
  expect(shown.join('')).not.toContain('ACCEPTED')
  await makeRoom()
})

test('rules that could not be kept do not hold', async () => {
  const open = '{"rules": {".read": true}}'
  const put = (rules: string) =>
    fetch(`http://127.0.0.1:${database.port}/.settings/rules.json?ns=city`, {
      method: 'PUT',
      headers: { Authorization: 'Bearer owner' },
      body: rules,
    })
  await put(open)
  await fill()
  expect((await put('{"rules": {".read": false}}')).status).toBe(503)
  const read = await fetch(`http://127.0.0.1:${database.port}/.json?ns=city`)
  expect(read.status).toBe(200)
})
