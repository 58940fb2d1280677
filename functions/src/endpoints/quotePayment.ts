import * as v from 'valibot'
import { id } from '~/domain/api'
import { dueOf, packetOf } from '~/domain/booking/packet'
import type { Booking, Promo, User } from '~/domain/entities'
import { minus, round, sum, toMinor } from '~/domain/money'
import { at } from '~/domain/paths'
import { redeem } from '~/domain/promo'
import { forUsers } from '../definition'
import type { DatabasePort } from '../ports/database'
import { readUser } from '../ports/database'
import { orThrow, refuse } from '../refused'
import { readSettings } from '../settings'

const amount = v.pipe(v.number(), v.finite(), v.minValue(0), v.maxValue(1e9))
export const quoteInput = v.object({
  booking_id: id,
  promo: v.optional(id),
  /** So much from the wallet; the rest by card or in cash. */
  usedWalletMoney: v.optional(amount),
})

/** What a rider would pay for a booking now; nothing is written. */
export const quote_payment = forUsers({
  name: 'quote_payment',
  summary:
    'What paying a booking would come to: the packet with promo and wallet, and what is left to pay. Writes nothing.',
  input: quoteInput,
  allow: ['rider'],
  limit: 120,
  answers: '{packet: PaymentPacket, due, walletBalance}',
  refuses: [
    'not_found',
    'not_allowed',
    'event_not_possible',
    'promo_invalid',
    'promo_expired',
    'promo_min_order',
    'promo_used_up',
    'promo_already_used',
    'wallet_too_low',
  ],
  handle: (input, { actor, db, now }) => quotePayment(db, input, actor.uid, now),
})

/** The packet a payment of these sources makes, checked as `pay` will check it. Amounts in the settings' currency. */
export const quotePayment = async (
  db: DatabasePort,
  { booking_id, promo: promoId, usedWalletMoney = 0 }: v.InferOutput<typeof quoteInput>,
  uid: string,
  now: number,
) => {
  const [settings, booking, customer, promo, use] = await Promise.all([
    readSettings(db),
    db.read<Booking>(at.booking(booking_id)),
    readUser<User>(db, uid),
    promoId ? db.read<Promo>(at.promo(promoId)) : null,
    promoId ? db.read<string>(at.promoUse(promoId, uid)) : null,
  ])
  if (!booking) return refuse('not_found', 'booking_id')
  if (booking.customer !== uid) refuse('not_allowed', 'booking_id')
  const { status, paymentPacket } = booking
  if (status !== 'PAYMENT_PENDING' && status !== 'PENDING') {
    refuse('event_not_possible', undefined, { status })
  }
  const { decimal } = settings
  const before = dueOf(booking, decimal)
  if (promoId && paymentPacket?.promo_applied) refuse('promo_already_used', 'promo')
  const redeemed = promoId
    ? orThrow(
        redeem(promo && { ...promo, id: promoId }, {
          tripCost: booking.trip_cost,
          usedBefore: use !== null && use !== booking_id,
          now,
          decimal,
        }),
      )
    : null
  const due = minus(before.due, Math.min(redeemed?.discount ?? 0, before.due), decimal)
  const wallet = round(usedWalletMoney, decimal)
  const walletBalance = customer?.walletBalance ?? 0
  if (toMinor(wallet, decimal) > toMinor(due, decimal)) refuse('bad_input', 'usedWalletMoney')
  if (toMinor(wallet, decimal) > toMinor(Math.max(0, walletBalance), decimal)) {
    refuse('wallet_too_low', 'usedWalletMoney', { needed: wallet })
  }
  const rest = minus(due, wallet, decimal)
  const packet = packetOf(booking, settings, {
    mode: rest > 0 ? 'card' : 'wallet',
    discount: redeemed?.discount ?? before.discount,
    wallet: sum([before.wallet, wallet], decimal),
    card: sum([before.card, rest], decimal),
    promo: redeemed
      ? { id: redeemed.promo.id, promo_name: redeemed.promo.promo_name }
      : (paymentPacket?.promo_details ?? null),
  })
  return { packet, due: rest, walletBalance }
}
