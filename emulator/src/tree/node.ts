import { bulkLoad } from 'sorted-btree/extended/bulkLoad.js'
import { compareKeys, compareRows, OBJECT_VALUE } from './order'
import type { IndexValue, Row } from './order'

/**
 * A value of a leaf. The tree is immutable: a write creates a new root that shares every unchanged
 * part. So rules can check a write before it happens, a reader never sees a partial write, and two
 * subtrees that are the same object are equal without a comparison.
 */
export type Scalar = string | number | boolean
export type Priority = string | number
export type Node = Scalar | PrioritizedLeaf | Branch

/** A leaf with a priority. The many leaves without one are stored as plain scalars. */
export class PrioritizedLeaf {
  constructor(
    readonly value: Scalar,
    readonly priority: Priority,
  ) {}
}

/** A node with at least one child. */
export abstract class Branch {
  /** Set by `hashNode` on the first request. */
  hash: string | undefined = undefined
  abstract readonly size: number
  abstract readonly priority: Priority | null
  abstract get(key: string): Node | undefined
  abstract keys(): Iterable<string>
  /** Calls back for each child in key order. */
  abstract forEach(visit: (key: string, child: Node) => void): void
  /**
   * Returns the branch with one child set, or removed by null. Returns null when no child is left.
   */
  abstract withChild(key: string, child: Node | null): Branch | null
  abstract withPriority(priority: Priority | null): Branch
}

/** Above this number of children a branch is a B-tree, so that a write takes logarithmic time. */
const MAX_SMALL_BRANCH = 64
const BTREE_NODE_SIZE = 32

/** The sorted keys of a small branch, shared by all branches with the same keys. */
export class KeyShape {
  private quotedKeys: readonly string[] | undefined

  constructor(readonly keys: readonly string[]) {}

  /** Returns the index of a key, or the complement of its insertion index. */
  findIndex(key: string): number {
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

  /**
   * Returns the keys as JSON text with the colon, so that writing a branch does not escape them
   * again.
   */
  getQuotedKeys(): readonly string[] {
    return (this.quotedKeys ??= this.keys.map((key) => `${JSON.stringify(key)}:`))
  }
}

const SHAPES_PER_FIRST_KEY = 8
const MAX_CACHED_FIRST_KEYS = 4096
const shapeCache = new Map<string, KeyShape[]>()

const isEqualKeys = (a: readonly string[], b: readonly string[]): boolean => {
  if (a.length !== b.length) return false
  for (let i = a.length - 1; i >= 0; i--) if (a[i] !== b[i]) return false
  return true
}

/** Returns the shape of sorted keys. Recent shapes are cached; a cache miss costs only memory. */
export const getShape = (keys: readonly string[]): KeyShape => {
  const first = keys[0] ?? ''
  const candidates = shapeCache.get(first)
  const cachedShape = candidates?.find((shape) => isEqualKeys(shape.keys, keys))
  if (cachedShape !== undefined) return cachedShape
  const shape = new KeyShape(keys)
  if (candidates === undefined) {
    if (shapeCache.size >= MAX_CACHED_FIRST_KEYS) shapeCache.clear()
    shapeCache.set(first, [shape])
  } else {
    if (candidates.length >= SHAPES_PER_FIRST_KEY) candidates.pop()
    candidates.unshift(shape)
  }
  return shape
}

export class SmallBranch extends Branch {
  constructor(
    readonly shape: KeyShape,
    readonly values: readonly Node[],
    readonly priority: Priority | null,
  ) {
    super()
  }

  get size(): number {
    return this.values.length
  }

  get(key: string): Node | undefined {
    return this.values[this.shape.findIndex(key)]
  }

  keys(): Iterable<string> {
    return this.shape.keys
  }

  forEach(visit: (key: string, child: Node) => void): void {
    const { keys } = this.shape
    for (let i = 0; i < keys.length; i++) visit(keys[i] as string, this.values[i] as Node)
  }

