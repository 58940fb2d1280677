import * as v from 'valibot'
import { round } from '~/domain/money'
import { exponentOf } from '~/domain/payments/currency'
import { forUsers } from '../definition'
import type { ActorContext } from '../definition'
import { beginAttempt } from '../payments/begin'
import { PAYMENT_SECRETS } from '../payments/secrets'
import { refuse } from '../refused'
import { readSettings } from '../settings'
import { quoteInput, quotePayment } from './quotePayment'

const provider = v.pipe(v.string(), v.regex(/^[a-z]{1,40}$/))
const input = v.variant('payment_mode', [
  v.object({ ...quoteInput.entries, payment_mode: v.literal('cash') }),
  v.object({ ...quoteInput.entries, payment_mode: v.literal('wallet') }),
  v.object({ ...quoteInput.entries, payment_mode: v.literal('card'), provider }),
  v.object({
    payment_mode: v.literal('topup'),
    provider,
    amount: v.pipe(v.number(), v.finite(), v.gtValue(0), v.maxValue(1e7)),
  }),
])
type Card = Extract<v.InferOutput<typeof input>, { payment_mode: 'card' }>
type TopUp = Extract<v.InferOutput<typeof input>, { payment_mode: 'topup' }>

/** Pays a booking, or opens a provider's checkout for it or for the wallet. */
export const start_payment = forUsers({
  name: 'start_payment',
  summary:
    "Pays a booking from the wallet or promises cash at once; `card` and `topup` open a provider's checkout, and only its verified callback pays.",
  input,
  allow: ['rider', 'driver'],
  limit: 60,
  answers: '{booking_id, status, revision} | {payment_id, url, amount, currency}',
  secrets: PAYMENT_SECRETS,
  refuses: [
    'not_found',
    'not_allowed',
    'event_not_possible',
    'wallet_too_low',
    'promo_invalid',
    'promo_expired',
    'promo_min_order',
    'promo_used_up',
    'promo_already_used',
    'changed_meanwhile',
  ],
  async handle(asked, context) {
    const { actor, bookings } = context
    if (asked.payment_mode === 'card') return openCheckout(asked, context)
    if (asked.payment_mode === 'topup') return openTopUp(asked, context)
    const { booking_id, ...pay } = asked
    const { status, revision } = await bookings.change(booking_id, { event: 'pay', ...pay }, actor)
    return { booking_id, status, revision }
  },
})

const openCheckout = async (asked: Card, context: ActorContext) => {
  const { db, actor, now } = context
  const { due } = await quotePayment(db, asked, actor.uid, now)
  if (due <= 0) refuse('bad_input', 'payment_mode')
  const { booking_id, promo, usedWalletMoney } = asked
  return open(context, {
    kind: 'booking',
    gateway: asked.provider,
    amount: due,
    booking: booking_id,
    ...(promo && { promo }),
    ...(usedWalletMoney && { details: { usedWalletMoney } }),
  })
}

const openTopUp = async ({ provider: gateway, amount }: TopUp, context: ActorContext) => {
  const { decimal, code } = await readSettings(context.db)
  const places = Math.min(decimal, exponentOf(code))
  return open(context, { kind: 'wallet', gateway, amount: round(amount, places) })
}

/** The attempt is written before anybody is sent anywhere: a callback must find what it pays. */
const open = async (
  context: ActorContext,
  wanted: Omit<Parameters<typeof beginAttempt>[1], 'uid'>,
) => {
  const { db, actor, now, payments } = context
  const settings = await readSettings(db)
  const attempt = await beginAttempt(context, { ...wanted, uid: actor.uid }, settings, now)
  const { id: payment_id, amount, currency, gateway } = attempt
  return { payment_id, url: payments.urls.pay(gateway), amount, currency }
}
