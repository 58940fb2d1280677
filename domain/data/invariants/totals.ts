import { createTotalsCounter, type StatsSettings } from '../../money/stats'

/**
 * Finds totals that contradict a recount of bookings, closed accounts and stored values, which are
 * added one by one.
 */
export const createTotalsCheck = (zone: StatsSettings) => {
  const count = createTotalsCounter(zone)
  const addStoredTotal = new Map<string, number>()
  return {
    addBooking: count.addBooking,
    addClosedAccount: count.addClosedAccount,
    /** Adds a stored value below `stats`, with its path. */
    kept: (path: string, value: unknown): void => {
      // The year in a driver's row is a label, not an amount.
      if (typeof value === 'number' && !path.endsWith('/year')) addStoredTotal.set(path, value)
    },
    *listMismatches(): Generator<string> {
      for (const [path, is] of count.listAmounts()) {
        const says = addStoredTotal.get(path) ?? 0
        addStoredTotal.delete(path)
        if (says !== is) yield `${path} says ${says}, a recount ${is}`
      }
      for (const [path, says] of addStoredTotal)
        if (says !== 0) yield `${path} says ${says}, a recount 0`
    },
  }
}
