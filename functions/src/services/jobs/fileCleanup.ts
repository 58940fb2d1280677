import { dbPaths } from '~/domain/data/databasePaths'
import { internalPaths } from '~/domain/data/internalPaths'
import {
  type FileUsage,
  isLinkToFile,
  isWithinQuota,
  NEW_FILES_QUOTA,
  parseFileOwner,
  parseUploader,
} from '~/domain/data/storageFiles'
import { HOUR_MS, MINUTE_MS } from '~/domain/language/timeUnits'
import { iteratePages } from '../../ports/database'
import type { DatabasePort } from '../../ports/database'
import type { StoredFile } from '../../ports/files'
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
  /** Counts the file before its first await, because files of a page are checked together. */
  isRemovable(file: StoredFile): Promise<boolean>
}

/** Removes the removable files of a page. Returns their number. */
const removeFromPage = async (
  files: Ports['files'],
  page: readonly StoredFile[],
  isRemovable: FileRound['isRemovable'],
): Promise<number> => {
  let removedCount = 0
  for (let at = 0; at < page.length; at += CONCURRENT_FILES)
    await Promise.all(
      page.slice(at, at + CONCURRENT_FILES).map(async (file) => {
        if (!(await isRemovable(file))) return
        await files.remove(file.name)
        removedCount += 1
      }),
    )
  return removedCount
}

/**
 * Removes the removable files. Makes one round per interval, in pages; an unfinished round resumes
 * where it stopped. Safe to repeat and to run twice at once.
 */
const runRound = async (
  { db, files }: CleanupPorts,
  { job, interval, pageSize, maxPages, isRemovable }: FileRound,
  now: number,
): Promise<FileCleanupResult> => {
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
    result.removedCount += await removeFromPage(files, page, isRemovable)
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
      isRemovable: async (file) =>
        !isNewFile(file, now) && !(await isFileInUse(ports.db, file.name)),
    },
    now,
  )

/**
 * Removes the new files of people who have more than NEW_FILES_QUOTA, except those that a record
 * shows: storage.rules cannot count, so that only this bounds what a person fills the store with.
 * Each run counts from zero. A page of 1,000 files costs as much as a smaller one, and counting
 * needs no read of the database, so that one run reaches everyone in a store of half a million
 * files.
 */
export const removeFilesOverQuota = (
  ports: CleanupPorts,
  now: number,
): Promise<FileCleanupResult> => {
  const usages = new Map<string, FileUsage>()
  const isRemovable = async (file: StoredFile): Promise<boolean> => {
    const uploader = parseUploader(file.name)
    if (uploader === null || !isNewFile(file, now)) return false
    const { count, bytes } = usages.get(uploader) ?? { count: 0, bytes: 0 }
    const usage = { count: count + 1, bytes: bytes + file.size }
    if (!isWithinQuota(usage, NEW_FILES_QUOTA)) return !(await isFileInUse(ports.db, file.name))
    usages.set(uploader, usage)
    return false
  }
  const pages = { pageSize: 1000, maxPages: 500 }
  return runRound(ports, { job: 'sweep_new_files', interval: 0, ...pages, isRemovable }, now)
}
