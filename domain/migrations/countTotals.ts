import type { DatabaseValue } from '../data/databaseValue'
import { createTotalsCounter, buildDriverRowLabels, toStatsSettings } from '../money/stats'
import type { TotalsCounter } from './migration'
import type { Booking } from '../booking/types'
import type { ClosedAccount } from '../accounts/types'

/** Counts all totals of `stats` from the bookings and the closed accounts. */
export const countTotals: TotalsCounter = {
  collections: ['bookings', 'closed_accounts'],
  path: 'stats',
  createCounter: ({ settings, currency }, isCounted) => {
    const zone = toStatsSettings({ settings, currency })
    const count = createTotalsCounter(zone, isCounted)
    const labels = new Map<string, { value: DatabaseValue; paid_at: number }>()
    return {
      add: (collection, record, id) => {
        if (collection === 'closed_accounts') {
          count.addClosedAccount(record as ClosedAccount)
          return
        }
        const booking: Booking = { ...(record as Omit<Booking, 'id'>), id }
        count.addBooking(booking)
        const { status, paid_at = 0 } = booking
        if (status !== 'PAID' && status !== 'COMPLETE') return
        for (const [path, value] of Object.entries(buildDriverRowLabels(booking, zone.timezone)))
          // The newest booking has the driver's current name.
          if (isCounted(path) && (labels.get(path)?.paid_at ?? -1) <= paid_at)
            labels.set(path, { value, paid_at })
      },
      getSize: () => count.getSize() + labels.size,
      finish: () => {
        const totals = new Map<string, DatabaseValue>(count.listAmounts())
        for (const [path, { value }] of labels) totals.set(path, value)
        return totals
      },
    }
  },
}
