import type { DatabaseTree } from '~/domain/data/databaseTree'
import { SCHEMA_VERSION } from '~/domain/data/schemaVersion'
import type { MigrationContext, StoredRecord } from '~/domain/migrations/migration'
import { readSavedRecords } from './backupFolder'
import type { Backup, BackupFile } from './backupFormat'
import { getEntries, listCollections, listLeaves, type PageLimits } from './databasePages'
import { verifyData, type DataSource, type VerificationResult } from './dataVerification'
import { readSchema } from './lease'
import type { RestDatabase } from './restDatabase'

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

/** Returns a backup as a data source for verification. */
export const createBackupSource = (backup: Backup): DataSource => ({
  async readCurrency() {
    const all = async (collection: string): Promise<unknown> => {
      const records: StoredRecord = {}
      for await (const [key, value] of readSavedRecords(backup, collection)) records[key] = value
      return records
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

/** Returns the violations as lines, at most 20 of them. */
export const describeVerdict = ({ violationCount, sentences }: VerificationResult): string =>
  [
    ...sentences.slice(0, MAX_SHOWN),
    ...(violationCount > MAX_SHOWN ? [`… and ${violationCount - MAX_SHOWN} more.`] : []),
  ].join('\n')

const chooseFiles = ({ path, manifest: { files } }: Backup, only: string | undefined) => {
  if (only === undefined) return files
  const selectedFiles = files.filter(
    ({ name, collection }) => [name, collection].includes(only) || name.startsWith(`${only}.`),
  )
  if (selectedFiles.length === 0) {
    const collections = [...new Set(files.map(({ collection }) => collection))].join(', ')
    throw new Error(`${path} has no ${only}. Choose one of ${collections}.`)
  }
  return selectedFiles
}

/** A checked restore. */
export interface RestorePlan {
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

/** Returns the name by which an interrupted restore is found again. */
export const getJobName = ({ manifest: { id } }: Backup, only = ''): string =>
  `${id} ${only}`.trim()

/** Checks everything that can be checked before the first write. */
export const planRestore = async (
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
