export interface WalletEntry {
  type: 'Credit' | 'Debit' | 'Withdraw'
  /** Always positive; `type` gives the direction. */
  amount: number
  date: number
  txRef: string
  /** The words of the admin who moved the money; at most NOTE_LENGTH characters. */
  note?: string
  /** Why a booking's money moved after its end, or why a refund of a card payment moved money. */
  reason?: AdjustmentReason | CardMoveReason
}

/** Maximum length of a wallet entry's note, in characters. */
export const NOTE_LENGTH = 200

/** Reasons for which the office settles a complaint. */
export const COMPLAINT_REASONS = [
  'wrong_fare',
  'detour',
  'late',
  'no_show',
  'damage',
  'lost_item',
  'goodwill',
  'other',
] as const

export type ComplaintReason = (typeof COMPLAINT_REASONS)[number]

export type AdjustmentReason = ComplaintReason | 'tip'

/** Why money of a card payment left a wallet or came back to it. */
export type CardMoveReason = 'card_refund' | 'card_refund_failed' | 'chargeback' | 'chargeback_won'

/**
 * Money that moved after the end of a booking and is not part of its fare. `rider` and `driver` are
 * the changes of their wallets.
 */
export interface Adjustment {
  at: number
  reason: AdjustmentReason
  rider?: number
  driver?: number
}

/** Slots of a wallet's record. One write adds at most this many entries to one wallet. */
export const WALLET_SLOTS = ['a', 'b', 'c', 'd'] as const

type WalletSlot = (typeof WALLET_SLOTS)[number]

/**
 * The last write to a wallet, in whole minor units. The rules compare it with the balance and the
 * new history entries.
 */
export interface WalletMove {
  /** The currency of the write, ISO 4217. */
  code: string
  /** Minor units per unit of the currency: 100 with two decimals. */
  scale: number
  /** The balances before and after the write. */
  before: number
  after: number
  /** Keys of the new entries, ascending from slot `a`, and the change of the balance by each. */
  slots: Partial<Record<WalletSlot, { entry: string; units: number }>>
}

export interface Withdrawal {
  id: string
  uid: string
  name: string
  amount: number
  date: number
  bankName?: string
  bankCode?: string
  bankAccount?: string
  /** Time before which it is not paid out, ms, because the bank details changed shortly before. */
  payable_at?: number
  /** True when it no longer waits: it was paid out at `procesDate`, or returned to the wallet. */
  processed: boolean
  procesDate?: number
  /** Time at which an admin returned its amount to the wallet, ms. */
  returned_at?: number
}

/** The totals that are amounts of money. */
export const MONEY_TOTAL_FIELDS = [
  'tripCost',
  'rideCost',
  'convenienceFee',
  'cancellationFee',
  'discountAmount',
  'driverShare',
  'customerPaid',
  /** Wallet money that people waived with their accounts. */
  'waived',
  /** The credits to riders and drivers for complaints, less the money taken back. */
  'compensation',
  /** The part of `compensation` that drivers got, less what was taken back from them. */
  'driverCompensation',
  /** The money that riders gave to drivers after trips. */
  'tips',
] as const

/** The totals of a driver's month. */
export const DRIVER_TOTAL_FIELDS = ['driverShare', 'compensation', 'tips'] as const

export type MoneyTotals = Partial<Record<(typeof MONEY_TOTAL_FIELDS)[number], number>>

interface CountTotals {
  created?: number
  completed?: number
  cancelled?: number
  /** Number of bookings for now that found a driver, and the sum of the seconds they waited. */
  accepted?: number
  waited?: number
  total_rides?: number
}

/** Totals as shown. Money is in the settings' currency. */
export type StatsTotals = CountTotals & MoneyTotals

/**
 * Totals as stored, written in the same atomic update as the counted records. Money is in whole
 * minor units under the currency and its number of decimals, such as `UYU2`, because increments of
 * whole numbers never drift.
 */
export interface StatsRow extends CountTotals {
  minor?: Record<string, MoneyTotals>
}
