import { fnv1a } from '../data/fnv1a'
import type { Complaint } from '../api/inputFields'
import type { MinorUnits } from '../language/units'

/**
 * One attempt to pay through a provider, at payments/{id}; a booking may have several. The provider
 * knows it by its id, and its amount is fixed at the start.
 */
export interface PaymentAttempt {
  id: string
  /** The payer. */
  uid: string
  kind: 'booking' | 'wallet'
  booking?: string
  gateway: string
  /** In the settings' currency. */
  amount: number
  currency: string
  createdAt: number
  updatedAt?: number
  /** Increases by one with every change; the database refuses any other value. */
  revision: number
  status: PaymentStatus
  promo?: string
  details?: {
    /** Amount of the booking paid from the wallet in the same write. */
    usedWalletMoney?: number
    /** Bank state of the `test` provider. */
    bank?: unknown
    /**
     * The provider's page opened for it, and the time (ms). Not every provider opens a second one.
     */
    page?: { url: string; at: number }
    /** Disputes of the payer's bank, by the provider's id. */
    disputes?: Record<string, Dispute>
    /** Refunds that the provider could not deliver, less what has its place again. */
    undelivered?: number
    /** The part of `parked` that was refunded to the card. */
    parkedBack?: number
    /** Parked money beside `parked`, which waits behind it or was settled before it. */
    otherParked?: Record<string, ParkedRecord>
    /** Refunds that a query of the provider has counted and whose messages may still come. */
    listed?: number
    /** Money that left although the account had no more, until won disputes make up for it. */
    uncovered?: number
  }
  /** The provider's ids of the checkout and of the payment. */
  checkout_ref?: string
  ref?: string
  /** Destination of the money. */
  applied_to?: 'booking' | 'wallet'
  /** Reason it was credited to the wallet instead of the booking. */
  applied_because?: string
  refunded?: number
  /** The part that amendments returned to the payer's wallet, less what left the wallet again. */
  returned?: number
  /** The part that the payer's bank took back, less what it gave back. */
  charged_back?: number
  /** Our refund in progress; only one at a time. */
  refund?: OpenRefund
  /** Time (ms) of the scheduled job's next status check with the provider. */
  refund_due?: number
  /** The outcomes of our refunds, by id. */
  refunds?: Record<string, SettledRefund>
  problem?: PaymentProblem
  /** Money that matches nothing and awaits a decision by the back office. */
  parked?: UnmatchedPayment
}

export interface UnmatchedPayment {
  amount: number
  currency: string
  ref: string
  at: number
  /**
   * Outcome chosen by the back office; absent until then, and in records from before the field
   * existed.
   */
  settled?: (typeof UNMATCHED_OUTCOMES)[number]
}
/** Parked money that the attempt does not show to the office now. */
export interface ParkedRecord extends UnmatchedPayment {
  /** The part that was refunded to the card. */
  back?: number
  /** The problem to report once it is shown. */
  problem?: PaymentProblem
}
export const UNMATCHED_OUTCOMES = ['credited', 'dismissed', 'refunded'] as const

/**
 * A payment that its payer's bank took back in whole or in part. Amounts are in the attempt's
 * currency. The places (`wallet` to `unbooked`) say where the money was
 * taken from and what has not gone back there; the rest of `taken` has.
 */
export interface Dispute {
  /** ms */
  at: number
  /** The disputed amount. */
  amount: number
  /** The part of it that the attempt still had, which its account then counted as with the bank. */
  taken: number
  wallet?: number
  /** Taken before the booking was PAID, so that its customer owed it again. */
  booking?: number
  /** Taken after the booking was PAID, at the platform's loss. */
  paidBooking?: number
  /** Taken from refunds that could not be delivered. */
  undelivered?: number
  /** Taken from nowhere: the account is deleted, or the currency has changed. */
  unbooked?: number
  /** The part of `wallet` that an amendment had returned there. */
  returned?: number
  /** Taken from money that was parked, or from the wallet to which it was credited. */
  parked?: number
  /** The amount that the platform has won back. */
  won?: number
  /** The part of that which made up for money that had left without cover. */
  covered?: number
  /** The part of that which waits for a decision by the back office. */
  waiting?: number
  /** The part of that which the back office has credited to the payer's wallet. */
  credited?: number
  /** True once the chargeback came of a decision that had come first. */
  answered?: boolean
}

/**
 * State of our refund. `held`: the amount has left the payer's wallet and nothing was sent. `sent`:
 * the request is in progress, or its process died. `pending`: the provider has accepted it and has
 * not sent the money yet. `unknown`: the response was lost, so we must query the provider.
 */
export const REFUND_STATES = ['held', 'sent', 'pending', 'unknown'] as const
export type RefundState = (typeof REFUND_STATES)[number]

/**
 * The states that may follow each other while a refund is open; the rules and the domain use them.
 * Only one process sends it. A state repeats when a status check finds nothing new. The refund ends
 * as a `SettledRefund`.
 */
export const NEXT_REFUND_STATES: Record<RefundState, readonly RefundState[]> = {
  held: ['sent'],
  sent: ['pending', 'unknown'],
  pending: ['pending'],
  unknown: ['unknown', 'pending'],
}

export interface OpenRefund {
  /** `r` and a number, see `createRefundId`. Every key of the refund contains it. */
  id: string
  amount: number
  /** The admin who requested it. */
  by: string
  at: number
  state: RefundState
  /** True when the amount was taken from the payer's wallet at the start. */
  from_wallet: boolean
  /** Why, when it settles a complaint. The office's words are in `words` of the booking. */
  reason?: Complaint['reason']
}

