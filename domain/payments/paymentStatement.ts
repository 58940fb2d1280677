import { isPaidOut } from '../booking/payment/paidOut'
import { getOwn } from '../data/ownValue'
import { getAmountDue } from '../booking/payment/paymentPacket'
import { getEarlierCharge, hasChargeEntry, isPaymentEntry } from '../booking/payment/paymentHistory'
import { MAX_DECIMALS, sumAmounts } from '../money/money'
import { COMPLAINT_REASONS } from '../money/types'
import type { Booking, FareHistoryEntry, FareLine, PaymentMode } from '../booking/types'
import type { Settings } from '../catalog/types'

/** One amount that was charged by or returned to a method of payment. */
export interface PaymentLine {
  kind: 'charge' | 'return'
  method: PaymentMode
  amount: number
  /** ms */
  at: number
  cause: string
  /** The wallet had too little, so its balance is below zero by this amount. */
  isOwed?: true
}

type PaymentEntry = Pick<FareHistoryEntry, 'kind' | 'at' | 'cause' | 'lines'>

/**
 * Returns the entries that a booking of an earlier release does not have. Cash counts only once the
 * driver has collected it, and a cancellation returned the prepaid money to the wallet.
 */
const deriveEarlierEntries = (booking: Booking): PaymentEntry[] => {
  const { status, bookingDate, cashPaymentAmount = 0, cancellationFee = 0 } = booking
  const { cardPaymentAmount = 0, usedWalletMoney = 0 } = booking
  const { paid_at = bookingDate, cancelled_at = bookingDate } = booking
  const charge = getEarlierCharge(booking)
  const isPaid = isPaidOut(booking)
  const cash = isPaid ? cashPaymentAmount : 0
  const returned =
    status === 'CANCELLED' ? sumAmounts([cardPaymentAmount, usedWalletMoney], MAX_DECIMALS) : 0
  const fee = status === 'CANCELLED' ? cancellationFee : 0
  const wallet = 'payment_wallet'
  return [
    { kind: 'charge', cause: 'booked', ...charge },
    {
      kind: 'charge',
      cause: 'collected',
      at: paid_at,
      lines: [{ label: 'payment_cash', amount: cash }],
    },
    {
      kind: 'return',
      cause: 'cancelled',
      at: cancelled_at,
      lines: [{ label: wallet, amount: returned }],
    },
    {
      kind: 'charge',
      cause: 'cancellation_fee',
      at: cancelled_at,
      lines: [{ label: wallet, amount: fee }],
    },
  ]
}

/** Returns the method of a line. A refund names none, because it always goes back to the card. */
const toMethod = (
  kind: PaymentEntry['kind'],
  label: string,
): Pick<PaymentLine, 'method' | 'isOwed'> => {
  if (kind === 'refund') return { method: 'card' }
  if (label === 'payment_owed') return { method: 'wallet', isOwed: true }
  return { method: label.replace('payment_', '') as PaymentMode }
}

const toPaymentLines = ({ kind, at, cause, lines = [] }: PaymentEntry): PaymentLine[] =>
  Object.values(lines)
    .filter(({ amount }) => amount !== 0)
    .map(({ label, amount }) => ({
      // A refund above zero is one that a bank reversed.
      kind: kind === 'charge' || (kind === 'refund' && amount > 0) ? 'charge' : 'return',
      ...toMethod(kind, label),
      amount: Math.abs(amount),
      at,
      cause,
    }))

/**
 * Returns what a customer was charged for a booking and what was returned, oldest first. Plans,
 * such as cash that a driver has yet to collect, are not part of it.
 */
export const getPaymentLines = (booking: Booking): PaymentLine[] => {
  const stored = Object.values(booking.fare_history ?? {}).filter(isPaymentEntry)
  const earlier = hasChargeEntry(booking) ? [] : deriveEarlierEntries(booking)
  return [...earlier, ...stored].flatMap(toPaymentLines).sort((a, b) => a.at - b.at)
}

/**
 * Returns what a customer has paid for a booking so far: the charges less what was returned; with
 * `method`, only what moved by it. Below zero when a card payment was returned to the wallet.
 */
export const getNetPayment = (booking: Booking, decimal: number, method?: PaymentMode): number =>
  sumAmounts(
    getPaymentLines(booking)
      .filter((line) => method === undefined || line.method === method)
      .map(({ kind, amount }) => (kind === 'charge' ? amount : -amount)),
    decimal,
  )

/**
 * Returns the lines of what a customer is charged for a booking, and their total. A canceled
 * booking charges its cancellation fee and nothing else.
 */
