import { compareKeys } from './order'
import {
  Branch,
  branchOf,
  childOf,
  priorityOf,
  scalarOf,
  shapeOf,
  SmallBranch,
  PrioritizedLeaf,
} from './node'
import type { Node, Priority, Scalar, Shape } from './node'
import { isKey, MAX_DEPTH } from './path'

/** A value the database can't store. */
export class ValueError extends Error {}

const MAX_STRING_BYTES = 10 * 1024 * 1024

interface Building {
  /** Milliseconds since the epoch, for `{".sv": "timestamp"}`. */
  readonly now: number
  /** What is there before the write, for `{".sv": {"increment": n}}`. */
  readonly existing: Node | null
  /** How deep the value will lie. */
  readonly depth: number
  /** Told when a server value was resolved, so that the JSON does not say what the node is. */
  readonly onResolved?: (() => void) | undefined
}

type Json = Record<string, unknown>

const increment = (existing: Node | null, by: number): number => {
  const before = scalarOf(existing)
  const sum = typeof before === 'number' ? before + by : by
  if (!Number.isFinite(sum)) throw new ValueError('Invalid data; the increment overflows')
  return sum
}

const serverValue = (operation: unknown, existing: Node | null, now: number): number => {
  if (operation === 'timestamp') return now
  if (typeof operation === 'object' && operation !== null) {
    const by = (operation as Json)['increment']
    if (typeof by === 'number' && Number.isFinite(by)) return increment(existing, by)
  }
  throw new ValueError("Invalid data; unknown server value in '.sv'")
}

/** The priority some JSON describes, server values resolved; throws a ValueError for any other. */
export const buildPriority = (
  json: unknown,
  { now, existing, onResolved }: Building,
): Priority | null => {
  if (json === null || json === undefined) return null
  if (typeof json === 'string' && Buffer.byteLength(json) <= MAX_STRING_BYTES) return json
  if (typeof json === 'number' && Number.isFinite(json)) return json
  if (typeof json === 'object' && '.sv' in json) {
    onResolved?.()
    return serverValue(json['.sv'], priorityOf(existing), now)
  }
  throw new ValueError('Invalid data; a priority must be a string or a number')
}

const scalarFrom = (json: unknown): Scalar => {
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

/** Which places the keys of some JSON object take in the shape they sort into. */
interface Layout {
  readonly keys: readonly string[]
  readonly shape: Shape
  /** For each place in the shape, the key's number in the JSON object. */
  readonly order: readonly number[]
}

const LAYOUTS = 2048
const layouts = new Map<string, Layout>()

// Rows of a collection nearly always have the same keys in the same order, so sorting and checking
// them is remembered by the last object that began with the same key and had as many.
const layoutOf = (keys: readonly string[]): Layout => {
  const name = `${keys.length} ${keys[0]}`
  const known = layouts.get(name)
  if (known !== undefined && known.keys.every((key, i) => key === keys[i])) return known
  for (const key of keys) {
    if (!isKey(key)) {
      throw new ValueError(
        'Invalid data; couldn\'t parse key: keys must be non-empty and cannot contain ".", "#", "$", "/", "[", or "]"',
      )
    }
  }
  const order = keys.map((_, i) => i).sort((a, b) => compareKeys(keys[a] ?? '', keys[b] ?? ''))
  const layout = { keys, shape: shapeOf(order.map((i) => keys[i] as string)), order }
  if (layouts.size >= LAYOUTS) layouts.clear()
  layouts.set(name, layout)
  return layout
}

const MAX_LAYOUT = 64

const branchFrom = (
  keys: readonly string[],
  valueOf: (key: string) => unknown,
  priority: Priority | null,
  { now, existing, depth, onResolved }: Building,
): Branch | null => {
  if (depth >= MAX_DEPTH) throw new ValueError(`Invalid data; deeper than ${MAX_DEPTH} children`)
  const below = existing instanceof Branch ? existing : null
  const buildChild = (key: string) =>
    build(valueOf(key), { now, existing: childOf(below, key), depth: depth + 1, onResolved })

  if (keys.length <= MAX_LAYOUT) {
    const { shape, order } = layoutOf(keys)
    const children = order.map((i) => buildChild(keys[i] as string))
    if (!children.includes(null)) {
      return children.length === 0 ? null : new SmallBranch(shape, children as Node[], priority)
    }
    return branchOf(
      shape.keys.filter((_, i) => children[i] !== null),
      children.filter((child) => child !== null),
      priority,
    )
  }

  if (!keys.every(isKey)) layoutOf(keys)
  const sorted = keys.every((key, i) => i === 0 || compareKeys(keys[i - 1] ?? '', key) < 0)
    ? keys
    : keys.toSorted(compareKeys)
  const kept: string[] = []
  const children: Node[] = []
  for (const key of sorted) {
    const child = buildChild(key)
    if (child === null) continue
    kept.push(key)
    children.push(child)
  }
  return branchOf(kept, children, priority)
}

/**
 * The node some JSON in export format describes, server values resolved; null for nothing. Throws a
 * ValueError for what can't be stored.
 */
export const build = (json: unknown, building: Building): Node | null => {
  if (json === null || json === undefined) return null
  if (typeof json !== 'object') return scalarFrom(json)
  if (Array.isArray(json)) {
    const items: readonly unknown[] = json
    const keys = Object.keys(items).filter((key) => items[Number(key)] !== null)
    return branchFrom(keys, (key) => items[Number(key)], null, building)
  }
  const object = json as Json
  const keys = Object.keys(object)
  if (!keys.some((key) => key.startsWith('.'))) {
    return branchFrom(keys, (key) => object[key], null, building)
  }
  if ('.sv' in object) {
    building.onResolved?.()
    return serverValue(object['.sv'], building.existing, building.now)
  }
  const priority = buildPriority(object['.priority'], building)
  const children = keys.filter((key) => key !== '.priority' && key !== '.value')
  if (!('.value' in object)) return branchFrom(children, (key) => object[key], priority, building)
  if (children.length > 0) {
    throw new ValueError("Invalid data; '.value' can't stand beside children")
  }
  const leaf = build(object['.value'], building)
  if (leaf instanceof Branch || leaf instanceof PrioritizedLeaf) {
    throw new ValueError("Invalid data; '.value' must be a string, number or boolean")
  }
  return leaf === null || priority === null ? leaf : new PrioritizedLeaf(leaf, priority)
}
