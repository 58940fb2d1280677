import { connect } from 'node:net'
import { WebSocket } from 'ws'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startDatabase } from '../src/server'
import type { RunningDatabase } from '../src/server'
import { openWireClient, WireClient } from './wireClient'

let server: RunningDatabase
let ns = ''
let namespaces = 0
const clients: WireClient[] = []

const openClient = async (name = ns, params = '') => {
  const client = await openWireClient(server.port, name, params)
  clients.push(client)
  return client
}

const callRest = (path: string, init: RequestInit = {}) =>
  fetch(`http://127.0.0.1:${server.port}${path}${path.includes('?') ? '&' : '?'}ns=${ns}`, {
    ...init,
    headers: { Authorization: 'Bearer owner', ...init.headers },
  })

const setRules = (rules: object) =>
  callRest('/.settings/rules.json', { method: 'PUT', body: JSON.stringify({ rules }) })

beforeAll(async () => {
  server = await startDatabase({ host: '127.0.0.1', port: 0 })
})
afterAll(() => server.close())
beforeEach(() => {
  ns = `wire-${namespaces++}`
})
afterEach(() => {
  for (const client of clients.splice(0)) client.close()
})

/** Verifies that the server still serves other clients. */
const assertServing = async () => {
  const other = await openClient('bystander')
  expect(await other.request('p', { p: '/x', d: 1 })).toEqual({ s: 'ok', d: '' })
}

describe('a connection', () => {
  test('starts with a handshake that has the requested host, the time and a session id', async () => {
    const one = await openClient()
    const two = await openClient()
    const greeting = await one.whenGreeted
    expect(greeting['h']).toBe(`127.0.0.1:${server.port}`)
    expect(greeting['v']).toBe('5')
    expect(typeof greeting['ts']).toBe('number')
    expect(greeting['s']).not.toBe((await two.whenGreeted)['s'])
  })

  test('gets a pong for a ping, and a response to every request, known or not', async () => {
    const client = await openClient()
    client.sendRaw('{"t":"c","d":{"t":"p","d":{}}}')
    await expect.poll(() => client.frames).toContain('{"t":"c","d":{"t":"o","d":{}}}')
    expect((await client.request('s', { c: { 'sdk.node': 1 } })).s).toBe('ok')
    expect((await client.request('appcheck', { token: 'x' })).s).toBe('ok')
    expect((await client.request('unappeck')).s).toBe('ok')
    expect((await client.request('nonsense')).s).toBe('no_such_method')
    expect((await client.request('p', null)).s).toBe('invalid_request')
    expect((await client.request('p', { d: 1 })).s).toBe('invalid_request')
    expect((await client.request('q', { p: '/a', q: { l: -1 } })).s).toBe('invalid_query')
  })

  test('may split a message into many frames and send keep-alives between messages', async () => {
    const client = await openClient()
    const text = 'x'.repeat(50_000)
    const message = JSON.stringify({ t: 'd', d: { r: 99, a: 'p', b: { p: '/a', d: text } } })
    client.sendRaw('0')
    const parts = message.match(/[^]{1,16384}/g) ?? []
    client.sendRaw(String(parts.length))
    for (const part of parts) client.sendRaw(part)
    client.sendRaw('0')
    expect((await client.request('g', { p: '/a', q: {} })).d).toBe(text)
  })

  test('ends the session it replaces on reconnection, after that session’s onDisconnect writes', async () => {
    const first = await openClient()
    const { s } = await first.whenGreeted
    await first.request('o', { p: '/presence', d: 'gone' })
    const second = await openClient(ns, `&ls=${String(s)}`)
    await second.request('p', { p: '/presence', d: 'here' })
    await first.whenClosed
    expect((await second.request('g', { p: '/presence', q: {} })).d).toBe('here')
  })

  test('runs its onDisconnect writes however it ends', async () => {
    const reader = await openClient()
    const leaver = await openClient()
    await leaver.request('o', { p: '/a', d: { '.sv': 'timestamp' } })
    await leaver.request('om', { p: '/b', d: { x: 1, y: 2 } })
    await leaver.request('oc', { p: '/b/y' })
    leaver.socket.terminate()
    await expect
      .poll(async () => (await reader.request('g', { p: '/b', q: {} })).d)
      .toEqual({ x: 1 })
    expect((await reader.request('g', { p: '/a', q: {} })).d).toEqual(expect.any(Number))
  })

  test('reports the authenticated user and refuses an invalid token', async () => {
    const client = await openClient()
    const claims = Buffer.from(
      JSON.stringify({ sub: 'ana', iat: 0, firebase: { sign_in_provider: 'phone' } }),
    ).toString('base64url')
    const answer = await client.request('auth', { cred: `e30.${claims}.` })
    expect(answer.d).toMatchObject({ auth: { uid: 'ana', provider: 'phone' } })
    expect(await client.request('auth', { cred: 'garbage' })).toEqual({
      s: 'invalid_token',
      d: 'Could not parse auth token.',
    })
    expect((await client.request('unauth')).s).toBe('ok')
  })
})

