/**
 * One try to pay by a provider, at payments/{id}; a booking may have several. The provider knows it by its id, and what
 * it asks for is fixed when it begins.
 */
export interface PaymentAttempt {
  id: string
  /** Who pays. */
  uid: string
  kind: 'booking' | 'wallet'
  booking?: string
  gateway: string
  /** In the settings' currency. */
  amount: number
  currency: string
  createdAt: number
  updatedAt?: number
  /** Rises by one with every change; the database refuses anything else. */
  revision: number
  status: PaymentStatus
  promo?: string
  details?: {
    /** So much of the booking comes from the wallet in the same moment. */
    usedWalletMoney?: number
    /** What the `test` provider's bank knows. */
    bank?: unknown
    /** ms; somebody has been sending money back since. */
    refunding?: number
  }
  /** The provider's own number of the checkout it opened, and of the payment it took. */
  checkout_ref?: string
  ref?: string
  /** Where the money went. */
  applied_to?: 'booking' | 'wallet'
  /** Why it went to the wallet although it was meant for the booking. */
  applied_because?: string
  refunded?: number
  problem?: PaymentProblem
  /** Money that came and fits nothing: the office decides. */
  parked?: { amount: number; currency: string; ref: string; at: number }
}

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

/** What the office has to look at. */
export const PAYMENT_PROBLEMS = [
  'amount_mismatch',
  'currency_mismatch',
  'paid_twice',
  'payer_gone',
  'refund_unbalanced',
  'chargeback',
] as const
export type PaymentProblem = (typeof PAYMENT_PROBLEMS)[number]

/**
 * Which status may follow which; rules and core read it. A provider lets a payer try again in one session, and money that
 * comes late is still money: so paid follows failed and cancelled, and nothing but refunds follows paid.
 */
export const NEXT_STATUS: Record<PaymentStatus, readonly PaymentStatus[]> = {
  created: ['pending', 'paid', 'failed', 'cancelled'],
  pending: ['paid', 'failed', 'cancelled'],
  failed: ['pending', 'paid', 'cancelled'],
  cancelled: ['paid'],
  paid: ['partially_refunded', 'refunded'],
  partially_refunded: ['refunded'],
  refunded: [],
}

/** Whether the money of an attempt is in (whole or in part). */
export const isPaid = (status: PaymentStatus): boolean =>
  status === 'paid' || status === 'partially_refunded' || status === 'refunded'

/** An attempt can be opened at its provider so long; money that comes later is still taken. */
export const CHECKOUT_HOURS = 24

/** Whether its payer may (still) be sent to the provider. */
export const isOpen = (attempt: Pick<PaymentAttempt, 'status' | 'createdAt'>, now: number) =>
  !isPaid(attempt.status) &&
  attempt.status !== 'cancelled' &&
  now - attempt.createdAt < CHECKOUT_HOURS * 3_600_000

/** What a provider said about an attempt, proved and translated. */
export interface PaymentEvent {
  payment: string
  gateway: string
  /** The provider's own number of the payment, the same in all that it says of it. */
  ref: string
  status: 'pending' | 'paid' | 'failed' | 'cancelled' | 'refunded' | 'chargeback'
  /** Minor units of the currency (ISO 4217). For a refund: this one's, or all of them with `cumulative`. */
  minor: number
  currency: string
  /** The provider's number of a refund that says only its own amount. */
  refundId?: string
  cumulative?: boolean
  /** Another number of the payment that a refund has to name. Nothing proves it, so it decides nothing. */
  handle?: string
}

const escaped = (text: string): string =>
  text.replace(/[^A-Za-z0-9]/g, (char) => `_${char.codePointAt(0)?.toString(16) ?? ''}_`)

/** The event's place below payment_events/: the same event said twice has the same. */
export const eventKey = ({ gateway, ref, status, refundId, cumulative, minor }: PaymentEvent) =>
  [
    gateway,
    escaped(ref),
    ...(status === 'paid' ? [] : [status]),
    ...(refundId ? [escaped(refundId)] : []),
    ...(cumulative ? [String(minor)] : []),
  ].join('-')
