// A payment desk in memory, with a bank at the other end of its network. Never imported by what is deployed.
import type { PaymentAttempt } from '~/domain/payments/attempt'
import { aProject, somePorts, TEST_NOW } from '../testing'
import type { Guard } from '../ports/memoryDatabase'
import { memoryDatabase, raceGuards } from '../ports/memoryDatabase'
import type { CheckoutOrder, Env, Incoming, Outside } from './adapter'
import { paymentDesk } from './desk'
import { speechFor } from './language'
import { visitPay, visitReturn, visitWebhook } from './visits'

export const LOCAL: Env = {
  FUNCTIONS_EMULATOR: 'true',
  GCLOUD_PROJECT: 'demo-kerbside',
  KERBSIDE_FUNCTIONS_URL: 'http://127.0.0.1:5001/demo-kerbside/us-central1',
  KERBSIDE_WEB_URL: 'http://127.0.0.1:5050',
}

const guards: Guard = (path, before, after) => {
  if (/^payments\/[^/]+\/revision$/.test(path))
    return after === (typeof before === 'number' ? before + 1 : 1)
  if (/^payment_events\/[^/]+$/.test(path)) return before === null
  return raceGuards(path, before, after)
}

export const incoming = (
  over: Partial<Omit<Incoming, 'body'>> & { body?: string } = {},
): Incoming => ({
  method: 'POST',
  path: '/',
  query: new URLSearchParams(),
  headers: {},
  ip: '203.0.113.9',
  ...over,
  body: Buffer.from(over.body ?? ''),
})

export interface Spoken {
  url: string
  method: string
  headers: Record<string, string>
  body: string
  /** The body, if it is JSON. */
  json: unknown
}
type Answering = (request: Spoken) => unknown

/** A network that answers with what `answer` gives (JSON, text or a Response) and remembers what was asked. */
export const network = (answer: Answering = () => ({})) => {
  const asked: Spoken[] = []
  const fetcher: typeof fetch = async (input, init = {}) => {
    const url = input instanceof Request ? input.url : String(input)
    const body = typeof init.body === 'string' ? init.body : ''
    let json: unknown = null
    try {
      json = JSON.parse(body)
    } catch {
      // It is a form.
    }
    const headers = Object.fromEntries(
      [...new Headers(init.headers).entries()].map(([name, value]) => [name, value]),
    )
    const request = { url, method: init.method ?? 'GET', headers, body, json }
    asked.push(request)
    const given = await answer(request)
    if (given instanceof Response) return given
    return new Response(typeof given === 'string' ? given : JSON.stringify(given))
  }
  return { asked, fetch: fetcher }
}

/** The outside of an adapter under test: a network, a stopped clock, countable chance. */
export const outside = (answer?: Answering, now = TEST_NOW) => {
  const { asked, fetch: fetcher } = network(answer)
  let n = 0
  const made: Outside = {
    fetch: fetcher,
    now: () => now,
    token: () => `token${n++}`,
    bank: { read: () => Promise.resolve(null), write: () => Promise.resolve() },
    later: () => undefined,
  }
  return { ...made, asked }
}

export const anOrder = (over: Partial<CheckoutOrder> = {}): CheckoutOrder => ({
  id: '-Opay_ment-1',
  minor: 1999,
  currency: 'USD',
  description: 'Kerbside: wallet top-up',
  title: 'Kerbside: wallet top-up',
  speech: speechFor('en'),
  customer: {
    id: 'rider',
    first: 'Ana',
    last: 'Lima',
    email: 'ana@kerbside.example',
    phone: '+15555550103',
  },
  createdAt: TEST_NOW,
  urls: {
    pay: 'https://fn.example/pay_x',
    return: 'https://fn.example/payment_return/x?payment=-Opay_ment-1',
    cancel: 'https://fn.example/payment_return/x?payment=-Opay_ment-1&hint=cancelled',
    webhook: 'https://fn.example/payment_webhook/x',
  },
  ...over,
})

/**
 * A set-up project with a payment desk whose network leads back to its own webhook, as the test provider's does, or to
 * `elsewhere`. `late` runs what was put off; `pass(ms)` moves the clock.
 */
export const aDesk = (more: object = {}, env: Env = LOCAL, elsewhere?: Answering) => {
  let now = TEST_NOW
  const db = memoryDatabase(aProject(more), guards)
  const put: (() => void)[] = []
  const clock = {
    now: () => now,
    wait: (ms: number) =>
      // Rests between tries are short; what a provider puts off is seconds away.
      ms < 1000 ? Promise.resolve() : new Promise<void>((resolve) => void put.push(resolve)),
  }
  const base = somePorts({ db })
  const net = network(async (request) => {
    const { url, headers, body } = request
    const [, gateway = ''] = /payment_webhook\/(\w+)$/.exec(url) ?? []
    if (gateway === '' && elsewhere) return elsewhere(request)
    const { answer } = await visitWebhook(ports, incoming({ path: `/${gateway}`, headers, body }))
    return new Response(answer.body, { status: answer.status })
  })
  const { maps, push, random, bookings } = base
  const payments = paymentDesk({ env, db, maps, push, clock, random, bookings, fetch: net.fetch })
  const ports = { ...base, payments, now }
  return {
    ...ports,
    db,
    asked: net.asked,
    pass: (ms: number) => void (now += ms),
    late: () => Promise.all(put.splice(0).map((run) => run())),
    attempts: () => Object.values((db.at('payments') ?? {}) as Record<string, PaymentAttempt>),
    balance: () => db.at('users/rider/walletBalance') as number,
    pay: (form: Record<string, string>, gateway = 'test') =>
      visitPay(ports, gateway, incoming({ body: new URLSearchParams(form).toString() }), now),
    back: (payment: string, query: Record<string, string> = {}) =>
      visitReturn(
        ports,
        incoming({ path: '/test', query: new URLSearchParams({ payment, ...query }) }),
      ),
    hook: (body: string, headers: Record<string, string> = {}, gateway = 'test') =>
      visitWebhook(ports, incoming({ path: `/${gateway}`, headers, body })),
  }
}
