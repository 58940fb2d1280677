import {
  PAYMENT_ENTRY_KINDS,
  type Booking,
  type FareHistoryEntry,
  type FareLine,
  type PaymentMode,
} from '../entities'
import { sumAmounts, toMinorUnits } from '../money'
import type { Draft, TransitionArgs } from './changeDraft'

type Amounts = Partial<Record<PaymentMode, number>>

const toLines = (amounts: Amounts): FareLine[] =>
  Object.entries(amounts).map(([method, amount]) => ({ label: `payment_${method}`, amount }))

/** Returns true for an entry about money that moved, and false for one about the price. */
export const isPaymentEntry = ({ kind }: Pick<FareHistoryEntry, 'kind'>): boolean =>
  (PAYMENT_ENTRY_KINDS as readonly string[]).includes(kind)

/** Returns true when the history says what was charged. Earlier releases did not record it. */
export const hasChargeEntry = ({ fare_history = {} }: Booking): boolean =>
  Object.values(fare_history).some(({ kind }) => kind === 'charge')

/**
 * Returns the prepaid amounts of a booking of an earlier release, which its fields show less what
 * amendments had returned. `at` is the time of the payment, ms.
 */
export const getEarlierCharge = ({
  cardPaymentAmount: card = 0,
  usedWalletMoney: wallet = 0,
  event_log = {},
  bookingDate,
}: Booking): Pick<FareHistoryEntry, 'at' | 'lines'> => ({
  at: event_log.pay_PAYMENT_PENDING?.at ?? bookingDate,
  lines: toLines({ card, wallet }).filter(({ amount }) => amount > 0),
})

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
