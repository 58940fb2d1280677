import { dbPaths } from '~/domain/data/databasePaths'
import { internalPaths } from '~/domain/data/internalPaths'
import {
  FOLDER_QUOTA,
  getFolder,
  isLinkToFile,
  NEW_FILES_QUOTA,
  parseFileOwner,
  parseUploader,
} from '~/domain/data/storageFiles'
import { HOUR_MS, MINUTE_MS } from '~/domain/language/timeUnits'
import { iteratePages } from '../../ports/database'
import type { DatabasePort } from '../../ports/database'
import type { StoredFile } from '../../ports/files'
import { createQuotaCounter, isForeignEvidence } from './fileQuota'
import { createTimeBudget } from './timeBudget'
import type { Ports } from '../../ports/ports'
import type { Booking } from '~/domain/booking/types'
import type { VehicleType } from '~/domain/catalog/types'

/** Milliseconds during which a record may not refer to a new file yet. */
const MIN_FILE_AGE_MS = 24 * HOUR_MS
/** Milliseconds from one round through all files to the next. */
const ROUND_INTERVAL_MS = 24 * HOUR_MS
/** Vehicle types per page of a check. */
const PAGE_SIZE = 200
/** Number of files that are checked and removed at the same time. */
const CONCURRENT_FILES = 20
/** Milliseconds after which a run begins no further page: both rounds share nine minutes. */
const RUN_BUDGET_MS = 4 * MINUTE_MS
/**
 * Number of a person's newest bookings that protect a portrait. A booking keeps the portrait that
 * the person had at that time.
 */
const CHECKED_BOOKINGS = 20

/** The progress of a round; without a cursor, the round is complete. */
interface CleanupRound {
  cursor?: string | null
  /** Start of the round and time of its last work, in milliseconds since 1970. */
  began_at: number
  at: number
  /** Of two concurrent runs, the one that saves second stops. */
  revision: number
}
export interface FileCleanupResult {
  checkedCount: number
  removedCount: number
  isDone: boolean
}

type CleanupPorts = Pick<Ports, 'db' | 'files'>

const isBookingImageInUse = async (
  db: DatabasePort,
  booking: string,
  field: string,
  name: string,
) => isLinkToFile(await db.read<string>(`${dbPaths.booking(booking)}/${field}`), name)

/**
 * Returns true when one of a person's newest bookings shows this portrait of them as rider or
 * driver.
 */
const isPortraitInRecentBookings = async (
  db: DatabasePort,
  uid: string,
  name: string,
): Promise<boolean> => {
  const newest = (by: 'customer' | 'driver') =>
    db.list<Booking>('bookings', { by, equalTo: uid, last: CHECKED_BOOKINGS })
  const [ridden, driven] = await Promise.all([newest('customer'), newest('driver')])
  return [...ridden, ...driven].some(
    ([, { customer_image, driver_image }]) =>
      isLinkToFile(customer_image, name) || isLinkToFile(driver_image, name),
  )
}

// Old bookings keep the image of their vehicle type, and only admins upload these images, so the
// job keeps them all.
const isVehicleTypeImageInUse = async (
  db: DatabasePort,
  uid: string,
  name: string,
): Promise<boolean> => {
  if ((await db.read<string>(`users/${uid}/usertype`)) === 'admin') return true
  for await (const page of iteratePages<VehicleType>(db, 'cartypes', { by: '$key' }, PAGE_SIZE))
    if (page.some(([, { image }]) => isLinkToFile(image, name))) return true
  return false
}

/** Returns true when a record shows the file, and for files that do not belong to the product. */
export const isFileInUse = async (db: DatabasePort, name: string): Promise<boolean> => {
  const owner = parseFileOwner(name)
  switch (owner?.kind) {
    case undefined:
      return true
    case 'evidence':
      return isBookingImageInUse(db, owner.booking, owner.field, name)
    case 'licence':
      return isLinkToFile(await db.read<string>(`${dbPaths.user(owner.uid)}/licenseImage`), name)
    case 'portrait':
      return (
        isLinkToFile(await db.read<string>(`${dbPaths.user(owner.uid)}/profile_image`), name) ||
        isPortraitInRecentBookings(db, owner.uid, name)
      )
    case 'carType':
      return isVehicleTypeImageInUse(db, owner.uid, name)
    case 'unknown':
      return false
  }
}

/** A round through all files, in pages. */
interface FileRound {
  job: 'sweep_files' | 'sweep_new_files'
  /** Milliseconds from one round to the next. */
  interval: number
  /** Files per page, and pages per run. The next run does the rest. */
  pageSize: number
  maxPages: number
  /** Returns the files that go unless a record shows them, of this page or an earlier one. */
  selectRemovable(page: readonly StoredFile[]): Promise<readonly StoredFile[]>
}

/** Returns the files for which a check holds, in their order. */
const filterFiles = async (
  files: readonly StoredFile[],
  check: (file: StoredFile) => Promise<boolean>,
): Promise<StoredFile[]> => {
  const selected: StoredFile[] = []
  for (let at = 0; at < files.length; at += CONCURRENT_FILES) {
    const part = files.slice(at, at + CONCURRENT_FILES)
    const results = await Promise.all(part.map(check))
    selected.push(...part.filter((_, i) => results[i]))
  }
  return selected
}

