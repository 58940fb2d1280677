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
