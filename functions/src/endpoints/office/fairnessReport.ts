import { dbPaths } from '~/domain/data/databasePaths'
import { internalPaths } from '~/domain/data/internalPaths'
import {
  splitByMonth,
  toMonthCounts,
  type FairnessRow,
} from '~/domain/dispatch/matching/driverMonth'
import { toShownTotals } from '~/domain/money/stats'
import { formatFullName } from '~/domain/accounts/userAccounts'
import { defineUserEndpoint } from '../../http/endpointTypes'
import type { DatabasePort } from '../../ports/database'
import { readSettings } from '../../services/office/settings'
import type { DirectoryEntry } from '~/domain/accounts/types'
import type { DriverMonth, DriverShift } from '~/domain/dispatch/types'
import type { Settings } from '~/domain/catalog/types'
import type { StatsRow } from '~/domain/money/types'

/** Drivers per page. Each needs up to four reads. */
const PAGE_SIZE = 100

/** Returns offers, answers, time on duty and income of each driver in a month. */
export const fairness_report = defineUserEndpoint({
  name: 'fairness_report',
  summary:
    'Returns offers, answers, seconds on duty, trips and income of each driver in a month, up to 100 drivers in each response. Fleet admins get the drivers of their fleet, with the income that they earned in it. `next` is the `cursor` of the following page, and a page may be empty. Offers and time on duty are counted from the release that has this endpoint.',
  allow: ['admin', 'fleetadmin'],
  limit: 120,
  spends: [],
  needsFreshSignIn: false,
  errors: [],
  async handle({ month, cursor }, { actor, db, now }) {
    const fleet = actor.role === 'fleetadmin' ? actor.uid : undefined
    const report = { month, fleet, settings: await readSettings(db), now }
    const { uids, next } = await (fleet === undefined
      ? listCountedDrivers(db, month, cursor)
      : listFleetDrivers(db, fleet, cursor))
    const rows = await Promise.all(uids.map((uid) => readRow(db, uid, report)))
    return { rows: rows.filter((row) => row.offers + row.active_s + row.trips > 0), next }
  },
})

interface DriverPage {
  uids: string[]
  next: string | null
}

const toPage = (keys: readonly string[], toUid: (key: string) => string): DriverPage => ({
  uids: keys.map(toUid),
  next: keys.length < PAGE_SIZE ? null : (keys.at(-1) ?? null),
})

const listCountedDrivers = async (
  db: DatabasePort,
  month: string,
  cursor: string | undefined,
): Promise<DriverPage> => {
  const prefix = `${month}_`
  const driverMonths = await db.list<DriverMonth>(internalPaths.driverMonths, {
    by: '$key',
    ...(cursor?.startsWith(prefix) ? { afterKey: cursor } : { startAt: prefix }),
    endAt: `${prefix}\uf8ff`,
    first: PAGE_SIZE,
  })
  return toPage(
    driverMonths.map(([key]) => key),
    (key) => key.slice(prefix.length),
  )
}

const listFleetDrivers = async (
  db: DatabasePort,
  fleet: string,
  cursor: string | undefined,
): Promise<DriverPage> => {
  const drivers = await db.list<DirectoryEntry>('people', {
    by: 'fleetadmin',
    equalTo: fleet,
    first: PAGE_SIZE,
    ...(cursor !== undefined && { afterKey: cursor }),
  })
  return toPage(
    drivers.map(([uid]) => uid),
    (uid) => uid,
  )
}

interface Report {
  month: string
  /** The fleet admin who reads it; undefined for an admin. */
  fleet: string | undefined
  settings: Settings
  now: number
}

const readRow = async (
  db: DatabasePort,
  driver: string,
  { month, fleet, settings, now }: Report,
): Promise<FairnessRow> => {
  const [counts, shift, person, earned] = await Promise.all([
    db.read<DriverMonth>(internalPaths.driverMonth(month, driver)),
    db.read<DriverShift>(internalPaths.driverShift(driver)),
    db.read<DirectoryEntry>(dbPaths.directoryEntry(driver)),
    db.read<StatsRow>(
      fleet === undefined
        ? dbPaths.statsDriver(driver, month)
        : dbPaths.statsFleetDriver(fleet, driver, month),
    ),
  ])
  const stored = toMonthCounts(counts)
  // The period that has not ended yet is not in the counts.
  const open = shift?.since === undefined ? [] : splitByMonth(shift.since, now, settings.timezone)
  const running = open.find(([part]) => part === month)?.[1] ?? 0
  return {
    driver,
    name: person ? formatFullName(person) : '',
    ...stored,
    active_s: stored.active_s + running,
    trips: earned?.total_rides ?? 0,
    income: earned ? (toShownTotals(earned, settings).driverShare ?? 0) : 0,
  }
}
