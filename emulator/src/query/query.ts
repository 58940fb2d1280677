import { compareRows, MAX_KEY, MIN_KEY, OBJECT_VALUE } from '../tree/order'
import type { Row } from '../tree/order'
import { Branch, getIndexValue, LargeBranch } from '../tree/node'
import type { Index, Node, Rows, Scalar } from '../tree/node'
import { splitPath } from '../tree/path'
import type { QueryFacts } from '../rules/queryFacts'

/** One end of a range: a row, with a flag that includes or excludes it. */
export interface RangeBound {
  readonly row: Row
  readonly isInclusive: boolean
}

/** The selection and order of the children of a place. */
export interface Query {
  readonly index: Index
  readonly start: RangeBound | null
  readonly end: RangeBound | null
  readonly limit: number | null
  /** The end from which the limit counts. */
  readonly limitEnd: 'first' | 'last'
}

/** A malformed query. */
export class QueryError extends Error {}

const createIndex = (name: string): Index => ({
  name,
  path: name.startsWith('.') ? [] : splitPath(name),
})

export const KEY_INDEX = createIndex('.key')
export const PRIORITY_INDEX = createIndex('.priority')
export const VALUE_INDEX = createIndex('.value')

const BUILT_IN_INDEXES = new Map(
  [KEY_INDEX, PRIORITY_INDEX, VALUE_INDEX].map((index) => [index.name, index]),
)

/** Returns the index of a name: `.key`, `.value`, `.priority` or a child path. */
export const getIndex = (name: string): Index => {
  const special = BUILT_IN_INDEXES.get(name)
  if (special !== undefined) return special
  const index = createIndex(splitPath(name).join('/'))
  if (index.path.length === 0 || name.startsWith('.')) {
    throw new QueryError('orderBy must be a valid JSON encoded path')
  }
  return index
}

/** The query that selects everything, in the order of a listener without a query. */
export const UNFILTERED_QUERY: Query = {
  index: PRIORITY_INDEX,
  start: null,
  end: null,
  limit: null,
  limitEnd: 'first',
}

/** Returns true when the query may exclude rows; other queries are plain reads. */
export const isFiltered = ({ start, end, limit }: Query): boolean =>
  start !== null || end !== null || limit !== null

const isScalar = (value: unknown): value is Scalar | null =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value)

/** Creates a bound at a value, and at a key among the children that share it. */
export const createBound = (
  index: Index,
  { value, key }: { value: unknown; key?: unknown },
  isInclusive: boolean,
  open: typeof MIN_KEY | typeof MAX_KEY,
): RangeBound => {
  if (!isScalar(value) || (key !== undefined && typeof key !== 'string')) {
    throw new QueryError('Query bounds must be strings, numbers, booleans or null')
  }
  return index === KEY_INDEX
    ? { row: { value: null, key: value === null ? open : String(value) }, isInclusive }
    : { row: { value, key: key ?? open }, isInclusive }
}

/** Parses a query object of the wire protocol. Throws a QueryError when it is malformed. */
export const parseWireQuery = (wire: unknown): Query => {
  if (wire === undefined || wire === null) return UNFILTERED_QUERY
  if (typeof wire !== 'object') throw new QueryError('A query must be an object')
  const { i, sp, sn, sin, ep, en, ein, l, vf } = wire as Record<string, unknown>
  if (i !== undefined && typeof i !== 'string') throw new QueryError('An index must be a string')
  if (l !== undefined && !(typeof l === 'number' && Number.isSafeInteger(l) && l > 0)) {
    throw new QueryError('A limit must be a positive integer')
  }
  const index = i === undefined ? PRIORITY_INDEX : getIndex(i)
  return {
    index,
    start:
      sp === undefined ? null : createBound(index, { value: sp, key: sn }, sin !== false, MIN_KEY),
    end:
      ep === undefined ? null : createBound(index, { value: ep, key: en }, ein !== false, MAX_KEY),
    limit: l ?? null,
    limitEnd: vf === 'r' ? 'last' : 'first',
  }
}

const isAfterStart = (row: Row, start: RangeBound | null): boolean => {
  if (start === null) return true
  const order = compareRows(row, start.row)
  return start.isInclusive ? order >= 0 : order > 0
}

const isBeforeEnd = (row: Row, end: RangeBound | null): boolean => {
  if (end === null) return true
  const order = compareRows(row, end.row)
  return end.isInclusive ? order <= 0 : order < 0
}

/** Returns the row of a child in the query's order. */
export const toRow = (query: Query, key: string, child: Node): Row => ({
  value: getIndexValue(child, query.index),
  key,
})

/** Returns true when a child is between the query's bounds. Ignores the limit. */
export const isInRange = (query: Query, key: string, child: Node): boolean => {
  if (query.start === null && query.end === null) return true
  const row = toRow(query, key, child)
  return isAfterStart(row, query.start) && isBeforeEnd(row, query.end)
}

