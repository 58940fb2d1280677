import type BTree from 'sorted-btree'
import { bulkLoad } from 'sorted-btree/extended/bulkLoad.js'
import { compareKeys, compareRows, OBJECT } from './order'
import type { IndexValue, Row } from './order'

/**
 * The tree is immutable: a write makes a new root that shares everything it did not touch. So a
 * write can be judged before it happens, a reader never sees half of one, and two subtrees that are
 * the same object are known to be equal without looking inside.
 */
export type Scalar = string | number | boolean
export type Priority = string | number
export type Node = Scalar | PrioritizedLeaf | Branch

/** A leaf with a priority; the many without one are stored as the bare scalar. */
export class PrioritizedLeaf {
  constructor(
    readonly value: Scalar,
    readonly priority: Priority,
  ) {}
}

/** A node with at least one child. */
export abstract class Branch {
  /** Filled by `hashOf`, never before somebody asks. */
  hash: string | undefined = undefined
  abstract readonly size: number
  abstract readonly priority: Priority | null
  abstract get(key: string): Node | undefined
  abstract keys(): Iterable<string>
  /** Calls back for each child in key order. */
  abstract forEach(visit: (key: string, child: Node) => void): void
  /** The branch with one child put, or removed by null; null when none is left. */
  abstract with(key: string, child: Node | null): Branch | null
  abstract withPriority(priority: Priority | null): Branch
}

/** Above this many children a branch is a B-tree, so that a write costs the logarithm. */
const SMALL = 64
const NODE_SIZE = 32

/** The sorted keys of a small branch, shared by all branches that have the same ones. */
export class Shape {
  private quotedKeys: readonly string[] | undefined

  constructor(readonly keys: readonly string[]) {}

  /** Where a key is, or the complement of where it would be. */
  find(key: string): number {
    let low = 0
    let high = this.keys.length - 1
    while (low <= high) {
      const middle = (low + high) >> 1
      const order = compareKeys(this.keys[middle] ?? '', key)
      if (order === 0) return middle
      if (order < 0) low = middle + 1
      else high = middle - 1
    }
    return ~low
  }

  /** The keys as JSON text with the colon, so that writing a branch does not escape them again. */
  quoted(): readonly string[] {
    return (this.quotedKeys ??= this.keys.map((key) => `${JSON.stringify(key)}:`))
  }
}

const SHAPES_PER_FIRST_KEY = 8
const FIRST_KEYS = 4096
const shapes = new Map<string, Shape[]>()

const sameKeys = (a: readonly string[], b: readonly string[]): boolean => {
  if (a.length !== b.length) return false
  for (let i = a.length - 1; i >= 0; i--) if (a[i] !== b[i]) return false
  return true
}

/** The shape of some keys in order. Recent shapes are remembered; forgetting one costs only memory. */
export const shapeOf = (keys: readonly string[]): Shape => {
  const first = keys[0] ?? ''
  const candidates = shapes.get(first)
  const known = candidates?.find((shape) => sameKeys(shape.keys, keys))
  if (known !== undefined) return known
  const shape = new Shape(keys)
  if (candidates === undefined) {
    if (shapes.size >= FIRST_KEYS) shapes.clear()
    shapes.set(first, [shape])
  } else {
    if (candidates.length >= SHAPES_PER_FIRST_KEY) candidates.pop()
    candidates.unshift(shape)
  }
  return shape
}

export class SmallBranch extends Branch {
  constructor(
    readonly shape: Shape,
    readonly values: readonly Node[],
    readonly priority: Priority | null,
  ) {
    super()
  }

  get size(): number {
    return this.values.length
  }

  get(key: string): Node | undefined {
    return this.values[this.shape.find(key)]
  }

  keys(): Iterable<string> {
    return this.shape.keys
  }

  forEach(visit: (key: string, child: Node) => void): void {
    const { keys } = this.shape
    for (let i = 0; i < keys.length; i++) visit(keys[i] as string, this.values[i] as Node)
  }

  with(key: string, child: Node | null): Branch | null {
    const found = this.shape.find(key)
    if (found < 0 && child === null) return this
    if (child !== null && found >= 0) {
      const values = this.values.slice()
      values[found] = child
      return new SmallBranch(this.shape, values, this.priority)
    }
    const at = found < 0 ? ~found : found
    if (child === null) {
      return branchOf(this.shape.keys.toSpliced(at, 1), this.values.toSpliced(at, 1), this.priority)
    }
    return branchOf(
      this.shape.keys.toSpliced(at, 0, key),
      this.values.toSpliced(at, 0, child),
      this.priority,
    )
  }

  withPriority(priority: Priority | null): Branch {
    return new SmallBranch(this.shape, this.values, priority)
  }
}

/** Turns a branch into text and back. */
interface Packing {
  pack(branch: Branch): string
  unpack(text: string): Branch
}

/** Among fewer rows, or rows of fewer parts, objects cost less than they are worth. */
const PACKED_FROM = { rows: 5000, parts: 12 }
/** So many rows stay objects: those written or looked at last. */
const WARM_ROWS = 4096

