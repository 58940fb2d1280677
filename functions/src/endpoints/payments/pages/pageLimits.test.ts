import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import express, { type RequestHandler } from 'express'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DAY_MS, MINUTE_MS } from '~/domain/language/timeUnits'
import { getRateLimitKey } from '../../../http/requestHandler'
import { createProjectPorts } from '../../../testing/testPorts'
import { checkoutHandler, returnHandler, webhookHandler } from './httpHandlers'

const ports = createProjectPorts()
const ROUTES = {
  pay_test: checkoutHandler('test', ports),
  payment_return: returnHandler(ports),
  payment_webhook: webhookHandler(ports),
}

let server: Server
let origin = ''
beforeAll(async () => {
  // The platform runs functions on Express.
  const app = express()
  for (const [name, handler] of Object.entries(ROUTES))
    app.use(`/${name}`, handler as unknown as RequestHandler)
  server = createServer(app)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())
beforeEach(() => {
  ports.db.put({ rate_limits: null })
})

const CALLER = getRateLimitKey({ caller: null, ip: '127.0.0.1' }, 'salt')
/** Counts requests of this network in this window, and in the next, which may begin meanwhile. */
const count = (name: string, ms: number, requests: number, later = 0) => {
  const key = Math.floor(Date.now() / ms)
  ports.db.put({ [`rate_limits/${name}/${CALLER}`]: { [key]: requests, [key + 1]: later } })
}
const isRefused = async (name: string) => {
  const response = await fetch(`${origin}/${name}/test`, { method: 'POST' })
  return response.status === 429
}

describe.each([
  ['pay_test', 60, 2000],
  ['payment_return', 120, 4000],
])('%s', (name, limit, dailyLimit) => {
  it.each([
    ['minute', MINUTE_MS, limit],
    ['day', DAY_MS, dailyLimit],
  ])('is refused to a network above the limit of a %s only', async (_, ms, most) => {
    count(name, ms, most - 1)
    expect(await isRefused(name)).toBe(false)
    count(name, ms, most, most)
    expect(await isRefused(name)).toBe(true)
  })
})

describe('payment_webhook', () => {
  it('has a limit of a minute, and none of a day, because no message may be lost', async () => {
    count('payment_webhook', DAY_MS, 1_000_000, 1_000_000)
    expect(await isRefused('payment_webhook')).toBe(false)
    count('payment_webhook', MINUTE_MS, 1200, 1200)
    expect(await isRefused('payment_webhook')).toBe(true)
  })
})