/** Outcomes of our refunds. `returned`: confirmed, but not delivered, so the money came back. */
export const REFUND_OUTCOMES = ['confirmed', 'refused', 'returned'] as const

export interface SettledRefund {
  amount: number
  by: string
  at: number
  state: (typeof REFUND_OUTCOMES)[number]
  from_wallet: boolean
  settled_at: number
  /** The functions, or the admin who decided. */
  settled_by: string
  /** The provider itself said that it failed, so a confirmation that comes later is older. */
  has_failed?: true
}

/**
 * Returns the id of the refund that a request begins. A repeat of the request has the same id;
 * without a request id it is the next number among the attempt's refunds.
 */
export const createRefundId = (
  { refunds = {} }: Pick<PaymentAttempt, 'refunds'>,
  request_id: string | undefined,
): string => `r${request_id === undefined ? Object.keys(refunds).length + 1 : fnv1a(request_id)}`

/**
 * Returns the key by which a provider knows a refund. Ids contain no dot, so the parts can be
 * split.
 */
export const createRefundKey = (payment: string, refund: string): string => `${payment}.${refund}`

/** Returns the payment id of a refund's key; a payment's own id returns itself. */
export const getPaymentIdOfKey = (key: string): string => key.split('.')[0] ?? ''

export const PAYMENT_STATUSES = [
  'created',
  'pending',
  'paid',
  'partially_refunded',
  'refunded',
  'failed',
  'cancelled',
] as const
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number]

/** Problems that the back office must resolve. */
export const PAYMENT_PROBLEMS = [
  'amount_mismatch',
  'currency_mismatch',
  'paid_twice',
  'payer_gone',
  'refund_unbalanced',
  'refund_unknown',
  'refund_failed',
  'chargeback',
  'dispute_won',
] as const
export type PaymentProblem = (typeof PAYMENT_PROBLEMS)[number]

/**
 * Allowed transitions of a payment's status; rules and domain read it. A provider lets a payer
 * retry in one session, and late money still counts. Therefore paid may follow failed and canceled,
 * and only refunds follow paid.
 */
export const NEXT_PAYMENT_STATUSES: Record<PaymentStatus, readonly PaymentStatus[]> = {
  created: ['pending', 'paid', 'failed', 'cancelled'],
  pending: ['paid', 'failed', 'cancelled'],
  failed: ['pending', 'paid', 'cancelled'],
  cancelled: ['paid'],
  paid: ['partially_refunded', 'refunded'],
  partially_refunded: ['refunded'],
  refunded: [],
}

/** Returns true when the money of an attempt has arrived, in whole or in part. */
export const isPaidStatus = (status: PaymentStatus): boolean =>
  status === 'paid' || status === 'partially_refunded' || status === 'refunded'

/**
 * Milliseconds during which the same payer reuses an attempt and its provider's page for the same
 * purpose.
 */
export const ATTEMPT_REUSE_MS = 30 * 60_000

/**
 * Maximum number of unpaid attempts per payer and day, at one provider, for one booking or for the
 * wallet.
 */
export const MAX_UNPAID_ATTEMPTS = { booking: 20, wallet: 50 } as const

/**
 * Hours during which an attempt can be opened at its provider. Later payments are still accepted.
 */
export const CHECKOUT_EXPIRY_HOURS = 24

/** Returns true when the payer may still be sent to the provider. */
export const isAttemptOpen = (attempt: Pick<PaymentAttempt, 'status' | 'createdAt'>, now: number) =>
  !isPaidStatus(attempt.status) &&
  attempt.status !== 'cancelled' &&
  now - attempt.createdAt < CHECKOUT_EXPIRY_HOURS * 3_600_000

/** A provider's verified message about an attempt, in our format. */
export interface PaymentEvent {
  payment: string
  gateway: string
  /** The provider's id of the payment, the same in all messages about it. */
  ref: string
  status:
    | 'pending'
    | 'paid'
    | 'failed'
    | 'cancelled'
    | 'refunded'
    | 'refund_failed'
    | 'chargeback'
    | 'chargeback_won'
  /**
   * Minor units of the currency (ISO 4217). For a refund: its amount, or the total with
   * `isCumulative`.
   */
  minor: MinorUnits
  currency: string
  /** The provider's id of a dispute, or of a refund whose message has only its own amount. */
  refundId?: string
  isCumulative?: boolean
  /** The key of our refund, when the provider sends it. */
  key?: string
  /**
   * Another reference of the payment that a refund must include. It is unverified, so it decides
   * nothing.
   */
  refundReference?: string
}

/** Returns a text as a part of a database key. */
export const escapeKeyPart = (text: string): string =>
  text.replace(/[^A-Za-z0-9]/g, (char) => `_${char.codePointAt(0)?.toString(16) ?? ''}_`)

/** Returns the key of an event below payment_events/. A repeated event has the same key. */
export const createEventKey = ({
  gateway,
  ref,
  status,
  refundId,
  isCumulative,
  minor,
}: PaymentEvent) =>
  [
    gateway,
    escapeKeyPart(ref),
    ...(status === 'paid' ? [] : [status]),
    ...(refundId ? [escapeKeyPart(refundId)] : []),
    ...(isCumulative ? [String(minor)] : []),
  ].join('-')