describe('the frames of a listener', () => {
  const rows = Object.fromEntries(
    Array.from({ length: 500 }, (_, i) => [`row${i}`, { owner: `u${i % 50}`, n: i, on: true }]),
  )

  test('send the first value before the ok, and a write before its own ok', async () => {
    const client = await openClient()
    await client.request('p', { p: '/a', d: 1 })
    client.frames.length = 0
    await client.request('q', { p: '/a', h: '' })
    await client.request('p', { p: '/a', d: 2 })
    const order = client.frames.map((frame) => (frame.includes('"a":"d"') ? 'value' : 'answer'))
    expect(order).toEqual(['value', 'answer', 'value', 'answer'])
  })

  test('carry only the filtered rows, under the listener’s tag', async () => {
    await setRules({ '.read': true, '.write': true, rows: { '.indexOn': 'owner' } })
    await callRest('/rows.json', { method: 'PUT', body: JSON.stringify(rows) })
    const client = await openClient()
    const q = { i: 'owner', sp: 'u7', ep: 'u7' }
    const answer = await client.request('q', { p: '/rows', q, t: 9, h: '' })
    expect(answer).toEqual({ s: 'ok', d: {} })
    const wanted = Object.fromEntries(
      Object.entries(rows).filter(([, { owner }]) => owner === 'u7'),
    )
    expect(client.updates).toEqual([{ a: 'd', b: { p: 'rows', d: wanted, t: 9 } }])

    client.updates.length = 0
    client.bytes = 0
    const writer = await openClient()
    await writer.request('p', { p: '/rows/row8/n', d: -1 })
    await writer.request('p', { p: '/rows/row7/n', d: -1 })
    await writer.request('m', {
      p: '/rows',
      d: { 'row57/owner': 'u8', 'row8/owner': 'u7', 'row9/n': 0 },
    })
    await writer.request('p', { p: '/rows/row107', d: null })
    await expect.poll(() => client.updates).toHaveLength(3)
    expect(client.updates).toEqual([
      { a: 'd', b: { p: 'rows/row7/n', d: -1, t: 9 } },
      {
        a: 'm',
        b: { p: 'rows', d: { row57: null, row8: { owner: 'u7', n: -1, on: true } }, t: 9 },
      },
      { a: 'd', b: { p: 'rows/row107', d: null, t: 9 } },
    ])
    expect(client.bytes).toBeLessThan(1000)
  })

  test('report the row that enters and the row that leaves a limit in one message', async () => {
    await callRest('/l.json', { method: 'PUT', body: JSON.stringify({ a: 1, b: 2, c: 3 }) })
    const client = await openClient()
    await client.request('q', { p: '/l', q: { l: 2, vf: 'r' }, t: 1, h: '' })
    await client.request('p', { p: '/l/d', d: 4 })
    await client.request('p', { p: '/l/d', d: null })
    await client.request('p', { p: '/l/a', d: 0 })
    expect(client.updates).toEqual([
      { a: 'd', b: { p: 'l', d: { b: 2, c: 3 }, t: 1 } },
      { a: 'm', b: { p: 'l', d: { d: 4, b: null }, t: 1 } },
      { a: 'm', b: { p: 'l', d: { d: null, b: 2 }, t: 1 } },
    ])
  })

  test('answer a query without an index, with a warning', async () => {
    const client = await openClient()
    const answer = await client.request('q', { p: '/l', q: { i: 'x', sp: 1, ep: 1 }, t: 1, h: '' })
    expect(answer).toEqual({ s: 'ok', d: { w: ['no_index'] } })
  })

  test('do not repeat a value that the client already has', async () => {
    const client = await openClient()
    await client.request('p', { p: '/a', d: 'Hello World' })
    await client.request('q', { p: '/a', h: 'B8HWXc7zXMjrsnJxPRj7wrNGqt4=' })
    expect(client.updates).toEqual([])
    await client.request('n', { p: '/a' })
    await client.request('q', { p: '/a', h: 'other' })
    expect(client.updates).toHaveLength(1)
  })

  test('report nothing for a write that changes nothing', async () => {
    const client = await openClient()
    await client.request('p', { p: '/a', d: { x: [1, 2], y: { z: true } } })
    await client.request('q', { p: '/', h: '' })
    client.updates.length = 0
    await client.request('p', { p: '/a', d: { y: { z: true }, x: { 0: 1, 1: 2 } } })
    await client.request('m', { p: '/a', d: { 'y/z': true, none: null } })
    expect(client.updates).toEqual([])
  })

  const createRows = (count: number, value: unknown) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`r${i + 100}`, value]))

  test.each([
    ['a small list', { b: 9 }, { c: 8 }],
    ['a list that becomes large', { b: 9 }, createRows(200, 1)],
    ['a large list of which most rows change', createRows(200, 1), createRows(200, 2)],
    ['a large list that becomes small', createRows(200, 1), { c: 8 }],
  ])(
    'report nothing when a replacement of the parent of %s leaves their window unchanged',
    async (_, before, after) => {
      const client = await openClient()
      const row = { name: 'Ana', tags: { x: true } }
      await client.request('p', { p: '/top', d: { list: { a: row, ...before } } })
      await client.request('q', { p: '/top/list', q: { l: 1, vf: 'l' }, t: 1, h: '' })
      await client.request('q', { p: '/top/list/a/tags', h: '' })
      client.updates.length = 0
      await client.request('p', { p: '/top', d: { list: { a: row, ...after }, other: 1 } })
      expect(client.updates).toEqual([])
      await client.request('p', { p: '/top', d: { list: { a: { name: 'Eva' }, ...after } } })
      expect(client.updates).toEqual([
        { a: 'd', b: { p: 'top/list', d: { a: { name: 'Eva' } }, t: 1 } },
        { a: 'd', b: { p: 'top/list/a/tags', d: null } },
      ])
    },
  )

  test('stop after an unlisten, and show the new value before a stale transaction fails', async () => {
    const client = await openClient()
    await client.request('q', { p: '/a', h: '' })
    expect((await client.request('p', { p: '/a', d: 1, h: '' })).s).toBe('ok')
    expect((await client.request('p', { p: '/a', d: 2, h: '' })).s).toBe('datastale')
    await client.request('n', { p: '/a' })
    client.updates.length = 0
    await client.request('p', { p: '/a', d: 3 })
    expect(client.updates).toEqual([])
  })

  test('name the query of a revoked listener, and then stop', async () => {
    await setRules({ '.write': true, a: { '.read': "data.child('open').val() === true" } })
    const client = await openClient()
    await client.request('p', { p: '/a', d: { open: true, x: 1 } })
    const q = { i: '.key', l: 5, vf: 'l' }
    await client.request('q', { p: '/a', q, t: 1, h: '' })
    client.updates.length = 0
    await client.request('p', { p: '/a', d: { open: false, secret: 1 } })
    expect(client.updates).toEqual([{ a: 'c', b: { p: 'a', q: [q] } }])
    await client.request('p', { p: '/a/secret', d: 2 })
    expect(client.updates).toHaveLength(1)
  })
})

