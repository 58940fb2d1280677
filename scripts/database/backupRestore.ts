import { diffValues } from '~/domain/migrations/valueDiff'
import type { DatabaseValue } from '~/domain/data/databaseValue'
import { SCHEMA_VERSION, schemaPaths, hashTexts } from '~/domain/data/schemaVersion'
import { DERIVED_DATA_NAMES } from '~/domain/migrations/migration'
import { countEntries, openBackup, readSavedRecords } from './backupFolder'
import type { Backup, BackupFile } from './backupFormat'
import {
  listCollections,
  listSomeKeys,
  DEFAULT_LIMITS,
  readRecords,
  type PageLimits,
  readNext,
} from './databasePages'
import { createDatabaseSource, verifyData, type VerificationResult } from './dataVerification'
import { takeLease, type Lease } from './lease'
import { migrate } from './migrationRunner'
import { TooLargeError, type RestDatabase } from './restDatabase'
import {
  describeVerdict,
  getJobName,
  planRestore,
  type RestoreOptions,
  type RestorePlan,
} from './restorePlan'

/** Maximum number of paths in one update. */
const MAX_PATHS = 900
const MAX_BYTES = 4 * 1024 * 1024
/** Records removed in one update; their size counts as written. */
const REMOVED_AT_ONCE = 250
const PROGRESS_EVERY = 500

export interface RestoreResult {
  /** Number of entries by collection. */
  counts: Record<string, number>
  /** Schema versions of the backup and of the restored data. */
  from: number
  to: number
  /** Remaining violations; only with `canBeUnsound` or `only`. */
  verdict: VerificationResult | undefined
}

interface RestoreJob {
  db: RestDatabase
  lease: Lease
  limits: PageLimits
  progress: (text: string) => void
}

/**
 * Removes everything below a path in updates of a few records, and fewer when the server refuses
 * their size. Stores the current step with each update.
 */
const clearPath = async (task: RestoreJob, path: string, step: number): Promise<void> => {
  const { db, lease, progress } = task
  let removed = 0
  const removeChildren = async (keys: readonly string[]): Promise<void> => {
    await lease.renewIfDue()
    try {
      await db.update({
        ...Object.fromEntries(keys.map((key) => [`${path}/${key}`, null])),
        ...lease.toProgressPaths(step),
      })
    } catch (error) {
      if (!(error instanceof TooLargeError)) throw error
      const half = Math.ceil(keys.length / 2)
      if (keys.length === 1) return clearPath(task, `${path}/${keys[0]}`, step)
      await removeChildren(keys.slice(0, half))
      return removeChildren(keys.slice(half))
    }
    removed += keys.length
    progress(`Removing ${path}: ${removed}`)
  }
  for (;;) {
    const keys = await listSomeKeys(db, path, REMOVED_AT_ONCE)
    if (keys.length === 0) break
    await removeChildren(keys)
  }
  // A path with a single value has no children to remove.
  await db.put(path, null)
}

/** Writes the entries of a file after the first `done` and stores the progress with each update. */
const writeBackupFile = async (
  { db, lease, limits, progress }: RestoreJob,
  backup: Backup,
  file: BackupFile,
  [step, doneCount]: [step: number, done: number],
): Promise<void> => {
  const maxBytes = Math.min(MAX_BYTES, limits.maxBytes)
  let updates: Record<string, DatabaseValue> = {}
  let bytes = 0
  let read = 0
  const flush = async () => {
    if (Object.keys(updates).length === 0) return
    await lease.renewIfDue()
    await db.update({ ...updates, ...lease.toProgressPaths(step, String(read)) })
    updates = {}
    bytes = 0
    progress(`Restoring ${file.name}: ${read} of ${file.entries}`)
  }
  for await (const [path, value] of backup.readEntries(file)) {
    if (read < doneCount) {
      read += 1
      continue
    }
    const size = Buffer.byteLength(JSON.stringify({ [path]: value }))
    if (Object.keys(updates).length >= MAX_PATHS || (bytes > 0 && bytes + size > maxBytes))
      await flush()
    updates[path] = value
    bytes += size
    read += 1
  }
  await flush()
}

const createDifferenceMessage = (path: string) =>
  new Error(`/${path} in the database differs from the backup. Run the same restore again.`)

/** Reads a collection back and compares it record by record. */
const compareCollection = async (
  { db, lease, limits, progress }: RestoreJob,
  backup: Backup,
  collection: string,
) => {
  const there = readRecords(db, collection, undefined, limits)
  let compared = 0
  for await (const [key, record] of readSavedRecords(backup, collection)) {
    await lease.renewIfDue()
    // The collection has a single value.
    const savedValue =
      key === ''
        ? (['', (await db.get(collection)) as DatabaseValue] as const)
        : await readNext(there)
    if (!savedValue || savedValue[0] !== key || diffValues(savedValue[1], record, key).length > 0)
      throw createDifferenceMessage(`${collection}/${key}`)
    if (++compared % PROGRESS_EVERY === 0) progress(`Comparing ${collection}: ${compared}`)
  }
  if (!(await there.next()).done) throw createDifferenceMessage(collection)
}

