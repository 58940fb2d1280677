import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { mkdir, open, readFile, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { DatabaseValue } from '~/domain/data/databaseValue'
import type { StoredRecord } from '~/domain/migrations/migration'
import type { Backup, BackupEntry, BackupFile, Manifest } from './backupFormat'
import { readGzipLines } from './gzipLines'
import { openSingleFile } from './singleFile/singleFile'

const compress = promisify(gzip)

/** Returns the number of entries of each collection in these files. */
export const countEntries = (files: readonly BackupFile[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const { collection, entries } of files)
    counts[collection] = (counts[collection] ?? 0) + entries
  return counts
}

const MANIFEST_FILE = 'manifest.json'
const UNFINISHED_FILE = 'unfinished.json'
/** Maximum uncompressed JSON in one file, in bytes. */
const MAX_FILE_BYTES = 8 * 1024 * 1024

/** Writes a file atomically, readable by its owner only, because backups hold personal data. */
const writeFileAtomically = async (file: string, bytes: Buffer | string): Promise<void> => {
  const part = `${file}.part`
  const handle = await open(part, 'w', 0o600)
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(part, file)
}

const parseJson = (file: string, text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Error(`${file} is damaged: it is not valid JSON. Use another backup.`, { cause })
  }
}

const readManifest = async (folder: string, name: string): Promise<Manifest | undefined> => {
  const file = join(folder, name)
  if (!existsSync(file)) return undefined
  const manifest = parseJson(file, await readFile(file, 'utf8')) as Manifest
  if (manifest.format !== 'kerbside-backup-1')
    throw new Error(
      `${file} is not a backup of this kind but ${String(manifest.format)}. Choose another folder.`,
    )
  return manifest
}

/** Throws a readable error when a file of a backup is missing or was changed. */
export const assertFileIntact = async (
  folder: string,
  { name, sha256 }: BackupFile,
): Promise<void> => {
  const file = join(folder, name)
  if (!existsSync(file))
    throw new Error(`${file} is missing. Save the backup again, or use another one.`)
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  if (hash.digest('hex') !== sha256)
    throw new Error(`${file} is damaged: it differs from what was saved. Use another backup.`)
}

/** Writes a backup. */
export interface BackupWriter {
  readonly manifest: Manifest
  /** Adds an entry to the file of its collection. A file is complete once the manifest names it. */
  addEntry(collection: string, entry: BackupEntry): Promise<void>
  /** Finishes a collection. */
  finishCollection(collection: string): Promise<void>
  finish(at: Date): Promise<void>
}

/**
 * Returns the manifest of an interrupted backup in this folder, or undefined. Throws when the
 * folder holds a finished backup.
 */
export const readUnfinishedManifest = async (folder: string): Promise<Manifest | undefined> => {
  if (existsSync(join(folder, MANIFEST_FILE)))
    throw new Error(`${folder} holds a finished backup. Save to another folder.`)
  const manifest = await readManifest(folder, UNFINISHED_FILE)
  if (!manifest && existsSync(folder) && (await readdir(folder)).length > 0)
    throw new Error(`${folder} is not empty and holds no backup. Save to another folder.`)
  return manifest
}

/** Starts or resumes a backup and removes all other files in the folder. */
export const openBackupWriter = async (
  folder: string,
  manifest: Manifest,
): Promise<BackupWriter> => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const knownFiles = new Set([UNFINISHED_FILE, ...manifest.files.map(({ name }) => name)])
  for (const name of await readdir(folder)) if (!knownFiles.has(name)) await rm(join(folder, name))
  const keep = () =>
    writeFileAtomically(join(folder, UNFINISHED_FILE), JSON.stringify(manifest, null, 2))
  await keep()
  let lines: string[] = []
  let bytes = 0
  let last = ''
  const flush = async (collection: string) => {
    if (lines.length === 0) return
    const number = manifest.files.filter((file) => file.collection === collection).length + 1
    const name = `${collection}-${String(number).padStart(5, '0')}.ndjson.gz`
    const packed = await compress(lines.join(''))
    await writeFileAtomically(join(folder, name), packed)
    const sha256 = createHash('sha256').update(packed).digest('hex')
    manifest.files.push({
      name,
      collection,
      entries: lines.length,
      bytes: packed.length,
      sha256,
      last,
    })
    await keep()
    lines = []
    bytes = 0
  }
  return {
    manifest,
    async addEntry(collection, entry) {
      const line = `${JSON.stringify(entry)}\n`
      if (bytes + line.length > MAX_FILE_BYTES) await flush(collection)
      lines.push(line)
      bytes += line.length
      last = entry[0]
    },
    async finishCollection(collection) {
      await flush(collection)
      manifest.collections.push(collection)
      await keep()
    },
    async finish(at) {
      manifest.finishedAt = at.toISOString()
      await writeFileAtomically(join(folder, MANIFEST_FILE), JSON.stringify(manifest, null, 2))
      await rm(join(folder, UNFINISHED_FILE))
    },
  }
}

const openFolder = async (path: string): Promise<Backup> => {
  const manifest = await readManifest(path, MANIFEST_FILE)
  if (!manifest) {
    if (existsSync(join(path, UNFINISHED_FILE)))
      throw new Error(`${path} holds an unfinished backup. Run the same save again to finish it.`)
    throw new Error(`${path} holds no backup: it has no ${MANIFEST_FILE}. Choose another folder.`)
  }
  return {
    path,
    manifest,
    async *readEntries({ name }) {
      for await (const line of readGzipLines(join(path, name)))
        yield JSON.parse(line) as BackupEntry
    },
    assertIntact: (file) => assertFileIntact(path, file),
    close: () => undefined,
  }
}

/**
 * Opens a backup; close it after use. `progress` gets lines while a single file is read. Throws a
 * readable error when the path holds no backup or it was never finished.
 */
export const openBackup = async (
  path: string,
  progress: (text: string) => void = () => undefined,
): Promise<Backup> => {
  if (!existsSync(path)) throw new Error(`There is no ${path}. Check the path.`)
  const backup = await (/\.(gz|json)$/.test(path)
    ? openSingleFile(path, progress)
    : openFolder(path))
  if (['settings', 'users'].every((name) => backup.manifest.collections.includes(name)))
    return backup
  backup.close()
  throw new Error(
    `${path} is no backup of Kerbside: it has no settings or no users. Choose another file.`,
  )
}

/** Puts a part into a record at a path below the record. */
const setAt = (record: StoredRecord, [key = '', ...rest]: string[], part: DatabaseValue): void => {
  if (rest.length === 0) record[key] = part
  else setAt((record[key] ??= {}) as StoredRecord, rest, part)
}

/** Yields the complete records of a collection and joins those that were saved in parts. */
export async function* readSavedRecords(
  { manifest, readEntries }: Backup,
  collection: string,
): AsyncGenerator<[key: string, record: DatabaseValue]> {
  let open: [key: string, record: StoredRecord] | undefined
  for (const file of manifest.files.filter((one) => one.collection === collection))
    for await (const [path, value] of readEntries(file)) {
      const [, key = '', ...rest] = path.split('/')
      if (open && open[0] !== key) {
        yield open
        open = undefined
      }
      if (rest.length === 0) yield [key, value]
      else {
        open ??= [key, {}]
        setAt(open[1], rest, value)
      }
    }
  if (open) yield open
}