/**
 * A row of a large collection, which is one text while nobody looks at it: a third of what its objects take. What it holds
 * never changes; taken apart a second time it has other objects below it, so they may pass for changed and never for equal.
 */
export class PackedBranch extends Branch {
  private static packing: Packing | null = null
  private static readonly warm: PackedBranch[] = []
  private static next = 0
  readonly size: number
  readonly priority: Priority | null
  private text: string | null = null

  private constructor(private branch: Branch | null) {
    super()
    this.size = branch?.size ?? 0
    this.priority = branch?.priority ?? null
    this.stayWarm()
  }

  /** Rows are packed from now on. */
  static packBy(packing: Packing): void {
    PackedBranch.packing = packing
  }

  /** The row as a collection of so many rows keeps it. */
  static of(row: Node, rows: number): Node {
    const isHeavy = row instanceof SmallBranch && row.size >= PACKED_FROM.parts
    return isHeavy && rows >= PACKED_FROM.rows && PackedBranch.packing !== null
      ? new PackedBranch(row)
      : row
  }

  /** What it holds as JSON in the export form, when it need not be made. */
  get packed(): string | null {
    return this.text
  }

  get(key: string): Node | undefined {
    return this.open().get(key)
  }

  keys(): Iterable<string> {
    return this.open().keys()
  }

  forEach(visit: (key: string, child: Node) => void): void {
    this.open().forEach(visit)
  }

  with(key: string, child: Node | null): Branch | null {
    const opened = this.open()
    const changed = opened.with(key, child)
    return changed === opened ? this : changed
  }

  withPriority(priority: Priority | null): Branch {
    return this.open().withPriority(priority)
  }

  /** The row as objects. */
  open(): Branch {
    if (this.branch !== null) return this.branch
    this.branch = (PackedBranch.packing as Packing).unpack(this.text ?? '')
    this.stayWarm()
    return this.branch
  }

  private stayWarm(): void {
    const { warm, next } = PackedBranch
    warm[next]?.close()
    warm[next] = this
    PackedBranch.next = (next + 1) % WARM_ROWS
  }

  private close(): void {
    if (this.branch !== null) this.text ??= (PackedBranch.packing as Packing).pack(this.branch)
    this.branch = null
  }
}

/** What an index sorts by. */
export interface Index {
  /** `.key`, `.value`, `.priority` or a path of child keys joined by `/`. */
  readonly name: string
  readonly path: readonly string[]
}

export type Rows = BTree<Row, undefined>

export class LargeBranch extends Branch {
  /** How many children have a priority; while none has, the order by priority is that by key. */
  private constructor(
    readonly children: BTree<string, Node>,
    readonly priority: Priority | null,
    readonly prioritized: number,
    /**
     * Rows by index. They belong to this very version of the branch, and are handed on, so an
     * index can't disagree with what it indexes.
     */
    private readonly indexes: Map<string, { readonly index: Index; readonly rows: Rows }>,
  ) {
    super()
  }

  static of(keys: string[], values: Node[], priority: Priority | null): LargeBranch {
    let prioritized = 0
    for (const value of values) if (priorityOf(value) !== null) prioritized++
    return new LargeBranch(
      bulkLoad(keys, values, NODE_SIZE, compareKeys),
      priority,
      prioritized,
      new Map(),
    )
  }

  get size(): number {
    return this.children.size
  }

  get(key: string): Node | undefined {
    return this.children.get(key)
  }

  keys(): Iterable<string> {
    return this.children.keys()
  }

  forEach(visit: (key: string, child: Node) => void): void {
    this.children.forEachPair(visit)
  }

  with(key: string, child: Node | null): Branch | null {
    const before = this.children.get(key) ?? null
    if (before === child) return this
    const children = this.children.clone()
    if (child === null) children.delete(key)
    else children.set(key, PackedBranch.of(child, children.size))
    if (children.size <= SMALL / 2) {
      return branchOf(children.keysArray(), children.valuesArray(), this.priority)
    }
    const indexes = new Map(this.indexes)
    for (const [name, { index, rows }] of indexes) {
      const old = before === null ? undefined : indexValue(before, index)
      const next = child === null ? undefined : indexValue(child, index)
      if (old === next) continue
      const moved = rows.clone()
      if (old !== undefined) moved.delete({ value: old, key })
      if (next !== undefined) moved.set({ value: next, key }, undefined)
      indexes.set(name, { index, rows: moved })
    }
    const prioritized =
      this.prioritized -
      (priorityOf(before) === null ? 0 : 1) +
      (priorityOf(child) === null ? 0 : 1)
    return new LargeBranch(children, this.priority, prioritized, indexes)
  }

  withPriority(priority: Priority | null): Branch {
    return new LargeBranch(this.children, priority, this.prioritized, this.indexes)
  }

  /** The children's rows in an index's order; built once, then kept up by every write. */
  rowsBy(index: Index): Rows {
    const known = this.indexes.get(index.name)
    if (known !== undefined) return known.rows
    const rows = this.buildRows(index)
    this.indexes.set(index.name, { index, rows })
    return rows
  }

