import type { ParsedInput } from '~/domain/api/api'
import { subtractAmount, roundAmount, toMinorUnits } from '~/domain/money/money'
import { dbPaths } from '~/domain/data/databasePaths'
import { defineUserEndpoint } from '../../http/endpointTypes'
import type { DatabasePort } from '../../ports/database'
import { readUser } from '../../ports/database'
import { unwrap, fail } from '../../domainException'
import { readSettings } from '../../services/office/settings'
import { buildBillPacket, quoteBookingPayment } from '~/domain/booking/events/pay/bill'
import type { Booking } from '~/domain/booking/types'
import type { Promo } from '~/domain/catalog/types'
import type { User } from '~/domain/accounts/types'

/** Returns the amount that a rider would pay for a booking now. Writes nothing. */
export const quote_payment = defineUserEndpoint({
  name: 'quote_payment',
  summary:
    'Returns the payment of a booking without writing: the packet with promo and wallet, and the amount due.',
  allow: ['rider'],
  limit: 120,
  spends: [],
  needsFreshSignIn: false,
  errors: [
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

/**
 * Returns the packet that a payment from these sources creates, with the same checks as `pay`.
 * Amounts are in the currency of the settings.
 */
export const quotePayment = async (
  db: DatabasePort,
  { booking_id, promo: promoId, usedWalletMoney = 0 }: ParsedInput<'quote_payment'>,
  uid: string,
  now: number,
) => {
  const [settings, booking, customer, promo, use] = await Promise.all([
    readSettings(db),
    db.read<Booking>(dbPaths.booking(booking_id)),
    readUser<User>(db, uid),
    promoId ? db.read<Promo>(dbPaths.promo(promoId)) : null,
    promoId ? db.read<string>(dbPaths.promoUse(promoId, uid)) : null,
  ])
  if (!booking) return fail('not_found', 'booking_id')
  if (booking.customer !== uid) fail('not_allowed', 'booking_id')
  const { status } = booking
  if (status !== 'PAYMENT_PENDING' && status !== 'PENDING') {
    fail('event_not_possible', undefined, { status })
  }
  const { decimal } = settings
  const driver = promoId && booking.driver ? await readUser<User>(db, booking.driver) : null
  const referrer =
    driver && customer?.signupViaReferral
      ? await readUser<User>(db, customer.signupViaReferral)
      : null
  const context = {
    settings,
    customer,
    driver,
    referrer,
    promo: promo && promoId ? { ...promo, id: promoId } : null,
    isPromoUsed:
      (use !== null && use !== booking_id) ||
      (promoId !== undefined && customer?.formerPromos?.[promoId] === true),
  }
  const bill = unwrap(quoteBookingPayment({ booking, context, now }, promoId))
  const { due } = bill
  const wallet = roundAmount(usedWalletMoney, decimal)
  const walletBalance = customer?.walletBalance ?? 0
  if (toMinorUnits(wallet, decimal) > toMinorUnits(due, decimal))
    fail('bad_input', 'usedWalletMoney')
  if (toMinorUnits(wallet, decimal) > toMinorUnits(Math.max(0, walletBalance), decimal)) {
    fail('wallet_too_low', 'usedWalletMoney', { needed: wallet })
  }
  const rest = subtractAmount(due, wallet, decimal)
  const mode = rest > 0 ? 'card' : 'wallet'
  const packet = buildBillPacket(bill, booking, settings, { mode, wallet, card: rest })
  return { packet, due: rest, walletBalance }
}