describe('hostile or malformed traffic', () => {
  test.each([
    ['text that is not JSON', 'hello'],
    ['truncated JSON', '{"t":"d","d":'],
    ['an array', '[1,2]'],
    ['null', 'null'],
    ['a message without a layer', '{"d":{}}'],
    ['a request without a number', '{"t":"d","d":{"a":"p","b":{"p":"/a","d":1}}}'],
    ['a binary frame', Buffer.from([1, 2, 3])],
  ])('closes the connection on %s', async (_, frame) => {
    const client = await openClient()
    client.sendRaw(frame)
    await client.whenClosed
    await assertServing()
  })

  test('closes the connection on invalid UTF-8', async () => {
    const client = await openClient()
    client.socket.send(Buffer.from([0xc3, 0x28]), { binary: false })
    expect(await client.whenClosed).toBeGreaterThan(1000)
    await assertServing()
  })

  test('closes the connection on bytes that are not a WebSocket frame', async () => {
    const socket = connect(server.port, '127.0.0.1')
    socket.write(
      `GET /.ws?v=5&ns=${ns} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n',
    )
    socket.write(Buffer.alloc(64, 0xff))
    socket.resume()
    await new Promise((resolve) => socket.on('close', resolve).on('error', resolve))
    await assertServing()
  })

  test.each([
    ['a path with a forbidden key', { p: '/a/b.c', d: 1 }, 'invalid_path'],
    ['a path with a control character', { p: '/a/\u0001', d: 1 }, 'invalid_path'],
    ['a path that is too deep', { p: '/a'.repeat(33), d: 1 }, 'invalid_path'],
    ['a key that is too long', { p: '/a', d: { ['k'.repeat(769)]: 1 } }, 'invalid_data'],
    ['a forbidden key', { p: '/a', d: { 'x/y': 1 } }, 'invalid_data'],
    ['an empty key', { p: '/a', d: { '': 1 } }, 'invalid_data'],
    ['a value next to children', { p: '/a', d: { '.value': 1, x: 2 } }, 'invalid_data'],
    ['an invalid priority', { p: '/a', d: { '.priority': {}, x: 2 } }, 'invalid_data'],
    ['an unknown server value', { p: '/a', d: { '.sv': 'uuid' } }, 'invalid_data'],
    ['a write to .info', { p: '/.info/connected', d: 1 }, 'invalid_path'],
    [
      'an increment that is not a number',
      { p: '/a', d: { '.sv': { increment: 'x' } } },
      'invalid_data',
    ],
  ])('refuses %s', async (_, body, status) => {
    const client = await openClient()
    expect((await client.request('p', body)).s).toBe(status)
    expect((await client.request('g', { p: '/', q: {} })).d).toBe(null)
  })

  test('refuses infinite numbers and paths that one update sets twice', async () => {
    const client = await openClient()
    expect((await client.requestWithJson('p', '{"p":"/a","d":1e999}')).s).toBe('invalid_data')
    expect((await client.request('m', { p: '/a', d: { x: 1, 'x/y': 2 } })).s).toBe('invalid_data')
    expect((await client.request('m', { p: '/a', d: [1] })).s).toBe('invalid_data')
    expect((await client.request('m', { p: '/a', d: {} })).s).toBe('ok')
  })

  test('refuses JSON of excessive depth without harm', async () => {
    const client = await openClient()
    const deep = '{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000)
    expect((await client.requestWithJson('p', `{"p":"/a","d":${deep}}`)).s).toBe('invalid_data')
    const arrays = '['.repeat(100_000) + ']'.repeat(100_000)
    expect((await client.requestWithJson('p', `{"p":"/a","d":${arrays}}`)).s).toBe('invalid_data')
    await assertServing()
  })

  test('treats JavaScript property names as ordinary keys', async () => {
    const client = await openClient()
    const text = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"x":1}},"toString":1}'
    expect((await client.requestWithJson('p', `{"p":"/a","d":${text}}`)).s).toBe('ok')
    await client.request('p', { p: '/__proto__/polluted', d: 1 })
    expect(({} as Record<string, unknown>)['polluted']).toBe(undefined)
    client.frames.length = 0
    await client.request('g', { p: '/a', q: {} })
    expect(client.frames[0]).toContain('"__proto__":{"polluted":true}')
    expect(await (await callRest('/a.json')).text()).toBe(
      '{"__proto__":{"polluted":true},"constructor":{"prototype":{"x":1}},"toString":1}',
    )
    const q = { i: '__proto__/polluted', sp: true }
    expect((await client.request('g', { p: '/', q })).s).toBe('ok')
  })

  test('refuses a string over 10 MB and a write over 16 MB', async () => {
    const client = await openClient()
    expect((await client.request('p', { p: '/a', d: 'x'.repeat(11 << 20) })).s).toBe('invalid_data')
    expect((await client.request('p', { p: '/a', d: 'x'.repeat(17 << 20) })).s).toBe('too_big')
    await assertServing()
  })

  test('closes the connection on an endless message', async () => {
    const client = await openClient()
    client.sendRaw('999999')
    const part = 'x'.repeat(1 << 20)
    for (let i = 0; i < 70 && client.socket.readyState === WebSocket.OPEN; i++) {
      await new Promise((resolve) => client.socket.send(part, resolve))
    }
    await client.whenClosed
    await assertServing()
  })

  test('disconnects a client that never reads, without delaying others', async () => {
    const slow = await openClient()
    await slow.request('q', { p: '/a', h: '' })
    slow.socket.pause()
    const writer = await openClient()
    const text = 'x'.repeat(4 << 20)
    for (let i = 0; i < 24; i++) {
      expect((await writer.request('p', { p: '/a', d: text + String(i) })).s).toBe('ok')
    }
    slow.socket.resume()
    await slow.whenClosed
  })

  test('answers every request of a flood', async () => {
    const client = await openClient()
    const answers = await Promise.all(
      Array.from({ length: 20_000 }, (_, i) => client.request('p', { p: `/n/${i % 100}`, d: i })),
    )
    expect(answers.every(({ s }) => s === 'ok')).toBe(true)
  })

  test('serves 2,000 connections at once and notices when each one closes', async () => {
    const many = await Promise.all(Array.from({ length: 2000 }, () => openClient()))
    await Promise.all(many.map((client) => client.request('q', { p: '/a', h: '' })))
    await Promise.all(many.map((client, i) => client.request('o', { p: `/left/${i}`, d: true })))
    await many[0]?.request('p', { p: '/a', d: 1 })
    await expect.poll(() => many.every(({ updates }) => updates.length === 1)).toBe(true)
    for (const client of many) client.close()
    const reader = await openClient()
    const left = async () => (await reader.request('g', { p: '/left', q: {} })).d as object | null
    await expect.poll(async () => Object.keys((await left()) ?? {})).toHaveLength(many.length)
  })

  test('refuses an invalid database name', async () => {
    const client = new WireClient(new WebSocket(`ws://127.0.0.1:${server.port}/.ws?v=5&ns=a%2Fb`))
    await client.whenClosed
    expect(client.frames).toEqual([])
    await assertServing()
  })
})
