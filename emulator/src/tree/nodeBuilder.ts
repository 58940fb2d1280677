import { compareKeys } from './order'
import {
  Branch,
  createBranch,
  getChild,
  getPriority,
  getScalar,
  getShape,
  SmallBranch,
  PrioritizedLeaf,
} from './node'
import type { Node, Priority, Scalar, KeyShape } from './node'
import { isKey, MAX_DEPTH } from './path'

/** A value that the database cannot store. */
export class ValueError extends Error {}

const MAX_STRING_BYTES = 10 * 1024 * 1024

interface BuildOptions {
  /** Milliseconds since the epoch, for `{".sv": "timestamp"}`. */
  readonly now: number
  /** The value before the write, for `{".sv": {"increment": n}}`. */
  readonly existing: Node | null
  /** The depth of the value in the tree. */
  readonly depth: number
  /** Called when a server value was resolved, which means that the JSON differs from the node. */
  readonly onResolved?: (() => void) | undefined
}

type Json = Record<string, unknown>

const applyIncrement = (existing: Node | null, by: number): number => {
  const before = getScalar(existing)
  const sum = typeof before === 'number' ? before + by : by
  if (!Number.isFinite(sum)) throw new ValueError('Invalid data; the increment overflows')
  return sum
}

const resolveServerValue = (operation: unknown, existing: Node | null, now: number): number => {
  if (operation === 'timestamp') return now
  if (typeof operation === 'object' && operation !== null) {
    const by = (operation as Json)['increment']
    if (typeof by === 'number' && Number.isFinite(by)) return applyIncrement(existing, by)
  }
  throw new ValueError("Invalid data; unknown server value in '.sv'")
}

/**
 * Returns the priority that the JSON describes, with resolved server values. Throws a ValueError
 * for an invalid one.
 */
export const buildPriority = (
  json: unknown,
  { now, existing, onResolved }: BuildOptions,
): Priority | null => {
  if (json === null || json === undefined) return null
  if (typeof json === 'string' && Buffer.byteLength(json) <= MAX_STRING_BYTES) return json
  if (typeof json === 'number' && Number.isFinite(json)) return json
  if (typeof json === 'object' && '.sv' in json) {
    onResolved?.()
    return resolveServerValue(json['.sv'], getPriority(existing), now)
  }
  throw new ValueError('Invalid data; a priority must be a string or a number')
}

const parseScalar = (json: unknown): Scalar => {
  if (typeof json === 'string') {
    if (json.length * 3 > MAX_STRING_BYTES && Buffer.byteLength(json) > MAX_STRING_BYTES) {
      throw new ValueError('Invalid data; a string is larger than 10 MB')
    }
    return json
  }
  if (typeof json === 'number' && Number.isFinite(json)) return json
  if (typeof json === 'boolean') return json
  throw new ValueError("Invalid data; couldn't parse JSON object, array, or value.")
}

/** The positions of a JSON object's keys in their sorted shape. */
interface KeyLayout {
  readonly keys: readonly string[]
  readonly shape: KeyShape
  /** For each position in the shape, the index of the key in the JSON object. */
  readonly order: readonly number[]
}

const MAX_CACHED_LAYOUTS = 2048
const layoutCache = new Map<string, KeyLayout>()

// Rows of a collection usually have the same keys in the same order. The cache stores the sorted
// and checked keys of the last object with the same first key and number of keys.
const getLayout = (keys: readonly string[]): KeyLayout => {
  const name = `${keys.length} ${keys[0]}`
  const cachedLayout = layoutCache.get(name)
  if (cachedLayout !== undefined && cachedLayout.keys.every((key, i) => key === keys[i]))
    return cachedLayout
  for (const key of keys) {
    if (!isKey(key)) {
      throw new ValueError(
        'Invalid data; couldn\'t parse key: keys must be non-empty and cannot contain ".", "#", "$", "/", "[", or "]"',
      )
    }
  }
  const order = keys.map((_, i) => i).sort((a, b) => compareKeys(keys[a] ?? '', keys[b] ?? ''))
  const layout = { keys, shape: getShape(order.map((i) => keys[i] as string)), order }
  if (layoutCache.size >= MAX_CACHED_LAYOUTS) layoutCache.clear()
  layoutCache.set(name, layout)
  return layout
}

const MAX_LAYOUT_KEYS = 64

const buildBranch = (
  keys: readonly string[],
  getValue: (key: string) => unknown,
  priority: Priority | null,
  { now, existing, depth, onResolved }: BuildOptions,
): Branch | null => {
  if (depth >= MAX_DEPTH) throw new ValueError(`Invalid data; deeper than ${MAX_DEPTH} children`)
  const below = existing instanceof Branch ? existing : null
  const buildChild = (key: string) =>
    buildNode(getValue(key), { now, existing: getChild(below, key), depth: depth + 1, onResolved })

  if (keys.length <= MAX_LAYOUT_KEYS) {
    const { shape, order } = getLayout(keys)
    const children = order.map((i) => buildChild(keys[i] as string))
    if (!children.includes(null)) {
      return children.length === 0 ? null : new SmallBranch(shape, children as Node[], priority)
    }
    return createBranch(
      shape.keys.filter((_, i) => children[i] !== null),
      children.filter((child) => child !== null),
      priority,
    )
  }

  if (!keys.every(isKey)) getLayout(keys)
  const sorted = keys.every((key, i) => i === 0 || compareKeys(keys[i - 1] ?? '', key) < 0)
    ? keys
    : keys.toSorted(compareKeys)
  const presentKeys: string[] = []
  const children: Node[] = []
  for (const key of sorted) {
    const child = buildChild(key)
    if (child === null) continue
    presentKeys.push(key)
    children.push(child)
  }
  return createBranch(presentKeys, children, priority)
}

/**
 * Builds the node for JSON in export format, with resolved server values, or null for nothing.
 * Throws a ValueError for values that cannot be stored.
 */
export const buildNode = (json: unknown, building: BuildOptions): Node | null => {
  if (json === null || json === undefined) return null
  if (typeof json !== 'object') return parseScalar(json)
  if (Array.isArray(json)) {
    const items: readonly unknown[] = json
    const keys = Object.keys(items).filter((key) => items[Number(key)] !== null)
    return buildBranch(keys, (key) => items[Number(key)], null, building)
  }
  const object = json as Json
  const keys = Object.keys(object)
  if (!keys.some((key) => key.startsWith('.'))) {
    return buildBranch(keys, (key) => object[key], null, building)
  }
  if ('.sv' in object) {
    building.onResolved?.()
    return resolveServerValue(object['.sv'], building.existing, building.now)
  }
  const priority = buildPriority(object['.priority'], building)
  const children = keys.filter((key) => key !== '.priority' && key !== '.value')
  if (!('.value' in object)) return buildBranch(children, (key) => object[key], priority, building)
  if (children.length > 0) {
    throw new ValueError("Invalid data; '.value' can't stand beside children")
  }
  const leaf = buildNode(object['.value'], building)
  if (leaf instanceof Branch || leaf instanceof PrioritizedLeaf) {
    throw new ValueError("Invalid data; '.value' must be a string, number or boolean")
  }
  return leaf === null || priority === null ? leaf : new PrioritizedLeaf(leaf, priority)
}
