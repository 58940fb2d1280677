/** A database in memory: enough of one to commit changes and look at what they leave. */
import type { Change, Value } from '../booking/change'

export type Tree = { [key: string]: Value }

const isBranch = (value: Value | undefined): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value at a path, null when there is none. */
export const valueAt = (tree: Tree, path: string): Value => {
  let value: Value | undefined = tree
  for (const key of path.split('/')) value = isBranch(value) ? value[key] : undefined
  return value ?? null
}

const withoutNulls = (value: Value): Value => {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (!isBranch(value)) return value
  const kept = Object.entries(value)
    .map(([key, child]): [string, Value] => [key, withoutNulls(child)])
    .filter(([, child]) => child !== null && !(isBranch(child) && Object.keys(child).length === 0))
  return Object.fromEntries(kept)
}

const incrementOf = (value: Value): number | undefined => {
  const server = isBranch(value) ? value['.sv'] : undefined
  const by = isBranch(server) ? server.increment : undefined
  return typeof by === 'number' ? by : undefined
}

const write = (tree: Tree, path: string, value: Value) => {
  const keys = path.split('/')
  const last = keys.pop() ?? ''
  const parents: Tree[] = [tree]
  for (const key of keys) {
    const parent = parents[parents.length - 1] ?? tree
    if (!isBranch(parent[key])) parent[key] = {}
    parents.push(parent[key] as Tree)
  }
  const parent = parents[parents.length - 1] ?? tree
  const by = incrementOf(value)
  const before = parent[last]
  const after =
    by === undefined ? withoutNulls(value) : (typeof before === 'number' ? before : 0) + by
  if (after === null) delete parent[last]
  else parent[last] = after
  // The database keeps no empty branches.
  for (let depth = keys.length - 1; depth >= 0; depth--) {
    const holder = parents[depth]
    const key = keys[depth]
    if (
      holder &&
      key !== undefined &&
      isBranch(holder[key]) &&
      Object.keys(holder[key]).length === 0
    )
      delete holder[key]
  }
}

/** Applies one atomic update; refuses, as the database does, two paths one of which contains the other. */
export const commit = (tree: Tree, { updates }: Pick<Change, 'updates'>) => {
  const paths = Object.keys(updates).sort()
  paths.forEach((path, i) => {
    if (paths[i + 1]?.startsWith(`${path}/`)) throw new Error(`${path} contains ${paths[i + 1]}`)
    if (/[.#$[\]]/.test(path)) throw new Error(`${path} is not a path of the database`)
  })
  for (const path of paths) write(tree, path, updates[path] ?? null)
}

const has = (tree: Tree, path: string): boolean => valueAt(tree, path) !== null

const afterwards = (tree: Tree, path: string, value: Value): Value => {
  const by = incrementOf(value)
  const before = valueAt(tree, path)
  return by === undefined ? value : (typeof before === 'number' ? before : 0) + by
}

const lessThanNothing = (value: Value | undefined): boolean =>
  typeof value === 'number' && value < -1e-6

/** Why the database's rules would refuse this update: the guards that settle races. Undefined when it may pass. */
export const guarded = (tree: Tree, { updates }: Pick<Change, 'updates'>): string | undefined => {
  for (const [path, value] of Object.entries(updates)) {
    const parts = path.split('/')
    const [top, id = '', field, key] = parts
    if (top === 'bookings' && field === 'revision') {
      const before = valueAt(tree, path)
      if (value !== (typeof before === 'number' ? before : 0) + 1) return 'revision'
    }
    if (top === 'bookings' && parts.length === 2 && has(tree, path)) return 'booking exists'
    if (top === 'users' && field === 'queue' && value === true && valueAt(tree, path) === true)
      return 'queue'
    if (top === 'users' && field === 'walletHistory' && has(tree, path)) return 'entry exists'
    if (top === 'users' && field === 'walletHistory' && /-(wallet|withdraw)$/.test(key ?? '')) {
      const balance = `users/${id}/walletBalance`
      if (lessThanNothing(afterwards(tree, balance, updates[balance] ?? 0))) return 'wallet below 0'
    }
    if (top === 'promos' && field === 'user_avail') {
      const most = valueAt(tree, `promos/${id}/promo_usage_limit`)
      const uses = afterwards(tree, path, value)
      if (typeof most === 'number' && typeof uses === 'number' && uses > most) return 'promo limit'
    }
    if (path.endsWith('/ratings/count')) {
      const before = valueAt(tree, path)
      if (typeof before === 'number' && value !== before + 1) return 'ratings'
    }
    if (top === 'promo_uses' && value !== null && has(tree, path)) return 'promo used'
  }
  return undefined
}
