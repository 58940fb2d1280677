import type { Value } from '~/domain/booking/change'
import { Conflict } from './database'
import type { DatabasePort, Query } from './database'

type Tree = { [key: string]: Tree | Value }

export interface MemoryDatabase extends DatabasePort {
  /** The value at a path, as a test looks at it. */
  at(path: string): unknown
  /** How many updates were committed. */
  commits(): number
}

const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const get = (tree: Tree, path: string): unknown =>
  path
    .split('/')
    .filter((part) => part !== '')
    .reduce<unknown>((node, part) => (isTree(node) ? node[part] : undefined), tree)

const incrementOf = (value: Value): number | null => {
  const sv = isTree(value) ? value['.sv'] : undefined
  const by = isTree(sv) ? sv['increment'] : undefined
  return typeof by === 'number' ? by : null
}

const put = (tree: Tree, path: string, value: Value) => {
  const parts = path.split('/').filter((part) => part !== '')
  const last = parts.pop()
  if (last === undefined) throw new Error('The root is not written whole.')
  let node = tree
  for (const part of parts) {
    const next = node[part]
    if (isTree(next)) node = next
    else node = node[part] = {}
  }
  if (value === null) delete node[last]
  else node[last] = value
}

const pruned = (value: unknown): unknown => {
  if (!isTree(value)) return value ?? null
  const kept = Object.entries(value)
    .map(([key, child]) => [key, pruned(child)] as const)
    .filter(([, child]) => child !== null)
  return kept.length === 0 ? null : Object.fromEntries(kept)
}

/** Whether the rules' guards of races let this write through. */
export type Guard = (path: string, before: unknown, after: unknown) => boolean

/** The guards handlers rely on: revision + 1, write-once wallet entries and uses, a free driver taken once. */
export const raceGuards: Guard = (path, before, after) => {
  if (/^bookings\/[^/]+\/revision$/.test(path))
    return after === (typeof before === 'number' ? before + 1 : 1)
  if (/^users\/[^/]+\/walletHistory\/[^/]+$/.test(path)) return before === null
  if (/^users\/[^/]+\/queue$/.test(path)) return after !== true || before !== true
  if (/^users\/[^/]+\/ratings\/count$/.test(path))
    return typeof before !== 'number' || after === before + 1
  if (/^users\/[^/]+$/.test(path)) return before === null || after === null
  if (/^inbox\/[^/]+\/[^/]+$/.test(path)) return before === null || after === null
  if (/^user_emails\//.test(path)) return before === null || after === null || before === after
  if (/^(promo_uses\/[^/]+\/[^/]+|audit\/[^/]+)$/.test(path))
    return before === null || after === null
  return true
}

const order = (a: unknown, b: unknown): number => {
  const rank = (value: unknown) =>
    value === null || value === undefined
      ? 0
      : typeof value === 'boolean'
        ? 1
        : typeof value === 'number'
          ? 2
          : 3
  if (rank(a) !== rank(b)) return rank(a) - rank(b)
  if (a === b || a === null || a === undefined) return 0
  return (a as string) < (b as string) ? -1 : 1
}

/** A database for tests of handlers: the same semantics in memory, with the rules' guards of races. */
export const memoryDatabase = (start: object = {}, guard: Guard = raceGuards): MemoryDatabase => {
  let root = structuredClone(start) as Tree
  let commits = 0
  const at = (path: string) => pruned(structuredClone(get(root, path) ?? null))
  return {
    at,
    commits: () => commits,
    read: <T>(path: string) => Promise.resolve(at(path) as T | null),
    list: <T>(path: string, query: Query) => {
      const { by, equalTo, startAt, afterKey, afterValue, endAt, first, last } = query
      const node = at(path)
      const keyed = Object.entries(isTree(node) ? node : {})
      const sortOf = (key: string, child: unknown) =>
        by === '$key' ? key : (get({ child } as Tree, `child/${by}`) ?? null)
      const rows = keyed
        .map(([key, child]) => ({ key, child, sort: sortOf(key, child) }))
        .sort((a, b) => order(a.sort, b.sort) || order(a.key, b.key))
        .filter(({ sort }) => equalTo === undefined || sort === equalTo)
        .filter(({ sort }) => startAt === undefined || order(sort, startAt) >= 0)
        .filter(({ key, sort }) => {
          if (afterKey === undefined) return true
          const later = afterValue === undefined ? 0 : order(sort, afterValue)
          return later > 0 || (later === 0 && order(key, afterKey) > 0)
        })
        .filter(({ sort }) => endAt === undefined || order(sort, endAt) <= 0)
        .slice(0, first)
      const kept = last === undefined ? rows : rows.slice(-last)
      return Promise.resolve(kept.map(({ key, child }): [string, T] => [key, child as T]))
    },
    update: (updates) => {
      const next = structuredClone(root)
      for (const [path, value] of Object.entries(updates)) {
        const by = incrementOf(value)
        const before = get(root, path)
        put(next, path, by === null ? value : (typeof before === 'number' ? before : 0) + by)
      }
      for (const path of guardedPaths(updates)) {
        const now = pruned(get(next, path) ?? null)
        if (!guard(path, pruned(get(root, path) ?? null), now))
          return Promise.reject(new Conflict())
      }
      root = next
      commits += 1
      return Promise.resolve()
    },
  }
}

/** Each written path, and one and two levels below it, where a whole record is written. */
const guardedPaths = (updates: Readonly<Record<string, Value>>): string[] =>
  Object.entries(updates).flatMap(([path, value]) => {
    if (!isTree(value) || incrementOf(value) !== null) return [path]
    const below = Object.entries(value).flatMap(([key, child]) => [
      `${path}/${key}`,
      ...(isTree(child) ? Object.keys(child).map((inner) => `${path}/${key}/${inner}`) : []),
    ])
    return [path, ...below]
  })
