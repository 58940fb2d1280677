import type { Booking } from '~/domain/booking/types'

/** Statuses of a successful booking, as the rider sees them. */
export const STAGES = ['NEW', 'ACCEPTED', 'ARRIVED', 'STARTED', 'REACHED', 'PAID'] as const

/** The index in `STAGES`, or their number after the last; -1 before and without a trip. */
export const STAGE_BY_STATUS: Record<Booking['status'], number> = {
  PAYMENT_PENDING: -1,
  NEW: 0,
  ACCEPTED: 1,
  ARRIVED: 2,
  STARTED: 3,
  REACHED: 4,
  PENDING: 4,
  PAID: 5,
  COMPLETE: 6,
  CANCELLED: -1,
}
