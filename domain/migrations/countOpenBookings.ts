import { isOpenStatus, isUnpaidStatus } from '../booking/openBookingLimits'
import type { Booking, OpenBookings } from '../entities'
import type { TotalsCounter } from './migration'

/** Counts every rider's open and unpaid bookings. Each counter's revision starts at 1. */
export const countOpenBookings: TotalsCounter = {
  collections: ['bookings'],
  path: 'open_bookings',
  createCounter: () => {
    const counts = new Map<string, OpenBookings>()
    return {
      add: (_, record) => {
        const { customer, status } = record as Booking
        if (!isOpenStatus(status)) return
        const { open, unpaid } = counts.get(customer) ?? { open: 0, unpaid: 0 }
        counts.set(customer, {
          open: open + 1,
          unpaid: unpaid + Number(isUnpaidStatus(status)),
          revision: 1,
        })
      },
      *totals() {
        for (const [uid, count] of counts)
          for (const [field, value] of Object.entries(count))
            yield [`open_bookings/${uid}/${field}`, value as number]
      },
    }
  },
}
