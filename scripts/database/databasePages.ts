import type { DatabaseValue } from '~/domain/data/databaseValue'
import { toStoredForm } from '~/domain/migrations/valueDiff'
import type { MigrationRow, StoredRecord } from '~/domain/migrations/migration'
import { schemaPaths } from '~/domain/data/schemaVersion'
import { compareKeys } from '~/emulator/src/tree/order'
import type { RestDatabase } from './restDatabase'

export interface PageLimits {
  /** Target size of one response in bytes of JSON. */
  pageBytes: number
  /** Maximum response size; for a larger response, requests fewer records or parts of one. */
  maxBytes: number
}
export const DEFAULT_LIMITS: PageLimits = { pageBytes: 2 * 1024 * 1024, maxBytes: 8 * 1024 * 1024 }
const FIRST_COUNT = 50
const MAX_COUNT = 5000

type DatabaseReader = Pick<RestDatabase, 'get' | 'getUpTo'>
type Child = { key: string; value: DatabaseValue } | { key: string; tooLarge: true }

const isBranch = (value: DatabaseValue): value is StoredRecord =>
  typeof value === 'object' && value !== null

/** Returns the children of a value; none of a text or a number. */
export const getEntries = (value: DatabaseValue): [string, DatabaseValue][] => {
  const stored = toStoredForm(value)
  return isBranch(stored) ? Object.entries(stored) : []
}

/** Matches keys that the database sorts as numbers. */
const NUMERIC_KEY = /^-?\d{1,10}$/

/**
 * Returns the smallest key that sorts after `key`. No key contains a character below the space, so
 * no key lies between.
 */
const createStartAfter = (key: string): string => (NUMERIC_KEY.test(key) ? key : `${key} `)

/**
 * Yields the children of a path by key, starting after `after`, and holds at most one page of them.
 * For a child larger than `limits.maxBytes`, yields only its key.
 */
export async function* readChildren(
  db: DatabaseReader,
  path: string,
  after?: string,
  limits: PageLimits = DEFAULT_LIMITS,
): AsyncGenerator<Child> {
  let cursor = after
  let count = FIRST_COUNT
  for (;;) {
    // After a numeric key, the page starts with that child again if it still exists.
    const extra = cursor !== undefined && NUMERIC_KEY.test(cursor) ? 1 : 0
    const chunk = await db.getUpTo(
      path,
      {
        orderBy: '"$key"',
        limitToFirst: String(count + extra),
        ...(cursor !== undefined && { startAt: JSON.stringify(createStartAfter(cursor)) }),
      },
      limits.maxBytes,
    )
    if (!('value' in chunk)) {
      if (count > 1) {
        count = 'beginning' in chunk ? Math.max(1, Math.floor(count / 4)) : 1
        continue
      }
      const key = 'beginning' in chunk && extra === 0 ? parseFirstKey(chunk.beginning) : undefined
      if (key === undefined) {
        yield* readChildrenByKey(db, path, cursor, limits)
        return
      }
      yield { key, tooLarge: true }
      cursor = key
      continue
    }
    const entries = getEntries(chunk.value).sort(([a], [b]) => compareKeys(a, b))
    const page = entries.filter(([key]) => cursor === undefined || compareKeys(key, cursor) > 0)
    for (const [key, value] of page) yield { key, value }
    if (entries.length < count + extra) return
    cursor = page.at(-1)?.[0] ?? cursor
    const each = chunk.bytes / Math.max(1, entries.length)
    count = Math.min(MAX_COUNT, count * 4, Math.max(1, Math.floor(limits.pageBytes / each)))
  }
}

/** Returns the first key of an object, given the beginning of its JSON. */
const parseFirstKey = (beginning: string): string | undefined => {
  const key = /^\s*\{\s*("(?:[^"\\]|\\.)*")/.exec(beginning)?.[1]
  return key === undefined ? undefined : (JSON.parse(key) as string)
}

/** Returns the keys below a path, read without the values. */
const listKeys = async (db: DatabaseReader, path: string, query = {}): Promise<string[]> =>
  getEntries((await db.get(path, { shallow: 'true', ...query })) as DatabaseValue)
    .map(([key]) => key)
    .sort(compareKeys)

/** Returns some of the keys below a path, none when it has no children. */
export const listSomeKeys = (db: DatabaseReader, path: string, count: number): Promise<string[]> =>
  listKeys(db, path, { limitToFirst: String(count) })

const READS_AT_ONCE = 8

/**
 * Yields the children of a path that cannot be queried: Google refuses queries of a path with more
 * than 75 million nodes. Lists the keys and reads each child directly.
 */