/** Removes the files that no record shows. Returns their number. */
const removeIfUnused = async (
  { db, files }: CleanupPorts,
  removable: readonly StoredFile[],
): Promise<number> => {
  const removed = await filterFiles(removable, async ({ name }) => {
    if (await isFileInUse(db, name)) return false
    await files.remove(name)
    return true
  })
  return removed.length
}

/**
 * Removes the removable files. Makes one round per interval, in pages; an unfinished round resumes
 * where it stopped. Safe to repeat and to run twice at once.
 */
const runRound = async (
  ports: CleanupPorts,
  { job, interval, pageSize, maxPages, selectRemovable }: FileRound,
  now: number,
): Promise<FileCleanupResult> => {
  const { db, files } = ports
  const result: FileCleanupResult = { checkedCount: 0, removedCount: 0, isDone: true }
  const path = internalPaths.job(job)
  const round = await db.read<CleanupRound>(path)
  if (round && !round.cursor && now - round.began_at < interval) return result
  const began_at = round?.cursor ? round.began_at : now
  let cursor = round?.cursor ?? null
  let revision = round?.revision ?? 0
  const hasTime = createTimeBudget(RUN_BUDGET_MS)
  for (let pages = 0; pages < maxPages && hasTime(); pages++) {
    const { page, next } = await files.listPage(cursor, pageSize).catch((fault: unknown) => {
      // A cursor expires after some days; the round then starts over.
      if (cursor === null) throw fault
      return files.listPage(null, pageSize)
    })
    result.checkedCount += page.length
    result.removedCount += await removeIfUnused(ports, await selectRemovable(page))
    cursor = next
    revision += 1
    await db.update({ [path]: { began_at, at: now, revision, ...(next && { cursor: next }) } })
    if (next === null) return result
  }
  return { ...result, isDone: false }
}

/** Returns true for a file to which a record may not refer yet. */
export const isNewFile = ({ createdAt }: StoredFile, now: number): boolean =>
  !(now - createdAt >= MIN_FILE_AGE_MS)

/**
 * Removes files that are a day old and that no record shows: uploads whose link never arrived,
 * replaced pictures, files of deleted accounts. Makes one round through all files per day.
 */
export const removeUnusedFiles = (ports: CleanupPorts, now: number): Promise<FileCleanupResult> =>
  runRound(
    ports,
    {
      job: 'sweep_files',
      interval: ROUND_INTERVAL_MS,
      // Each file may need several reads of the database.
      pageSize: 200,
      maxPages: 50,
      selectRemovable: (page) => Promise.resolve(page.filter((file) => !isNewFile(file, now))),
    },
    now,
  )

/**
 * Returns the new evidence that its uploader cannot show, by one read for each folder, because all
 * files of a folder have one booking and uploader.
 */
const findForeignEvidence = async (
  db: DatabasePort,
  files: readonly StoredFile[],
): Promise<ReadonlySet<string>> => {
  const folders = new Map(files.map((file) => [getFolder(file.name), file]))
  const foreign = await filterFiles([...folders.values()], ({ name }) =>
    isForeignEvidence(db, name),
  )
  return new Set(foreign.map(({ name }) => getFolder(name)))
}

const isEvidence = (name: string): boolean => parseFileOwner(name)?.kind === 'evidence'

/**
 * Removes the new files of people who have more than NEW_FILES_QUOTA, or in one booking more
 * evidence than FOLDER_QUOTA, and evidence of bookings that they do not drive, except what a record
 * shows: storage.rules cannot count, so that only this bounds what a person fills the store with
 * when the check of each upload is above its limit. The earliest uploads stay, as in that check.
 * Each run counts from zero. A page of 1,000 files costs as much as a smaller one, and only a
 * folder of new evidence needs a read of the database, so that one run reaches everyone in a store
 * of half a million files.
 */
export const removeFilesOverQuota = (
  ports: CleanupPorts,
  now: number,
): Promise<FileCleanupResult> => {
  const selectOverFolder = createQuotaCounter(FOLDER_QUOTA, (name) =>
    isEvidence(name) ? getFolder(name) : null,
  )
  const selectOverPerson = createQuotaCounter(NEW_FILES_QUOTA, parseUploader)
  const selectRemovable = async (page: readonly StoredFile[]): Promise<StoredFile[]> => {
    const uploads = page.filter((file) => parseUploader(file.name) && isNewFile(file, now))
    const foreign = await findForeignEvidence(ports.db, uploads)
    const own = uploads.filter(({ name }) => !foreign.has(getFolder(name)))
    const overFolder = new Set(selectOverFolder(own))
    return [
      ...uploads.filter(({ name }) => foreign.has(getFolder(name))),
      ...overFolder,
      ...selectOverPerson(own.filter((file) => !overFolder.has(file))),
    ]
  }
  const pages = { pageSize: 1000, maxPages: 500 }
  return runRound(ports, { job: 'sweep_new_files', interval: 0, ...pages, selectRemovable }, now)
}