export type Entry = readonly [key: string, child: Node]

const FIRST_ROW: Row = { value: null, key: MIN_KEY }
const LAST_ROW: Row = { value: OBJECT_VALUE, key: MAX_KEY }

const isOrderedByKey = (branch: LargeBranch, { index }: Query): boolean =>
  index === KEY_INDEX || (index === PRIORITY_INDEX && branch.prioritized === 0)

/** Yields the branch's rows in the query's order, starting at one end of its range. */
function* iterateRows(branch: LargeBranch, query: Query, rows: Rows | null): Iterable<Row> {
  const forward = query.limitEnd === 'first'
  const bound = forward ? (query.start?.row ?? FIRST_ROW) : (query.end?.row ?? LAST_ROW)
  if (rows !== null) {
    for (const [row] of forward ? rows.entries(bound) : rows.entriesReversed(bound)) yield row
    return
  }
  // All values are null here, so a bound at another value is beyond every key.
  const from = bound.value === null ? bound.key : MAX_KEY
  const { children } = branch
  for (const [key] of forward ? children.entries(from) : children.entriesReversed(from)) {
    yield { value: null, key }
  }
}

const selectFromLarge = (branch: LargeBranch, query: Query, indexed: boolean): Entry[] => {
  const byKey = isOrderedByKey(branch, query)
  const keep = indexed || query.index === PRIORITY_INDEX
  const rows = byKey ? null : keep ? branch.getRows(query.index) : branch.buildRows(query.index)
  const entries: Entry[] = []
  for (const row of iterateRows(branch, query, rows)) {
    const inside = isAfterStart(row, query.start)
    if (!inside || !isBeforeEnd(row, query.end)) {
      // The first row may be an excluded bound; any other row outside the range ends it.
      const passed = query.limitEnd === 'first' ? inside : !inside
      if (passed) break
      continue
    }
    entries.push([row.key, branch.get(row.key) as Node])
    if (entries.length === query.limit) break
  }
  return query.limitEnd === 'first' ? entries : entries.reverse()
}

/**
 * Returns the children that a query selects, in its order. With `indexed`, a large collection keeps
 * its index, because the rules define one. Otherwise each call sorts the collection again.
 */
export const selectEntries = (node: Node | null, query: Query, indexed: boolean): Entry[] => {
  if (!(node instanceof Branch)) return []
  if (node instanceof LargeBranch) return selectFromLarge(node, query, indexed)
  const ranged: { row: Row; entry: Entry }[] = []
  node.forEach((key, child) => {
    const row = toRow(query, key, child)
    if (isAfterStart(row, query.start) && isBeforeEnd(row, query.end)) {
      ranged.push({ row, entry: [key, child] })
    }
  })
  ranged.sort((a, b) => compareRows(a.row, b.row))
  const entries = ranged.map(({ entry }) => entry)
  if (query.limit === null) return entries
  return query.limitEnd === 'first' ? entries.slice(0, query.limit) : entries.slice(-query.limit)
}

/** Builds the index of a collection now, so that the first query is not slow. */
export const prebuildIndex = (node: Node | null, name: string): void => {
  if (node instanceof LargeBranch) node.getRows(getIndex(name))
}

const boundToScalar = (bound: RangeBound | null, byKey: boolean): Scalar | null => {
  if (bound === null) return null
  const { value, key } = bound.row
  if (byKey) return key === MIN_KEY || key === MAX_KEY ? null : key
  return typeof value === 'symbol' ? null : value
}

/** Converts a query to the `query` value in rules. A plain read is ordered by key. */
export const toQueryFacts = (query: Query): QueryFacts => {
  const plain = query === UNFILTERED_QUERY || (!isFiltered(query) && query.index === PRIORITY_INDEX)
  const byKey = query.index === KEY_INDEX
  const startAt = boundToScalar(query.start, byKey)
  const endAt = boundToScalar(query.end, byKey)
  const pinned =
    query.start?.isInclusive === true && query.end?.isInclusive === true && startAt === endAt
  return {
    orderByKey: plain || byKey,
    orderByPriority: !plain && query.index === PRIORITY_INDEX,
    orderByValue: query.index === VALUE_INDEX,
    orderByChild: query.index.name.startsWith('.') ? null : query.index.name,
    startAt,
    endAt,
    equalTo: pinned ? startAt : null,
    limitToFirst: query.limitEnd === 'first' ? query.limit : null,
    limitToLast: query.limitEnd === 'last' ? query.limit : null,
  }
}

/** Returns true for the orders that need no `.indexOn`. */
export const isBuiltInIndex = ({ name }: Index): boolean => name === '.key' || name === '.priority'
