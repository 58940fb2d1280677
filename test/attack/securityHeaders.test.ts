import { describe, expect, it } from 'vitest'
import { sendRequest, type HttpResponse } from '~/lab/attack/httpRequest'
import { PROJECT } from '~/scripts/local/localDatabase'
import { getSuite } from '../support/testSuite'

const requestFrom = (
  port: number,
  path: string,
  method = 'GET',
  body?: string,
): Promise<HttpResponse> =>
  sendRequest({
    port,
    method,
    path,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    ...(body !== undefined && { body: Buffer.from(body) }),
  })
const requestSite = (path: string) => requestFrom(getSuite().ports.hosting, path)
const requestFunction = (path: string, method?: string, body?: string) =>
  requestFrom(getSuite().ports.functions, `/${PROJECT}/us-central1/${path}`, method, body)

/** Returns the path of one of the site's own scripts. */
const findScriptPath = async (): Promise<string> => {
  const [, path] = /src="(\/assets\/[^"]+\.js)"/.exec((await requestSite('/')).text) ?? []
  if (path === undefined) throw new Error('The home page names no script.')
  return path
}

/** Returns the directives of a policy by name. */
const parsePolicy = (policy: unknown): Record<string, string[]> =>
  Object.fromEntries(
    String(policy)
      .split(';')
      .map((part) => part.trim().split(/\s+/))
      .map(([name = '', ...sources]) => [name, sources]),
  )

describe('every response of the site', () => {
  const paths: [string, string | null][] = [
    ['the home page', '/'],
    ['a page of the app', '/bookings/some-id'],
    ['the back office', '/dashboard'],
    ['a shared link', '/track/token'],
    ['the configuration', '/config.json'],
    ['the service worker', '/worker.js'],
    ['the manifest', '/manifest.webmanifest'],
    ['a script', null],
    ['a script that does not exist', '/assets/none.js'],
    ['a map that does not exist', '/maps/none.json'],
    ['a path with a dot', '/.env'],
    ['a path outside the folder', '/..%2f..%2fpackage.json'],
  ]
  it.each(paths)('%s blocks foreign scripts, framing and content sniffing', async (_, path) => {
    const { headers, text } = await requestSite(path ?? (await findScriptPath()))
    const policy = parsePolicy(headers['content-security-policy'])
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

describe('the lifetime of a response in a browser', () => {
  it('is a year for a script, whose name changes with its content', async () => {
    const { headers } = await requestSite(await findScriptPath())
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
  })

  it.each(['/assets/none.js', '/assets/', '/maps/none.json', '/images/none.png'])(
    'is nothing for %s, which does not exist and may after the next deployment',
    async (path) => {
      const { status, headers } = await requestSite(path)
      expect(status).toBe(404)
      expect(headers['cache-control']).toBe('no-cache')
    },
  )
})

describe('every response of the functions', () => {
  it.each([
    ['the response for an unknown payment', 'pay_test', 'POST', 'order_id=x&cust_id=y', 404],
    ['the return of an unknown payment', 'payment_return/test?payment=x', 'GET', undefined, 404],
  ] as const)(
    '%s is a page that allows no scripts and no framing',
    async (_, path, method, body, is) => {
      const { status, headers } = await requestFunction(path, method, body)
      expect(status).toBe(is)
      const policy = parsePolicy(headers['content-security-policy'])
      expect([policy['default-src'], policy['script-src']]).toEqual([["'none'"], ["'none'"]])
      expect(policy['frame-ancestors']).toEqual(["'none'"])
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
      })
    },
  )

  it.each([
    ['health', 'GET'],
    ['track?token=none', 'GET'],
    ['validate_referrer', 'POST'],
    ['payment_webhook/test', 'POST'],
  ])('%s is treated only as its declared content type', async (path, method) => {
    const { headers } = await requestFunction(path, method, method === 'POST' ? '{}' : undefined)
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['content-type']).not.toMatch(/html/)
  })

  it('sends a payer only to our own page, whatever the URL contains', async () => {
    const { headers, status } = await requestFunction(
      'payment_return/test?payment=x&next=https://evil.example&hint=//evil.example&url=https://evil.example',
    )
    expect(status).toBe(404)
    expect(JSON.stringify(headers)).not.toContain('evil.example')
  })
})
