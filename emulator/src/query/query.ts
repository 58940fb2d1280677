import { compareRows, MAX_KEY, MIN_KEY, OBJECT } from '../tree/order'
import type { Row } from '../tree/order'
import { Branch, indexValue, LargeBranch } from '../tree/node'
import type { Index, Node, Rows, Scalar } from '../tree/node'
import { splitPath } from '../tree/path'
import type { QueryFacts } from '../rules/compile'

/** One end of a range: a row, and whether the row itself belongs to it. */
export interface Bound {
  readonly row: Row
  readonly inclusive: boolean
}

/** Which children of a place are wanted, and in which order. */
export interface Query {
  readonly index: Index
  readonly start: Bound | null
  readonly end: Bound | null
  readonly limit: number | null
  /** Which end a limit counts from. */
  readonly from: 'first' | 'last'
}

/** A query that is not one. */
export class QueryError extends Error {}

const indexNamed = (name: string): Index => ({
  name,
  path: name.startsWith('.') ? [] : splitPath(name),
})

export const KEY_INDEX = indexNamed('.key')
export const PRIORITY_INDEX = indexNamed('.priority')
export const VALUE_INDEX = indexNamed('.value')

const SPECIAL = new Map(
  [KEY_INDEX, PRIORITY_INDEX, VALUE_INDEX].map((index) => [index.name, index]),
)

/** The index of a name: `.key`, `.value`, `.priority` or a child path. */
export const indexOf = (name: string): Index => {
  const special = SPECIAL.get(name)
  if (special !== undefined) return special
  const index = indexNamed(splitPath(name).join('/'))
  if (index.path.length === 0 || name.startsWith('.')) {
    throw new QueryError('orderBy must be a valid JSON encoded path')
  }
  return index
}

/** Everything, in the order a listen without a query has. */
export const ALL: Query = {
  index: PRIORITY_INDEX,
  start: null,
  end: null,
  limit: null,
  from: 'first',
}

/** True when the query leaves something out; the others are plain reads. */
export const isFiltered = ({ start, end, limit }: Query): boolean =>
  start !== null || end !== null || limit !== null

const isScalar = (value: unknown): value is Scalar | null =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value)

/** A bound at a value, and at a key among the children that share it. */
export const boundAt = (
  index: Index,
  value: unknown,
  key: unknown,
  inclusive: boolean,
  open: typeof MIN_KEY | typeof MAX_KEY,
): Bound => {
  if (!isScalar(value) || (key !== undefined && typeof key !== 'string')) {
    throw new QueryError('Query bounds must be strings, numbers, booleans or null')
  }
  return index === KEY_INDEX
    ? { row: { value: null, key: value === null ? open : String(value) }, inclusive }
    : { row: { value, key: key ?? open }, inclusive }
}

/** Reads the query object of the wire protocol; throws a QueryError when it is malformed. */
export const queryFromWire = (wire: unknown): Query => {
  if (wire === undefined || wire === null) return ALL
  if (typeof wire !== 'object') throw new QueryError('A query must be an object')
  const { i, sp, sn, sin, ep, en, ein, l, vf } = wire as Record<string, unknown>
  if (i !== undefined && typeof i !== 'string') throw new QueryError('An index must be a string')
  if (l !== undefined && !(typeof l === 'number' && Number.isSafeInteger(l) && l > 0)) {
    throw new QueryError('A limit must be a positive integer')
  }
  const index = i === undefined ? PRIORITY_INDEX : indexOf(i)
  return {
    index,
    start: sp === undefined ? null : boundAt(index, sp, sn, sin !== false, MIN_KEY),
    end: ep === undefined ? null : boundAt(index, ep, en, ein !== false, MAX_KEY),
    limit: l ?? null,
    from: vf === 'r' ? 'last' : 'first',
  }
}

const afterStart = (row: Row, start: Bound | null): boolean => {
  if (start === null) return true
  const order = compareRows(row, start.row)
  return start.inclusive ? order >= 0 : order > 0
}

const beforeEnd = (row: Row, end: Bound | null): boolean => {
  if (end === null) return true
  const order = compareRows(row, end.row)
  return end.inclusive ? order <= 0 : order < 0
}

/** Where a child stands in the query's order. */
export const rowOf = (query: Query, key: string, child: Node): Row => ({
  value: indexValue(child, query.index),
  key,
})

/** True when a child lies between the query's bounds; its limit is not looked at. */
export const inRange = (query: Query, key: string, child: Node): boolean => {
  if (query.start === null && query.end === null) return true
  const row = rowOf(query, key, child)
  return afterStart(row, query.start) && beforeEnd(row, query.end)
}

