import { isPaidOut } from '../../payment/paidOut'
import { fromMinorUnits, toMinorUnits } from '../../../money/money'
import { getFareStep, roundToFareStep, type StepSettings } from '../../../payments/fareStep'
import { DAY_MS } from '../../../language/timeUnits'
import type { Booking } from '../../types'
import type { Settings } from '../../../catalog/types'

/** Days after the payment in which a rider may tip. */
export const TIP_DAYS = 14
/** The bound of all tips for a booking, as a multiple of its price. */
export const MAX_TIP_MULTIPLE = 2
/** Number of tips for a booking, each of which is kept with it. */
const MAX_TIPS = 5
/** Suggested tips, in percent of the price. */
const SUGGESTED_PERCENT = [10, 15, 20] as const

/** Returns true while the rider of a paid booking may tip its driver; `now` is ms. */
export const isTipOpen = (
  { status, driver, paid_at }: Pick<Booking, 'status' | 'driver' | 'paid_at'>,
  now: number,
): boolean =>
  isPaidOut({ status }) &&
  driver !== undefined &&
  paid_at !== undefined &&
  now <= paid_at + TIP_DAYS * DAY_MS

/** Returns what the rider of a booking has tipped so far. */
export const getTips = (
  { adjustments = {} }: Pick<Booking, 'adjustments'>,
  { decimal }: Pick<Settings, 'decimal'>,
): number =>
  fromMinorUnits(
    Object.values(adjustments)
      .filter(({ reason }) => reason === 'tip')
      .reduce((sum, { driver = 0 }) => sum + toMinorUnits(driver, decimal), 0),
    decimal,
  )

/** Returns the largest further tip for a booking; 0 after five tips. */
export const getTipLimit = (booking: Booking, settings: Pick<Settings, 'decimal'>): number => {
  const { decimal } = settings
  const tips = Object.values(booking.adjustments ?? {}).filter(({ reason }) => reason === 'tip')
  if (tips.length >= MAX_TIPS) return 0
  const most = MAX_TIP_MULTIPLE * toMinorUnits(booking.trip_cost, decimal)
  return fromMinorUnits(
    Math.max(0, most - toMinorUnits(getTips(booking, settings), decimal)),
    decimal,
  )
}

/** The part of an amount by which rounding may change it, at most half of it up or down. */
const ROUNDING_PART = 4
/** Steps that people call round, in each power of ten. */
const ROUND_STEPS = [5, 2, 1] as const

/** Returns a round amount near this one: 42.13 becomes 40, and 6.32 becomes 6. */
const roundForPeople = (amount: number): number => {
  const largest = amount / ROUNDING_PART
  const power = 10 ** Math.floor(Math.log10(largest))
  const increment = (ROUND_STEPS.find((one) => one * power <= largest) ?? 1) * power
  return Math.round(amount / increment) * increment
}

/** Returns the suggested tips for a booking: round amounts on the step of fares, ascending. */
export const suggestTips = (
  booking: Booking,
  settings: StepSettings,
): { percent: number; amount: number }[] => {
  const fareStep = getFareStep(settings)
  const limit = getTipLimit(booking, settings)
  const suggestions = SUGGESTED_PERCENT.map((percent) => ({
    percent,
    amount: Math.max(
      fareStep,
      roundToFareStep(roundForPeople((booking.trip_cost * percent) / 100), settings),
    ),
  }))
  // The percentages of a low price may be the same step.
  return suggestions.filter(
    ({ amount }, index) =>
      amount <= limit && suggestions.findIndex((one) => one.amount === amount) === index,
  )
}
