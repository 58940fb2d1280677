import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { toStoredForm } from '~/domain/migrations/valueDiff'
import { schemaPaths } from '~/domain/data/schemaVersion'
import type { Backup, BackupFile } from '../backupFormat'
import { EXCLUDED_COLLECTIONS } from '../databasePages'
import { openEntryStore, type EntryRun, type EntryStore } from './entryStore'
import { readJsonParts, type PartLimits } from './jsonParts'

/** Bytes of an entry as in a saved folder. Google allows 10 MB in a text, which JSON may escape. */
const LIMITS: PartLimits = {
  level: 2,
  maxBytes: 4 * 1024 * 1024,
  maxTextBytes: 32 * 1024 * 1024,
}
const CHUNK_BYTES = 256 * 1024
const GZIP_START = Buffer.from([0x1f, 0x8b])

/** Returns true for packed content. Downloading may unpack a file without changing its name. */
const isPacked = async (path: string): Promise<boolean> => {
  const handle = await open(path)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(16), 0, 16, 0)
    const start = buffer.subarray(0, bytesRead)
    if (start.subarray(0, 2).equals(GZIP_START)) return true
    return path.endsWith('.gz') && !/^\s*[{[]/.test(start.toString('latin1'))
  } finally {
    await handle.close()
  }
}

const describeReadFailure = (path: string, error: unknown): Error => {
  const { code = '', message } = error as NodeJS.ErrnoException
  const reason =
    code === 'Z_BUF_ERROR'
      ? 'is damaged: it cannot be unpacked, because it ends before its data does. Copy it again'
      : code.startsWith('Z_')
        ? 'is damaged: it cannot be unpacked. Copy it again'
        : `cannot be read: ${message}. Check the file`
  return new Error(`${path} ${reason}, or use another backup.`, { cause: error })
}

/** Yields the unpacked content of a file, and adds the file as it is to a hash. */
async function* readUnpacked(
  path: string,
  hash: ReturnType<typeof createHash>,
  progress: (text: string) => void,
): AsyncGenerator<Buffer> {
  const { size } = await stat(path)
  const unpacked = (await isPacked(path))
    ? createGunzip({ chunkSize: CHUNK_BYTES })
    : new PassThrough()
  let readBytes = 0
  let percent = -1
  const read = pipeline(
    createReadStream(path, { highWaterMark: CHUNK_BYTES }),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk)
        readBytes += chunk.length
        const now = Math.floor((100 * readBytes) / size)
        if (now > percent) progress(`Reading ${path}: ${now} %`)
        percent = now
        yield chunk
      }
    },
    unpacked,
  )
  // The code below awaits it after it has used the data before the error.
  read.catch(() => undefined)
  try {
    yield* unpacked as AsyncIterable<Buffer>
    await read
  } catch (error) {
    throw describeReadFailure(path, error)
  }
}

interface SortedFile {
  id: string
  /** Schema version of the data. */
  schema: number
  /** The runs of each collection in the order of the file. */
  collections: ReadonlyMap<string, readonly EntryRun[]>
}

/** Copies the entries of a file into a store. */
const sortFile = async (
  path: string,
  store: EntryStore,
  progress: (text: string) => void,
): Promise<SortedFile> => {
  const hash = createHash('sha256')
  const collections = new Map<string, readonly EntryRun[]>()
  let schema = 0
  let present: string | undefined
  const finish = async () => {
    if (present === undefined) return
    if (collections.has(present))
      throw new Error(`${path} has /${present} twice. Use another backup.`)
    collections.set(present, await store.finishCollection())
  }
  for await (const [keys, json] of readJsonParts(
    path,
    readUnpacked(path, hash, progress),
    LIMITS,
  )) {
    const [collection] = keys
    if (keys.join('/') === schemaPaths.version && typeof json === 'number') schema = json
    if (collection === undefined || EXCLUDED_COLLECTIONS.includes(collection)) continue
    if (collection !== present) {
      await finish()
      present = collection
    }
    const value = toStoredForm(json)
    if (value !== null) await store.add([keys, value])
  }
  await finish()
  return { id: hash.digest('hex').slice(0, 16), schema, collections }
}

/**
 * Opens a whole database in one JSON file of any size, packed or not: an export or a daily backup
 * of Google, or a backup of a release without a schema version. Copies its entries, sorted and
 * packed, to a file in the temporary folder and holds a few of them at a time. Throws a readable
 * error when the file is damaged.
 */
export const openSingleFile = async (
  path: string,
  progress: (text: string) => void,
): Promise<Backup> => {
  const store = openEntryStore(path)
  try {
    const { id, schema, collections } = await sortFile(path, store, progress)
    const runs = new Map<string, EntryRun>()
    const files = [...collections].flatMap(([collection, parts]) =>
      parts.map((run, at): BackupFile => {
        const name = `${collection}-${String(at + 1).padStart(5, '0')}`
        runs.set(name, run)
        const { entries, bytes, last } = run
        return { name, collection, entries, bytes, sha256: '', last: last.join('/') }
      }),
    )
    return {
      path,
      manifest: {
        format: 'kerbside-backup-1',
        id,
        schema,
        startedAt: '',
        consistent: true,
        collections: [...new Set(files.map(({ collection }) => collection))],
        files,
      },
      async *readEntries({ name }) {
        const run = runs.get(name)
        if (run) yield* store.read(run)
      },
      assertIntact: () => Promise.resolve(),
      close: store.close,
    }
  } catch (error) {
    store.close()
    throw error
  }
}
