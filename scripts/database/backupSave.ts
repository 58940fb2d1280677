import { randomBytes } from 'node:crypto'
import type { DatabaseValue } from '~/domain/data/databaseValue'
import { assertFileIntact, readUnfinishedManifest, openBackupWriter } from './backupFolder'
import type { BackupEntry, BackupFile, Manifest } from './backupFormat'
import { readSchema, takeLease, type Lease } from './lease'
import { listCollections, readChildren, DEFAULT_LIMITS, type PageLimits } from './databasePages'
import type { RestDatabase } from './restDatabase'

const PROGRESS_EVERY = 500

interface SaveOptions {
  /**
   * Lets the functions write during the backup; records then come from different moments and may
   * not agree.
   */
  isLive?: boolean
  progress?: (text: string) => void
  limits?: PageLimits
  isHolderGone?: (holder: string) => boolean
}

/** Yields the entries below a path that come after another path, each within the limits. */
async function* readEntriesAfter(
  db: RestDatabase,
  path: string,
  after: readonly string[],
  limits: PageLimits,
): AsyncGenerator<BackupEntry> {
  const [key, ...rest] = after
  // The last backup ended within a record that is saved in parts.
  if (key !== undefined && rest.length > 0)
    yield* readEntriesAfter(db, `${path}/${key}`, rest, limits)
  let isEmpty = key === undefined
  for await (const child of readChildren(db, path, key, limits)) {
    isEmpty = false
    const below = `${path}/${child.key}`
    if ('tooLarge' in child) yield* readEntriesAfter(db, below, [], limits)
    else yield [below, child.value]
  }
  if (!isEmpty) return
  // A path without children is a single value of any size.
  const value = (await db.get(path)) as DatabaseValue
  if (value !== null) yield [path, value]
}

const createManifest = (schema: number, consistent: boolean): Manifest => ({
  format: 'kerbside-backup-1',
  id: randomBytes(8).toString('hex'),
  schema,
  startedAt: new Date().toISOString(),
  consistent,
  collections: [],
  files: [],
})

const areFilesIntact = async (folder: string, files: readonly BackupFile[]): Promise<boolean> => {
  try {
    for (const file of files) await assertFileIntact(folder, file)
    return true
  } catch {
    return false
  }
}

/** Saves the collections that the manifest does not have yet, from the last saved entry on. */
const saveCollections = async (
  db: RestDatabase,
  backup: Awaited<ReturnType<typeof openBackupWriter>>,
  manifest: Manifest,
  {
    lease,
    limits,
    progress,
  }: Required<Pick<SaveOptions, 'limits' | 'progress'>> & { lease: Lease | undefined },
): Promise<void> => {
  for (const collection of await listCollections(db)) {
    if (manifest.collections.includes(collection)) continue
    const files = manifest.files.filter((file) => file.collection === collection)
    const after = files.at(-1)?.last.split('/').slice(1) ?? []
    let entries = files.reduce((sum, file) => sum + file.entries, 0)
    for await (const entry of readEntriesAfter(db, collection, after, limits)) {
      await lease?.renewIfDue()
      await backup.addEntry(collection, entry)
      if (++entries % PROGRESS_EVERY === 0) progress(`Saving ${collection}: ${entries}`)
    }
    await backup.finishCollection(collection)
  }
}

/**
 * Saves a database into a folder, in pages and files of bounded size. Keeps the functions from
 * writing, so that bookings, wallets and totals agree; with `isLive` they may write. After an
 * interruption, run it again to resume: without `isLive` this works only while the database has
 * stayed closed, for a minute; otherwise it starts again.
 */
export const saveBackup = async (
  db: RestDatabase,
  folder: string,
  {
    isLive = false,
    progress = () => undefined,
    limits = DEFAULT_LIMITS,
    isHolderGone,
  }: SaveOptions = {},
): Promise<Manifest> => {
  if (/\.(json|gz)$/.test(folder))
    throw new Error(
      `A backup is a folder. Save to ${folder.replace(/(\.json)?(\.gz)?$/, '')} instead.`,
    )
  const earlier = await readUnfinishedManifest(folder)
  const { schema } = await readSchema(db)
  if (schema.running && schema.running.what !== 'save')
    throw new Error(`A ${schema.running.what} is under way or was interrupted. Finish it first.`)
  const fresh = createManifest(schema.version ?? 0, !isLive)
  const canResume =
    earlier?.consistent === !isLive &&
    earlier.schema === fresh.schema &&
    (await areFilesIntact(folder, earlier.files))
  const job = canResume ? earlier : fresh
  let lease: Lease | undefined
  if (!isLive)
    lease = await takeLease(db, {
      what: 'save',
      job: job.id,
      closes: 'functions',
      opensAgain: true,
      ...(isHolderGone && { isHolderGone }),
    })
  const goesOn = job === earlier && (isLive || lease?.isResumed === true)
  if (earlier && !goesOn)
    progress('What was saved before is damaged or from another moment: beginning again.')
  const manifest = goesOn ? job : { ...fresh, id: job === earlier ? job.id : fresh.id }
  const backup = await openBackupWriter(folder, manifest)
  await saveCollections(db, backup, manifest, { lease, limits, progress })
  const { version, texts } = (await readSchema(db)).schema
  if ((version ?? 0) !== manifest.schema)
    throw new Error('The data was migrated during the save. Save it again to another folder.')
  await lease?.renewIfDue()
  await backup.finish(new Date())
  await lease?.release({
    ...(version !== undefined && { version }),
    ...(texts !== undefined && { texts }),
  })
  return manifest
}
