import type { DatabaseValue } from '~/domain/data/databaseValue'
import type { DatabaseTree } from '~/domain/data/databaseTree'
import { diffValues } from '~/domain/migrations/valueDiff'
import {
  DERIVED_DATA_NAMES,
  type MigrationContext,
  type StoredRecord,
} from '~/domain/migrations/migration'
import { SCHEMA_VERSION, schemaPaths, hashTexts } from '~/domain/data/schemaVersion'
import { countEntries, openBackup, readSavedRecords } from './backupFolder'
import type { Backup, BackupFile } from './backupFormat'
import { readSchema, takeLease, type Lease } from './lease'
import { migrate } from './migrationRunner'
import {
  listCollections,
  listSomeKeys,
  listLeaves,
  DEFAULT_LIMITS,
  readRecords,
  type PageLimits,
  readNext,
  getEntries,
} from './databasePages'
import { TooLargeError, type RestDatabase } from './restDatabase'
import {
  createDatabaseSource,
  verifyData,
  type DataSource,
  type VerificationResult,
} from './dataVerification'

/** Maximum number of paths in one update. */
const MAX_PATHS = 900
const MAX_BYTES = 4 * 1024 * 1024
/** Records removed in one update; their size counts as written. */
const REMOVED_AT_ONCE = 250
const PROGRESS_EVERY = 500
const MAX_SHOWN = 20

export interface RestoreOptions {
  texts: MigrationContext['texts']
  /** A collection or one file of the backup; defaults to all of it. */
  only?: string
  /** Removes the existing data first. */
  shouldReplace?: boolean
  /** Restores and opens the database even when its records do not agree. */
  canBeUnsound?: boolean
  progress?: (text: string) => void
  /** Gets a line for each wallet whose balance the migration of an older backup changes. */
  print?: (line: string) => void
  limits?: PageLimits
  isHolderGone?: (holder: string) => boolean
}

export interface RestoreResult {
  /** Number of entries by collection. */
  counts: Record<string, number>
  /** Schema versions of the backup and of the restored data. */
  from: number
  to: number
  /** Remaining violations; only with `canBeUnsound` or `only`. */
  verdict: VerificationResult | undefined
}

/** Returns a backup as a data source for verification. */
export const createBackupSource = (backup: Backup): DataSource => ({
  async readCurrency() {
    const all = async (collection: string): Promise<unknown> => {
      const found: StoredRecord = {}
      for await (const [key, value] of readSavedRecords(backup, collection)) found[key] = value
      return found
    }
    const [settings, currency] = [await all('settings'), await all('currency')]
    return { settings, currency } as Pick<DatabaseTree, 'settings' | 'currency'>
  },
  async *readRecords(collection) {
    const [top = '', kind] = collection.split('/')
    for await (const [key, record] of readSavedRecords(backup, top))
      if (kind === undefined) yield [key, record]
      else if (key === kind) yield* getEntries(record)
  },
  async *readLeaves(collection) {
    for await (const [key, record] of readSavedRecords(backup, collection))
      yield* listLeaves(record, `${collection}/${key}`)
  },
})

const describeVerdict = ({ violationCount, sentences }: VerificationResult): string =>
  [
    ...sentences.slice(0, MAX_SHOWN),
    ...(violationCount > MAX_SHOWN ? [`… and ${violationCount - MAX_SHOWN} more.`] : []),
  ].join('\n')

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
  [step, done]: [step: number, done: number],
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
    if (read < done) {
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
    const found =
      key === ''
        ? (['', (await db.get(collection)) as DatabaseValue] as const)
        : await readNext(there)
    if (!found || found[0] !== key || diffValues(found[1], record, key).length > 0)
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

const chooseFiles = ({ path, manifest: { files } }: Backup, only: string | undefined) => {
  if (only === undefined) return files
  const chosen = files.filter(
    ({ name, collection }) => [name, collection].includes(only) || name.startsWith(`${only}.`),
  )
  if (chosen.length === 0) {
    const collections = [...new Set(files.map(({ collection }) => collection))].join(', ')
    throw new Error(`${path} has no ${only}. Choose one of ${collections}.`)
  }
  return chosen
}

/** A checked restore. */
interface RestorePlan {
  backup: Backup
  files: readonly BackupFile[]
  collections: readonly string[]
  /** A collection or one file of the backup, if not all of it. */
  only: string | undefined
  /** The collections of the database that the restore removes first. */
  existing: readonly string[]
  /** True when the backup was verified before any write. */
  isJudged: boolean
}

/** Throws when the backup is damaged or of a later release. */
const checkFiles = async (
  backup: Backup,
  files: readonly BackupFile[],
  progress: (text: string) => void,
): Promise<void> => {
  const { schema } = backup.manifest
  if (schema > SCHEMA_VERSION)
    throw new Error(
      `The backup has schema ${schema}, this release knows ${SCHEMA_VERSION}. Restore it with the release that saved it, or a later one.`,
    )
  for (const [at, file] of files.entries()) {
    progress(`Checking ${file.name}: ${at + 1} of ${files.length}`)
    await backup.assertIntact(file)
  }
}

/** Throws when a whole backup of this release has violations. Returns true when it was judged. */
const judgeBackup = async (
  backup: Backup,
  { only, canBeUnsound, progress }: RestoreOptions,
): Promise<boolean> => {
  const { schema, consistent } = backup.manifest
  // A live backup is verified after its derived data has been rebuilt.
  const isJudged = schema === SCHEMA_VERSION && consistent && only === undefined
  if (!isJudged || canBeUnsound) return isJudged
  const verdict = await verifyData(createBackupSource(backup), progress && { progress })
  if (verdict.violationCount > 0)
    throw new Error(
      `The backup has violations. Add --unsound to restore it anyway.\n${describeVerdict(verdict)}`,
    )
  return true
}

const getJobName = ({ manifest: { id } }: Backup, only = ''): string => `${id} ${only}`.trim()

/** Checks everything that can be checked before the first write. */
const planRestore = async (
  db: RestDatabase,
  backup: Backup,
  options: RestoreOptions,
): Promise<RestorePlan> => {
  const { only, shouldReplace = false, progress = () => undefined } = options
  const { manifest } = backup
  const files = chooseFiles(backup, only)
  await checkFiles(backup, files, progress)
  const { schema } = await readSchema(db)
  const present = await listCollections(db)
  const version = schema.version ?? (present.length === 0 ? manifest.schema : 0)
  const isOfThisRelease = manifest.schema === SCHEMA_VERSION && version === SCHEMA_VERSION
  if (only !== undefined && !isOfThisRelease)
    throw new Error(
      `A part is restored only where the backup (schema ${manifest.schema}) and the database (schema ${version}) have the schema of this release, ${SCHEMA_VERSION}. Restore the whole backup into an empty database, save that, and take the part from there.`,
    )
  const isJudged = await judgeBackup(backup, options)
  const { running } = schema
  const isInterrupted = running?.what === 'restore' && running.job === getJobName(backup, only)
  const collections = [...new Set(files.map(({ collection }) => collection))]
  const existing = only === undefined ? present : present.filter((one) => collections.includes(one))
  if (existing.length > 0 && !shouldReplace && !isInterrupted)
    throw new Error(
      only === undefined
        ? 'The database is not empty. Add --replace to delete its data.'
        : `The database has ${existing.join(', ')}. Add --replace to overwrite it.`,
    )
  return { backup, files, collections, only, existing, isJudged }
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
