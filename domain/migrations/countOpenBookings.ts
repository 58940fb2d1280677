import { isOpenStatus, isUnpaidStatus } from '../booking/limits/openBookingLimits'
import type { TotalsCounter } from './migration'
import type { Booking, OpenBookings } from '../booking/types'

const FIELDS = ['open', 'unpaid', 'revision'] as const
const toPath = (uid: string, field: (typeof FIELDS)[number]) => `open_bookings/${uid}/${field}`

/** Counts every rider's open and unpaid bookings. Each counter's revision starts at 1. */
export const countOpenBookings: TotalsCounter = {
  collections: ['bookings'],
  path: 'open_bookings',
  createCounter: (_context, isCounted) => {
    const counts = new Map<string, OpenBookings>()
    return {
      add: (_collection, record) => {
        const { customer, status } = record as Booking
        if (!isOpenStatus(status) || !isCounted(toPath(customer, 'open'))) return
        const { open, unpaid } = counts.get(customer) ?? { open: 0, unpaid: 0 }
        counts.set(customer, {
          open: open + 1,
          unpaid: unpaid + Number(isUnpaidStatus(status)),
          revision: 1,
        })
      },
      getSize: () => counts.size * FIELDS.length,
      finish: () =>
        new Map(
          [...counts].flatMap(([uid, count]) =>
            FIELDS.map((field): [string, number] => [toPath(uid, field), count[field]]),
          ),
        ),
    }
  },
}
