import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import express, { type RequestHandler } from 'express'
import { onValueWritten } from 'firebase-functions/v2/database'
import { onCall, onRequest } from 'firebase-functions/v2/https'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { groupFunctions } from './groupedFunctions'

const echo = (name: string, secrets: string[] = []) =>
  onRequest({ secrets }, (request, response) => {
    response.json({ name, method: request.method, path: request.path, query: request.query })
  })
const onSettings = onValueWritten('/settings', () => undefined)
const exported = {
  advance_booking: echo('advance_booking'),
  track: echo('track'),
  find_bookings: onCall(() => 'found'),
  payment_webhook: echo('payment_webhook', ['PAYMENT_KEYS']),
  pay_stripe: echo('pay_stripe', ['PAYMENT_KEYS', 'KERBSIDE_SALT']),
  pay_test: undefined,
  googleapis: { getcoords: echo('getcoords', ['KERBSIDE_GOOGLE_MAPS_KEY']) },
  audit_trail: { settings: onSettings },
}
const deployed = groupFunctions(exported)
const getSecrets = (name: string) =>
  (
    deployed[name] as { __endpoint: { secretEnvironmentVariables: { key: string }[] } }
  ).__endpoint.secretEnvironmentVariables.map(({ key }) => key)

it('groups calls over HTTP and leaves booking calls, triggers and jobs alone', () => {
  expect(Object.keys(deployed).sort()).toEqual([
    ...['advance_booking', 'api', 'audit_trail', 'maps', 'payments'],
  ])
  expect(deployed.advance_booking).toBe(exported.advance_booking)
  expect(deployed.audit_trail).toEqual({ settings: onSettings })
})

it('gives a group the secrets of its members and no other', () => {
  expect(getSecrets('api')).toEqual([])
  expect(getSecrets('maps')).toEqual(['KERBSIDE_GOOGLE_MAPS_KEY'])
  expect(getSecrets('payments')).toEqual(['PAYMENT_KEYS', 'KERBSIDE_SALT'])
})

let server: Server
let origin = ''
beforeAll(async () => {
  // The platform runs functions on Express and parses their bodies.
  const app = express()
  app.use(express.json())
  for (const name of ['api', 'maps', 'payments'])
    app.use(`/${name}`, deployed[name] as RequestHandler)
  server = createServer(app)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

it.each([
  ['api/track?token=x', { name: 'track', path: '/', query: { token: 'x' } }],
  ['maps/googleapis-getcoords', { name: 'getcoords', path: '/', query: {} }],
  ['payments/pay_stripe', { name: 'pay_stripe', path: '/', query: {} }],
  [
    'payments/payment_webhook/stripe?a=1',
    { name: 'payment_webhook', path: '/stripe', query: { a: '1' } },
  ],
  ['payments/payment_webhook/stripe/', { name: 'payment_webhook', path: '/stripe/', query: {} }],
])('passes %s to its member with the rest of the path', async (path, expected) => {
  const response = await fetch(`${origin}/${path}`, { method: 'POST' })
  expect(await response.json()).toEqual({ ...expected, method: 'POST' })
})

it('serves a callable in a group', async () => {
  const response = await fetch(`${origin}/api/find_bookings`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"data":{}}',
  })
  expect(await response.json()).toEqual({ result: 'found' })
})

it.each([
  'api',
  'api/',
  'api/none',
  'api/pay_stripe',
  'api/constructor',
  'api/__proto__',
  'payments/track',
  'api/track%2f',
])('refuses %s, which is not a member of the group', async (path) => {
  const response = await fetch(`${origin}/${path}`)
  expect(response.status).toBe(404)
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(await response.json()).toEqual({ error: 'not_found', key: 'not_found' })
})
