import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ROOT } from './build'
import { createPorts } from './ports'
import { writeFirebaseJson, createEnvironment, createUrls, createWebConfig } from './suiteConfig'

const home = mkdtempSync(join(tmpdir(), 'kerbside-config-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))
const ports = createPorts(7400)

interface Written {
  hosting?: { public: string; headers: { headers: { key: string; value: string }[] }[] }
  functions: { source: string }
  database: { rules: string }
  emulators: Record<string, { host?: string; port?: number; enabled?: boolean }>
}
const readWritten = (hosting: boolean) =>
  JSON.parse(readFileSync(writeFirebaseJson(home, ports, hosting), 'utf8')) as Written

test('listens on the chosen ports of this machine only, without the Emulator UI', () => {
  const { emulators } = readWritten(true)
  const { triggers, ...others } = ports
  // The emulator runs only the triggers; another server has the port of the functions.
  for (const [name, port] of Object.entries({ ...others, functions: triggers })) {
    expect(emulators[name]).toEqual({ host: '127.0.0.1', port })
  }
  expect(emulators.ui).toEqual({ enabled: false })
})

test("uses the functions and rules of this checkout, wherever the suite's folder is", () => {
  const { functions, database } = readWritten(true)
  expect(resolve(home, functions.source)).toBe(join(ROOT, 'functions'))
  expect(database.rules).toBe(join(ROOT, 'database.rules.json'))
})

test('lets the page reach the suite and keeps the content policy strict otherwise', () => {
  const policies = readWritten(true)
    .hosting?.headers.flatMap(({ headers }) => headers)
    .filter(({ key }) => key === 'Content-Security-Policy')
    .map(({ value }) => value)
  expect(policies).toHaveLength(1)
  const policy = policies?.[0] ?? ''
  expect(policy).toMatch(/connect-src [^;]*http:\/\/127\.0\.0\.1:7402 ws:\/\/127\.0\.0\.1:7402/)
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toMatch(/script-src [^;]*'unsafe-/)
})

test('configures no hosting when the sources are served instead', () => {
  expect(readWritten(false).hosting).toBeUndefined()
})

test('gives the page all addresses', () => {
  const { firebase, emulators, functionsUrl, local } = createWebConfig(ports, createUrls(ports))
  expect(firebase.databaseURL).toBe('http://127.0.0.1:7402?ns=demo-kerbside-default-rtdb')
  expect(emulators?.auth).toBe('http://127.0.0.1:7401')
  expect(functionsUrl).toBe('http://127.0.0.1:7403/demo-kerbside/us-central1')
  expect(local).toBe(true)
})

test('keeps the suite from logins, updates and the network', () => {
  const env = createEnvironment(home, home, ports)
  expect(env).toMatchObject({
    CI: 'true',
    NO_UPDATE_NOTIFIER: '1',
    METADATA_SERVER_DETECTION: 'none',
    KERBSIDE_GUARD_OPEN: '7400',
  })
  expect(env.GOOGLE_APPLICATION_CREDENTIALS).toBeUndefined()
  expect(env.PATH?.startsWith(join(ROOT, 'scripts', 'shim'))).toBe(true)
})
