import * as v from 'valibot'
import { dbPaths } from '~/domain/data/databasePaths'
import { selectProfile } from '~/src/store/auth'
import { createLiveRecord, createLiveSlice } from '~/src/store/live/liveSlice'
import { createServiceThunk } from '~/src/store/serviceThunk'
import { createRecordSchema, createRowSchema } from '~/src/store/live/rowSchemas'
import type { MoneyTotals, StatsRow, WalletEntry } from '~/domain/money/types'
import type { User } from '~/domain/accounts/types'

/** A driver's month as stored; `toShownTotals` converts its amounts. */
export interface DriverEarning extends Pick<StatsRow, 'minor'> {
  /** 'yyyy-mm uid' */
  id: string
  year: number | string
  monthsName: string
  driverName: string
  driverVehicleNo: string
  /** Missing in a month with compensation or tips only. */
  total_rides?: number
}
/** A month or a day as stored; `toShownTotals` converts its amounts. */
type TotalsRow = StatsRow & { id: string }
/** A month as displayed. */
export type MonthTotals = Omit<TotalsRow, 'minor'> & MoneyTotals

const monthsSchema = v.record(v.string(), createRecordSchema<Omit<DriverEarning, 'id'>>({}))
const driversSchema = v.record(v.string(), monthsSchema)

/** Drivers per request: the admin's pages go through the drivers by uid. */
const DRIVERS_PER_PAGE = 40
/** Drivers per request of an export. */
const DRIVERS_PER_EXPORT_PAGE = 400

/** Returns the months of drivers, newest first. */
const toDriverMonths = (
  drivers: v.InferOutput<typeof driversSchema>,
  uids: string[],
): DriverEarning[] =>
  uids
    .flatMap((uid) =>
      Object.entries(drivers[uid] ?? {}).map(([month, row]) => ({ ...row, id: `${month} ${uid}` })),
    )
    .sort((a, b) => (a.id < b.id ? 1 : -1))

const getEarningsPath = (profile: User | null): string | null => {
  if (profile?.usertype === 'admin') return 'stats/driver_earnings'
  return profile?.usertype === 'fleetadmin' ? `stats/fleet_driver_earnings/${profile.id}` : null
}

/**
 * The months of a page of drivers, newest first: for admins from this uid on, for fleet admins
 * their own drivers.
 */
export const driverEarnings = createLiveRecord('driverearningdata', 'driverearnings', {
  toQuery: (from: string | null, profile) => {
    const page = {
      orderBy: 'key' as const,
      ...(from && { startAt: from }),
      limitToFirst: DRIVERS_PER_PAGE + 1,
    }
    const path = getEarningsPath(profile)
    return path ? { path, ...page } : null
  },
  schema: v.pipe(
    driversSchema,
    v.transform((drivers) => {
      const uids = Object.keys(drivers).sort()
      // The query reads one more row than shown; it starts the next page.
      const next = uids[DRIVERS_PER_PAGE] ?? null
      return { rows: toDriverMonths(drivers, uids.slice(0, DRIVERS_PER_PAGE)), next }
    }),
  ),
})

/** Returns the months of all drivers the user may see, fetched page by page. */
export const fetchDriverEarnings = createServiceThunk<
  { onProgress?: (count: number) => void },
  DriverEarning[]
>('driverearningdata/export', async ({ onProgress }, { database }, { getState }) => {
  const path = getEarningsPath(selectProfile(getState()))
  const rows: DriverEarning[] = []
  let from: string | null = path && ''
  while (path && from !== null) {
    const page = { orderBy: 'key' as const, ...(from && { startAt: from }) }
    const rawDrivers = await database.read({
      path,
      ...page,
      limitToFirst: DRIVERS_PER_EXPORT_PAGE + 1,
    })
    const drivers = v.parse(driversSchema, rawDrivers ?? {})
    const uids = Object.keys(drivers).sort()
    rows.push(...toDriverMonths(drivers, uids.slice(0, DRIVERS_PER_EXPORT_PAGE)))
    onProgress?.(rows.length)
    from = uids[DRIVERS_PER_EXPORT_PAGE] ?? null
  }
  return rows
})

/** A driver's own months, newest first; the id is yyyy-mm. */
export const ownEarnings = createLiveSlice('ownearnings', 'months', {
  toQuery: (_: void, profile) =>
    profile && { path: `stats/driver_earnings/${profile.id}`, orderBy: 'key', limitToLast: 12 },
  schema: createRowSchema<DriverEarning>({}),
  order: (a, b) => (a.id < b.id ? 1 : -1),
})

