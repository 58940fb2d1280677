import { domainError, type DomainError } from '../../api/errors'
import { dbPaths } from '../../data/databasePaths'
import type { StatsDelta } from '../../money/stats'
import type { Actor } from '../eventTypes'
import { ACTIVE_STATUSES, type OpenBookings, type Status } from '../types'

/** Maximum number of open bookings of one rider. */
export const MAX_OPEN_BOOKINGS = 5
/** Number of finished unpaid bookings at which a rider can create no new one. */
export const MAX_UNPAID_BOOKINGS = 2

/**
 * Returns true when a booking counts as open. A paid one does not, because it may never be rated.
 */
export const isOpenStatus = (status: Status): boolean =>
  status !== 'PAID' && ACTIVE_STATUSES.includes(status)
/** Returns true when the trip is finished and unpaid. For cash, the driver confirms the payment. */
export const isUnpaidStatus = (status: Status): boolean => status === 'PENDING'

/**
 * Returns the change of the rider's counters for a change of status. `buildNewBookingCounters`
 * counts new bookings.
 */
export const openBookingsDelta = (customer: string, from: Status, to: Status): StatsDelta => {
  const base = dbPaths.openBookings(customer)
  const open = Number(isOpenStatus(to)) - Number(isOpenStatus(from))
  const unpaid = Number(isUnpaidStatus(to)) - Number(isUnpaidStatus(from))
  return {
    [`${base}/open`]: open,
    [`${base}/unpaid`]: unpaid,
    [`${base}/revision`]: open === 0 && unpaid === 0 ? 0 : 1,
  }
}

/**
 * Returns the counter updates of a new booking, as paths and values. The revision is set rather
 * than incremented, so that of two simultaneous bookings the rules refuse the second, which is then
 * read and checked again.
 */
export const buildNewBookingCounters = (
  customer: string,
  counts: Partial<OpenBookings> | null,
): { added: StatsDelta; set: Record<string, number> } => ({
  added: { [`${dbPaths.openBookings(customer)}/open`]: 1 },
  set: { [`${dbPaths.openBookings(customer)}/revision`]: (counts?.revision ?? 0) + 1 },
})

/**
 * Returns the reason a rider can create no new booking: too_many_bookings, unpaid_bookings. An
 * admin may still create one: they know the rider, and the audit names the admin.
 */
export const checkOpenBookings = (
  counts: Partial<OpenBookings> | null,
  { role }: Pick<Actor, 'role'>,
): DomainError | undefined => {
  if (role === 'admin') return undefined
  const { open = 0, unpaid = 0 } = counts ?? {}
  if (unpaid >= MAX_UNPAID_BOOKINGS)
    return domainError('unpaid_bookings', undefined, { count: unpaid })
  if (open >= MAX_OPEN_BOOKINGS)
    return domainError('too_many_bookings', undefined, { most: MAX_OPEN_BOOKINGS })
  return undefined
}

type OpenBookingCounts = Pick<OpenBookings, 'open' | 'unpaid'>
/** Counts every rider's open and unpaid bookings by reading the bookings. */
export const countOpenByCustomer = (
  bookings: Iterable<{ customer: string; status: Status }>,
): Record<string, OpenBookingCounts> => {
  const counts: Record<string, OpenBookingCounts> = {}
  for (const { customer, status } of bookings) {
    if (!isOpenStatus(status)) continue
    const { open, unpaid } = (counts[customer] ??= { open: 0, unpaid: 0 })
    counts[customer] = { open: open + 1, unpaid: unpaid + Number(isUnpaidStatus(status)) }
  }
  return counts
}
