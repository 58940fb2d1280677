import * as v from 'valibot'
import { id } from '~/domain/api'
import { billOf, packetFor } from '~/domain/booking/payment'
import type { Booking, Promo, User } from '~/domain/entities'
import { minus, round, toMinor } from '~/domain/money'
import { at } from '~/domain/paths'
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
  const { status } = booking
  if (status !== 'PAYMENT_PENDING' && status !== 'PENDING') {
    refuse('event_not_possible', undefined, { status })
  }
  const { decimal } = settings
  const world = {
    settings,
    promo: promo && promoId ? { ...promo, id: promoId } : null,
    promoUsedBefore: use !== null && use !== booking_id,
  }
  const bill = orThrow(billOf({ booking, world, now }, promoId))
  const { due } = bill
  const wallet = round(usedWalletMoney, decimal)
  const walletBalance = customer?.walletBalance ?? 0
  if (toMinor(wallet, decimal) > toMinor(due, decimal)) refuse('bad_input', 'usedWalletMoney')
  if (toMinor(wallet, decimal) > toMinor(Math.max(0, walletBalance), decimal)) {
    refuse('wallet_too_low', 'usedWalletMoney', { needed: wallet })
  }
  const rest = minus(due, wallet, decimal)
  const mode = rest > 0 ? 'card' : 'wallet'
  const packet = packetFor(bill, booking, settings, { mode, wallet, card: rest })
  return { packet, due: rest, walletBalance }
}
