import type { DatabaseValue } from '~/domain/data/databaseValue'
import { MAX_DAYS_AHEAD } from '~/domain/booking/limits/limits'
import { createPushKey, getPushKeyTime } from '~/domain/data/pushKeys'
import { createHistoryCollector, type HistoryPeriod } from './recordedHistory'
import type { ReplayScenario } from '~/domain/replay/scenario'
import { SCHEMA_VERSION } from '~/domain/data/schemaVersion'
import { DAY_MS } from '~/domain/language/timeUnits'
import { formatDay } from '~/domain/language/zonedTime'
import { openBackup } from '~/scripts/database/backupFolder'
import { createBackupSource } from '~/scripts/database/restorePlan'
import { readRecords } from '~/scripts/database/databasePages'
import { createDatabaseSource, type DataSource } from '~/scripts/database/dataVerification'
import { readSchema } from '~/scripts/database/lease'
import { openTargetDatabase } from '~/scripts/database/targetDatabase'
import type { Booking } from '~/domain/booking/types'
import type { Offer } from '~/domain/dispatch/types'
import type { VehicleType } from '~/domain/catalog/types'

const QUARTER_MS = 900_000

/** The recorded data of a replay, read record by record. */
export interface RecordedData extends Pick<DataSource, 'readCurrency'> {
  /** Yields the records of a collection by key, those after a key first if the source can skip. */
  readRecords(
    collection: string,
    after?: string,
  ): AsyncIterable<[key: string, record: DatabaseValue]>
  close(): void
}

const assertSchema = (version: number) => {
  if (version !== SCHEMA_VERSION)
    throw new Error(
      `The data has schema ${version}, this release replays ${SCHEMA_VERSION}. Migrate a database with \`npm run migrate -- --apply\`, or restore a backup first.`,
    )
}

const openSavedData = async (
  path: string,
  progress: ((text: string) => void) | undefined,
): Promise<RecordedData> => {
  const backup = await openBackup(path, progress)
  const { close, manifest } = backup
  try {
    assertSchema(manifest.schema)
    for (const file of manifest.files) await backup.assertIntact(file)
    return { ...createBackupSource(backup), close }
  } catch (error) {
    close()
    throw error
  }
}

/**
 * Opens a backup, a project, or the database that the environment names. Close it after use.
 * `progress` gets lines while a backup in one file is read.
 */
export const openRecordedData = async (
  { backup: backupPath, project }: { backup?: string; project?: string },
  env: NodeJS.ProcessEnv,
  progress?: (text: string) => void,
): Promise<RecordedData> => {
  if (backupPath !== undefined) return openSavedData(backupPath, progress)
  const db = await openTargetDatabase(env, project)
  assertSchema((await readSchema(db)).schema.version ?? 0)
  return {
    ...createDatabaseSource(db),
    readRecords: (collection, after) => readRecords(db, collection, after),
    close: () => undefined,
  }
}

/** Returns the first moment (ms) of a day, yyyy-mm-dd, in a time zone. */
const findDayStart = (day: string, timezone: string): number => {
  let at = Date.parse(`${day}T00:00:00Z`) - DAY_MS
  while (formatDay(at, timezone) < day) at += QUARTER_MS
  return at
}

const listOffers = (record: DatabaseValue): Offer[] =>
  Object.values(record as unknown as Record<string, Offer | null>).filter((offer) => offer !== null)

/**
 * Reads the bookings, offers and drivers of some days, in pages. Later bookings may have been made
 * a year before.
 */
export const readRecordedDemand = async (
  data: Omit<RecordedData, 'close'>,
  { from, days }: { from: string; days: number },
  progress: (text: string) => void = () => undefined,
): Promise<ReplayScenario> => {
  const { settings } = await data.readCurrency()
  if (!settings) throw new Error('The data has no settings. Choose another database or backup.')
  const start = findDayStart(from, settings.timezone)
  // The days have 23 or 25 hours when the clocks change.
  const next = new Date(Date.parse(from) + days * DAY_MS).toISOString().slice(0, 10)
  const period: HistoryPeriod = { from: start, to: findDayStart(next, settings.timezone) }
  const collector = createHistoryCollector(period, settings)
  // A key may be a day ahead of its booking.
  const after = createPushKey(start - (MAX_DAYS_AHEAD + 1) * DAY_MS, 0)
  const isBeyond = (key: string) => getPushKeyTime(key) > period.to + 2 * DAY_MS
  let read = 0
  for await (const [key, record] of data.readRecords('bookings', after)) {
    if (isBeyond(key)) break
    collector.addBooking({ ...(record as unknown as Booking), id: key })
    if (++read % 1000 === 0) progress(`Reading bookings: ${read}`)
  }
  for await (const [key, record] of data.readRecords('offers', after)) {
    if (isBeyond(key)) break
    for (const offer of listOffers(record)) collector.addOffer(offer)
  }
  const vehicleTypes: Record<string, VehicleType> = {}
  for await (const [id, record] of data.readRecords('cartypes'))
    vehicleTypes[id] = { ...(record as unknown as VehicleType), id }
  const scenario = collector.createScenario(settings, vehicleTypes)
  if (scenario.requests.length === 0)
    throw new Error(
      `There are no bookings from ${from} on for ${days} days. Choose other days with --from and --days.`,
    )
  return scenario
}
