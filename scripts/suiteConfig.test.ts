import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ROOT } from './build'
import { portsFrom } from './ports'
import { configure, environment, urlsOf, webConfigOf } from './suiteConfig'

const home = mkdtempSync(join(tmpdir(), 'kerbside-config-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))
const ports = portsFrom(7400)

interface Written {
  hosting?: { public: string; headers: { headers: { key: string; value: string }[] }[] }
  functions: { source: string }
  database: { rules: string }
  emulators: Record<string, { host?: string; port?: number; enabled?: boolean }>
}
const written = (hosting: boolean) =>
  JSON.parse(readFileSync(configure(home, ports, hosting), 'utf8')) as Written

test('the suite listens on the chosen ports of this machine only, without the Emulator UI', () => {
  const { emulators } = written(true)
  for (const [name, port] of Object.entries(ports)) {
    expect(emulators[name]).toEqual({ host: '127.0.0.1', port })
  }
  expect(emulators.ui).toEqual({ enabled: false })
})

test('the functions and rules are those of this checkout, wherever the suite keeps its folder', () => {
  const { functions, database } = written(true)
  expect(resolve(home, functions.source)).toBe(join(ROOT, 'functions'))
  expect(database.rules).toBe(join(ROOT, 'database.rules.json'))
})

test('the content policy lets the page reach the suite and stays strict otherwise', () => {
  const policies = written(true)
    .hosting?.headers.flatMap(({ headers }) => headers)
    .filter(({ key }) => key === 'Content-Security-Policy')
    .map(({ value }) => value)
  expect(policies).toHaveLength(1)
  const policy = policies?.[0] ?? ''
  expect(policy).toMatch(/connect-src [^;]*http:\/\/127\.0\.0\.1:7402 ws:\/\/127\.0\.0\.1:7402/)
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toMatch(/script-src [^;]*'unsafe-/)
})

test('no hosting is configured when the sources are served instead', () => {
  expect(written(false).hosting).toBeUndefined()
})

test('the page is told where everything is', () => {
  const { firebase, emulators, functionsUrl, local } = webConfigOf(ports, urlsOf(ports))
  expect(firebase.databaseURL).toBe('http://127.0.0.1:7402?ns=demo-kerbside-default-rtdb')
  expect(emulators?.auth).toBe('http://127.0.0.1:7401')
  expect(functionsUrl).toBe('http://127.0.0.1:7403/demo-kerbside/us-central1')
  expect(local).toBe(true)
})

test('the suite is kept from logins, updates and the network', () => {
  const env = environment(home, home)
  expect(env).toMatchObject({
    CI: 'true',
    NO_UPDATE_NOTIFIER: '1',
    METADATA_SERVER_DETECTION: 'none',
  })
  expect(env.GOOGLE_APPLICATION_CREDENTIALS).toBeUndefined()
  expect(env.PATH?.startsWith(join(ROOT, 'scripts', 'shim'))).toBe(true)
})
