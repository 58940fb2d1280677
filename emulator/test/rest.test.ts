import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { RunningDatabase } from '../src/server'
import { openTestServer } from './testServer'

let server: RunningDatabase
let ns = ''
let namespaces = 0
const ownerHeaders = { Authorization: 'Bearer owner' }

const callRest = (path: string, init: RequestInit = {}) =>
  fetch(`http://127.0.0.1:${server.port}${path}${path.includes('?') ? '&' : '?'}ns=${ns}`, init)

const sendRequest = (
  method: string,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
) =>
  callRest(path, {
    method,
    headers,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

const fetchJson = async (path: string, init: RequestInit = {}): Promise<unknown> =>
  (await callRest(path, init)).json()

const setRules = (rules: object) =>
  sendRequest('PUT', '/.settings/rules.json', { rules }, ownerHeaders)

const createToken = (claims: object) =>
  `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.`

beforeAll(async () => {
  server = await openTestServer()
})
afterAll(() => server.close())
beforeEach(() => {
  ns = `rest-${namespaces++}`
})

describe('values', () => {
  test('PUT replaces, PATCH merges, POST adds and DELETE removes, each with its response', async () => {
    const put = await sendRequest('PUT', '/a.json', { x: 1, at: { '.sv': 'timestamp' } })
    expect(put.status).toBe(200)
    expect(await put.json()).toEqual({ x: 1, at: expect.any(Number) })
    expect(await (await sendRequest('PATCH', '/a.json', { 'y/z': 2, x: null })).json()).toEqual({
      'y/z': 2,
      x: null,
    })
    const { name } = (await (await sendRequest('POST', '/a/list.json', '"first"')).json()) as {
      name: string
    }
    const second = (await (await sendRequest('POST', '/a/list.json', '"second"')).json()) as {
      name: string
    }
    expect(name).toMatch(/^-[\w-]{19}$/)
    expect(name < second.name).toBe(true)
    expect(await fetchJson(`/a/list/${name}.json`)).toBe('first')
    expect(await (await callRest('/a/list.json', { method: 'DELETE' })).text()).toBe('null')
    expect(await fetchJson('/a.json')).toEqual({ at: expect.any(Number), y: { z: 2 } })
    expect(await fetchJson('/none.json')).toBe(null)
  })

  test('returns dense integer keys as an array and sparse ones as an object', async () => {
    await sendRequest('PUT', '/a.json', ['x', null, 'z'])
    expect(await fetchJson('/a.json')).toEqual(['x', null, 'z'])
    await sendRequest('PUT', '/a.json', { 0: 'x', 9: 'y' })
    expect(await fetchJson('/a.json')).toEqual({ 0: 'x', 9: 'y' })
  })

  test('shows priorities only in the export format', async () => {
    await sendRequest('PUT', '/a.json', { '.priority': 2, x: { '.value': 1, '.priority': 'p' } })
    expect(await fetchJson('/a.json')).toEqual({ x: 1 })
    expect(await fetchJson('/a.json?format=export')).toEqual({
      '.priority': 2,
      x: { '.value': 1, '.priority': 'p' },
    })
    expect((await sendRequest('PUT', '/a/.priority.json', 5)).status).toBe(200)
    expect(await fetchJson('/a.json?format=export')).toMatchObject({ '.priority': 5 })
  })

  test('print, shallow, callback and download change the response format', async () => {
    await sendRequest('PUT', '/a.json', { x: { y: 1 }, z: 'text' })
    expect(await (await callRest('/a.json?print=pretty')).text()).toBe(
      '{\n  "x": {\n    "y": 1\n  },\n  "z": "text"\n}',
    )
    const silent = await sendRequest('PUT', '/a/x.json?print=silent', { y: 2 })
    expect([silent.status, await silent.text()]).toEqual([204, ''])
    expect((await callRest('/a.json?print=silent')).status).toBe(204)
    expect(await fetchJson('/a.json?shallow=true')).toEqual({ x: true, z: true })
    expect(await fetchJson('/a/z.json?shallow=true')).toBe('text')
    expect(await fetchJson('/a.json?shallow=true&limitToFirst=1')).toEqual({ x: true })
    expect(await (await callRest('/a/z.json?callback=cb')).text()).toBe('/**/cb("text");')
    const download = await callRest('/a.json?download=my"file.txt')
    expect(download.headers.get('content-disposition')).toBe('attachment; filename="my_file.txt"')
  })

  test.each([
    ['print=fancy', "print must be 'pretty' or 'silent'"],
    ['timeout=soon', 'timeout must be a number with a unit of ms, s or min, at most 15min'],
    ['timeout=16min', 'timeout must be a number with a unit of ms, s or min, at most 15min'],
    ['timeout=0s', 'timeout must be a number with a unit of ms, s or min, at most 15min'],
  ])('refuses %s', async (param, error) => {
    const response = await callRest(`/a.json?${param}`)
    expect([response.status, await response.json()]).toEqual([400, { error }])
    expect((await sendRequest('PUT', `/a.json?${param}`, 1)).status).toBe(400)
    expect(await fetchJson('/a.json?timeout=15min')).toBe(null)
  })

  test('refuses an ETag request for a shallow read', async () => {
    await sendRequest('PUT', '/a.json', { x: 1 })
    const headers = { 'X-Firebase-ETag': 'true' }
    expect((await callRest('/a.json?shallow=true', { headers })).status).toBe(400)
    expect((await callRest('/a.json', { headers })).status).toBe(200)
  })

  test('a header can override the method, and a browser may send a preflight request', async () => {
    const patched = await sendRequest(
      'POST',
      '/a.json',
      { x: 1 },
      { 'X-HTTP-Method-Override': 'PATCH' },
    )
    expect(await patched.json()).toEqual({ x: 1 })
    const named = await sendRequest('POST', '/a.json?x-http-method-override=PATCH', { y: 2 })
    expect(await named.json()).toEqual({ y: 2 })
    expect(await fetchJson('/a.json')).toEqual({ x: 1, y: 2 })
    const asked = await callRest('/a.json', {
      method: 'OPTIONS',
      headers: { Origin: 'http://localhost:3000', 'Access-Control-Request-Headers': 'if-match' },
    })
    expect(asked.headers.get('access-control-allow-origin')).toBe('http://localhost:3000')
    expect(asked.headers.get('access-control-allow-headers')).toBe('if-match')
    expect((await callRest('/a.json', { method: 'TRACE-ME' })).status).toBeGreaterThanOrEqual(400)
  })

  test('accepts percent-encoded keys', async () => {
    await sendRequest('PUT', '/caf%C3%A9/a%20b.json', 1)
    expect(await fetchJson('/.json')).toEqual({ café: { 'a b': 1 } })
  })

  test.each([
    [
      'text that is not JSON',
      'PUT',
      '/a.json',
      'hello',
      /couldn't parse JSON object, array, or value/,
    ],
    ['an empty body', 'PUT', '/a.json', '', /couldn't parse JSON/],
    ['an update that is a list', 'PATCH', '/a.json', '[1]', /must be a JSON object/],
    ['a forbidden key', 'PUT', '/a.json', '{"x.y":1}', /couldn't parse key/],
    ['a forbidden path', 'PUT', '/a%2Fb.json', '1', /Invalid path/],
    ['an invalid write size', 'PUT', '/a.json?writeSizeLimit=huge', '1', /writeSizeLimit must be/],
  ])('refuses %s with an error message', async (_, method, path, body, words) => {
    const response = await sendRequest(method, path, body)
    expect(response.status).toBe(400)
    expect(((await response.json()) as { error: string }).error).toMatch(words)
  })

  test('refuses bytes that are not valid UTF-8', async () => {
    const body = Buffer.from([0x22, 0xc3, 0x28, 0x22])
    expect((await callRest('/a.json', { method: 'PUT', body })).status).toBe(400)
  })

  test('refuses a write over its size limit', async () => {
    const text = JSON.stringify('x'.repeat(2 << 20))
    expect((await sendRequest('PUT', '/a.json?writeSizeLimit=tiny', text)).status).toBe(413)
    expect((await sendRequest('PUT', '/a.json?writeSizeLimit=small', text)).status).toBe(200)
    expect((await callRest('/a.json?writeSizeLimit=tiny', { method: 'DELETE' })).status).toBe(400)
  })

  test('returns no value for a URL without .json', async () => {
    expect((await callRest('/')).status).toBe(400)
    expect((await callRest('/a')).status).toBe(400)
    expect((await callRest('/%zz.json')).status).toBe(400)
  })
})

describe('queries', () => {
  beforeEach(async () => {
    await setRules({ '.read': true, '.write': true, p: { '.indexOn': ['age', '.value'] } })
    await sendRequest('PUT', '/p.json', {
      ana: { age: 30 },
      bo: { age: 20 },
      cy: { age: 40 },
      di: 5,
    })
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
    expect(await fetchJson(`/p.json?${params}`)).toEqual(expected)
  })

  test.each([
    ['limitToFirst=1', 'orderBy must be defined when other query parameters are defined'],
    ['orderBy=age', 'orderBy must be a valid JSON encoded path'],
    ['orderBy="age"&limitToFirst=x', 'limitToFirst must be a positive integer'],
    [
      'orderBy="height"',
      'Index not defined, add ".indexOn": "height", for path "/p", to the rules',
    ],
  ])('refuses %s with an error message', async (params, error) => {
    const response = await callRest(`/p.json?${params}`, { headers: ownerHeaders })
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({ error })
  })
})

describe('ETags', () => {
  test('a conditional write succeeds only if its ETag matches', async () => {
    const missing = await callRest('/n.json', { headers: { 'X-Firebase-ETag': 'true' } })
    expect(missing.headers.get('etag')).toBe('null_etag')
    const first = await sendRequest('PUT', '/n.json', 1, { 'if-match': 'null_etag' })
    const etag = first.headers.get('etag') ?? ''
    expect(first.status).toBe(200)
    const lost = await sendRequest('PUT', '/n.json', 2, { 'if-match': 'null_etag' })
    expect([lost.status, await lost.json(), lost.headers.get('etag')]).toEqual([412, 1, etag])
    expect((await callRest('/n.json', { headers: { 'if-none-match': etag } })).status).toBe(304)
    const gone = await callRest('/n.json', { method: 'DELETE', headers: { 'if-match': 'x' } })
    expect(gone.status).toBe(412)
    expect((await sendRequest('PUT', '/n.json', 2, { 'if-match': etag })).status).toBe(200)
  })

  test('many conditional increments lose no update', async () => {
    const add = async (): Promise<void> => {
      const read = await callRest('/n.json', { headers: { 'X-Firebase-ETag': 'true' } })
      const n = ((await read.json()) as number | null) ?? 0
      const match = { 'if-match': read.headers.get('etag') ?? '' }
      if ((await sendRequest('PUT', '/n.json', n + 1, match)).status === 412) await add()
    }
    await Promise.all(Array.from({ length: 20 }, add))
    expect(await fetchJson('/n.json')).toBe(20)
  })
})

describe('identity', () => {
  beforeEach(() =>
    setRules({ u: { $uid: { '.read': 'auth.uid === $uid', '.write': 'auth.uid === $uid' } } }),
  )

  test('accepts an ID token in a header or as a parameter', async () => {
    const token = createToken({ sub: 'ana', iat: 0, firebase: { sign_in_provider: 'phone' } })
    expect((await sendRequest('PUT', `/u/ana.json?auth=${token}`, 1)).status).toBe(200)
    expect(await fetchJson('/u/ana.json', { headers: { Authorization: `Bearer ${token}` } })).toBe(
      1,
    )
    const other = await callRest(`/u/bo.json?auth=${token}`)
    expect([other.status, await other.json()]).toEqual([401, { error: 'Permission denied' }])
    expect((await callRest('/u/ana.json')).status).toBe(401)
    expect((await callRest('/u/ana.json?auth=garbage')).status).toBe(401)
  })

  test('the owner bypasses the rules, unless the request acts as a user or as signed out', async () => {
    expect((await callRest('/u/ana.json', { headers: ownerHeaders })).status).toBe(200)
    expect((await callRest('/u/ana.json?access_token=owner')).status).toBe(200)
    const as = (who: unknown) =>
      `/u/ana.json?auth_variable_override=${encodeURIComponent(JSON.stringify(who))}`
    expect((await callRest(as({ uid: 'ana' }), { headers: ownerHeaders })).status).toBe(200)
    expect((await callRest(as({ uid: 'bo' }), { headers: ownerHeaders })).status).toBe(401)
    expect((await callRest(as(null), { headers: ownerHeaders })).status).toBe(401)
  })

  test('only the owner reads or changes settings', async () => {
    expect((await callRest('/.settings/rules.json')).status).toBe(401)
    expect((await sendRequest('PUT', '/.settings/rules.json', { rules: {} })).status).toBe(401)
  })
})

describe('streams', () => {
  /** Opens an event stream and returns its events one at a time. */
  const listen = async (path: string, init: RequestInit = {}) => {
    const stop = new AbortController()
    const response = await callRest(path, {
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

  test('end with auth_revoked when the token expires', async () => {
    const token = createToken({ sub: 'ana', exp: Math.ceil(Date.now() / 1000) + 1 })
    const { next } = await listen(`/a.json?auth=${token}`)
    expect(await next()).toBe('event: put\ndata: {"path":"/","data":null}')
    expect(await next()).toBe('event: auth_revoked\ndata: "credential is no longer valid"')
    expect(await next()).toBe('closed')
  })

  test('send the value and then each change below it', async () => {
    await sendRequest('PUT', '/a.json', { x: 1 })
    const { next, stop } = await listen('/a.json')
    expect(await next()).toBe('event: put\ndata: {"path":"/","data":{"x":1}}')
    await sendRequest('PUT', '/a/y/z.json', { '.value': true, '.priority': 1 })
    expect(await next()).toBe('event: put\ndata: {"path":"/y/z","data":true}')
    await sendRequest('PATCH', '/a.json', { x: 2, w: 3 })
    expect(await next()).toBe('event: patch\ndata: {"path":"/","data":{"x":2,"w":3}}')
    await sendRequest('DELETE', '/a.json', '')
    expect(await next()).toBe('event: put\ndata: {"path":"/","data":null}')
    stop()
  })

  test('end when the reader loses read access', async () => {
    await setRules({ '.read': true })
    const { next } = await listen('/a.json')
    await next()
    await setRules({ '.read': false })
    expect(await next()).toBe('event: cancel\ndata: null')
    expect(await next()).toBe('closed')
  })
})

describe("the emulator's own endpoints", () => {
  test('store rules as written and return them parsed', async () => {
    const text = '{ // who\n "rules": {".read": "auth !=\n null"} }'
    expect(
      await (await sendRequest('PUT', '/.settings/rules.json', text, ownerHeaders)).json(),
    ).toEqual({
      status: 'ok',
    })
    expect(await (await callRest('/.settings/rules.json', { headers: ownerHeaders })).text()).toBe(
      text,
    )
    expect(
      await fetchJson('/.settings/rules.json?format=strict', { headers: ownerHeaders }),
    ).toEqual({
      rules: { '.read': 'auth !=\n null' },
    })
  })

  test('list the databases and the rules coverage', async () => {
    await setRules({ '.read': 'auth == null' })
    await callRest('/a.json')
    expect(await fetchJson('/.inspect/databases.json', { headers: ownerHeaders })).toContainEqual({
      name: ns,
    })
    expect(
      JSON.stringify(await fetchJson('/.inspect/coverage.json', { headers: ownerHeaders })),
    ).toContain('auth == null')
    expect(await (await callRest('/.inspect/coverage')).text()).toContain('auth == null')
  })

  test('accept and store other settings', async () => {
    await sendRequest('PUT', '/.settings/defaultWriteSizeLimit.json', '"large"', ownerHeaders)
    expect(
      await fetchJson('/.settings/defaultWriteSizeLimit.json', { headers: ownerHeaders }),
    ).toBe('large')
  })
})
