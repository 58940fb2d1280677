import type { HttpsFunction, Request } from 'firebase-functions/v2/https'
import { onRequest } from 'firebase-functions/v2/https'
import { getSalt } from '../../../config'
import { getRateLimitKey } from '../../../http/requestHandler'
import { httpOptions, PAYMENT_SECRETS } from '../../../deployment'
import { getClientIp, MAX_BODY_BYTES } from '../../../http/http'
import { logCall, logError } from '../../../logs'
import { DomainException, getHttpStatus } from '../../../domainException'
import type { WebhookRequest } from '../../../ports/paymentAdapter'
import type { ProviderId } from '~/domain/payments/providers'
import { errorPage } from './pageResponses'
import { translatorFor } from './pageTranslator'
import type { HandlerResult } from './paymentRequests'
import { handleCheckout, handleReturn, handleWebhook } from './paymentRequests'
import type { Ports } from '../../../ports/ports'
import { findExceededLimit } from '../../../services/rateLimits'

const toWebhookRequest = (request: Request): WebhookRequest => ({
  method: request.method,
  path: request.path,
  // Not parsed as a URL, because a path such as `//[` is invalid as one and must only count as
  // unknown.
  query: new URLSearchParams(/\?(.*)$/s.exec(request.originalUrl || request.url)?.[1]),
  headers: Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.join(',') : (value ?? ''),
    ]),
  ),
  body: request.rawBody ?? Buffer.alloc(0),
  ip: getClientIp(request),
})

interface HttpRoute {
  name: string
  methods: readonly string[]
  /** Maximum number of requests per address and minute. */
  limit: number
  /**
   * Maximum number of requests per address and day; `none` for messages of providers, which come
   * from few addresses and must not be lost.
   */
  dailyLimit: number | 'none'
  /** Without it, those of the payment providers. */
  secrets?: readonly string[]
  /** The reason for accepting unknown fields, which our own endpoints refuse. */
  openInput: string
  handle: (incoming: WebhookRequest, now: number) => Promise<HandlerResult>
}

const serveRoute = (
  ports: Ports,
  { name, methods, limit, dailyLimit, secrets = PAYMENT_SECRETS, handle }: HttpRoute,
): HttpsFunction =>
  onRequest(
    {
      ...httpOptions(secrets),
      cors: false,
      invoker: 'public',
    },
    async (request, response) => {
      const now = Date.now()
      let outcome = 'failed'
      try {
        const incoming = toWebhookRequest(request)
        if (!methods.includes(request.method)) {
          outcome = 'method'
          response.set('Allow', methods.join(', ')).status(405).end()
          return
        }
        if (incoming.body.length > MAX_BODY_BYTES) {
          outcome = 'bad_input'
          response.status(413).end()
          return
        }
        const counter = getRateLimitKey({ caller: null, ip: incoming.ip }, getSalt(ports.config))
        if (
          await findExceededLimit(ports.db, { name, limit, dailyLimit }, { caller: counter, now })
        ) {
          outcome = 'too_many_requests'
          response.status(429).end()
          return
        }
        const { response: pageResponse, ...handled } = await handle(incoming, now)
        outcome = handled.outcome
        response
          .set('X-Content-Type-Options', 'nosniff')
          .set(pageResponse.headers)
          .status(pageResponse.status)
          .send(pageResponse.body)
      } catch (fault) {
        // During maintenance, a provider resends its message and a person returns later.
        const refused = fault instanceof DomainException ? fault.error.key : undefined
        if (refused === undefined) logError(name, fault)
        else outcome = refused
        const back = ports.payments.urls.appReturnPage('')
        const translator = translatorFor(request.headers['accept-language'])
        const errorStatus = refused === undefined ? 500 : getHttpStatus(refused)
        const { headers, status, body } = errorPage(translator, errorStatus, 'fault', back)
        response.set(headers).status(status).send(body)
      } finally {
        logCall({ name, uid: null, outcome, ms: Date.now() - now })
      }
    },
  )

/**
 * Creates a page or webhook for browsers and providers: raw bytes in, no CORS, one log line. The
 * function carries the reason of its open input.
 */
export const createHttpHandler = (ports: Ports, route: HttpRoute) =>
  Object.assign(serveRoute(ports, route), { openInput: route.openInput })

/**
 * Handles pay_{provider}: sends the browser's form to the provider, or serves the provider's page.
 */
export const checkoutHandler = (provider: ProviderId, ports: Ports): HttpsFunction =>
  createHttpHandler(ports, {
    name: `pay_${provider}`,
    methods: ['POST'],
    limit: 60,
    dailyLimit: 2000,
    openInput: "The fields of each provider's own page come back with the form.",
    handle: (incoming, now) => handleCheckout(ports, provider, incoming, now),
  })

/** Handles payment_return/{provider}: the address to which providers return the payer. */
export const returnHandler = (ports: Ports): HttpsFunction =>
  createHttpHandler(ports, {
    name: 'payment_return',
    methods: ['GET', 'POST'],
    limit: 120,
    dailyLimit: 4000,
    openInput: 'Each provider adds its own fields to the address.',
    handle: (incoming) => handleReturn(ports, incoming),
  })

/** Handles payment_webhook/{provider}: the address to which providers send their messages. */
export const webhookHandler = (ports: Ports): HttpsFunction =>
  createHttpHandler(ports, {
    name: 'payment_webhook',
    methods: ['GET', 'POST'],
    limit: 1200,
    dailyLimit: 'none',
    openInput: 'Providers add fields to their messages at any time.',
    handle: (incoming) => handleWebhook(ports, incoming),
  })
