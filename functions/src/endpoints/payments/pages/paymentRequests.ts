import { getAmountDue } from '~/domain/booking/payment/paymentPacket'
import { dbPaths } from '~/domain/data/databasePaths'
import type { PaymentAttempt, PaymentEvent } from '~/domain/payments/paymentAttempt'
import { ATTEMPT_REUSE_MS, isAttemptOpen, isPaidStatus } from '~/domain/payments/paymentAttempt'
import { logProviderError } from '../../../logs'
import { readUser } from '../../../ports/database'
import { DomainException } from '../../../domainException'
import { readSettings } from '../../../services/office/settings'
import type { Adapter, CheckoutOrder, WebhookRequest } from '../../../ports/paymentAdapter'
import { InvalidSignatureError } from '../../../ports/paymentAdapter'
import type { PageResponse } from './pageResponses'
import { renderCheckout, redirectTo, errorPage } from './pageResponses'
import { findOrCreateAttempt } from '../../../services/payments/attemptCreation'
import { readAttempt } from '../../../services/payments/paymentService'
import { translatorFor } from './pageTranslator'
import { toPaymentRef, applyProviderRefunds } from '../../../services/payments/refunds'
import type { Ports } from '../../../ports/ports'
import type { Translator } from '../../../ports/translator'
import type { Booking } from '~/domain/booking/types'
import type { User } from '~/domain/accounts/types'

type HandlerPorts = Pick<Ports, 'db' | 'payments' | 'random'>

/** A response and its word for the log. */
export interface HandlerResult {
  response: PageResponse
  outcome: string
}

const notFound = ({ payments }: HandlerPorts, translator: Translator): HandlerResult => ({
  outcome: 'not_found',
  response: errorPage(translator, 404, 'gone', payments.urls.appReturnPage('')),
})

const providerUnavailable = (
  { payments }: HandlerPorts,
  payment: string,
  translator: Translator,
): HandlerResult => ({
  outcome: 'provider_fault',
  response: errorPage(translator, 502, 'silent', payments.urls.appReturnPage(payment)),
})

/** Returns the browser's language preferences. The URL carries the choice made in the app. */
const getLanguagePreferences = ({ query, headers }: Pick<WebhookRequest, 'query' | 'headers'>) =>
  ({ chosenLanguage: query.get('lang'), accepted: headers['accept-language'] }) as const

const buildCheckoutOrder = async (
  { db, payments: { urls } }: HandlerPorts,
  attempt: PaymentAttempt,
  { chosenLanguage, accepted }: ReturnType<typeof getLanguagePreferences>,
): Promise<CheckoutOrder> => {
  const [settings, user] = await Promise.all([readSettings(db), readUser<User>(db, attempt.uid)])
  const { id, gateway, booking } = attempt
  const translator = translatorFor(chosenLanguage, user?.lang?.langLocale, accepted)
  const app = settings.appName
  return {
    ...toPaymentRef(attempt),
    id,
    description: booking ? `${app}: booking ${booking}` : `${app}: wallet top-up`,
    title: booking
      ? translator.t('for_booking', { app, booking })
      : translator.t('for_wallet', { app }),
    translator,
    createdAt: attempt.createdAt,
    customer: {
      id: attempt.uid,
      first: user?.firstName ?? '',
      last: user?.lastName ?? '',
      email: user?.email ?? '',
      phone: user?.mobile ?? '',
    },
    urls: {
      pay: `${urls.checkout(gateway)}?lang=${translator.locale}`,
      return: urls.return(gateway, id),
      cancel: urls.cancel(gateway, id),
      webhook: urls.webhook(gateway),
    },
  }
}

/**
 * Returns the attempt that a form refers to. `order_id` names the attempt, or the booking itself,
 * which starts an attempt for the full amount due. The form's other fields have no effect, but the
 * sender must know whose attempt it is.
 */
