import * as v from 'valibot'
import type { StatsTotals, Status, User } from '~/domain/entities'
import { at } from '~/domain/paths'
import { selectProfile } from '~/src/store/auth'
import { liveRecord, liveSlice } from '~/src/store/liveSlice'
import { operation } from '~/src/store/operation'
import { rowOf } from '~/src/store/rows'

export interface DriverEarning {
  /** 'yyyy-mm uid' */
  id: string
  year: number | string
  monthsName: string
  driverName: string
  driverVehicleNo: string
  total_rides: number
  driverShare: number
}
export type MonthTotals = StatsTotals & { id: string }
type DayTotals = StatsTotals & { id: string }

const byMonth = v.record(v.string(), v.looseObject({ driverShare: v.optional(v.number(), 0) }))
const byDriver = v.record(v.string(), byMonth)

/** How many drivers' months are asked for at once: the admin's pages go through the drivers by their ids. */
const EARNING_DRIVERS = 40
/** And for an export. */
const EXPORTED = 400

/** Drivers' months, the newest first. */
const monthsOf = (drivers: v.InferOutput<typeof byDriver>, uids: string[]): DriverEarning[] =>
  uids
    .flatMap((uid) =>
      Object.entries(drivers[uid] ?? {}).map(
        ([month, row]) => ({ ...row, id: `${month} ${uid}` }) as unknown as DriverEarning,
      ),
    )
    .sort((a, b) => (a.id < b.id ? 1 : -1))

const earningsOf = (profile: User | null): string | null => {
  if (profile?.usertype === 'admin') return 'stats/driver_earnings'
  return profile?.usertype === 'fleetadmin' ? `stats/fleet_driver_earnings/${profile.id}` : null
}

/** The months of a page of drivers (admin: from this uid on; fleet admin: his own), newest first. */
export const driverEarnings = liveRecord('driverearningdata', 'driverearnings', {
  at: (from: string | null, profile) => {
    const page = {
      orderBy: 'key' as const,
      ...(from && { startAt: from }),
      limitToFirst: EARNING_DRIVERS + 1,
    }
    const path = earningsOf(profile)
    return path ? { path, ...page } : null
  },
  row: v.pipe(
    byDriver,
    v.transform((drivers) => {
      const uids = Object.keys(drivers).sort()
      // One more was asked for than is shown: it is where the next page begins.
      const next = uids[EARNING_DRIVERS] ?? null
      return { rows: monthsOf(drivers, uids.slice(0, EARNING_DRIVERS)), next }
    }),
  ),
})

/** The months of all drivers one may see, fetched page by page. */
export const fetchDriverEarnings = operation<
  { onProgress?: (count: number) => void },
  DriverEarning[]
>('driverearningdata/export', async ({ onProgress }, { database }, { getState }) => {
  const path = earningsOf(selectProfile(getState()))
  const rows: DriverEarning[] = []
  let from: string | null = path && ''
  while (path && from !== null) {
    const page = { orderBy: 'key' as const, ...(from && { startAt: from }) }
    const found = await database.once({ path, ...page, limitToFirst: EXPORTED + 1 })
    const drivers = v.parse(byDriver, found ?? {})
    const uids = Object.keys(drivers).sort()
    rows.push(...monthsOf(drivers, uids.slice(0, EXPORTED)))
    onProgress?.(rows.length)
    from = uids[EXPORTED] ?? null
  }
  return rows
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

const totals = v.looseObject({}) as unknown as v.GenericSchema<unknown, StatsTotals>

/** One day of the platform (yyyy-mm-dd), or of a fleet admin's drivers. */
export const dayTotals = liveRecord('daytotals', 'day', {
  at: (date: string, profile) =>
    profile?.usertype === 'fleetadmin'
      ? { path: at.statsFleetDay(profile.id, date) }
      : { path: at.statsDay(date) },
  row: totals,
})

/** One month of the platform (yyyy-mm), or of a fleet admin's drivers. */
export const monthTotals = liveRecord('monthtotals', 'month', {
  at: (month: string, profile) =>
    profile?.usertype === 'fleetadmin'
      ? { path: at.statsFleetEarnings(profile.id, month) }
      : { path: at.statsEarnings(month) },
  row: totals,
})

/** All of the platform, or of a fleet admin's drivers. */
export const allTotals = liveRecord('alltotals', 'total', {
  at: (_: void, profile) =>
    profile && {
      path: profile.usertype === 'fleetadmin' ? at.statsFleetTotal(profile.id) : at.statsTotal,
    },
  row: totals,
})

/** The last days with bookings, oldest first; the id is yyyy-mm-dd. A fleet admin gets his drivers' days. */
export const dayRows = liveSlice('dayrows', 'days', {
  at: (days: number, profile) =>
    profile && {
      path: profile.usertype === 'fleetadmin' ? `stats/fleet_days/${profile.id}` : 'stats/days',
      orderBy: 'key',
      limitToLast: days,
    },
  row: rowOf<DayTotals>({}),
  order: (a, b) => (a.id < b.id ? -1 : 1),
})

/** The last months, oldest first; the id is yyyy-mm. A fleet admin gets his drivers' months; none with 0. */
export const monthRows = liveSlice('monthrows', 'months', {
  at: (months: number, profile) =>
    profile && months > 0
      ? {
          path:
            profile.usertype === 'fleetadmin'
              ? `stats/fleet_earnings/${profile.id}`
              : 'stats/earnings',
          orderBy: 'key',
          limitToLast: months,
        }
      : null,
  row: rowOf<MonthTotals>({}),
  order: (a, b) => (a.id < b.id ? -1 : 1),
})

/** How many bookings of a month (yyyy-mm) were made of each car type; admins only. */
export const carTypeCounts = liveRecord('cartypecounts', 'byCarType', {
  at: (month: string, profile) =>
    profile?.usertype === 'admin' ? { path: `stats/cartypes/${month}` } : null,
  row: v.record(v.string(), v.number()),
})

/** How many bookings stand in each status now; admins only. */
export const statusCounts = liveRecord('statuscounts', 'counts', {
  at: (_: void, profile) => (profile?.usertype === 'admin' ? { path: 'stats/status' } : null),
  row: v.record(v.string(), v.number()) as unknown as v.GenericSchema<
    unknown,
    Partial<Record<Status, number>>
  >,
})
