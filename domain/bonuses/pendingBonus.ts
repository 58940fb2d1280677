import { getOpenRefunds, getRiderCredits } from '../booking/adjustments/compensationLimits'
import type { DatabaseValue } from '../databaseValue'
import type { Booking, Settings } from '../entities'
import { internalPaths } from '../internalPaths'
import { buildNotification } from '../messages/messageTable'
import { MAX_DECIMALS, roundAmount, sumAmounts } from '../money'
import type { PaymentAttempt } from '../payments/paymentAttempt'
import { getNetPayment } from '../payments/paymentStatement'
import { DAY_MS } from '../timeUnits'
import { buildWalletUpdates, type Effect, type Wallet } from '../wallet'

/** The reference of a referral bonus in a wallet. */
export const REFERRAL_REF = 'Referral'

/** A referral bonus that is paid later, at internal/pending_bonuses/{uid}_{referred}. */
export interface PendingBonus {
  /** The person who gets it: the new user or their referrer. */
  uid: string
  /** The new user. */
  referred: string
  /** The paid booking that earned it. */
  booking: string
  amount: number
  /** The currency of the amount, ISO 4217. */
  code: string
  /** When it was earned, ms. */
  at: number
  /** When it is paid, ms. */
  due: number
  revision: number
}

/** Returns the key of the bonus in a wallet's history, which a wallet can have once. */
export const getBonusEntryKey = (referred: string): string => `${referred}-referral`

/** Returns the milliseconds from the first paid booking to the payment of its bonuses. */
export const getBonusDelayMs = ({ bonusDelayDays = 0 }: Pick<Settings, 'bonusDelayDays'>): number =>
  bonusDelayDays * DAY_MS

/** Returns the update that lets a bonus wait for its payment. */
export const buildPendingBonus = (
  earned: Pick<PendingBonus, 'uid' | 'referred' | 'booking' | 'amount' | 'at'>,
  settings: Pick<Settings, 'code' | 'bonusDelayDays'>,
): Record<string, DatabaseValue> => {
  const { uid, referred, at } = earned
  const due = at + getBonusDelayMs(settings)
  const bonus: PendingBonus = { ...earned, code: settings.code, due, revision: 1 }
  return { [internalPaths.pendingBonus(uid, referred)]: { ...bonus } }
}

/**
 * Returns true when all that was paid for the booking has gone back: by refund, chargeback or
 * complaint. Refunds that are under way count as made. Such a trip proves no new customer.
 */
export const isPaymentReturned = (
  booking: Booking,
  cardPayments: readonly PaymentAttempt[],
): boolean => {
  const currency = { decimal: MAX_DECIMALS }
  const kept = sumAmounts(
    [
      getNetPayment(booking, MAX_DECIMALS),
      -getRiderCredits(booking, currency),
      -getOpenRefunds(cardPayments, currency),
    ],
    MAX_DECIMALS,
  )
  return (booking.customer_paid ?? 0) > 0 && kept <= 0
}

/**
 * Returns the amount to pay. A bonus of an earlier currency has no value in this one, so it is
 * what the settings give now.
 */
const getPayableAmount = (
  { amount, code }: PendingBonus,
  settings: Pick<Settings, 'bonus' | 'code' | 'decimal'>,
): number => roundAmount(code === settings.code ? amount : settings.bonus, settings.decimal)

/** Everything that decides what happens to a bonus that is due. */
interface BonusFacts {
  /** Null when the account is deleted. */
  wallet: Wallet | null
  /** True when the wallet's history has the bonus. */
  isPaid: boolean
  booking: Booking | null
  cardPayments: readonly PaymentAttempt[]
  settings: Pick<Settings, 'bonus' | 'code' | 'decimal'>
}

/**
 * Pays a bonus that is due into its wallet and removes it from those that wait, in one write.
 * Removes it without a credit when the account is deleted or the booking's payment went back.
 */
export const payPendingBonus = (
  bonus: PendingBonus,
  { wallet, isPaid, booking, cardPayments, settings }: BonusFacts,
  now: number,
): Effect => {
  const { uid, referred } = bonus
  const removal = { [internalPaths.pendingBonus(uid, referred)]: null }
  const amount = getPayableAmount(bonus, settings)
  if (!wallet || !booking || isPaid || amount <= 0 || isPaymentReturned(booking, cardPayments))
    return { updates: removal, pushes: [] }
  const entry = { type: 'Credit', amount, date: now, txRef: REFERRAL_REF } as const
  return {
    updates: {
      ...removal,
      ...buildWalletUpdates(wallet, { [getBonusEntryKey(referred)]: entry }, settings),
    },
    pushes: [{ to: uid, ...buildNotification('referral', 'account'), params: { amount } }],
  }
}