export const getChargedFare = (booking: Booking): { lines: FareLine[]; total: number } => {
  const { status, cancellationFee: fee = 0, trip_cost, discount_amount = 0 } = booking
  if (status === 'CANCELLED')
    return { lines: fee > 0 ? [{ label: 'fare_cancellation', amount: fee }] : [], total: fee }
  const newest = Object.values(booking.fare_history ?? {})
    .filter((entry) => !isPaymentEntry(entry))
    .sort((a, b) => b.at - a.at)[0]
  const lines = Object.values(newest?.lines ?? {})
  // A final fare lists the discount, an estimate does not.
  const isListed = discount_amount === 0 || lines.some(({ label }) => label === 'fare_discount')
  return {
    lines: isListed ? lines : [...lines, { label: 'fare_discount', amount: -discount_amount }],
    total: booking.customer_paid ?? trip_cost ?? booking.estimate,
  }
}

/** Returns the amount that a customer still has to pay for a booking. */
export const getDue = (booking: Booking, { decimal }: Pick<Settings, 'decimal'>): number => {
  const isOver = booking.status === 'CANCELLED' || isPaidOut(booking)
  return isOver ? 0 : getAmountDue(booking, decimal).due
}

/** A row of a receipt: texts, the time (ms) of what has happened, and a signed amount. */
export interface PaymentRow {
  label: string
  cause?: string | undefined
  at?: number | undefined
  amount: number
}

/** Causes whose text would add something to the label, and the prefix of its key. */
const CAUSE_PREFIXES: Readonly<Record<string, string>> = {
  amended: 'payment_cause_',
  cancelled: 'payment_cause_',
  cancellation_fee: 'payment_cause_',
  ...Object.fromEntries(COMPLAINT_REASONS.map((reason) => [reason, 'reason_'])),
}

export type Translate = (key: string) => string

export const getCauseText = (cause: string, translate: Translate): string | undefined => {
  const prefix = getOwn(CAUSE_PREFIXES, cause)
  return prefix && translate(`${prefix}${cause}`)
}

const getLabel = ({ kind, method, cause, isOwed }: PaymentLine, translate: Translate): string => {
  if (isOwed) return translate('receipt_owed')
  if (cause === 'chargeback') return translate('receipt_chargeback')
  if (cause === 'chargeback_won') return translate('receipt_chargeback_won')
  if (kind === 'return' && method === 'card') return translate('fare_refund')
  const verb = translate(kind === 'charge' ? 'receipt_paid' : 'receipt_returned')
  return `${verb}: ${translate(`payment_${method}`)}`
}

/** Returns the rows about compensation and tips, which are no part of the fare. */
const getAdjustmentRows = ({ adjustments = {} }: Booking, translate: Translate): PaymentRow[] =>
  Object.values(adjustments)
    .filter(({ rider = 0 }) => rider !== 0)
    .map(({ at, reason, rider = 0 }) => ({
      label: translate(reason === 'tip' ? 'tip_for_driver' : 'compensation'),
      cause: getCauseText(reason, translate),
      at,
      amount: -rider,
    }))
    .sort((a, b) => a.at - b.at)

/** Returns the rows about what complaints moved in the driver's wallet, seen by the platform. */
const getDriverAdjustmentRows = (
  { adjustments = {} }: Booking,
  translate: Translate,
): PaymentRow[] =>
  Object.values(adjustments)
    .filter(({ reason, driver = 0 }) => reason !== 'tip' && driver !== 0)
    .map(({ at, reason, driver = 0 }) => ({
      label: translate(driver < 0 ? 'payment_row_taken_back' : 'compensation_driver'),
      cause: getCauseText(reason, translate),
      at,
      amount: -driver,
    }))

/**
 * Returns the rows of `getPaymentRows` with what complaints gave to the driver, as negative
 * amounts, or took back from them.
 */
export const getOfficeRows = (
  booking: Booking,
  settings: Pick<Settings, 'decimal'>,
  translate: Translate,
): PaymentRow[] =>
  [
    ...getPaymentRows(booking, settings, translate),
    ...getDriverAdjustmentRows(booking, translate),
  ].sort((a, b) => (a.at ?? Infinity) - (b.at ?? Infinity) || 0)

/**
 * Returns the rows about a booking's money: charges and tips, returns and compensation as negative
 * amounts, and the amount due. Receipts, e-mails and pages show them. `translate` returns the text
 * of a key.
 */
export const getPaymentRows = (
  booking: Booking,
  settings: Pick<Settings, 'decimal'>,
  translate: Translate,
): PaymentRow[] => {
  const lines = getPaymentLines(booking).map((line): PaymentRow => {
    const { kind, amount, at, cause } = line
    return {
      label: getLabel(line, translate),
      cause: getCauseText(cause, translate),
      at,
      amount: kind === 'charge' ? amount : -amount,
    }
  })
  const rows = [...lines, ...getAdjustmentRows(booking, translate)]
  const due = getDue(booking, settings)
  if (due > 0) return [...rows, { label: translate('receipt_due'), amount: due }]
  return rows.length > 0 ? rows : [{ label: translate('receipt_nothing_charged'), amount: 0 }]
}
