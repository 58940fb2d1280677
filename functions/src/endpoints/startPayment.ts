import * as v from 'valibot'
import { round } from '~/domain/money'
import { at } from '~/domain/paths'
import { forUsers } from '../definition'
import type { ActorContext } from '../definition'
import { pushKey } from '../ports/random'
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
  answers: '{booking_id, status, revision} | {payment_id, url}',
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
  return open(asked.provider, due, context, {
    kind: 'booking',
    booking: booking_id,
    ...(promo && { promo }),
    ...(usedWalletMoney && { details: { usedWalletMoney } }),
  })
}

const openTopUp = async ({ provider: name, amount }: TopUp, context: ActorContext) => {
  const { decimal } = await readSettings(context.db)
  return open(name, round(amount, decimal), context, { kind: 'wallet' })
}

type Purpose =
  | { kind: 'booking'; booking: string; promo?: string; details?: { usedWalletMoney: number } }
  | { kind: 'wallet' }

/** The order is written first: a callback that comes before our answer must find what it pays. */
const open = async (
  gateway: string,
  amount: number,
  { db, actor, now, payments, random }: ActorContext,
  purpose: Purpose,
) => {
  const [settings, providers] = await Promise.all([readSettings(db), payments.providers()])
  if (!providers.some((known) => known.name === gateway)) refuse('not_found', 'provider')
  const order = { id: pushKey(now, random), uid: actor.uid, amount, currency: settings.code }
  await db.update({
    [at.payment(order.id)]: { ...order, ...purpose, gateway, createdAt: now, status: 'created' },
  })
  const checkout = await payments.checkout(gateway, { ...order, kind: purpose.kind })
  return checkout ? { payment_id: order.id, url: checkout.url } : refuse('not_found', 'provider')
}
