import type { Status, UserType } from '../entities'

/**
 * One event of the booking lifecycle. Buttons, functions, rules, tests and the README's diagram
 * read this table; only `applyBookingEvent` acts on it. It also checks that the actor is a party of
 * the booking.
 */
export interface Transition {
  from: readonly (Status | 'none')[]
  /** Every possible resulting status; `applyBookingEvent` decides which. */
  to: readonly Status[]
  by: readonly (UserType | 'system')[]
  /**
   * True when the event may happen again on the same booking. The others return their first
   * response to a repeat.
   */
  isRepeatable?: true
  /** True when the event keeps the booking's status. */
  isStatusKept?: true
}

export const TRANSITIONS = {
  // A rider books for themselves; an admin books for a rider, and the booking is NEW at once.
  create: { from: ['none'], to: ['NEW', 'PAYMENT_PENDING'], by: ['rider', 'admin'] },
  // `system` is a payment provider's verified webhook.
  pay: { from: ['PAYMENT_PENDING', 'PENDING'], to: ['NEW', 'PAID'], by: ['rider', 'system'] },
  // The drop-off and the stops change until the driver reaches the drop-off, the rest until the
  // start.
  amend: {
    from: ['PAYMENT_PENDING', 'NEW', 'ACCEPTED', 'ARRIVED', 'STARTED'],
    to: ['PAYMENT_PENDING', 'NEW', 'ACCEPTED', 'ARRIVED', 'STARTED'],
    by: ['rider', 'admin'],
    isRepeatable: true,
    isStatusKept: true,
  },
  dispatch: { from: ['NEW'], to: ['NEW'], by: ['system'], isRepeatable: true },
  assign: { from: ['NEW'], to: ['NEW'], by: ['admin'], isRepeatable: true },
  accept: { from: ['NEW'], to: ['ACCEPTED'], by: ['driver'], isRepeatable: true },
  // When the back office assigned the booking, a decline of the only offer ends it, or with
  // `requeueDeclined` puts it first in the queue.
  decline: { from: ['NEW'], to: ['NEW', 'CANCELLED'], by: ['driver'], isRepeatable: true },
  // A requested driver took another booking, went off duty or did not answer in time, or the back
  // office takes the request back.
  withdraw: { from: ['NEW'], to: ['NEW'], by: ['admin', 'system'], isRepeatable: true },
  // The driver cannot come, or the back office takes the booking back: it looks for another driver.
  release: {
    from: ['ACCEPTED', 'ARRIVED'],
    to: ['NEW'],
    by: ['driver', 'admin'],
    isRepeatable: true,
  },
  arrive: { from: ['ACCEPTED'], to: ['ARRIVED'], by: ['driver'], isRepeatable: true },
  start: { from: ['ARRIVED'], to: ['STARTED'], by: ['driver'] },
  // The stops between pickup and drop-off, one after the other.
  arrive_stop: {
    from: ['STARTED'],
    to: ['STARTED'],
    by: ['driver'],
    isRepeatable: true,
    isStatusKept: true,
  },
  leave_stop: {
    from: ['STARTED'],
    to: ['STARTED'],
    by: ['driver'],
    isRepeatable: true,
    isStatusKept: true,
  },
  skip_stop: {
    from: ['STARTED'],
    to: ['STARTED'],
    by: ['driver'],
    isRepeatable: true,
    isStatusKept: true,
  },
  // Skips the stops that are left.
  reach: { from: ['STARTED'], to: ['REACHED'], by: ['driver'] },
  finish: { from: ['REACHED'], to: ['PENDING', 'PAID'], by: ['driver'] },
  collect: { from: ['PENDING'], to: ['PAID'], by: ['driver'] },
  rate: { from: ['PAID'], to: ['COMPLETE'], by: ['rider'] },
  // Card money of the booking was refunded. The money of a canceled booking is in the payer's
  // wallet and leaves that instead.
  refund: {
    from: ['NEW', 'ACCEPTED', 'ARRIVED', 'STARTED', 'REACHED', 'PENDING', 'PAID', 'COMPLETE'],
    to: ['NEW', 'ACCEPTED', 'ARRIVED', 'STARTED', 'REACHED', 'PENDING', 'PAID', 'COMPLETE'],
    by: ['system'],
    isRepeatable: true,
    isStatusKept: true,
  },
  // The payer's bank gave back card money that a dispute had taken from the booking.
  reinstate: {
    from: ['NEW', 'ACCEPTED', 'ARRIVED', 'STARTED', 'REACHED', 'PENDING', 'PAID', 'COMPLETE'],
    to: ['NEW', 'ACCEPTED', 'ARRIVED', 'STARTED', 'REACHED', 'PENDING', 'PAID', 'COMPLETE'],
    by: ['system'],
    isRepeatable: true,
    isStatusKept: true,
  },
  // A driver declines before they accept, and releases after that.
  cancel: {
    from: ['PAYMENT_PENDING', 'NEW', 'ACCEPTED', 'ARRIVED'],
    to: ['CANCELLED'],
    by: ['rider', 'admin'],
  },
  // The back office decides the price of a flagged trip (`distance_review`).
  review: {
    from: ['REACHED', 'PENDING', 'PAID', 'COMPLETE'],
    to: ['REACHED', 'PENDING', 'PAID', 'COMPLETE'],
    by: ['admin'],
    isStatusKept: true,
  },
  // The back office settles a complaint (events/compensate).
  compensate: {
    from: ['PAID', 'COMPLETE', 'CANCELLED'],
    to: ['PAID', 'COMPLETE', 'CANCELLED'],
    by: ['admin'],
    isRepeatable: true,
    isStatusKept: true,
  },
  // The rider tips the driver (events/tip).
  tip: {
    from: ['PAID', 'COMPLETE'],
    to: ['PAID', 'COMPLETE'],
    by: ['rider'],
    isRepeatable: true,
    isStatusKept: true,
  },
  // Happens after 30 minutes without payment, or for a later booking past its time without a
  // driver.
  expire: { from: ['PAYMENT_PENDING', 'NEW'], to: ['CANCELLED'], by: ['system'] },
} as const satisfies Record<string, Transition>

export type BookingEvent = keyof typeof TRANSITIONS
export const BOOKING_EVENTS = Object.keys(TRANSITIONS) as BookingEvent[]

/** Returns true when an event can lead from one status to the other. */
export const isTransitionAllowed = (
  event: BookingEvent,
  from: Status | 'none',
  to: Status,
): boolean => {
  const row: Transition = TRANSITIONS[event]
  if (!row.from.includes(from) || !row.to.includes(to)) return false
  if (row.isStatusKept) return from === to
  // The result of `pay` depends on the status it starts from.
  return event !== 'pay' || (from === 'PENDING') === (to === 'PAID')
}
