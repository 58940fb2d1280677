import type { HttpsFunction, Request } from 'firebase-functions/v2/https'
import { onRequest } from 'firebase-functions/v2/https'
import type { Ports } from '../definition'
import { counterOf, isOverLimit } from '../guard'
import { ipOf, MAX_BODY, REGION } from '../http'
import { logCall, logFault } from '../logs'
import type { Incoming, ProviderId } from './adapter'
import { sorry } from './answers'
import { speechFor } from './language'
import { PAYMENT_SECRETS } from './secrets'
import type { Visited } from './visits'
import { visitPay, visitReturn, visitWebhook } from './visits'

const incomingOf = (request: Request): Incoming => ({
  method: request.method,
  path: request.path,
  // Not parsed as an address: a path such as `//[` is none, and is still only an unknown one.
  query: new URLSearchParams(/\?(.*)$/s.exec(request.originalUrl || request.url)?.[1]),
  headers: Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.join(',') : (value ?? ''),
    ]),
  ),
  body: request.rawBody ?? Buffer.alloc(0),
  ip: ipOf(request),
})

interface Door {
  name: string
  methods: readonly string[]
  /** Requests one address may make in a minute. */
  limit: number
  visit: (incoming: Incoming, now: number) => Promise<Visited>
}

/** A page or a hook for browsers and providers: raw bytes in, no CORS, one log line. */
const door = (ports: Ports, { name, methods, limit, visit }: Door): HttpsFunction =>
  onRequest(
    {
      region: REGION,
      cors: false,
      invoker: 'public',
      ...(!ports.config.local && { secrets: PAYMENT_SECRETS }),
    },
    async (request, response) => {
      const now = Date.now()
      let outcome = 'failed'
      try {
        const incoming = incomingOf(request)
        if (!methods.includes(request.method)) {
          outcome = 'method'
          response.set('Allow', methods.join(', ')).status(405).end()
          return
        }
        if (incoming.body.length > MAX_BODY) {
          outcome = 'bad_input'
          response.status(413).end()
          return
        }
        const counter = counterOf({ caller: null, ip: incoming.ip }, ports.config.salt)
        if (await isOverLimit(ports.db, { name, limit }, counter, now)) {
          outcome = 'too_many_requests'
          response.status(429).end()
          return
        }
        const { answer, ...visited } = await visit(incoming, now)
        outcome = visited.outcome
        response
          .set('X-Content-Type-Options', 'nosniff')
          .set(answer.headers)
          .status(answer.status)
          .send(answer.body)
      } catch (fault) {
        logFault(name, fault)
        const back = ports.payments.urls.app('')
        const speech = speechFor(request.headers['accept-language'])
        const { headers, status, body } = sorry(speech, 500, 'fault', back)
        response.set(headers).status(status).send(body)
      } finally {
        logCall({ name, uid: null, outcome, ms: Date.now() - now })
      }
    },
  )

/** pay_{provider}: takes the form of a browser to the provider, or serves the provider's page. */
export const payDoor = (provider: ProviderId, ports: Ports): HttpsFunction =>
  door(ports, {
    name: `pay_${provider}`,
    methods: ['POST'],
    limit: 60,
    visit: (incoming, now) => visitPay(ports, provider, incoming, now),
  })

/** payment_return/{provider}: where providers send the payer back to. */
export const returnDoor = (ports: Ports): HttpsFunction =>
  door(ports, {
    name: 'payment_return',
    methods: ['GET', 'POST'],
    limit: 120,
    visit: (incoming) => visitReturn(ports, incoming),
  })

/** payment_webhook/{provider}: where providers tell what happened. */
export const webhookDoor = (ports: Ports): HttpsFunction =>
  door(ports, {
    name: 'payment_webhook',
    methods: ['GET', 'POST'],
    limit: 1200,
    visit: (incoming) => visitWebhook(ports, incoming),
  })
