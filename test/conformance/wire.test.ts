import { connect } from 'node:net'
import { WebSocket } from 'ws'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startDatabase } from '../../emulator/src/server'
import type { Database } from '../../emulator/src/server'
import { openWire, WireClient } from './wire'

let server: Database
let ns = ''
let namespaces = 0
const clients: WireClient[] = []

const open = async (name = ns, params = '') => {
  const client = await openWire(server.port, name, params)
  clients.push(client)
  return client
}

const rest = (path: string, init: RequestInit = {}) =>
  fetch(`http://127.0.0.1:${server.port}${path}${path.includes('?') ? '&' : '?'}ns=${ns}`, {
    ...init,
    headers: { Authorization: 'Bearer owner', ...init.headers },
  })

const setRules = (rules: object) =>
  rest('/.settings/rules.json', { method: 'PUT', body: JSON.stringify({ rules }) })

beforeAll(async () => {
  server = await startDatabase({ host: '127.0.0.1', port: 0 })
})
afterAll(() => server.close())
beforeEach(() => {
  ns = `wire-${namespaces++}`
})
afterEach(() => {
  for (const client of clients.splice(0)) client.end()
})

/** Proves that the server still serves others. */
const stillServes = async () => {
  const other = await open('bystander')
  expect(await other.request('p', { p: '/x', d: 1 })).toEqual({ s: 'ok', d: '' })
}

