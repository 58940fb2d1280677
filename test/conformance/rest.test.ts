import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../../emulator/src/server'
import { openServer } from './server'

let server: Database
let ns = ''
let namespaces = 0
const owner = { Authorization: 'Bearer owner' }

const call = (path: string, init: RequestInit = {}) =>
  fetch(`http://127.0.0.1:${server.port}${path}${path.includes('?') ? '&' : '?'}ns=${ns}`, init)

const send = (method: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
  call(path, {
    method,
    headers,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

const json = async (path: string, init: RequestInit = {}): Promise<unknown> =>
  (await call(path, init)).json()

const setRules = (rules: object) => send('PUT', '/.settings/rules.json', { rules }, owner)

const tokenOf = (claims: object) =>
  `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.`

beforeAll(async () => {
  server = await openServer()
})
afterAll(() => server.close())
beforeEach(() => {
  ns = `rest-${namespaces++}`
})

describe('values', () => {
  test('PUT replaces, PATCH merges, POST adds, DELETE removes, each with its answer', async () => {
    const put = await send('PUT', '/a.json', { x: 1, at: { '.sv': 'timestamp' } })
    expect(put.status).toBe(200)
    expect(await put.json()).toEqual({ x: 1, at: expect.any(Number) })
    expect(await (await send('PATCH', '/a.json', { 'y/z': 2, x: null })).json()).toEqual({
      'y/z': 2,
      x: null,
    })
    const { name } = (await (await send('POST', '/a/list.json', '"first"')).json()) as {
      name: string
    }
    const second = (await (await send('POST', '/a/list.json', '"second"')).json()) as {
      name: string
    }
    expect(name).toMatch(/^-[\w-]{19}$/)
    expect(name < second.name).toBe(true)
    expect(await json(`/a/list/${name}.json`)).toBe('first')
    expect(await (await call('/a/list.json', { method: 'DELETE' })).text()).toBe('null')
    expect(await json('/a.json')).toEqual({ at: expect.any(Number), y: { z: 2 } })
    expect(await json('/none.json')).toBe(null)
  })

  test('dense integer keys are an array, sparse ones an object', async () => {
    await send('PUT', '/a.json', ['x', null, 'z'])
    expect(await json('/a.json')).toEqual(['x', null, 'z'])
    await send('PUT', '/a.json', { 0: 'x', 9: 'y' })
    expect(await json('/a.json')).toEqual({ 0: 'x', 9: 'y' })
  })

  test('priorities show only in the export format', async () => {
    await send('PUT', '/a.json', { '.priority': 2, x: { '.value': 1, '.priority': 'p' } })
    expect(await json('/a.json')).toEqual({ x: 1 })
    expect(await json('/a.json?format=export')).toEqual({
      '.priority': 2,
      x: { '.value': 1, '.priority': 'p' },
    })
    expect((await send('PUT', '/a/.priority.json', 5)).status).toBe(200)
    expect(await json('/a.json?format=export')).toMatchObject({ '.priority': 5 })
  })

  test('print, shallow, callback and download shape the answer', async () => {
    await send('PUT', '/a.json', { x: { y: 1 }, z: 'text' })
    expect(await (await call('/a.json?print=pretty')).text()).toBe(
      '{\n  "x": {\n    "y": 1\n  },\n  "z": "text"\n}',
    )
    const silent = await send('PUT', '/a/x.json?print=silent', { y: 2 })
    expect([silent.status, await silent.text()]).toEqual([204, ''])
    expect((await call('/a.json?print=silent')).status).toBe(204)
    expect(await json('/a.json?shallow=true')).toEqual({ x: true, z: true })
    expect(await json('/a/z.json?shallow=true')).toBe('text')
    expect(await json('/a.json?shallow=true&limitToFirst=1')).toEqual({ x: true })
    expect(await (await call('/a/z.json?callback=cb')).text()).toBe('/**/cb("text");')
    const download = await call('/a.json?download=my"file.txt')
    expect(download.headers.get('content-disposition')).toBe('attachment; filename="my_file.txt"')
  })

  test('a method can be named by a header, and a browser may ask first', async () => {
    const patched = await send('POST', '/a.json', { x: 1 }, { 'X-HTTP-Method-Override': 'PATCH' })
    expect(await patched.json()).toEqual({ x: 1 })
    const asked = await call('/a.json', {
      method: 'OPTIONS',
      headers: { Origin: 'http://site', 'Access-Control-Request-Headers': 'if-match' },
    })
    expect(asked.headers.get('access-control-allow-origin')).toBe('http://site')
    expect(asked.headers.get('access-control-allow-headers')).toBe('if-match')
    expect((await call('/a.json', { method: 'TRACE-ME' })).status).toBeGreaterThanOrEqual(400)
  })

  test('keys may be percent-encoded', async () => {
    await send('PUT', '/caf%C3%A9/a%20b.json', 1)
    expect(await json('/.json')).toEqual({ café: { 'a b': 1 } })
  })

  test.each([
    ['no JSON', 'PUT', '/a.json', 'hello', /couldn't parse JSON object, array, or value/],
    ['nothing', 'PUT', '/a.json', '', /couldn't parse JSON/],
    ['a list as an update', 'PATCH', '/a.json', '[1]', /must be a JSON object/],
    ['a forbidden key', 'PUT', '/a.json', '{"x.y":1}', /couldn't parse key/],
    ['a forbidden path', 'PUT', '/a%2Fb.json', '1', /Invalid path/],
    ['an unknown write size', 'PUT', '/a.json?writeSizeLimit=huge', '1', /writeSizeLimit must be/],
  ])('%s is refused in words', async (_, method, path, body, words) => {
    const response = await send(method, path, body)
    expect(response.status).toBe(400)
    expect(((await response.json()) as { error: string }).error).toMatch(words)
  })

  test('bytes that are no UTF-8 are refused', async () => {
    const body = Buffer.from([0x22, 0xc3, 0x28, 0x22])
    expect((await call('/a.json', { method: 'PUT', body })).status).toBe(400)
  })

  test('a write over its size limit is refused', async () => {
    const text = JSON.stringify('x'.repeat(2 << 20))
    expect((await send('PUT', '/a.json?writeSizeLimit=tiny', text)).status).toBe(413)
    expect((await send('PUT', '/a.json?writeSizeLimit=small', text)).status).toBe(200)
    expect((await call('/a.json?writeSizeLimit=tiny', { method: 'DELETE' })).status).toBe(400)
  })

  test('an address without .json is no value', async () => {
    expect((await call('/')).status).toBe(400)
    expect((await call('/a')).status).toBe(400)
    expect((await call('/%zz.json')).status).toBe(400)
  })
})

describe('queries', () => {
  beforeEach(async () => {
    await setRules({ '.read': true, '.write': true, p: { '.indexOn': ['age', '.value'] } })
    await send('PUT', '/p.json', { ana: { age: 30 }, bo: { age: 20 }, cy: { age: 40 }, di: 5 })
  })

  test.each([
    ['orderBy="age"&startAt=25', { ana: { age: 30 }, cy: { age: 40 } }],
    ['orderBy="age"&startAfter=30', { cy: { age: 40 } }],
    ['orderBy="age"&endBefore=30&startAt=0', { bo: { age: 20 } }],
    ['orderBy="age"&equalTo=20', { bo: { age: 20 } }],
    ['orderBy="age"&startAt=30,"ana"&limitToFirst=1', { ana: { age: 30 } }],
    ['orderBy="age"&limitToLast=1', { cy: { age: 40 } }],
    ['orderBy="$key"&limitToFirst=2', { ana: { age: 30 }, bo: { age: 20 } }],
    ['orderBy="$key"&startAt="c"', { cy: { age: 40 }, di: 5 }],
    ['orderBy="$value"&equalTo=5', { di: 5 }],
    ['orderBy="$priority"&limitToFirst=1', { ana: { age: 30 } }],
  ])('%s', async (params, expected) => {
    expect(await json(`/p.json?${params}`)).toEqual(expected)
  })

  test.each([
    ['limitToFirst=1', 'orderBy must be defined when other query parameters are defined'],
    ['orderBy=age', 'orderBy must be a valid JSON encoded path'],
    ['orderBy="age"&limitToFirst=x', 'limitToFirst must be a positive integer'],
    [
      'orderBy="height"',
      'Index not defined, add ".indexOn": "height", for path "/p", to the rules',
    ],
  ])('%s is refused in words', async (params, error) => {
    const response = await call(`/p.json?${params}`, { headers: owner })
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({ error })
  })
})

describe('versions', () => {
  test('a write succeeds only on the version it names', async () => {
    const missing = await call('/n.json', { headers: { 'X-Firebase-ETag': 'true' } })
    expect(missing.headers.get('etag')).toBe('null_etag')
    const first = await send('PUT', '/n.json', 1, { 'if-match': 'null_etag' })
    const etag = first.headers.get('etag') ?? ''
    expect(first.status).toBe(200)
    const lost = await send('PUT', '/n.json', 2, { 'if-match': 'null_etag' })
    expect([lost.status, await lost.json(), lost.headers.get('etag')]).toEqual([412, 1, etag])
    expect((await call('/n.json', { headers: { 'if-none-match': etag } })).status).toBe(304)
    const gone = await call('/n.json', { method: 'DELETE', headers: { 'if-match': 'x' } })
    expect(gone.status).toBe(412)
    expect((await send('PUT', '/n.json', 2, { 'if-match': etag })).status).toBe(200)
  })

  test('of many increments by version none is lost', async () => {
    const add = async (): Promise<void> => {
      const read = await call('/n.json', { headers: { 'X-Firebase-ETag': 'true' } })
      const n = ((await read.json()) as number | null) ?? 0
      const match = { 'if-match': read.headers.get('etag') ?? '' }
      if ((await send('PUT', '/n.json', n + 1, match)).status === 412) await add()
    }
    await Promise.all(Array.from({ length: 20 }, add))
    expect(await json('/n.json')).toBe(20)
  })
})

describe('identity', () => {
  beforeEach(() =>
    setRules({ u: { $uid: { '.read': 'auth.uid === $uid', '.write': 'auth.uid === $uid' } } }),
  )

  test('an ID token is who it says, however it comes', async () => {
    const token = tokenOf({ sub: 'ana', iat: 0, firebase: { sign_in_provider: 'phone' } })
    expect((await send('PUT', `/u/ana.json?auth=${token}`, 1)).status).toBe(200)
    expect(await json('/u/ana.json', { headers: { Authorization: `Bearer ${token}` } })).toBe(1)
    const other = await call(`/u/bo.json?auth=${token}`)
    expect([other.status, await other.json()]).toEqual([401, { error: 'Permission denied' }])
    expect((await call('/u/ana.json')).status).toBe(401)
    expect((await call('/u/ana.json?auth=garbage')).status).toBe(401)
  })

  test('an owner passes, unless he acts as somebody or nobody', async () => {
    expect((await call('/u/ana.json', { headers: owner })).status).toBe(200)
    expect((await call('/u/ana.json?access_token=owner')).status).toBe(200)
    const as = (who: unknown) =>
      `/u/ana.json?auth_variable_override=${encodeURIComponent(JSON.stringify(who))}`
    expect((await call(as({ uid: 'ana' }), { headers: owner })).status).toBe(200)
    expect((await call(as({ uid: 'bo' }), { headers: owner })).status).toBe(401)
    expect((await call(as(null), { headers: owner })).status).toBe(401)
  })

  test('nobody but an owner sees or changes settings', async () => {
    expect((await call('/.settings/rules.json')).status).toBe(401)
    expect((await send('PUT', '/.settings/rules.json', { rules: {} })).status).toBe(401)
  })
})

describe('streams', () => {
  /** Opens an event stream and gives its events one at a time. */
  const listen = async (path: string, init: RequestInit = {}) => {
    const stop = new AbortController()
    const response = await call(path, {
      ...init,
      headers: { Accept: 'text/event-stream', ...init.headers },
      signal: stop.signal,
    })
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    const next = async (): Promise<string> => {
      for (;;) {
        const end = text.indexOf('\n\n')
        if (end >= 0) {
          const event = text.slice(0, end)
          text = text.slice(end + 2)
          return event
        }
        const chunk = await reader?.read()
        if (chunk?.done !== false) return 'closed'
        text += chunk.value
      }
    }
    return { next, stop: () => stop.abort() }
  }

  test('tell the value and then each change below it', async () => {
    await send('PUT', '/a.json', { x: 1 })
    const { next, stop } = await listen('/a.json')
    expect(await next()).toBe('event: put\ndata: {"path":"/","data":{"x":1}}')
    await send('PUT', '/a/y/z.json', { '.value': true, '.priority': 1 })
    expect(await next()).toBe('event: put\ndata: {"path":"/y/z","data":true}')
    await send('PATCH', '/a.json', { x: 2, w: 3 })
    expect(await next()).toBe('event: patch\ndata: {"path":"/","data":{"x":2,"w":3}}')
    await send('DELETE', '/a.json', '')
    expect(await next()).toBe('event: put\ndata: {"path":"/","data":null}')
    stop()
  })

  test('end when the reader may no longer read', async () => {
    await setRules({ '.read': true })
    const { next } = await listen('/a.json')
    await next()
    await setRules({ '.read': false })
    expect(await next()).toBe('event: cancel\ndata: null')
    expect(await next()).toBe('closed')
  })
})

describe("the emulator's own endpoints", () => {
  test('rules are kept as written and told parsed', async () => {
    const text = '{ // who\n "rules": {".read": "auth !=\n null"} }'
    expect(await (await send('PUT', '/.settings/rules.json', text, owner)).json()).toEqual({
      status: 'ok',
    })
    expect(await (await call('/.settings/rules.json', { headers: owner })).text()).toBe(text)
    expect(await json('/.settings/rules.json?format=strict', { headers: owner })).toEqual({
      rules: { '.read': 'auth !=\n null' },
    })
  })

  test('databases and rules coverage can be inspected', async () => {
    await setRules({ '.read': 'auth == null' })
    await call('/a.json')
    expect(await json('/.inspect/databases.json', { headers: owner })).toContainEqual({ name: ns })
    expect(JSON.stringify(await json('/.inspect/coverage.json', { headers: owner }))).toContain(
      'auth == null',
    )
    expect(await (await call('/.inspect/coverage')).text()).toContain('auth == null')
  })

  test('other settings are accepted and kept', async () => {
    await send('PUT', '/.settings/defaultWriteSizeLimit.json', '"large"', owner)
    expect(await json('/.settings/defaultWriteSizeLimit.json', { headers: owner })).toBe('large')
  })
})
