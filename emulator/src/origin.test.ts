import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { startDatabase } from './server'
import type { RunningDatabase } from './server'

let server: RunningDatabase
beforeAll(async () => {
  server = await startDatabase({ host: '127.0.0.1', port: 0 })
  await sendRequest('/.settings/rules.json', {}, 'PUT', { rules: { open: { '.read': true } } })
  await sendRequest('/secret.json', {}, 'PUT', 'written')
  await sendRequest('/open.json', {}, 'PUT', 'for everybody')
})
afterAll(() => server.close())

const owner = { Authorization: 'Bearer owner' }
const sendRequest = (
  path: string,
  headers: Record<string, string>,
  method = 'GET',
  body?: unknown,
) =>
  fetch(`http://127.0.0.1:${server.port}${path}${path.includes('?') ? '&' : '?'}ns=origin`, {
    method,
    headers: { ...(path.includes('=') ? {} : owner), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
const unsigned = `a.${Buffer.from(JSON.stringify({ user_id: 'boss' })).toString('base64url')}.`

const FOREIGN_ORIGINS: [string, Record<string, string>][] = [
  ['a page of another site', { Origin: 'https://evil.example' }],
  ['a page that hides its origin', { Origin: 'null' }],
  ['a page whose host starts with localhost', { Origin: 'http://localhost.evil.example' }],
  ['a page whose host starts with our address', { Origin: 'http://127.0.0.1.evil.example:5050' }],
  ['a script tag', { 'Sec-Fetch-Site': 'cross-site', Referer: 'https://evil.example/a' }],
  ['a script tag without a referrer', { 'Sec-Fetch-Site': 'cross-site' }],
]
const LOCAL_ORIGINS: [string, Record<string, string>][] = [
  ['a program without an origin', {}],
  ['a page of localhost', { Origin: 'http://localhost:5050' }],
  ['a page of 127.0.0.1', { Origin: 'http://127.0.0.1:4000' }],
  ['a page of ::1', { Origin: 'http://[::1]:5173' }],
  ['a script tag of localhost', { 'Sec-Fetch-Site': 'cross-site', Referer: 'http://localhost/a' }],
  ['a script tag of the same site', { 'Sec-Fetch-Site': 'same-site' }],
]
const CREDENTIALS: [string, string][] = [
  ["the owner's token in a header", '/secret.json'],
  ["the owner's token in the URL", '/secret.json?auth=owner'],
  ["the owner's access token", '/secret.json?access_token=owner'],
  ['an unsigned token', `/secret.json?auth=${unsigned}`],
]

describe.each(FOREIGN_ORIGINS)('%s', (_, headers) => {
  test.each(CREDENTIALS)('is refused with %s', async (_what, path) => {
    const response = await sendRequest(path, headers)
    expect(response.status).toBe(403)
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
    expect(await response.text()).toMatch(/only accepted from pages of this machine/)
  })
  test('cannot write and gets no CORS permission', async () => {
    expect((await sendRequest('/secret.json', headers, 'PUT', 'stolen')).status).toBe(403)
    expect((await sendRequest('/secret.json?auth=owner', headers, 'POST', 'stolen')).status).toBe(
      403,
    )
    const preflight = await sendRequest('/secret.json', headers, 'OPTIONS')
    expect(preflight.status).toBe(403)
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull()
    expect(await (await sendRequest('/secret.json', {})).json()).toBe('written')
  })
  test('reads public data, but its script cannot access the response', async () => {
    const response = await sendRequest('/open.json?shallow=false', headers)
    expect(response.status).toBe(200)
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
  })
})

test.each([
  ['evil.example:9000', 403],
  ['localhost.evil.example', 403],
  ['localhost:9000', 200],
  ['[::1]:9000', 200],
])('a page that reaches this machine as %s gets status %d', async (host, expected) => {
  // Unlike fetch, this sends another host than that of the URL.
  const path = '/secret.json?ns=origin'
  const request = get({ host: '127.0.0.1', port: server.port, path, headers: { ...owner, host } })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  response.resume()
  expect(response.statusCode).toBe(expected)
})

describe.each(LOCAL_ORIGINS)('%s', (_, headers) => {
  test.each(CREDENTIALS.slice(0, 3))('is accepted with %s', async (_what, path) => {
    const response = await sendRequest(path, headers)
    expect([response.status, await response.json()]).toEqual([200, 'written'])
    expect(response.headers.get('access-control-allow-origin')).toBe(headers['Origin'] ?? '*')
  })
})

const signIn = async (origin: string | undefined, cred: string, action = 'auth') => {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/.ws?v=5&ns=origin`, {
    ...(origin !== undefined && { origin }),
  })
  await once(socket, 'message')
  socket.send(JSON.stringify({ t: 'd', d: { r: 1, a: action, b: { cred } } }))
  const [message] = (await once(socket, 'message')) as [Buffer]
  socket.terminate()
  return (JSON.parse(message.toString()) as { d: { b: { s: string } } }).d.b.s
}

test('a websocket accepts a token from a program or a local page, but not from a foreign page', async () => {
  for (const action of ['auth', 'gauth'])
    for (const cred of ['owner', unsigned]) {
      expect(await signIn('https://evil.example', cred, action)).toBe('permission_denied')
      expect(await signIn('http://localhost:5050', cred, action)).toBe('ok')
      expect(await signIn(undefined, cred, action)).toBe('ok')
    }
})

test('long polling gives a foreign page no response that its script can read', async () => {
  const start = `/.lp?start=t&ser=1&cb=cb1&v=5`
  const local = await sendRequest(start, { Origin: 'http://localhost:5050' })
  expect(local.headers.get('access-control-allow-origin')).toBe('http://localhost:5050')
  const foreign = await sendRequest(start, { Origin: 'https://evil.example' })
  expect(foreign.headers.get('access-control-allow-origin')).toBeNull()
})
