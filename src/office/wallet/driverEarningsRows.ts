import { sumAmounts } from '~/domain/money/money'
import { toShownTotals } from '~/domain/money/stats'
import type { DriverEarning } from '~/src/features/earnings/earnings'
import type { Settings } from '~/domain/catalog/types'

export type GroupBy = 'none' | 'month' | 'driver'
export const GROUPINGS: GroupBy[] = ['none', 'month', 'driver']

/** One driver's month in the currency of the settings. */
export type EarningsRow = Omit<DriverEarning, 'minor' | 'total_rides'> &
  Record<'driverShare' | 'compensation' | 'tips' | 'total_rides', number>

/** Returns the stored months as rows; none before the settings are known. */
export const toEarningsRows = (rows: DriverEarning[], settings: Settings | null): EarningsRow[] =>
  settings
    ? rows.map((row) => ({
        driverShare: 0,
        compensation: 0,
        tips: 0,
        ...toShownTotals(row, settings),
        // A month may have compensation or tips for an earlier booking, and no booking.
        total_rides: row.total_rides ?? 0,
      }))
    : []

/** Returns the driver of a row, whose ID is 'yyyy-mm uid' or, grouped by driver, the uid. */
export const getDriverUid = ({ id }: EarningsRow) => id.split(' ').at(-1) ?? ''

/** Merges the rows into one per month or one per driver. */
export const groupEarnings = (rows: EarningsRow[], by: GroupBy, decimal: number): EarningsRow[] => {
  if (by === 'none') return rows
  const groups = new Map<string, EarningsRow>()
  for (const row of rows) {
    const [month = '', uid = ''] = row.id.split(' ')
    const id = by === 'month' ? month : uid
    const group = groups.get(id)
    if (group) {
      group.total_rides += row.total_rides
      group.driverShare = sumAmounts([group.driverShare, row.driverShare], decimal)
      group.compensation = sumAmounts([group.compensation, row.compensation], decimal)
      group.tips = sumAmounts([group.tips, row.tips], decimal)
    } else groups.set(id, { ...row, id })
  }
  return [...groups.values()]
}