describe('a connection', () => {
  test('is greeted with the host it came by, the time and a session of its own', async () => {
    const one = await open()
    const two = await open()
    const greeting = await one.greeted
    expect(greeting['h']).toBe(`127.0.0.1:${server.port}`)
    expect(greeting['v']).toBe('5')
    expect(typeof greeting['ts']).toBe('number')
    expect(greeting['s']).not.toBe((await two.greeted)['s'])
  })

  test('gets a pong for a ping, and answers to every request, known or not', async () => {
    const client = await open()
    client.raw('{"t":"c","d":{"t":"p","d":{}}}')
    await expect.poll(() => client.frames).toContain('{"t":"c","d":{"t":"o","d":{}}}')
    expect((await client.request('s', { c: { 'sdk.node': 1 } })).s).toBe('ok')
    expect((await client.request('appcheck', { token: 'x' })).s).toBe('ok')
    expect((await client.request('unappeck')).s).toBe('ok')
    expect((await client.request('nonsense')).s).toBe('no_such_method')
    expect((await client.request('p', null)).s).toBe('invalid_request')
    expect((await client.request('p', { d: 1 })).s).toBe('invalid_request')
    expect((await client.request('q', { p: '/a', q: { l: -1 } })).s).toBe('invalid_query')
  })

  test('may send a message in many frames and keep-alives between messages', async () => {
    const client = await open()
    const text = 'x'.repeat(50_000)
    const message = JSON.stringify({ t: 'd', d: { r: 99, a: 'p', b: { p: '/a', d: text } } })
    client.raw('0')
    const parts = message.match(/[^]{1,16384}/g) ?? []
    client.raw(String(parts.length))
    for (const part of parts) client.raw(part)
    client.raw('0')
    expect((await client.request('g', { p: '/a', q: {} })).d).toBe(text)
  })

  test('that comes back ends the session it names, whose last writes come first', async () => {
    const first = await open()
    const { s } = await first.greeted
    await first.request('o', { p: '/presence', d: 'gone' })
    const second = await open(ns, `&ls=${String(s)}`)
    await second.request('p', { p: '/presence', d: 'here' })
    await first.closed
    expect((await second.request('g', { p: '/presence', q: {} })).d).toBe('here')
  })

  test('does its last writes however it ends', async () => {
    const reader = await open()
    const leaving = await open()
    await leaving.request('o', { p: '/a', d: { '.sv': 'timestamp' } })
    await leaving.request('om', { p: '/b', d: { x: 1, y: 2 } })
    await leaving.request('oc', { p: '/b/y' })
    leaving.socket.terminate()
    await expect
      .poll(async () => (await reader.request('g', { p: '/b', q: {} })).d)
      .toEqual({ x: 1 })
    expect((await reader.request('g', { p: '/a', q: {} })).d).toEqual(expect.any(Number))
  })

  test('is told who it is, and a token that is none is refused', async () => {
    const client = await open()
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

describe('what travels for a listen', () => {
  const rows = Object.fromEntries(
    Array.from({ length: 500 }, (_, i) => [`row${i}`, { owner: `u${i % 50}`, n: i, on: true }]),
  )

  test('the first value comes before the ok, a write before its own ok', async () => {
    const client = await open()
    await client.request('p', { p: '/a', d: 1 })
    client.frames.length = 0
    await client.request('q', { p: '/a', h: '' })
    await client.request('p', { p: '/a', d: 2 })
    const order = client.frames.map((frame) => (frame.includes('"a":"d"') ? 'value' : 'answer'))
    expect(order).toEqual(['value', 'answer', 'value', 'answer'])
  })

  test('a filtered listen gets its rows under its tag and nothing else', async () => {
    await setRules({ '.read': true, '.write': true, rows: { '.indexOn': 'owner' } })
    await rest('/rows.json', { method: 'PUT', body: JSON.stringify(rows) })
    const client = await open()
    const q = { i: 'owner', sp: 'u7', ep: 'u7' }
    const answer = await client.request('q', { p: '/rows', q, t: 9, h: '' })
    expect(answer).toEqual({ s: 'ok', d: {} })
    const wanted = Object.fromEntries(
      Object.entries(rows).filter(([, { owner }]) => owner === 'u7'),
    )
    expect(client.pushes).toEqual([{ a: 'd', b: { p: 'rows', d: wanted, t: 9 } }])

    client.pushes.length = 0
    client.bytes = 0
    const writer = await open()
    await writer.request('p', { p: '/rows/row8/n', d: -1 })
    await writer.request('p', { p: '/rows/row7/n', d: -1 })
    await writer.request('m', {
      p: '/rows',
      d: { 'row57/owner': 'u8', 'row8/owner': 'u7', 'row9/n': 0 },
    })
    await writer.request('p', { p: '/rows/row107', d: null })
    await expect.poll(() => client.pushes).toHaveLength(3)
    expect(client.pushes).toEqual([
      { a: 'd', b: { p: 'rows/row7/n', d: -1, t: 9 } },
      {
        a: 'm',
        b: { p: 'rows', d: { row57: null, row8: { owner: 'u7', n: -1, on: true } }, t: 9 },
      },
      { a: 'd', b: { p: 'rows/row107', d: null, t: 9 } },
    ])
    expect(client.bytes).toBeLessThan(1000)
  })

  test('a limited listen gets what enters and what leaves in one message', async () => {
    await rest('/l.json', { method: 'PUT', body: JSON.stringify({ a: 1, b: 2, c: 3 }) })
    const client = await open()
    await client.request('q', { p: '/l', q: { l: 2, vf: 'r' }, t: 1, h: '' })
    await client.request('p', { p: '/l/d', d: 4 })
    await client.request('p', { p: '/l/d', d: null })
    await client.request('p', { p: '/l/a', d: 0 })
    expect(client.pushes).toEqual([
      { a: 'd', b: { p: 'l', d: { b: 2, c: 3 }, t: 1 } },
      { a: 'm', b: { p: 'l', d: { d: 4, b: null }, t: 1 } },
      { a: 'm', b: { p: 'l', d: { d: null, b: 2 }, t: 1 } },
    ])
  })

  test('a query without its index is answered, with a warning', async () => {
    const client = await open()
    const answer = await client.request('q', { p: '/l', q: { i: 'x', sp: 1, ep: 1 }, t: 1, h: '' })
    expect(answer).toEqual({ s: 'ok', d: { w: ['no_index'] } })
  })

  test('a value the client already has is not sent again', async () => {
    const client = await open()
    await client.request('p', { p: '/a', d: 'Hello World' })
    await client.request('q', { p: '/a', h: 'B8HWXc7zXMjrsnJxPRj7wrNGqt4=' })
    expect(client.pushes).toEqual([])
    await client.request('n', { p: '/a' })
    await client.request('q', { p: '/a', h: 'other' })
    expect(client.pushes).toHaveLength(1)
  })

  test('a write that changes nothing tells nobody', async () => {
    const client = await open()
    await client.request('p', { p: '/a', d: { x: [1, 2], y: { z: true } } })
    await client.request('q', { p: '/', h: '' })
    client.pushes.length = 0
    await client.request('p', { p: '/a', d: { y: { z: true }, x: { 0: 1, 1: 2 } } })
    await client.request('m', { p: '/a', d: { 'y/z': true, none: null } })
    expect(client.pushes).toEqual([])
  })

  test('an unlistened place is silent, a wrong transaction says so after the value', async () => {
    const client = await open()
    await client.request('q', { p: '/a', h: '' })
    expect((await client.request('p', { p: '/a', d: 1, h: '' })).s).toBe('ok')
    expect((await client.request('p', { p: '/a', d: 2, h: '' })).s).toBe('datastale')
    await client.request('n', { p: '/a' })
    client.pushes.length = 0
    await client.request('p', { p: '/a', d: 3 })
    expect(client.pushes).toEqual([])
  })

  test('a revoked listen is named by its query and told nothing more', async () => {
    await setRules({ '.write': true, a: { '.read': "data.child('open').val() === true" } })
    const client = await open()
    await client.request('p', { p: '/a', d: { open: true, x: 1 } })
    const q = { i: '.key', l: 5, vf: 'l' }
    await client.request('q', { p: '/a', q, t: 1, h: '' })
    client.pushes.length = 0
    await client.request('p', { p: '/a', d: { open: false, secret: 1 } })
    expect(client.pushes).toEqual([{ a: 'c', b: { p: 'a', q: [q] } }])
    await client.request('p', { p: '/a/secret', d: 2 })
    expect(client.pushes).toHaveLength(1)
  })
})

describe('what no honest client sends', () => {
  test.each([
    ['no JSON', 'hello'],
    ['half JSON', '{"t":"d","d":'],
    ['an array', '[1,2]'],
    ['null', 'null'],
    ['no layer', '{"d":{}}'],
    ['no request number', '{"t":"d","d":{"a":"p","b":{"p":"/a","d":1}}}'],
    ['a binary frame', Buffer.from([1, 2, 3])],
  ])('%s closes the connection', async (_, frame) => {
    const client = await open()
    client.raw(frame)
    await client.closed
    await stillServes()
  })

  test('invalid UTF-8 closes the connection', async () => {
    const client = await open()
    client.socket.send(Buffer.from([0xc3, 0x28]), { binary: false })
    expect(await client.closed).toBeGreaterThan(1000)
    await stillServes()
  })

  test('bytes that are no websocket frame close the connection', async () => {
    const socket = connect(server.port, '127.0.0.1')
    socket.write(
      `GET /.ws?v=5&ns=${ns} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n',
    )
    socket.write(Buffer.alloc(64, 0xff))
    socket.resume()
    await new Promise((resolve) => socket.on('close', resolve).on('error', resolve))
    await stillServes()
  })

  test.each([
    ['a path with a forbidden key', { p: '/a/b.c', d: 1 }, 'invalid_path'],
    ['a path with a control character', { p: '/a/\u0001', d: 1 }, 'invalid_path'],
    ['a path that is too deep', { p: '/a'.repeat(33), d: 1 }, 'invalid_path'],
    ['a key that is too long', { p: '/a', d: { ['k'.repeat(769)]: 1 } }, 'invalid_data'],
    ['a forbidden key', { p: '/a', d: { 'x/y': 1 } }, 'invalid_data'],
    ['an empty key', { p: '/a', d: { '': 1 } }, 'invalid_data'],
    ['a value beside children', { p: '/a', d: { '.value': 1, x: 2 } }, 'invalid_data'],
    ['a priority that is none', { p: '/a', d: { '.priority': {}, x: 2 } }, 'invalid_data'],
    ['an unknown server value', { p: '/a', d: { '.sv': 'uuid' } }, 'invalid_data'],
    ['a write to .info', { p: '/.info/connected', d: 1 }, 'invalid_path'],
    ['a number that is none', { p: '/a', d: { '.sv': { increment: 'x' } } }, 'invalid_data'],
  ])('%s is refused', async (_, body, status) => {
    const client = await open()
    expect((await client.request('p', body)).s).toBe(status)
    expect((await client.request('g', { p: '/', q: {} })).d).toBe(null)
  })

  test('infinite numbers and twice-set places are refused', async () => {
    const client = await open()
    expect((await client.requestText('p', '{"p":"/a","d":1e999}')).s).toBe('invalid_data')
    expect((await client.request('m', { p: '/a', d: { x: 1, 'x/y': 2 } })).s).toBe('invalid_data')
    expect((await client.request('m', { p: '/a', d: [1] })).s).toBe('invalid_data')
    expect((await client.request('m', { p: '/a', d: {} })).s).toBe('ok')
  })

  test('JSON of any depth is refused without harm', async () => {
    const client = await open()
    const deep = '{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000)
    expect((await client.requestText('p', `{"p":"/a","d":${deep}}`)).s).toBe('invalid_data')
    const arrays = '['.repeat(100_000) + ']'.repeat(100_000)
    expect((await client.requestText('p', `{"p":"/a","d":${arrays}}`)).s).toBe('invalid_data')
    await stillServes()
  })

  test('names of JavaScript are keys like others', async () => {
    const client = await open()
    const text = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"x":1}},"toString":1}'
    expect((await client.requestText('p', `{"p":"/a","d":${text}}`)).s).toBe('ok')
    await client.request('p', { p: '/__proto__/polluted', d: 1 })
    expect(({} as Record<string, unknown>)['polluted']).toBe(undefined)
    client.frames.length = 0
    await client.request('g', { p: '/a', q: {} })
    expect(client.frames[0]).toContain('"__proto__":{"polluted":true}')
    expect(await (await rest('/a.json')).text()).toBe(
      '{"__proto__":{"polluted":true},"constructor":{"prototype":{"x":1}},"toString":1}',
    )
    const q = { i: '__proto__/polluted', sp: true }
    expect((await client.request('g', { p: '/', q })).s).toBe('ok')
  })

  test('a string over 10 MB and a write over 16 MB are refused', async () => {
    const client = await open()
    expect((await client.request('p', { p: '/a', d: 'x'.repeat(11 << 20) })).s).toBe('invalid_data')
    expect((await client.request('p', { p: '/a', d: 'x'.repeat(17 << 20) })).s).toBe('too_big')
    await stillServes()
  })

  test('an endless message closes the connection', async () => {
    const client = await open()
    client.raw('999999')
    const part = 'x'.repeat(1 << 20)
    for (let i = 0; i < 70 && client.socket.readyState === WebSocket.OPEN; i++) {
      await new Promise((resolve) => client.socket.send(part, resolve))
    }
    await client.closed
    await stillServes()
  })

  test('a reader that never reads is let go and others do not wait for it', async () => {
    const slow = await open()
    await slow.request('q', { p: '/a', h: '' })
    slow.socket.pause()
    const writer = await open()
    const text = 'x'.repeat(4 << 20)
    for (let i = 0; i < 24; i++) {
      expect((await writer.request('p', { p: '/a', d: text + String(i) })).s).toBe('ok')
    }
    slow.socket.resume()
    await slow.closed
  })

  test('a flood of requests is answered to the last', async () => {
    const client = await open()
    const answers = await Promise.all(
      Array.from({ length: 20_000 }, (_, i) => client.request('p', { p: `/n/${i % 100}`, d: i })),
    )
    expect(answers.every(({ s }) => s === 'ok')).toBe(true)
  })

  test('2,000 connections at once are all served, and each is missed when it goes', async () => {
    const many = await Promise.all(Array.from({ length: 2000 }, () => open()))
    await Promise.all(many.map((client) => client.request('q', { p: '/a', h: '' })))
    await Promise.all(many.map((client, i) => client.request('o', { p: `/left/${i}`, d: true })))
    await many[0]?.request('p', { p: '/a', d: 1 })
    await expect.poll(() => many.every(({ pushes }) => pushes.length === 1)).toBe(true)
    for (const client of many) client.end()
    const reader = await open()
    const left = async () => (await reader.request('g', { p: '/left', q: {} })).d as object | null
    await expect.poll(async () => Object.keys((await left()) ?? {})).toHaveLength(many.length)
  })

  test('a name no database can have is turned away', async () => {
    const client = new WireClient(new WebSocket(`ws://127.0.0.1:${server.port}/.ws?v=5&ns=a%2Fb`))
    await client.closed
    expect(client.frames).toEqual([])
    await stillServes()
  })
})
