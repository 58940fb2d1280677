import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, expect, test } from 'vitest'
import { MALFORMED_REQUESTS, sendRawRequest } from '../local/rawRequest'
import { HOST } from '../local/ports'
import { getPreloadArguments } from './preloadArguments'

// Behaves like firebase-tools: parses each request without a guard and exits on any uncaught error.
const SERVER_PROGRAM = `
import { createServer } from 'node:http'
process.on('uncaughtException', () => process.exit(2))
const server = createServer((request, response) => {
  const { pathname } = new URL(request.url, 'http://' + request.headers.host)
  decodeURIComponent(decodeURIComponent(pathname))
  if (pathname === '/sync') throw new TypeError('sync')
  if (pathname === '/async') void Promise.resolve().then(() => { throw new URIError('async') })
  else response.end('ok')
})
server.listen(0, '${HOST}', () => console.log(server.address().port))
`

let child: ChildProcess | undefined
afterEach(() => child?.kill())

/** Starts that server with or without the guard. */
const startServer = async (
  guarded: boolean,
): Promise<{ port: number; ended: Promise<unknown> }> => {
  const guard = guarded ? getPreloadArguments('requestGuard') : []
  child = spawn(process.execPath, [...guard, '--input-type=module', '-e', SERVER_PROGRAM], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = once(child, 'exit')
  const [line] = (await once(child.stdout!, 'data')) as [Buffer]
  return { port: Number(line.toString()), ended }
}
const get = (path: string, headers = '', host: string = HOST) =>
  `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${headers}Connection: close\r\n\r\n`

test('a server without the guard exits after one malformed request', async () => {
  const { port, ended } = await startServer(false)
  await sendRawRequest(port, get('//'))
  expect(await ended).toEqual([2, null])
})

test('a server with the guard answers every malformed request and keeps running', async () => {
  const { port } = await startServer(true)
  for (const [name, bytes] of MALFORMED_REQUESTS) {
    expect([name, (await sendRawRequest(port, bytes)) < 500]).toEqual([name, true])
    expect([name, await sendRawRequest(port, get('/'))]).toEqual([name, 200])
  }
})

test.each(['/sync', '/async'])('returns status 400 when the handler throws at %s', async (path) => {
  const { port } = await startServer(true)
  expect(await sendRawRequest(port, get(path))).toBe(400)
  expect(await sendRawRequest(port, get('/'))).toBe(200)
})

test('refuses pages of other sites, but not local pages and programs', async () => {
  const { port } = await startServer(true)
  const sendFrom = (origin: string) => sendRawRequest(port, get('/', `Origin: ${origin}\r\n`))
  for (const origin of ['https://evil.example', 'null', 'http://localhost.evil.example'])
    expect([origin, await sendFrom(origin)]).toEqual([origin, 403])
  for (const origin of ['http://localhost:5050', 'http://127.0.0.1:1', 'http://[::1]'])
    expect([origin, await sendFrom(origin)]).toEqual([origin, 200])
  // A page can point its own name to this machine, and then sends no origin.
  for (const host of [`evil.example:${port}`, 'localhost.evil.example', '127.0.0.1.evil.example'])
    expect([host, await sendRawRequest(port, get('/', '', host))]).toEqual([host, 403])
  for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`])
    expect([host, await sendRawRequest(port, get('/', '', host))]).toEqual([host, 200])
  expect(await sendRawRequest(port, get('/'))).toBe(200)
})
