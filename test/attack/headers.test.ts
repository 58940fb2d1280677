import { describe, expect, inject, it } from 'vitest'
import { send, type Answer } from '~/scripts/attack/requests'
import { PROJECT } from '~/scripts/localDatabase'

const ask = (port: number, path: string, method = 'GET', body?: string): Promise<Answer> =>
  send({
    port,
    method,
    path,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    ...(body !== undefined && { body: Buffer.from(body) }),
  })
const site = (path: string) => ask(inject('ports').hosting, path)
const functions = (path: string, method?: string, body?: string) =>
  ask(inject('ports').functions, `/${PROJECT}/us-central1/${path}`, method, body)

/** Where one of the site's own scripts is. */
const script = async (): Promise<string> => {
  const [, path] = /src="(\/assets\/[^"]+\.js)"/.exec((await site('/')).text) ?? []
  if (path === undefined) throw new Error('The home page names no script.')
  return path
}

/** A policy's parts by name. */
const partsOf = (policy: unknown): Record<string, string[]> =>
  Object.fromEntries(
    String(policy)
      .split(';')
      .map((part) => part.trim().split(/\s+/))
      .map(([name = '', ...sources]) => [name, sources]),
  )

describe('every answer of the site', () => {
  const paths: [string, string | null][] = [
    ['the home page', '/'],
    ['a page of the app', '/bookings/some-id'],
    ['the office', '/dashboard'],
    ['a shared link', '/track/token'],
    ['the configuration', '/config.json'],
    ['the service worker', '/worker.js'],
    ['the manifest', '/manifest.webmanifest'],
    ['a script', null],
    ['a script that is not there', '/assets/none.js'],
    ['a map that is not there', '/maps/none.json'],
    ['a path with a dot', '/.env'],
    ['a path out of the folder', '/..%2f..%2fpackage.json'],
  ]
  it.each(paths)('%s keeps strangers’ scripts, frames and guesses out', async (_, path) => {
    const { headers, text } = await site(path ?? (await script()))
    const policy = partsOf(headers['content-security-policy'])
    expect(policy['default-src']).toEqual(["'self'"])
    expect(policy['script-src']?.join(' ')).not.toMatch(/unsafe|\*|data:|blob:|http:(?!\/\/127)/)
    expect(policy['object-src']).toEqual(["'none'"])
    expect(policy['base-uri']).toEqual(["'self'"])
    expect(policy['frame-ancestors']).toEqual(["'none'"])
    expect(headers).toMatchObject({
      'strict-transport-security': expect.stringMatching(/max-age=\d{8}.*includeSubDomains/),
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'cross-origin-opener-policy': 'same-origin-allow-popups',
      'permissions-policy': expect.stringContaining('microphone=()'),
    })
    expect(text).not.toContain('"devDependencies"')
  })
})

describe('every answer of the functions', () => {
  it.each([
    ['a payment nobody knows', 'pay_test', 'POST', 'order_id=x&cust_id=y', 404],
    ['a return from nowhere', 'payment_return/test?payment=x', 'GET', undefined, 404],
  ] as const)('%s is a page that runs and frames nothing', async (_, path, method, body, is) => {
    const { status, headers } = await functions(path, method, body)
    expect(status).toBe(is)
    const policy = partsOf(headers['content-security-policy'])
    expect([policy['default-src'], policy['script-src']]).toEqual([["'none'"], ["'none'"]])
    expect(policy['frame-ancestors']).toEqual(["'none'"])
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    })
  })

  it.each([
    ['health', 'GET'],
    ['track?token=none', 'GET'],
    ['validate_referrer', 'POST'],
    ['payment_webhook/test', 'POST'],
  ])('%s is not taken for anything but what it says it is', async (path, method) => {
    const { headers } = await functions(path, method, method === 'POST' ? '{}' : undefined)
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['content-type']).not.toMatch(/html/)
  })

  it('a payer is sent nowhere but to our own page, whatever the address says', async () => {
    const { headers, status } = await functions(
      'payment_return/test?payment=x&next=https://evil.example&hint=//evil.example&url=https://evil.example',
    )
    expect(status).toBe(404)
    expect(JSON.stringify(headers)).not.toContain('evil.example')
  })
})
