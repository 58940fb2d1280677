import { dueOf } from '~/domain/booking/packet'
import type { Booking, User } from '~/domain/entities'
import { at } from '~/domain/paths'
import type { PaymentAttempt, PaymentEvent } from '~/domain/payments/attempt'
import { isOpen, isPaid } from '~/domain/payments/attempt'
import { minorOf } from '~/domain/payments/currency'
import type { Ports } from '../definition'
import { logPaymentFault } from '../logs'
import { readUser } from '../ports/database'
import { Refused } from '../refused'
import { readSettings } from '../settings'
import type { Adapter, Asked, CheckoutOrder, Incoming } from './adapter'
import { Forged } from './adapter'
import type { Answer } from './answers'
import { checkoutAnswer, seeOther, sorry } from './answers'
import { beginAttempt } from './begin'
import { readAttempt } from './desk'
import type { Speech } from './language'
import { speechFor } from './language'
import { formOf } from './talking'

type Desk = Pick<Ports, 'db' | 'payments' | 'random'>

/** An answer, and the word for it in the log. */
export interface Visited {
  answer: Answer
  outcome: string
}

const gone = ({ payments }: Desk, speech: Speech): Visited => ({
  outcome: 'not_found',
  answer: sorry(speech, 404, 'gone', payments.urls.app('')),
})

const unreachable = ({ payments }: Desk, payment: string, speech: Speech): Visited => ({
  outcome: 'provider_fault',
  answer: sorry(speech, 502, 'silent', payments.urls.app(payment)),
})

/** What the browser says of its language: the app's choice travels in the address. */
const wishesOf = ({ query, headers }: Pick<Incoming, 'query' | 'headers'>) =>
  ({ chosen: query.get('lang'), accepted: headers['accept-language'] }) as const

export const askedOf = (attempt: PaymentAttempt): Asked => ({
  payment: attempt.id,
  minor: minorOf(attempt.amount, attempt.currency) ?? 0,
  currency: attempt.currency,
  ...(attempt.checkout_ref && { checkout_ref: attempt.checkout_ref }),
  ...(attempt.ref && { ref: attempt.ref }),
  refunded: minorOf(attempt.refunded ?? 0, attempt.currency) ?? 0,
  createdAt: attempt.createdAt,
})

const orderOf = async (
  { db, payments: { urls } }: Desk,
  attempt: PaymentAttempt,
  { chosen, accepted }: ReturnType<typeof wishesOf>,
): Promise<CheckoutOrder> => {
  const [settings, user] = await Promise.all([readSettings(db), readUser<User>(db, attempt.uid)])
  const { id, gateway, booking } = attempt
  const speech = speechFor(chosen, user?.lang?.langLocale, accepted)
  const app = settings.appName
  return {
    ...askedOf(attempt),
    id,
    description: booking ? `${app}: booking ${booking}` : `${app}: wallet top-up`,
    title: booking
      ? speech.say('for_booking', { app, booking })
      : speech.say('for_wallet', { app }),
    speech,
    createdAt: attempt.createdAt,
    customer: {
      id: attempt.uid,
      first: user?.firstName ?? '',
      last: user?.lastName ?? '',
      email: user?.email ?? '',
      phone: user?.mobile ?? '',
    },
    urls: {
      pay: `${urls.pay(gateway)}?lang=${speech.locale}`,
      return: urls.return(gateway, id),
      cancel: urls.cancel(gateway, id),
      webhook: urls.webhook(gateway),
    },
  }
}

/**
 * The attempt a form is about. `order_id` names it, or the booking itself, which begins one over all that is due. Nothing
 * else of the form counts, but who posts must know whose it is.
 */
const attemptFor = async (
  desk: Desk,
  gateway: string,
  form: URLSearchParams,
  now: number,
): Promise<PaymentAttempt | null> => {
  const [order, customer] = [form.get('order_id') ?? '', form.get('cust_id') ?? '']
  const attempt = await readAttempt(desk.db, order)
  if (attempt) return attempt.gateway === gateway && attempt.uid === customer ? attempt : null
  if (!/^[A-Za-z0-9_-]{1,128}$/.test(order)) return null
  const booking = await desk.db.read<Booking>(at.booking(order))
  if (!booking || booking.customer !== customer) return null
  if (booking.status !== 'PAYMENT_PENDING' && booking.status !== 'PENDING') return null
  const settings = await readSettings(desk.db)
  const { due } = dueOf(booking, settings.decimal)
  const wanted = { uid: customer, kind: 'booking', booking: order, gateway, amount: due } as const
  return due > 0 ? beginAttempt(desk, wanted, settings, now) : null
}

/** Applies what a provider said; `applied`, `duplicate` and so on for the log. */
const hear = async ({ payments }: Desk, event: PaymentEvent | null | undefined) =>
  event ? payments.receive(event) : 'nothing'

/** Lets one submission in: from here on the attempt is pending, and a second one finds it so. */
const lock = async ({ payments }: Desk, attempt: PaymentAttempt): Promise<boolean> =>
  (attempt.status === 'created' || attempt.status === 'failed') &&
  payments.change(attempt, { status: 'pending' })

