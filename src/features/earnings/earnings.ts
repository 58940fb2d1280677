import * as v from 'valibot'
import type { StatsTotals } from '~/domain/entities'
import { liveRecord, liveSlice } from '~/src/store/liveSlice'
import { rowOf } from '~/src/store/rows'

export interface DriverEarning {
  id: string
  year: number | string
  monthsName: string
  driverName: string
  driverVehicleNo: string
  total_rides: number
  driverShare: number
}
export type MonthTotals = StatsTotals & { id: string }

const byMonth = v.record(v.string(), v.looseObject({ driverShare: v.optional(v.number(), 0) }))

/** Every driver's months (admin), the own drivers' (fleet admin) or the own (driver), newest first. */
export const driverEarnings = liveRecord('driverearningdata', 'driverearnings', {
  at: (_: void, profile) => {
    if (profile?.usertype === 'admin') return { path: 'stats/driver_earnings' }
    if (profile?.usertype === 'fleetadmin')
      return { path: `stats/fleet_driver_earnings/${profile.id}` }
    return null
  },
  row: v.pipe(
    v.record(v.string(), byMonth),
    v.transform((drivers) =>
      Object.entries(drivers)
        .flatMap(([uid, months]) =>
          Object.entries(months).map(
            ([month, row]) => ({ ...row, id: `${month} ${uid}` }) as unknown as DriverEarning,
          ),
        )
        .sort((a, b) => (a.id < b.id ? 1 : -1)),
    ),
  ),
})

/** A driver's own months, newest first; the id is yyyy-mm. */
export const ownEarnings = liveSlice('ownearnings', 'months', {
  at: (_: void, profile) =>
    profile && { path: `stats/driver_earnings/${profile.id}`, orderBy: 'key', limitToLast: 12 },
  row: rowOf<DriverEarning>({ driverShare: v.optional(v.number(), 0) }),
  order: (a, b) => (a.id < b.id ? 1 : -1),
})

/** The platform's months, newest first; the id is yyyy-mm. */
export const earningReports = liveSlice('earningreportsdata', 'reports', {
  at: () => ({ path: 'stats/earnings', orderBy: 'key', limitToLast: 60 }),
  row: rowOf<MonthTotals>({}),
  order: (a, b) => (a.id < b.id ? 1 : -1),
})

/** One day of the platform (yyyy-mm-dd), or of a fleet admin's drivers. */
export const dayTotals = liveRecord('daytotals', 'day', {
  at: (date: string, profile) =>
    profile?.usertype === 'fleetadmin'
      ? { path: `stats/fleet_days/${profile.id}/${date}` }
      : { path: `stats/days/${date}` },
  row: v.looseObject({}) as unknown as v.GenericSchema<unknown, StatsTotals>,
})
/** All of it. */
export const allTotals = liveRecord('alltotals', 'total', {
  at: () => ({ path: 'stats/total' }),
  row: v.looseObject({}) as unknown as v.GenericSchema<unknown, StatsTotals>,
})