  withChild(key: string, child: Node | null): Branch | null {
    const position = this.shape.findIndex(key)
    if (position < 0 && child === null) return this
    if (child !== null && position >= 0) {
      const values = this.values.slice()
      values[position] = child
      return new SmallBranch(this.shape, values, this.priority)
    }
    const at = position < 0 ? ~position : position
    if (child === null) {
      return createBranch(
        this.shape.keys.toSpliced(at, 1),
        this.values.toSpliced(at, 1),
        this.priority,
      )
    }
    return createBranch(
      this.shape.keys.toSpliced(at, 0, key),
      this.values.toSpliced(at, 0, child),
      this.priority,
    )
  }

  withPriority(priority: Priority | null): Branch {
    return new SmallBranch(this.shape, this.values, priority)
  }
}

/** Converts a branch to text and back. */
interface RowPacking {
  pack(branch: Branch): string
  unpack(text: string): Branch
}

/** With fewer rows, or rows with fewer parts, packing does not pay off. */
const PACKING_THRESHOLDS = { rows: 5000, parts: 12 }
/** Number of rows that remain unpacked: the ones most recently written or read. */
const MAX_UNPACKED_ROWS = 4096

/**
 * A row of a large collection, stored as one text while unused: a third of the size of its objects.
 * Its content never changes. A second unpacking creates new objects, so a comparison may report
 * them as changed, but never wrongly as equal.
 */
export class PackedBranch extends Branch {
  private static packing: RowPacking | null = null
  private static readonly unpackedRows: PackedBranch[] = []
  private static nextSlot = 0
  readonly size: number
  readonly priority: Priority | null
  private text: string | null = null

  private constructor(private branch: Branch | null) {
    super()
    this.size = branch?.size ?? 0
    this.priority = branch?.priority ?? null
    this.keepUnpacked()
  }

  /** Enables packing for all rows from now on. */
  static enablePacking(packing: RowPacking): void {
    PackedBranch.packing = packing
  }

  /** Returns the row packed if a collection with this number of rows benefits from it. */
  static packIfWorthwhile(row: Node, rows: number): Node {
    const isHeavy = row instanceof SmallBranch && row.size >= PACKING_THRESHOLDS.parts
    return isHeavy && rows >= PACKING_THRESHOLDS.rows && PackedBranch.packing !== null
      ? new PackedBranch(row)
      : row
  }

  /** The content as JSON in export form, or null when no text is cached. */
  get getPackedText(): string | null {
    return this.text
  }

  get(key: string): Node | undefined {
    return this.unpack().get(key)
  }

  keys(): Iterable<string> {
    return this.unpack().keys()
  }

  forEach(visit: (key: string, child: Node) => void): void {
    this.unpack().forEach(visit)
  }

  withChild(key: string, child: Node | null): Branch | null {
    const opened = this.unpack()
    const changed = opened.withChild(key, child)
    return changed === opened ? this : changed
  }

  withPriority(priority: Priority | null): Branch {
    return this.unpack().withPriority(priority)
  }

  /** Returns the row as objects. */
  unpack(): Branch {
    if (this.branch !== null) return this.branch
    this.branch = (PackedBranch.packing as RowPacking).unpack(this.text ?? '')
    this.keepUnpacked()
    return this.branch
  }

  private keepUnpacked(): void {
    const { unpackedRows, nextSlot } = PackedBranch
    unpackedRows[nextSlot]?.pack()
    unpackedRows[nextSlot] = this
    PackedBranch.nextSlot = (nextSlot + 1) % MAX_UNPACKED_ROWS
  }