const resolveAttempt = async (
  ports: HandlerPorts,
  gateway: string,
  form: URLSearchParams,
  now: number,
): Promise<PaymentAttempt | null> => {
  const [order, customer] = [form.get('order_id') ?? '', form.get('cust_id') ?? '']
  const attempt = await readAttempt(ports.db, order)
  if (attempt) return attempt.gateway === gateway && attempt.uid === customer ? attempt : null
  if (!/^[A-Za-z0-9_-]{1,128}$/.test(order)) return null
  const booking = await ports.db.read<Booking>(dbPaths.booking(order))
  if (!booking || booking.customer !== customer) return null
  if (booking.status !== 'PAYMENT_PENDING' && booking.status !== 'PENDING') return null
  const settings = await readSettings(ports.db)
  const { due } = getAmountDue(booking, settings.decimal)
  const attemptRequest = {
    uid: customer,
    kind: 'booking',
    booking: order,
    gateway,
    amount: due,
  } as const
  return due > 0 ? findOrCreateAttempt(ports, attemptRequest, settings, now) : null
}

/** Applies a provider's event. Returns `applied`, `duplicate` or another result for the log. */
const applyEvent = async ({ payments }: HandlerPorts, event: PaymentEvent | null | undefined) =>
  event ? payments.applyEvent(event) : 'nothing'

/** Admits one submission: it makes the attempt pending, so that a second submission is rejected. */
const lockAttempt = async ({ payments }: HandlerPorts, attempt: PaymentAttempt): Promise<boolean> =>
  (attempt.status === 'created' || attempt.status === 'failed') &&
  payments.updateAttempt(attempt, { status: 'pending' })

const handleFormSubmission = async (
  ports: HandlerPorts,
  adapter: Adapter,
  {
    attempt,
    order,
    form,
  }: { attempt: PaymentAttempt; order: CheckoutOrder; form: URLSearchParams },
): Promise<HandlerResult> => {
  const { urls } = ports.payments
  if (adapter.chargesImmediately && !(await lockAttempt(ports, attempt)))
    return { outcome: 'busy', response: redirectTo(urls.appReturnPage(attempt.id)) }
  const submitted = await adapter.submitForm?.(order, form)
  if (!submitted) return notFound(ports, order.translator)
  const outcome = await applyEvent(ports, submitted.event)
  const { next } = submitted
  return {
    outcome: `submitted:${outcome}`,
    response:
      next === 'return'
        ? redirectTo(order.urls.return)
        : renderCheckout(next, urls.appOrigin, order.translator),
  }
}

/**
 * Handles a form that a browser posts to a provider's link, or that one of our pages for that
 * provider posts back.
 */
export const handleCheckout = async (
  ports: HandlerPorts,
  gateway: string,
  incoming: WebhookRequest,
  now: number,
): Promise<HandlerResult> => {
  const { payments } = ports
  const adapter = payments.getAdapter(gateway)
  const form = new URLSearchParams(incoming.body.toString('utf8'))
  const wishes = getLanguagePreferences(incoming)
  let translator = translatorFor(wishes.chosenLanguage, wishes.accepted)
  let attempt: PaymentAttempt | null
  try {
    attempt = adapter && (await resolveAttempt(ports, gateway, form, now))
  } catch (error) {
    if (!(error instanceof DomainException)) throw error
    return notFound(ports, translator)
  }
  if (!adapter || !attempt) return notFound(ports, translator)
  if (isPaidStatus(attempt.status))
    return {
      outcome: 'already_paid',
      response: redirectTo(payments.urls.appReturnPage(attempt.id)),
    }
  const order = await buildCheckoutOrder(ports, attempt, wishes)
  translator = order.translator
  if (!isAttemptOpen(attempt, now)) return notFound(ports, translator)
  try {
    if (form.has('step') && adapter.submitForm)
      return await handleFormSubmission(ports, adapter, { attempt, order, form })
    // Some providers do not open an order twice, and others would leave the first page payable.
    const opened = findOpenedPage(attempt, now)
    if (opened) return opened
    const checkout = await adapter.checkout(order)
    const { ref } = checkout
    const url = checkout.kind === 'redirect' ? checkout.url : undefined
    if (url !== undefined || (ref && ref !== attempt.checkout_ref)) {
      const wasUpdated = await payments.updateAttempt(
        attempt,
        { ...(ref && { checkout_ref: ref }) },
        url,
      )
      if (!wasUpdated) return await redirectToStatus(ports, attempt)
    }
    return {
      outcome: 'ok',
      response: renderCheckout(checkout, payments.urls.appOrigin, translator),
    }
  } catch (error) {
    // Another request may have opened the page a moment earlier, and the provider opens an order
    // only once.
    const opened = findOpenedPage(await readAttempt(ports.db, attempt.id), now)
    if (opened) return opened
    logProviderError(gateway, error)
    return providerUnavailable(ports, attempt.id, translator)
  }
}