/** Maximum number of wallet entries that are read; older ones are left out. */
export const MAX_WALLET_ENTRIES = 1000

/** The newest entries of the user's own wallet since a time (ms). */
export const walletEntries = createLiveSlice('walletentries', 'entries', {
  toQuery: (since: number, profile) =>
    profile && {
      path: `${dbPaths.user(profile.id)}/walletHistory`,
      orderBy: { child: 'date' },
      startAt: since,
      limitToLast: MAX_WALLET_ENTRIES,
    },
  schema: createRowSchema<WalletEntry & { id: string }>({
    amount: v.number(),
    date: v.number(),
  }),
})

/** The platform's months, newest first; the id is yyyy-mm. */
export const earningsReports = createLiveSlice('earningreportsdata', 'reports', {
  toQuery: () => ({ path: 'stats/earnings', orderBy: 'key', limitToLast: 60 }),
  schema: createRowSchema<TotalsRow>({}),
  order: (a, b) => (a.id < b.id ? 1 : -1),
})

const totalsSchema = createRecordSchema<StatsRow>({})

/** One day (yyyy-mm-dd) of the platform, or of a fleet admin's drivers. */
export const dayTotals = createLiveRecord('daytotals', 'day', {
  toQuery: (date: string, profile) =>
    profile?.usertype === 'fleetadmin'
      ? { path: dbPaths.statsFleetDay(profile.id, date) }
      : { path: dbPaths.statsDay(date) },
  schema: totalsSchema,
})

/** One month (yyyy-mm) of the platform, or of a fleet admin's drivers. */
export const monthTotals = createLiveRecord('monthtotals', 'month', {
  toQuery: (month: string, profile) =>
    profile?.usertype === 'fleetadmin'
      ? { path: dbPaths.statsFleetEarnings(profile.id, month) }
      : { path: dbPaths.statsEarnings(month) },
  schema: totalsSchema,
})

/** All-time totals of the platform, or of a fleet admin's drivers. */
export const allTotals = createLiveRecord('alltotals', 'total', {
  toQuery: (_: void, profile) =>
    profile && {
      path:
        profile.usertype === 'fleetadmin'
          ? dbPaths.statsFleetTotal(profile.id)
          : dbPaths.statsTotal,
    },
  schema: totalsSchema,
})

/** Former currencies, keyed by the ms at which each ended; admins only. */
export const formerCurrencies = createLiveRecord('endedcurrencies', 'ended', {
  toQuery: (_: void, profile) =>
    profile?.usertype === 'admin'
      ? { path: dbPaths.endedCurrencies, orderBy: 'key', limitToLast: 1 }
      : null,
  schema: v.record(v.string(), v.looseObject({ code: v.string() })),
})

/**
 * The last days with bookings, oldest first; the id is yyyy-mm-dd. Fleet admins get their drivers'
 * days.
 */
export const dayRows = createLiveSlice('dayrows', 'days', {
  toQuery: (days: number, profile) =>
    profile && {
      path: profile.usertype === 'fleetadmin' ? `stats/fleet_days/${profile.id}` : 'stats/days',
      orderBy: 'key',
      limitToLast: days,
    },
  schema: createRowSchema<TotalsRow>({}),
  order: (a, b) => (a.id < b.id ? -1 : 1),
})

/**
 * The last months, oldest first; the id is yyyy-mm. Fleet admins get their drivers' months, or none
 * with size 0.
 */
export const monthRows = createLiveSlice('monthrows', 'months', {
  toQuery: (months: number, profile) =>
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
  schema: createRowSchema<TotalsRow>({}),
  order: (a, b) => (a.id < b.id ? -1 : 1),
})

/** Number of bookings per vehicle type in a month (yyyy-mm); admins only. */
export const vehicleTypeCounts = createLiveRecord('cartypecounts', 'byCarType', {
  toQuery: (month: string, profile) =>
    profile?.usertype === 'admin' ? { path: `stats/cartypes/${month}` } : null,
  schema: v.record(v.string(), v.number()),
})

/** Current number of bookings in each status; admins only. */
export const statusCounts = createLiveRecord('statuscounts', 'counts', {
  toQuery: (_: void, profile) => (profile?.usertype === 'admin' ? { path: 'stats/status' } : null),
  schema: v.record(v.string(), v.number()),
})