const submit = async (
  desk: Desk,
  adapter: Adapter,
  {
    attempt,
    order,
    form,
  }: { attempt: PaymentAttempt; order: CheckoutOrder; form: URLSearchParams },
): Promise<Visited> => {
  const { urls } = desk.payments
  if (adapter.charges && !(await lock(desk, attempt)))
    return { outcome: 'busy', answer: seeOther(urls.app(attempt.id)) }
  const submitted = await adapter.submitted?.(order, form)
  if (!submitted) return gone(desk, order.speech)
  const outcome = await hear(desk, submitted.event)
  const { next } = submitted
  return {
    outcome: `submitted:${outcome}`,
    answer:
      next === 'return'
        ? seeOther(order.urls.return)
        : checkoutAnswer(next, urls.origin, order.speech),
  }
}

/** A browser posts the specification's form to a provider's link, or one of that provider's pages of ours posts back. */
export const visitPay = async (
  desk: Desk,
  gateway: string,
  incoming: Incoming,
  now: number,
): Promise<Visited> => {
  const { payments } = desk
  const adapter = payments.adapter(gateway)
  const form = formOf(incoming.body)
  const wishes = wishesOf(incoming)
  let speech = speechFor(wishes.chosen, wishes.accepted)
  let attempt: PaymentAttempt | null
  try {
    attempt = adapter && (await attemptFor(desk, gateway, form, now))
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return gone(desk, speech)
  }
  if (!adapter || !attempt) return gone(desk, speech)
  if (isPaid(attempt.status))
    return { outcome: 'already_paid', answer: seeOther(payments.urls.app(attempt.id)) }
  const order = await orderOf(desk, attempt, wishes)
  speech = order.speech
  if (!isOpen(attempt, now)) return gone(desk, speech)
  try {
    if (form.has('step') && adapter.submitted)
      return await submit(desk, adapter, { attempt, order, form })
    const checkout = await adapter.checkout(order)
    const { ref } = checkout
    if (ref && ref !== attempt.checkout_ref) {
      const kept = await payments.change(attempt, { checkout_ref: ref })
      if (!kept) return await visitAgain(desk, attempt)
    }
    return { outcome: 'ok', answer: checkoutAnswer(checkout, payments.urls.origin, speech) }
  } catch (error) {
    logPaymentFault(gateway, error)
    return unreachable(desk, attempt.id, speech)
  }
}

/** The attempt changed while its checkout was opened: the app knows what it is now. */
const visitAgain = (desk: Desk, { id }: PaymentAttempt): Promise<Visited> =>
  Promise.resolve({ outcome: 'changed', answer: seeOther(desk.payments.urls.app(id)) })

/**
 * The payer comes back from a provider, with a GET or a POST. Nothing he brings is believed: the provider is asked, where he
 * can be, and the app's page waits for the truth.
 */
export const visitReturn = async (desk: Desk, incoming: Incoming): Promise<Visited> => {
  const { payments, db } = desk
  const { path, query } = incoming
  const gateway = path.replace(/^\/+|\/+$/g, '')
  const adapter = payments.adapter(gateway)
  const attempt = await readAttempt(db, query.get('payment') ?? '')
  if (!adapter || attempt?.gateway !== gateway)
    return gone(desk, speechFor(wishesOf(incoming).accepted))
  const hint = query.get('hint') === 'cancelled' ? 'cancelled' : undefined
  const answer = seeOther(payments.urls.app(attempt.id, hint))
  if (isPaid(attempt.status) || !adapter.ask) return { outcome: 'ok', answer }
  try {
    return {
      outcome: `asked:${await hear(desk, await adapter.ask(askedOf(attempt)))}`,
      answer,
    }
  } catch (error) {
    // His message will come, or the sweep will ask again.
    logPaymentFault(gateway, error)
    return { outcome: 'provider_fault', answer }
  }
}

const plain = (status: number, body = '', type = 'text/plain; charset=utf-8'): Answer => ({
  status,
  headers: { 'Content-Type': type, 'Cache-Control': 'no-store' },
  body,
})

/** A provider's own message. Anything but what it can prove is refused without a word; what can't be written is asked for again. */
export const visitWebhook = async (desk: Desk, incoming: Incoming): Promise<Visited> => {
  const gateway = incoming.path.replace(/^\/+|\/+$/g, '')
  const adapter = desk.payments.adapter(gateway)
  if (!adapter) return { outcome: 'not_found', answer: plain(404) }
  try {
    const { events, ack = { body: 'OK' } } = await adapter.notified(incoming)
    const outcomes: string[] = []
    for (const event of events) outcomes.push(await hear(desk, event))
    const outcome = `${gateway}:${outcomes.join('+') || 'nothing'}`
    if (outcomes.includes('too_early')) return { outcome, answer: plain(503) }
    return { outcome, answer: plain(ack.status ?? 200, ack.body, ack.type) }
  } catch (error) {
    if (error instanceof Forged) return { outcome: `${gateway}:forged`, answer: plain(400) }
    logPaymentFault(gateway, error)
    return { outcome: `${gateway}:failed`, answer: plain(500) }
  }
}