  /** The same rows without keeping them: for orders that the rules do not name as an index. */
  buildRows(index: Index): Rows {
    const rows: Row[] = []
    this.children.forEachPair((key, child) => {
      rows.push({ value: indexValue(child, index), key })
    })
    rows.sort(compareRows)
    return bulkLoad<Row, undefined>(rows, new Array(rows.length), NODE_SIZE, compareRows)
  }
}

/** A branch of children given in key order; null when there are none. */
export const branchOf = (
  keys: readonly string[],
  values: readonly Node[],
  priority: Priority | null,
): Branch | null => {
  if (keys.length === 0) return null
  if (keys.length > SMALL) return LargeBranch.of([...keys], [...values], priority)
  return new SmallBranch(shapeOf(keys), values, priority)
}

/** The leaf's value; null for nothing and for a branch. */
export const scalarOf = (node: Node | null | undefined): Scalar | null => {
  if (node === null || node === undefined || node instanceof Branch) return null
  return node instanceof PrioritizedLeaf ? node.value : node
}

export const priorityOf = (node: Node | null | undefined): Priority | null =>
  typeof node === 'object' && node !== null ? node.priority : null

/** The node with another priority. */
export const withPriority = (node: Node | null, priority: Priority | null): Node | null => {
  if (node === null || priorityOf(node) === priority) return node
  if (node instanceof Branch) return node.withPriority(priority)
  const value = node instanceof PrioritizedLeaf ? node.value : node
  return priority === null ? value : new PrioritizedLeaf(value, priority)
}

export const childOf = (node: Node | null | undefined, key: string): Node | null =>
  node instanceof Branch ? (node.get(key) ?? null) : null

/** What is at a path below a node; null for nothing. */
export const nodeAt = (node: Node | null, path: readonly string[]): Node | null => {
  let here = node
  for (const key of path) {
    if (!(here instanceof Branch)) return null
    here = here.get(key) ?? null
  }
  return here
}

/** The tree with `value` put at a path; null removes, and empty ancestors vanish with it. */
export const withNodeAt = (
  node: Node | null,
  path: readonly string[],
  value: Node | null,
  depth = 0,
): Node | null => {
  const key = path[depth]
  if (key === undefined) return value
  if (!(node instanceof Branch)) {
    if (value === null) return node
    const child = withNodeAt(null, path, value, depth + 1) as Node
    return new SmallBranch(shapeOf([key]), [child], priorityOf(node))
  }
  const before = node.get(key) ?? null
  const after = withNodeAt(before, path, value, depth + 1)
  return after === before ? node : node.with(key, after)
}

/** What an index sorts a child by. */
export const indexValue = (child: Node, index: Index): IndexValue => {
  if (index.name === '.key') return null
  if (index.name === '.priority') return priorityOf(child)
  const node = index.name === '.value' ? child : nodeAt(child, index.path)
  return node instanceof Branch ? OBJECT : scalarOf(node)
}

const reusedLarge = (old: LargeBranch, next: Branch): Branch => {
  const changed: [string, Node][] = []
  let found = 0
  next.forEach((key, child) => {
    const before = old.get(key)
    if (before !== undefined) found++
    const reused = before === undefined ? child : reuse(before, child)
    if (reused !== before) changed.push([key, reused as Node])
  })
  // Mostly new: the old indexes are not worth carrying over row by row.
  if (changed.length > old.size / 2) return next
  const gone =
    found === old.size ? [] : [...old.keys()].filter((key) => next.get(key) === undefined)
  let result: Branch | null = old
  for (const key of gone) result = result?.with(key, null) ?? null
  for (const [key, child] of changed) result = result?.with(key, child) ?? null
  if (result === null) return next
  return result.priority === next.priority ? result : result.withPriority(next.priority)
}

/**
 * `next`, made of the parts of `old` wherever they are equal; `old` itself when nothing differs.
 * After it, identity answers "did this change?" at every depth.
 */
export const reuse = (old: Node | null, next: Node | null): Node | null => {
  if (old === next || old === null || next === null) return next
  if (next instanceof PrioritizedLeaf) {
    const same =
      old instanceof PrioritizedLeaf && old.value === next.value && old.priority === next.priority
    return same ? old : next
  }
  if (!(next instanceof Branch) || !(old instanceof Branch)) return next
  if (old instanceof PackedBranch) {
    const opened = old.open()
    const reused = reuse(opened, next)
    return reused === opened ? old : reused
  }
  if (old instanceof LargeBranch) return reusedLarge(old, next)
  if (!(next instanceof SmallBranch)) return next
  let same = old.size === next.size && old.priority === next.priority
  const values = next.values.map((child, i) => {
    const before = old.get(next.shape.keys[i] as string) ?? null
    const reused = reuse(before, child) as Node
    if (reused !== before) same = false
    return reused
  })
  return same ? old : new SmallBranch(next.shape, values, next.priority)
}