/** Reads the entries of one file back when its collection has other files. */
const compareFile = async (
  { db, lease, progress }: RestoreJob,
  backup: Backup,
  file: BackupFile,
) => {
  let compared = 0
  for await (const [path, value] of backup.readEntries(file)) {
    await lease.renewIfDue()
    if (diffValues((await db.get(path)) as DatabaseValue, value, path).length > 0)
      throw createDifferenceMessage(path)
    if (++compared % PROGRESS_EVERY === 0) progress(`Comparing ${file.name}: ${compared}`)
  }
}

/** Number of the steps before that of the first file. */
const CLEARING_STEPS = 1

/** A single file overwrites its own records and leaves the others of its collection. */
const isOneFile = ({ only, collections }: RestorePlan): boolean =>
  only !== undefined && !collections.includes(only)

/** Compares what was written with the backup. After a difference, the restore starts again. */
const compareWritten = async (task: RestoreJob, plan: RestorePlan): Promise<void> => {
  const { backup, files, collections, only } = plan
  const { db, lease } = task
  try {
    if (isOneFile(plan)) for (const file of files) await compareFile(task, backup, file)
    else for (const collection of collections) await compareCollection(task, backup, collection)
    const more = (await listCollections(db)).find((name) => !collections.includes(name))
    if (only === undefined && more !== undefined) throw createDifferenceMessage(more)
  } catch (error) {
    await db.update(lease.toProgressPaths(0))
    throw error
  }
}

/** Writes and compares the files, from where the lease's job has got to. Returns the next step. */
const writeFiles = async (task: RestoreJob, plan: RestorePlan): Promise<number> => {
  const { db, lease } = task
  const { backup, files, only } = plan
  const { step: firstStep, cursor } = lease.job
  if (firstStep < CLEARING_STEPS && !isOneFile(plan))
    for (const collection of plan.existing) await clearPath(task, collection, 0)
  for (const [at, file] of files.entries()) {
    const step = CLEARING_STEPS + at
    if (step < firstStep) continue
    const written = step === firstStep ? Number(cursor ?? 0) : 0
    await writeBackupFile(task, backup, file, [step, written])
  }
  const migrationStep = CLEARING_STEPS + files.length
  if (firstStep >= migrationStep) return migrationStep
  await compareWritten(task, plan)
  await db.update({
    [schemaPaths.version]: backup.manifest.schema || null,
    // The languages come from the backup.
    ...(only === undefined && { [schemaPaths.texts]: null }),
    ...lease.toProgressPaths(migrationStep),
  })
  return migrationStep
}

/** Verifies the restored data, unless the backup was. Throws when the database must stay closed. */
const verifyRestored = async (
  { db, lease, progress }: RestoreJob,
  { isJudged, only, backup }: RestorePlan,
  canBeUnsound: boolean,
): Promise<VerificationResult | undefined> => {
  if (isJudged && !canBeUnsound) return undefined
  const verdict = await verifyData(createDatabaseSource(db), {
    progress,
    renewLease: () => lease.renewIfDue(),
  })
  const mustBeSound = !canBeUnsound && only === undefined && backup.manifest.consistent
  if (verdict.violationCount > 0 && mustBeSound)
    throw new Error(
      `The restored data has violations, so the database stays closed. Run the same restore with --unsound to open it.\n${describeVerdict(verdict)}`,
    )
  return verdict.violationCount > 0 ? verdict : undefined
}

const restoreOpenBackup = async (
  db: RestDatabase,
  backup: Backup,
  options: RestoreOptions,
): Promise<RestoreResult> => {
  const { texts, only, canBeUnsound = false, limits = DEFAULT_LIMITS, isHolderGone } = options
  const { progress = () => undefined } = options
  const plan = await planRestore(db, backup, options)
  const lease = await takeLease(db, {
    what: 'restore',
    job: getJobName(backup, only),
    closes: 'all',
    ...(isHolderGone && { isHolderGone }),
  })
  const task: RestoreJob = { db, lease, limits, progress }
  const step = await writeFiles(task, plan)
  const { schema, consistent } = backup.manifest
  const rebuilt = DERIVED_DATA_NAMES.filter((name) => name !== 'texts')
  await migrate(db, {
    texts,
    limits,
    progress: (text) => progress(`Migrating ${text}`),
    ...(options.print && { print: options.print }),
    outerLease: { lease, step },
    ...((only !== undefined || !consistent) && { rebuild: rebuilt }),
  })
  const verdict = await verifyRestored(task, plan, canBeUnsound)
  await lease.release({ version: SCHEMA_VERSION, texts: hashTexts(texts) })
  return { counts: countEntries(plan.files), from: schema, to: SCHEMA_VERSION, verdict }
}

/**
 * Restores a backup in pages, compares it with the database and migrates it to this release's
 * schema. Keeps the database closed until all of this is done; run it again after an interruption
 * to resume. Throws before any write when the backup is damaged or inconsistent (unless
 * `canBeUnsound`) or the database is not empty (unless `shouldReplace`). Verifies an older backup
 * after its migration; if it is inconsistent then, the database stays closed.
 */
export const restore = async (
  db: RestDatabase,
  path: string,
  options: RestoreOptions,
): Promise<RestoreResult> => {
  const backup = await openBackup(path, options.progress)
  try {
    return await restoreOpenBackup(db, backup, options)
  } finally {
    backup.close()
  }
}
