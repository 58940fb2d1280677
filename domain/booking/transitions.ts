import type { Status, UserType } from '../entities'

/**
 * The booking's whole life. Buttons, functions, rules, tests and the README's diagram read this table; only `apply` acts on it.
 * A role is not enough to act: `apply` also asks whether the actor is a party of the booking.
 */
export interface Transition {
  from: readonly (Status | 'none')[]
  /** Every status it can end in; `apply` says which. */
  to: readonly Status[]
  by: readonly (UserType | 'system')[]
  /** May happen again on the same booking; the others answer a repeat as the first time. */
  repeatable?: true
}

export const TRANSITIONS = {
  // For oneself, or by an admin for a rider: then it is NEW at once.
  create: { from: ['none'], to: ['NEW', 'PAYMENT_PENDING'], by: ['rider', 'admin'] },
  // `system` is a payment provider's verified callback.
  pay: { from: ['PAYMENT_PENDING', 'PENDING'], to: ['NEW', 'PAID'], by: ['rider', 'system'] },
  dispatch: { from: ['NEW'], to: ['NEW'], by: ['system'], repeatable: true },
  assign: { from: ['NEW'], to: ['NEW'], by: ['admin'], repeatable: true },
  accept: { from: ['NEW'], to: ['ACCEPTED'], by: ['driver'] },
  // The only requested driver's decline ends a booking that the office assigned by hand.
  decline: { from: ['NEW'], to: ['NEW', 'CANCELLED'], by: ['driver'], repeatable: true },
  arrive: { from: ['ACCEPTED'], to: ['ARRIVED'], by: ['driver'] },
  start: { from: ['ARRIVED'], to: ['STARTED'], by: ['driver'] },
  reach: { from: ['STARTED'], to: ['REACHED'], by: ['driver'] },
  finish: { from: ['REACHED'], to: ['PENDING', 'PAID'], by: ['driver'] },
  collect: { from: ['PENDING'], to: ['PAID'], by: ['driver'] },
  rate: { from: ['PAID'], to: ['COMPLETE'], by: ['rider'] },
  // A driver may cancel from ACCEPTED on; before that he declines.
  cancel: {
    from: ['PAYMENT_PENDING', 'NEW', 'ACCEPTED', 'ARRIVED'],
    to: ['CANCELLED'],
    by: ['rider', 'driver', 'admin'],
  },
  // After 30 minutes without payment; a later booking also when its time has passed without a driver.
  expire: { from: ['PAYMENT_PENDING', 'NEW'], to: ['CANCELLED'], by: ['system'] },
} as const satisfies Record<string, Transition>

export type BookingEvent = keyof typeof TRANSITIONS
export const BOOKING_EVENTS = Object.keys(TRANSITIONS) as BookingEvent[]
