import type { DatabaseValue } from '~/domain/data/databaseValue'
import { compareKeys } from '~/emulator/src/tree/order'
import type { BackupEntry } from '../backupFormat'
import { readNext } from '../databasePages'
import { openEntryFile, type EntryFile, type FilePiece } from './entryFile'
import type { JsonPart } from './jsonParts'

const DEFAULT_RUN_BYTES = 4 * 1024 * 1024
/** Runs that are in memory at once while they are merged. */
const MERGE_WIDTH = 16

type Keys = readonly string[]

/** Entries in the order of their keys. */
export interface EntryRun extends FilePiece {
  readonly entries: number
  readonly first: Keys
  readonly last: Keys
}

/** Compares the keys of two entries in the order of the database; a part follows its whole. */
const comparePaths = (a: Keys, b: Keys): number => {
  for (const [at, key] of a.entries()) {
    const other = b[at]
    if (other === undefined) return 1
    const order = compareKeys(key, other)
    if (order !== 0) return order
  }
  return a.length - b.length
}

/** Returns true for an entry and for its parts. */
const isWithin = (whole: Keys, keys: Keys): boolean => whole.every((key, at) => keys[at] === key)

/** Returns the first run that does not follow the one before it. */
const findDisorder = (runs: readonly EntryRun[]): EntryRun | undefined =>
  runs.find(({ first }, at) => {
    const last = runs[at - 1]?.last
    return last && (comparePaths(last, first) >= 0 || isWithin(last, first))
  })

/** Where entries are sorted, and the name of the backup for errors. */
interface Sorting {
  file: EntryFile
  path: string
  runBytes: number
}

const createTwiceError = ({ path }: Sorting, keys: Keys) =>
  new Error(`${path} has /${keys.join('/')} twice. Use another backup.`)

/** Collects entries in memory and writes them as runs. */
const createRunWriter = (sorting: Sorting) => {
  const runs: EntryRun[] = []
  let lines: (readonly [keys: Keys, line: string])[] = []
  let length = 0
  const flush = async () => {
    lines.sort(([a], [b]) => comparePaths(a, b))
    const doubled = lines.find(([keys], at) => {
      const previous = lines[at - 1]?.[0]
      return previous && isWithin(previous, keys)
    })
    if (doubled) throw createTwiceError(sorting, doubled[0])
    const [first, last] = [lines[0]?.[0], lines.at(-1)?.[0]]
    if (!first || !last) return
    const piece = await sorting.file.append(lines.map(([, line]) => line).join(''))
    runs.push({ ...piece, entries: lines.length, first, last })
    lines = []
    length = 0
  }
  return {
    async add(keys: Keys, value: DatabaseValue) {
      const line = `${JSON.stringify([keys.join('/'), value])}\n`
      if (length + line.length > sorting.runBytes) await flush()
      lines.push([keys, line])
      length += line.length
    },
    async finish(): Promise<EntryRun[]> {
      await flush()
      return runs
    },
  }
}

/** Merges sequences of runs, each in order, into one sequence. */
const mergeSequences = async (
  sorting: Sorting,
  sequences: readonly EntryRun[][],
): Promise<EntryRun[]> => {
  async function* readRuns(runs: readonly EntryRun[]): AsyncGenerator<BackupEntry, void> {
    for (const run of runs) yield* sorting.file.read(run)
  }
  const writer = createRunWriter(sorting)
  const heads: { keys: Keys; value: DatabaseValue; rest: ReturnType<typeof readRuns> }[] = []
  const advance = async (rest: ReturnType<typeof readRuns>) => {
    const next = await readNext(rest)
    if (next) heads.push({ keys: next[0].split('/'), value: next[1], rest })
  }
  for (const runs of sequences) await advance(readRuns(runs))
  for (;;) {
    heads.sort((a, b) => comparePaths(a.keys, b.keys))
    const head = heads.shift()
    if (!head) return writer.finish()
    await writer.add(head.keys, head.value)
    await advance(head.rest)
  }
}

const mergeRuns = async (sorting: Sorting, runs: readonly EntryRun[]): Promise<EntryRun[]> => {
  let sequences = runs.map((run) => [run])
  while (sequences.length > 1) {
    const merged: EntryRun[][] = []
    for (let at = 0; at < sequences.length; at += MERGE_WIDTH)
      merged.push(await mergeSequences(sorting, sequences.slice(at, at + MERGE_WIDTH)))
    sequences = merged
  }
  const [sorted = []] = sequences
  const doubled = findDisorder(sorted)
  if (doubled) throw createTwiceError(sorting, doubled.first)
  return sorted
}

/** Sorts the entries of a backup on disk, collection by collection. */
export interface EntryStore {
  /** Adds an entry of the present collection, in any order. */
  add(part: JsonPart): Promise<void>
  /** Ends a collection. Returns its runs in order; throws when an entry is there twice. */
  finishCollection(): Promise<EntryRun[]>
  read(run: EntryRun): AsyncGenerator<BackupEntry, void>
  close(): void
}

/** Opens an empty store. `path` names the backup in errors; a run has about `runBytes`. */
export const openEntryStore = (path: string, runBytes = DEFAULT_RUN_BYTES): EntryStore => {
  const file = openEntryFile()
  const sorting: Sorting = { file, path, runBytes }
  let collection = createRunWriter(sorting)
  return {
    add: ([keys, value]) => collection.add(keys, value),
    async finishCollection() {
      const runs = await collection.finish()
      collection = createRunWriter(sorting)
      return findDisorder(runs) ? mergeRuns(sorting, runs) : runs
    },
    read: file.read,
    close: file.close,
  }
}