export type Entry = readonly [key: string, child: Node]

const FIRST: Row = { value: null, key: MIN_KEY }
const LAST: Row = { value: OBJECT, key: MAX_KEY }

const orderedByKey = (branch: LargeBranch, { index }: Query): boolean =>
  index === KEY_INDEX || (index === PRIORITY_INDEX && branch.prioritized === 0)

/** The branch's rows in the query's order from one end of its range on. */
function* rowsFrom(branch: LargeBranch, query: Query, rows: Rows | null): Iterable<Row> {
  const forward = query.from === 'first'
  const bound = forward ? (query.start?.row ?? FIRST) : (query.end?.row ?? LAST)
  if (rows !== null) {
    for (const [row] of forward ? rows.entries(bound) : rows.entriesReversed(bound)) yield row
    return
  }
  // All values are null here, so a bound at another value lies beyond every key.
  const from = bound.value === null ? bound.key : MAX_KEY
  const { children } = branch
  for (const [key] of forward ? children.entries(from) : children.entriesReversed(from)) {
    yield { value: null, key }
  }
}

const selectLarge = (branch: LargeBranch, query: Query, indexed: boolean): Entry[] => {
  const byKey = orderedByKey(branch, query)
  const keep = indexed || query.index === PRIORITY_INDEX
  const rows = byKey ? null : keep ? branch.rowsBy(query.index) : branch.buildRows(query.index)
  const entries: Entry[] = []
  for (const row of rowsFrom(branch, query, rows)) {
    const inside = afterStart(row, query.start)
    if (!inside || !beforeEnd(row, query.end)) {
      // The first row may be an excluded bound; any other outside row ends the range.
      const passed = query.from === 'first' ? inside : !inside
      if (passed) break
      continue
    }
    entries.push([row.key, branch.get(row.key) as Node])
    if (entries.length === query.limit) break
  }
  return query.from === 'first' ? entries : entries.reverse()
}

/**
 * The children a query selects, in its order. `indexed` says that the rules name the index, so that
 * a large collection may keep one; without it every call sorts the collection anew.
 */
export const select = (node: Node | null, query: Query, indexed: boolean): Entry[] => {
  if (!(node instanceof Branch)) return []
  if (node instanceof LargeBranch) return selectLarge(node, query, indexed)
  const ranged: { row: Row; entry: Entry }[] = []
  node.forEach((key, child) => {
    const row = rowOf(query, key, child)
    if (afterStart(row, query.start) && beforeEnd(row, query.end)) {
      ranged.push({ row, entry: [key, child] })
    }
  })
  ranged.sort((a, b) => compareRows(a.row, b.row))
  const entries = ranged.map(({ entry }) => entry)
  if (query.limit === null) return entries
  return query.from === 'first' ? entries.slice(0, query.limit) : entries.slice(-query.limit)
}

/** Builds the index over a collection now, so that the first query does not pay for it. */
export const warmIndex = (node: Node | null, name: string): void => {
  if (node instanceof LargeBranch) node.rowsBy(indexOf(name))
}

const scalarAt = (bound: Bound | null, byKey: boolean): Scalar | null => {
  if (bound === null) return null
  const { value, key } = bound.row
  if (byKey) return key === MIN_KEY || key === MAX_KEY ? null : key
  return typeof value === 'symbol' ? null : value
}

/** What rules see as `query`. A plain read counts as ordered by key. */
export const factsOf = (query: Query): QueryFacts => {
  const plain = query === ALL || (!isFiltered(query) && query.index === PRIORITY_INDEX)
  const byKey = query.index === KEY_INDEX
  const startAt = scalarAt(query.start, byKey)
  const endAt = scalarAt(query.end, byKey)
  const pinned =
    query.start?.inclusive === true && query.end?.inclusive === true && startAt === endAt
  return {
    orderByKey: plain || byKey,
    orderByPriority: !plain && query.index === PRIORITY_INDEX,
    orderByValue: query.index === VALUE_INDEX,
    orderByChild: query.index.name.startsWith('.') ? null : query.index.name,
    startAt,
    endAt,
    equalTo: pinned ? startAt : null,
    limitToFirst: query.from === 'first' ? query.limit : null,
    limitToLast: query.from === 'last' ? query.limit : null,
  }
}

/** True for the orders that need no `.indexOn`. */
export const needsNoIndex = ({ name }: Index): boolean => name === '.key' || name === '.priority'
