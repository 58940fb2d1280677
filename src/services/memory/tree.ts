import type { Value } from '~/domain/booking/change'
import type { Query } from '../services'

export type Tree = { [key: string]: Value }

const isTree = (value: Value | undefined): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const segments = (path: string) => path.split('/').filter(Boolean)

/** The value at `path`, or null. */
export const read = (tree: Tree, path: string): Value => {
  let node: Value | undefined = tree
  for (const key of segments(path)) {
    if (Array.isArray(node)) node = node[Number(key)]
    else node = isTree(node) ? node[key] : undefined
    if (node === undefined || node === null) return null
  }
  return node
}

/** The server's own values, as the real database fills them in. */
const resolved = (value: Value, before: Value, now: number): Value => {
  if (!isTree(value)) return value
  const server = value['.sv']
  if (server === 'timestamp') return now
  if (isTree(server) && typeof server.increment === 'number')
    return (typeof before === 'number' ? before : 0) + server.increment
  return Object.fromEntries(
    Object.entries(value)
      .map(
        ([key, child]) =>
          [key, resolved(child, isTree(before) ? (before[key] ?? null) : null, now)] as const,
      )
      .filter(([, child]) => child !== null),
  )
}

const written = (node: Value, keys: string[], value: Value, now: number): Value => {
  const [key, ...rest] = keys
  if (key === undefined) return resolved(value, node, now)
  const before: Tree = isTree(node) ? node : {}
  const child = written(before[key] ?? null, rest, value, now)
  const after = { ...before, [key]: child }
  if (child === null || (isTree(child) && Object.keys(child).length === 0)) delete after[key]
  return after
}

/** A new tree with every path changed at once; null removes. */
export const write = (tree: Tree, changes: Record<string, Value>, now: number): Tree =>
  Object.entries(changes).reduce<Tree>(
    (result, [path, value]) => written(result, segments(path), value, now) as Tree,
    tree,
  )

const sortValue = (query: Query, key: string, row: Value) =>
  query.orderBy === 'key' || !query.orderBy
    ? key
    : read(isTree(row) ? row : {}, query.orderBy.child)

const before = (a: Value, b: Value) =>
  typeof a === typeof b
    ? (a as number) < (b as number)
    : typeof a !== 'string' && typeof b === 'string'

const isBeforeEnd = ({ endBefore, endBeforeKey }: Query, at: Value, key: string) =>
  endBefore === undefined ||
  before(at, endBefore) ||
  (endBeforeKey !== undefined && at === endBefore && key < endBeforeKey)

const partsOf = (tree: Tree, path: string, { keys, fields }: NonNullable<Query['records']>) => {
  const named = keys === 'all' ? Object.keys(read(tree, path) ?? {}) : keys
  const found = named.flatMap((key) =>
    fields.flatMap((field): [string, Value][] => {
      const value = read(tree, `${path}/${key}/${field}`)
      return value === null ? [] : [[`${key}/${field}`, value]]
    }),
  )
  return found.length > 0 ? write({}, Object.fromEntries(found), 0) : null
}

/** What the real database would answer to the query. */
export const answer = (tree: Tree, query: Query): Value => {
  const { records, orElse, ...asked } = query
  if (records) return partsOf(tree, query.path, records)
  return answerOf(tree, asked) ?? (orElse ? answerOf(tree, { ...asked, path: orElse }) : null)
}

const answerOf = (tree: Tree, query: Query): Value => {
  const node = read(tree, query.path)
  if (!query.orderBy && query.limitToFirst === undefined && query.limitToLast === undefined)
    return node
  if (!isTree(node)) return null
  let rows = Object.entries(node)
    .map(([key, row]) => ({ key, row, at: sortValue(query, key, row) }))
    .filter(({ at }) => query.equalTo === undefined || at === query.equalTo)
    .filter(({ at }) => query.startAt === undefined || !before(at, query.startAt))
    .filter(({ at }) => query.endAt === undefined || !before(query.endAt, at))
    .filter(({ at, key }) => isBeforeEnd(query, at, key))
    .sort((a, b) => (before(a.at, b.at) ? -1 : before(b.at, a.at) ? 1 : a.key < b.key ? -1 : 1))
  if (query.limitToFirst !== undefined) rows = rows.slice(0, query.limitToFirst)
  if (query.limitToLast !== undefined) rows = rows.slice(-query.limitToLast)
  return rows.length > 0 ? Object.fromEntries(rows.map(({ key, row }) => [key, row])) : null
}