/**
 * Returns a redirect to the provider's page that is already open for an attempt, or null when none
 * is still valid.
 */
const findOpenedPage = (attempt: PaymentAttempt | null, now: number): HandlerResult | null => {
  const page = attempt?.status === 'created' ? attempt.details?.page : undefined
  return page && now - page.at < ATTEMPT_REUSE_MS
    ? { outcome: 'opened_before', response: redirectTo(page.url) }
    : null
}

/**
 * Redirects to the app's status page, because the attempt changed while its checkout was opening.
 */
const redirectToStatus = (ports: HandlerPorts, { id }: PaymentAttempt): Promise<HandlerResult> =>
  Promise.resolve({
    outcome: 'changed',
    response: redirectTo(ports.payments.urls.appReturnPage(id)),
  })

/**
 * Handles the payer's return from a provider by GET or POST. The return parameters are untrusted.
 * We query the provider if it has a status API; otherwise the app's page waits for the webhook.
 */
export const handleReturn = async (
  ports: HandlerPorts,
  incoming: WebhookRequest,
): Promise<HandlerResult> => {
  const { payments, db } = ports
  const { path, query } = incoming
  const gateway = path.replace(/^\/+|\/+$/g, '')
  const adapter = payments.getAdapter(gateway)
  const attempt = await readAttempt(db, query.get('payment') ?? '')
  if (!adapter || attempt?.gateway !== gateway)
    return notFound(ports, translatorFor(getLanguagePreferences(incoming).accepted))
  const hint = query.get('hint') === 'cancelled' ? 'cancelled' : undefined
  const redirect = redirectTo(payments.urls.appReturnPage(attempt.id, hint))
  if (isPaidStatus(attempt.status) || !adapter.fetchStatus)
    return { outcome: 'ok', response: redirect }
  try {
    return {
      outcome: `asked:${await applyEvent(ports, await adapter.fetchStatus(toPaymentRef(attempt)))}`,
      response: redirect,
    }
  } catch (error) {
    // The provider's message will arrive, or the scheduled job will query again.
    logProviderError(gateway, error)
    return { outcome: 'provider_fault', response: redirect }
  }
}

const createTextResponse = (
  status: number,
  body = '',
  type = 'text/plain; charset=utf-8',
): PageResponse => ({
  status,
  headers: { 'Content-Type': type, 'Cache-Control': 'no-store' },
  body,
})

/**
 * Handles a provider's message. Refuses unverified messages without an explanation, and requests
 * redelivery when a write fails.
 */
export const handleWebhook = async (
  ports: HandlerPorts,
  incoming: WebhookRequest,
): Promise<HandlerResult> => {
  const gateway = incoming.path.replace(/^\/+|\/+$/g, '')
  const adapter = ports.payments.getAdapter(gateway)
  if (!adapter) return { outcome: 'not_found', response: createTextResponse(404) }
  try {
    const {
      events,
      paymentsToCheck = [],
      response = { body: 'OK' },
    } = await adapter.parseWebhook(incoming)
    const outcomes: string[] = []
    for (const event of events) outcomes.push(await applyEvent(ports, event))
    for (const payment of paymentsToCheck)
      outcomes.push(await applyProviderRefunds(ports, payment, gateway))
    const outcome = `${gateway}:${outcomes.join('+') || 'nothing'}`
    if (outcomes.includes('too_early')) return { outcome, response: createTextResponse(503) }
    return {
      outcome,
      response: createTextResponse(response.status ?? 200, response.body, response.type),
    }
  } catch (error) {
    if (error instanceof InvalidSignatureError)
      return { outcome: `${gateway}:forged`, response: createTextResponse(400) }
    logProviderError(gateway, error)
    return { outcome: `${gateway}:failed`, response: createTextResponse(500) }
  }
}
