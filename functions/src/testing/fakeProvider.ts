// In-memory payments with a bank at the other end of the network. Deployed code never imports this
// file.
import type { PaymentAttempt } from '~/domain/payments/paymentAttempt'
import { aProject, createTestPorts, TEST_NOW } from './testPorts'
import { createTestDatabase } from './testDatabase'
import type { CheckoutOrder, Env, WebhookRequest, AdapterDeps } from '../ports/paymentAdapter'
import { ADAPTERS } from '../adapters/payments/adapters'
import { createPaymentService } from '../services/payments/paymentService'
import { translatorFor } from '../endpoints/payments/pages/pageTranslator'
import {
  handleCheckout,
  handleReturn,
  handleWebhook,
} from '../endpoints/payments/pages/paymentRequests'
import type { Milliseconds } from '~/domain/language/units'

export const LOCAL_ENV: Env = {
  FUNCTIONS_EMULATOR: 'true',
  GCLOUD_PROJECT: 'demo-kerbside',
  KERBSIDE_FUNCTIONS_URL: 'http://127.0.0.1:5001/demo-kerbside/us-central1',
  KERBSIDE_WEB_URL: 'http://127.0.0.1:5050',
}

export const aWebhookRequest = (
  over: Partial<Omit<WebhookRequest, 'body'>> & { body?: string } = {},
): WebhookRequest => ({
  method: 'POST',
  path: '/',
  query: new URLSearchParams(),
  headers: {},
  ip: '203.0.113.9',
  ...over,
  body: Buffer.from(over.body ?? ''),
})

export interface RecordedRequest {
  url: string
  method: string
  headers: Record<string, string>
  body: string
  /** The body, if it is JSON; otherwise null. */
  json: unknown
}
type FakeResponder = (request: RecordedRequest) => unknown

/**
 * Creates a network that responds with the result of `answer` (JSON, text or a Response) and
 * records the requests.
 */
const createFakeFetch = (answer: FakeResponder = () => ({})) => {
  const requests: RecordedRequest[] = []
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
    requests.push(request)
    const given = await answer(request)
    if (given instanceof Response) return given
    return new Response(typeof given === 'string' ? given : JSON.stringify(given))
  }
  return { requests, fetch: fetcher }
}

/**
 * Creates an adapter's external dependencies for tests: a network, a stopped clock and predictable
 * tokens.
 */
export const createFakeDeps = (answer?: FakeResponder, now = TEST_NOW) => {
  const { requests, fetch: fetcher } = createFakeFetch(answer)
  let n = 0
  const made: AdapterDeps = {
    fetch: fetcher,
    now: () => now,
    createToken: () => `token${n++}`,
    testBank: { read: () => Promise.resolve(null), write: () => Promise.resolve() },
    runLater: () => undefined,
  }
  return { ...made, requests }
}

/** Responds as any payment provider that accepts a checkout. */
export const acceptCheckout: FakeResponder = ({ url }) => {
  if (url.includes('oauth2')) return { access_token: 'token', expires_in: 3600 }
  if (url.includes('/graphql')) return { data: { createClientToken: { clientToken: 'c' } } }
  const page = 'https://pay.example/x'
  return {
    id: 'x',
    url: page,
    init_point: page,
    links: [{ rel: 'payer-action', href: page }],
    status: true,
    body: { resultInfo: { resultStatus: 'S' }, txnToken: 'token' },
    data: { link: page, authorization_url: page },
  }
}

export const aCheckoutOrder = (over: Partial<CheckoutOrder> = {}): CheckoutOrder => ({
  id: '-Opay_ment-1',
  minor: 1999,
  currency: 'USD',
  description: 'Kerbside: wallet top-up',
  title: 'Kerbside: wallet top-up',
  translator: translatorFor('en'),
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
 * Creates a set-up project with payments whose network leads back to its own webhook, as the test
 * provider's does, or to `elsewhere`. `runDelayed` runs delayed work; `advanceClock(ms)` moves the
 * clock.
 */
export const createTestPayments = (
  more: object = {},
  env: Env = LOCAL_ENV,
  elsewhere?: FakeResponder,
) => {
  let now = TEST_NOW
  const db = createTestDatabase(aProject(more), { now: () => now })
  const put: (() => void)[] = []
  const clock = {
    now: () => now,
    wait: (ms: Milliseconds) =>
      // Pauses between retries are short; a provider delays its work by seconds.
      ms < 1000 ? Promise.resolve() : new Promise<void>((resolve) => void put.push(resolve)),
  }
  const base = createTestPorts({ db })
  const net = createFakeFetch(async (request) => {
    const { url, headers, body } = request
    const [, gateway = ''] = /payment_webhook\/(\w+)$/.exec(url) ?? []
    if (gateway === '' && elsewhere) return elsewhere(request)
    const { response } = await handleWebhook(
      ports,
      aWebhookRequest({ path: `/${gateway}`, headers, body }),
    )
    return new Response(response.body, { status: response.status })
  })
  const { maps, push, random, bookings } = base
  const payments = createPaymentService({
    adapters: ADAPTERS,
    env,
    db,
    maps,
    push,
    clock,
    random,
    bookings,
    fetch: net.fetch,
  })
  const ports = { ...base, payments, now }
  return {
    ...ports,
    db,
    requests: net.requests,
    getTime: () => now,
    advanceClock: (ms: Milliseconds) => void (now += ms),
    runDelayed: () => Promise.all(put.splice(0).map(async (run) => run())),
    listAttempts: () => Object.values((db.at('payments') ?? {}) as Record<string, PaymentAttempt>),
    getBalance: () => db.at('users/rider/walletBalance') as number,
    postCheckout: (form: Record<string, string>, gateway = 'test') =>
      handleCheckout(
        ports,
        gateway,
        aWebhookRequest({ body: new URLSearchParams(form).toString() }),
        now,
      ),
    openReturn: (payment: string, query: Record<string, string> = {}) =>
      handleReturn(
        ports,
        aWebhookRequest({ path: '/test', query: new URLSearchParams({ payment, ...query }) }),
      ),
    postWebhook: (body: string, headers: Record<string, string> = {}, gateway = 'test') =>
      handleWebhook(ports, aWebhookRequest({ path: `/${gateway}`, headers, body })),
  }
}
