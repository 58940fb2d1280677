import type { Milliseconds, Minutes } from '~/domain/language/units'

/** The settings of a simulator run. */
export interface SimulationPlan {
  riders: number
  drivers: number
  /**
   * Minutes in which riders make new bookings; Infinity: until the number of bookings is reached or
   * the run is stopped.
   */
  minutes: Minutes
  /** Maximum number of bookings. */
  bookings: number
  /**
   * The same seed makes the same people decide the same things; their order depends on the machine.
   */
  seed: number
  /** Speed relative to real time, for driving, thinking and waiting. */
  pace: number
  /** Kills function processes, disconnects people for longer and sets their clocks wrong. */
  faults: boolean
  /** Also kills the database and leaves it without disk space. */
  faultyDatabase: boolean
  /** Drivers decline some offers and let some expire. */
  declines: boolean
  /**
   * Sends offers to drivers from the back office by hand, or from the back office and the platform
   * in turn.
   */
  dispatch: 'office' | 'both'
}

/** Returns true for runs so long that rare events and one-minute waits do not dominate them. */
export const isLongRun = ({ bookings }: SimulationPlan): boolean => bookings >= 300

/** Simulated seconds a driver waits for a person who tries the product, 90 s at the live pace. */
const VISITOR_PAYMENT_SECONDS = 270
const MIN_VISITOR_PAYMENT_MS = 2000
/** Returns the milliseconds of real time that a driver waits for such a person to pay. */
export const getVisitorPaymentMs = ({ pace }: SimulationPlan): Milliseconds =>
  Math.max(MIN_VISITOR_PAYMENT_MS, (VISITOR_PAYMENT_SECONDS * 1000) / pace)

/** The smallest numbers with which people still meet each other. */
export const SMALL_PLAN: SimulationPlan = {
  riders: 4,
  drivers: 3,
  minutes: Infinity,
  bookings: 8,
  seed: 1,
  pace: 3000,
  faults: false,
  faultyDatabase: false,
  declines: true,
  dispatch: 'office',
}