  private pack(): void {
    if (this.branch !== null) this.text ??= (PackedBranch.packing as RowPacking).pack(this.branch)
    this.branch = null
  }
}

/** The sort criterion of an index. */
export interface Index {
  /** `.key`, `.value`, `.priority` or a path of child keys joined by `/`. */
  readonly name: string
  readonly path: readonly string[]
}

// Node.js and bundlers disagree about the default export of this CommonJS library.
type BTree<Key, Value> = ReturnType<typeof bulkLoad<Key, Value>>
export type Rows = BTree<Row, undefined>

export class LargeBranch extends Branch {
  /**
   * `prioritized` is the number of children with a priority. While it is zero, the order by
   * priority equals the order by key.
   */
  private constructor(
    readonly children: BTree<string, Node>,
    readonly priority: Priority | null,
    readonly prioritized: number,
    /**
     * Rows by index. They belong to this version of the branch and are passed to the next, so an
     * index always matches its data.
     */
    private readonly indexes: Map<string, { readonly index: Index; readonly rows: Rows }>,
  ) {
    super()
  }

  static fromChildren(keys: string[], values: Node[], priority: Priority | null): LargeBranch {
    let prioritized = 0
    for (const value of values) if (getPriority(value) !== null) prioritized++
    return new LargeBranch(
      bulkLoad(keys, values, BTREE_NODE_SIZE, compareKeys),
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

  withChild(key: string, child: Node | null): Branch | null {
    const before = this.children.get(key) ?? null
    if (before === child) return this
    const children = this.children.clone()
    if (child === null) children.delete(key)
    else children.set(key, PackedBranch.packIfWorthwhile(child, children.size))
    if (children.size <= MAX_SMALL_BRANCH / 2) {
      return createBranch(children.keysArray(), children.valuesArray(), this.priority)
    }
    const indexes = new Map(this.indexes)
    for (const [name, { index, rows }] of indexes) {
      const old = before === null ? undefined : getIndexValue(before, index)
      const next = child === null ? undefined : getIndexValue(child, index)
      if (old === next) continue
      const moved = rows.clone()
      if (old !== undefined) moved.delete({ value: old, key })
      if (next !== undefined) moved.set({ value: next, key }, undefined)
      indexes.set(name, { index, rows: moved })
    }
    const prioritized =
      this.prioritized -
      (getPriority(before) === null ? 0 : 1) +
      (getPriority(child) === null ? 0 : 1)
    return new LargeBranch(children, this.priority, prioritized, indexes)
  }

  withPriority(priority: Priority | null): Branch {
    return new LargeBranch(this.children, priority, this.prioritized, this.indexes)
  }

  /**
   * Returns the children's rows in an index's order, built once and then updated by every write.
   */
  getRows(index: Index): Rows {
    const cachedIndex = this.indexes.get(index.name)
    if (cachedIndex !== undefined) return cachedIndex.rows
    const rows = this.buildRows(index)
    this.indexes.set(index.name, { index, rows })
    return rows
  }

  /** Builds the rows without storing them, for orders that the rules do not index. */
  buildRows(index: Index): Rows {
    const rows: Row[] = []
    this.children.forEachPair((key, child) => {
      rows.push({ value: getIndexValue(child, index), key })
    })
    rows.sort(compareRows)
    return bulkLoad<Row, undefined>(
      rows,
      new Array<undefined>(rows.length),
      BTREE_NODE_SIZE,
      compareRows,
    )
  }
}

/** Returns a branch of children in key order, or null for none. */
export const createBranch = (
  keys: readonly string[],
  values: readonly Node[],
  priority: Priority | null,
): Branch | null => {
  if (keys.length === 0) return null
  if (keys.length > MAX_SMALL_BRANCH)
    return LargeBranch.fromChildren([...keys], [...values], priority)
  return new SmallBranch(getShape(keys), values, priority)
}

/** Returns the leaf's value, or null for no node and for a branch. */
export const getScalar = (node: Node | null | undefined): Scalar | null => {
  if (node === null || node === undefined || node instanceof Branch) return null
  return node instanceof PrioritizedLeaf ? node.value : node
}

export const getPriority = (node: Node | null | undefined): Priority | null =>
  typeof node === 'object' && node !== null ? node.priority : null

/** Returns the node with another priority. */
export const withPriority = (node: Node | null, priority: Priority | null): Node | null => {
  if (node === null || getPriority(node) === priority) return node
  if (node instanceof Branch) return node.withPriority(priority)
  const value = node instanceof PrioritizedLeaf ? node.value : node
  return priority === null ? value : new PrioritizedLeaf(value, priority)
}

export const getChild = (node: Node | null | undefined, key: string): Node | null =>
  node instanceof Branch ? (node.get(key) ?? null) : null

/** Returns the node at a path below a node, or null. */
export const getNodeAt = (node: Node | null, path: readonly string[]): Node | null => {
  let here = node
  for (const key of path) {
    if (!(here instanceof Branch)) return null
    here = here.get(key) ?? null
  }
  return here
}

/** Returns the tree with `value` at a path. Null removes the node and its empty ancestors. */
export const replaceNodeAt = (
  node: Node | null,
  path: readonly string[],
  value: Node | null,
  depth = 0,
): Node | null => {
  const key = path[depth]
  if (key === undefined) return value
  if (!(node instanceof Branch)) {
    if (value === null) return node
    const child = replaceNodeAt(null, path, value, depth + 1) as Node
    return new SmallBranch(getShape([key]), [child], getPriority(node))
  }
  const before = node.get(key) ?? null
  const after = replaceNodeAt(before, path, value, depth + 1)
  return after === before ? node : node.withChild(key, after)
}

/** Returns the value by which an index sorts a child. */
export const getIndexValue = (child: Node, index: Index): IndexValue => {
  if (index.name === '.key') return null
  if (index.name === '.priority') return getPriority(child)
  const node = index.name === '.value' ? child : getNodeAt(child, index.path)
  return node instanceof Branch ? OBJECT_VALUE : getScalar(node)
}

const reuseLargeBranch = (old: LargeBranch, next: Branch): Branch => {
  const changed: [string, Node][] = []
  let commonCount = 0
  next.forEach((key, child) => {
    const before = old.get(key)
    if (before !== undefined) commonCount++
    const reused = before === undefined ? child : reuseUnchanged(before, child)
    if (reused !== before) changed.push([key, reused as Node])
  })
  // Most children are new, so updating the old indexes row by row would cost more than rebuilding
  // them.
  if (changed.length > old.size / 2) return next
  const gone =
    commonCount === old.size ? [] : [...old.keys()].filter((key) => next.get(key) === undefined)
  let result: Branch | null = old
  for (const key of gone) result = result?.withChild(key, null) ?? null
  for (const [key, child] of changed) result = result?.withChild(key, child) ?? null
  if (result === null) return next
  return result.priority === next.priority ? result : result.withPriority(next.priority)
}

/**
 * Returns `next` with the equal parts taken from `old`, or `old` itself when nothing differs.
 * Afterward, object identity shows changes at every depth, except in a large collection of which
 * most children are new.
 */
export const reuseUnchanged = (old: Node | null, next: Node | null): Node | null => {
  if (old === next || old === null || next === null) return next
  if (next instanceof PrioritizedLeaf) {
    const same =
      old instanceof PrioritizedLeaf && old.value === next.value && old.priority === next.priority
    return same ? old : next
  }
  if (!(next instanceof Branch) || !(old instanceof Branch)) return next
  if (old instanceof PackedBranch) {
    const opened = old.unpack()
    const reused = reuseUnchanged(opened, next)
    return reused === opened ? old : reused
  }
  if (old instanceof LargeBranch) return reuseLargeBranch(old, next)
  if (!(next instanceof SmallBranch)) return next
  let same = old.size === next.size && old.priority === next.priority
  const values = next.values.map((child, i) => {
    const before = old.get(next.shape.keys[i] as string) ?? null
    const reused = reuseUnchanged(before, child) as Node
    if (reused !== before) same = false
    return reused
  })
  return same ? old : new SmallBranch(next.shape, values, next.priority)
}
