import type { TourStep } from './tourProgress'
import type { TourRole } from './tourRole'
import { STATUSES, type Booking, type Status } from '~/domain/booking/types'

const hasReached = (status: Status, requiredStatus: Status): boolean =>
  status !== 'CANCELLED' && STATUSES.indexOf(status) >= STATUSES.indexOf(requiredStatus)

/**
 * Returns the steps of a role that its bookings since the start of the tour and the state of its
 * window prove.
 */
export const getReachedSteps = (
  role: TourRole,
  bookings: readonly Pick<Booking, 'status' | 'requestedDrivers'>[],
  { isOnDuty, isOnBoard, isOnBookings }: Record<'isOnDuty' | 'isOnBoard' | 'isOnBookings', boolean>,
): TourStep[] => {
  const any = (status: Status) => bookings.some((booking) => hasReached(booking.status, status))
  const isOffered = bookings.some(
    ({ requestedDrivers }) => Object.keys(requestedDrivers ?? {}).length > 0,
  )
  const rows: Record<TourRole, readonly (readonly [TourStep, boolean])[]> = {
    book: [
      ['places', any('PAYMENT_PENDING')],
      ['order', any('NEW')],
      ['follow', any('ARRIVED')],
      ['rate', any('COMPLETE')],
    ],
    drive: [
      ['duty', isOnDuty],
      ['accept', any('ACCEPTED')],
      ['start', any('STARTED')],
      ['finish', any('PAID')],
    ],
    dispatch: [
      ['board', isOnBoard],
      ['offer', isOffered || any('ACCEPTED')],
      ['watch', any('STARTED')],
      ['price', isOnBookings && any('PAID')],
    ],
  }
  return rows[role].flatMap(([step, isReached]) => (isReached ? [step] : []))
}