async function* readChildrenByKey(
  db: DatabaseReader,
  path: string,
  after: string | undefined,
  limits: PageLimits,
): AsyncGenerator<Child> {
  const keys = (await listKeys(db, path)).filter(
    (key) => after === undefined || compareKeys(key, after) > 0,
  )
  for (let at = 0; at < keys.length; at += READS_AT_ONCE) {
    const group = keys.slice(at, at + READS_AT_ONCE)
    const answers = await Promise.all(
      group.map((key) => db.getUpTo(`${path}/${key}`, {}, limits.maxBytes)),
    )
    for (const [place, key] of group.entries()) {
      const page = answers[place]
      if (!page || !('value' in page)) yield { key, tooLarge: true }
      // A child that was removed meanwhile is null.
      else if (page.value !== null) yield { key, value: page.value }
    }
  }
}

/**
 * Collections that are not data: call counters, which start over, and the state of this database.
 */
export const EXCLUDED_COLLECTIONS: readonly string[] = ['rate_limits', schemaPaths.root]

/** Returns the names of all collections with data: settings first, then the others by name. */
export const listCollections = async (db: Pick<RestDatabase, 'get'>): Promise<string[]> =>
  Object.keys(((await db.get('', { shallow: 'true' })) ?? {}) as StoredRecord)
    .filter((name) => !EXCLUDED_COLLECTIONS.includes(name))
    .sort((a, b) => Number(b === 'settings') - Number(a === 'settings') || compareKeys(a, b))

/** Reads a record of any size in parts, each within the limits. */
export const readInParts = async (
  db: DatabaseReader,
  path: string,
  limits: PageLimits = DEFAULT_LIMITS,
): Promise<DatabaseValue> => {
  const page = await db.getUpTo(path, {}, 0)
  // A single text may be larger than a page, so it is read as a whole.
  if ('beginning' in page && !/^\s*[{[]/.test(page.beginning))
    return (await db.get(path)) as DatabaseValue
  const record: StoredRecord = {}
  for await (const child of readChildren(db, path, undefined, limits))
    record[child.key] =
      'tooLarge' in child ? await readInParts(db, `${path}/${child.key}`, limits) : child.value
  return record
}

/** Yields the complete records of a collection by key, regardless of their size. */
export async function* readRecords(
  db: DatabaseReader,
  path: string,
  after?: string,
  limits: PageLimits = DEFAULT_LIMITS,
): AsyncGenerator<[key: string, record: DatabaseValue], void> {
  for await (const child of readChildren(db, path, after, limits))
    yield [
      child.key,
      'tooLarge' in child ? await readInParts(db, `${path}/${child.key}`, limits) : child.value,
    ]
}

/** Returns the next item of a sequence, or undefined at its end. */
export const readNext = async <Item>(
  items: AsyncIterator<Item, void>,
): Promise<Item | undefined> => {
  const next = await items.next()
  return next.done === true ? undefined : next.value
}

/** Yields, by key, the values of several collections; at least one of them has the key. */
export async function* readRows(
  db: DatabaseReader,
  collections: readonly string[],
  after?: string,
  limits: PageLimits = DEFAULT_LIMITS,
): AsyncGenerator<[key: string, row: MigrationRow]> {
  const readers = collections.map((name) => readRecords(db, name, after, limits))
  const heads = await Promise.all(readers.map(readNext))
  for (;;) {
    const [key] = heads.flatMap((head) => (head ? [head[0]] : [])).sort(compareKeys)
    if (key === undefined) return
    const row: Record<string, DatabaseValue> = {}
    for (const [at, name] of collections.entries()) {
      const head = heads[at]
      const isHere = head?.[0] === key
      row[name] = isHere ? (head?.[1] ?? null) : null
      if (isHere && readers[at]) heads[at] = await readNext(readers[at])
    }
    yield [key, row]
  }
}

/** Yields every leaf below a path of any size, with its path from the root. */
export async function* readLeaves(
  db: DatabaseReader,
  path: string,
  limits: PageLimits = DEFAULT_LIMITS,
): AsyncGenerator<[path: string, value: DatabaseValue]> {
  for await (const child of readChildren(db, path, undefined, limits)) {
    const below = `${path}/${child.key}`
    if ('tooLarge' in child) yield* readLeaves(db, below, limits)
    else yield* listLeaves(child.value, below)
  }
}

/** Yields every leaf of a value that was read from a path. */
export function* listLeaves(
  value: DatabaseValue,
  path: string,
): Generator<[path: string, value: DatabaseValue]> {
  const entries = getEntries(value)
  if (entries.length === 0 && value !== null) yield [path, value]
  for (const [key, child] of entries) yield* listLeaves(child, `${path}/${key}`)
}
