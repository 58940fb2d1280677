import { MAX_DECIMALS, sumAmounts, toMinorUnits } from '../../money/money'
import type { Draft } from '../changeDraft'
import type { TransitionArgs } from '../eventArgs'
import {
  PAYMENT_ENTRY_KINDS,
  type Booking,
  type FareHistoryEntry,
  type FareLine,
  type PaymentMode,
} from '../types'

/** `owed` is charged to the wallet and makes its balance negative. */
type Amounts = Partial<Record<PaymentMode | 'owed', number>>

const toLines = (amounts: Amounts): FareLine[] =>
  Object.entries(amounts).map(([method, amount]) => ({ label: `payment_${method}`, amount }))

/** Returns true for an entry about money that moved, and false for one about the price. */
export const isPaymentEntry = ({ kind }: Pick<FareHistoryEntry, 'kind'>): boolean =>
  (PAYMENT_ENTRY_KINDS as readonly string[]).includes(kind)

/** Returns true when the history says what was charged. Earlier releases did not record it. */
export const hasChargeEntry = ({ fare_history = {} }: Booking): boolean =>
  Object.values(fare_history).some(({ kind }) => kind === 'charge')

/**
 * Returns the card money that was refunded before the end of the trip. `cardPaymentAmount` shows
 * the rest, while `refunded` counts what was refunded after the payment of the whole booking.
 */
const getEarlyRefunds = ({ fare_history = {}, refunded = 0 }: Booking): number =>
  sumAmounts(
    [
      ...Object.values(fare_history)
        .filter(({ kind }) => kind === 'refund')
        .map(({ total }) => -total),
      -refunded,
    ],
    MAX_DECIMALS,
  )

/**
 * Returns the prepaid amounts of a booking of an earlier release, less what amendments had
 * returned. Refunds have their own entries, so the card's amount includes them. `at` is the time of
 * the payment, ms.
 */
export const getEarlierCharge = (booking: Booking): Pick<FareHistoryEntry, 'at' | 'lines'> => {
  const { cardPaymentAmount = 0, usedWalletMoney: wallet = 0, event_log = {} } = booking
  const card = sumAmounts([cardPaymentAmount, getEarlyRefunds(booking)], MAX_DECIMALS)
  return {
    at: event_log.pay_PAYMENT_PENDING?.at ?? booking.bookingDate,
    lines: toLines({ card, wallet }).filter(({ amount }) => amount > 0),
  }
}

/** Money of the customer that moves with an event. */
interface PaymentMovement {
  kind: 'charge' | 'return'
  /** The end of a translation key. */
  cause: string
  amounts: Amounts
}

/**
 * Adds money that was charged or returned to the booking's history, so that receipts state what
 * happened and not what was planned. Skips amounts of 0. The first entry of a booking of an earlier
 * release comes with what had been charged before.
 */
export const recordPayment = (
  draft: Draft,
  { booking, context }: Pick<TransitionArgs, 'booking' | 'context'>,
  { kind, cause, amounts }: PaymentMovement,
) => {
  const { decimal } = context.settings
  const sum = (lines: readonly FareLine[]) =>
    sumAmounts(
      lines.map(({ amount }) => amount),
      decimal,
    )
  const lines = toLines(amounts).filter(({ amount }) => toMinorUnits(amount, decimal) > 0)
  if (lines.length === 0) return
  const earlier = getEarlierCharge(booking)
  if (!hasChargeEntry(booking) && earlier.lines.length > 0)
    draft.addFareEntry({
      kind: 'charge',
      cause: 'booked',
      ...earlier,
      total: sum(earlier.lines),
    })
  draft.addFareEntry({ kind, cause, lines, total: sum(lines) })
}
