import type { Actor } from './auth'
import { DataUpdate } from './dataUpdate'
import { isInRange, isFiltered, toRow, selectEntries } from './query/query'
import type { Entry, Query } from './query/query'
import { compareRows } from './tree/order'
import { nodeToJsonText } from './tree/nodeJson'
import { Branch, getChild, reuseUnchanged } from './tree/node'
import type { Node } from './tree/node'
import type { Path } from './tree/path'
import type { Change } from './writePlan'

/** One client's subscription to a place. */
export interface Listener {
  readonly path: Path
  readonly query: Query
  readonly getActor: () => Actor
  /** Delivers new values, before the write that caused them is acknowledged. */
  readonly sendUpdate: (push: DataUpdate) => void
  /** Called when the client may no longer read here and the listener has been removed. */
  readonly onRevoked: () => void
}

/** Returns a query's result as the text of an object in export format. */
export const entriesToJson = (entries: readonly Entry[]): string =>
  entries.length === 0
    ? 'null'
    : `{${entries.map(([key, child]) => `${JSON.stringify(key)}:${nodeToJsonText(child, 'export')}`).join(',')}}`

/**
 * Returns true when both nodes have the same content. A replaced collection may have new objects
 * for equal rows.
 */
const isSameContent = (before: Node | null, after: Node | null): boolean =>
  before === after || (before !== null && reuseUnchanged(before, after) === before)

type ChildChange = readonly [below: Path, node: Node | null]

const createUpdate = (path: Path, puts: readonly ChildChange[]): DataUpdate | null => {
  const [first] = puts
  if (first === undefined) return null
  if (puts.length > 1) return DataUpdate.merge(path, puts)
  return DataUpdate.put([...path, ...first[0]], nodeToJsonText(first[1], 'export'))
}

/** The listeners of one place with the same query, so that a change is computed once for all. */
class ListenerGroup {
  readonly listeners = new Set<Listener>()
  /** The keys that a limited query selects now; other queries need only the changed child. */
  private windowKeys: ReadonlySet<string> | null = null

  constructor(
    readonly path: Path,
    readonly query: Query,
    node: Node | null,
  ) {
    if (query.limit !== null) this.windowKeys = this.selectWindow(node)
  }

  // A limited live query keeps its order even without an index in the rules: sorting a large
  // collection at every write would block all clients.
  private selectWindow(node: Node | null): Set<string> {
    return new Set(selectEntries(node, this.query, true).map(([key]) => key))
  }

  /** Returns the update for a place that was replaced completely. */
  updateForReplacement(before: Node | null, after: Node | null): DataUpdate | null {
    if (!isFiltered(this.query)) return DataUpdate.put(this.path, nodeToJsonText(after, 'export'))
    const limited = this.query.limit !== null
    const entries = selectEntries(after, this.query, limited)
    const entriesBefore = selectEntries(before, this.query, limited)
    if (this.windowKeys !== null) this.windowKeys = new Set(entries.map(([key]) => key))
    const same =
      entriesBefore.length === entries.length &&
      entriesBefore.every(([key, child], i) => {
        const [otherKey, other] = entries[i] ?? []
        return otherKey === key && isSameContent(child, other ?? null)
      })
    if (same && before instanceof Branch === after instanceof Branch) return null
    return DataUpdate.put(this.path, entriesToJson(entries))
  }

  /** Returns the update of a filtered query for changes below its place. */
  updateForChanges(
    before: Node | null,
    after: Node | null,
    changes: readonly Change[],
  ): DataUpdate | null {
    const depth = this.path.length
    const puts: ChildChange[] = []
    const byKey = new Map<string, Change[]>()
    for (const change of changes) {
      const key = change.path[depth] as string
      const others = byKey.get(key)
      if (others === undefined) byKey.set(key, [change])
      else others.push(change)
    }
    const keysBefore = this.windowKeys
    const touched = [...byKey.keys()]
    const showing =
      keysBefore !== null && this.isReordered(before, after, touched)
        ? this.selectWindow(after)
        : keysBefore
    for (const [key, below] of byKey) {
      const old = getChild(before, key)
      const child = getChild(after, key)
      const was = keysBefore?.has(key) ?? (old !== null && isInRange(this.query, key, old))
      const is = showing?.has(key) ?? (child !== null && isInRange(this.query, key, child))
      if (was && is) {
        for (const change of below) puts.push([change.path.slice(depth), change.after])
      } else if (is) puts.push([[key], child])
      else if (was) puts.push([[key], null])
    }
    if (keysBefore !== null && showing !== null && keysBefore !== showing) {
      for (const key of keysBefore) {
        if (!showing.has(key) && !byKey.has(key)) puts.push([[key], null])
      }
      for (const key of showing) {
        if (!keysBefore.has(key) && !byKey.has(key)) puts.push([[key], getChild(after, key)])
      }
      this.windowKeys = showing
    }
    return createUpdate(this.path, puts)
  }

  /** Returns false when every changed child remains selected at the same position. */
  private isReordered(
    before: Node | null,
    after: Node | null,
    touched: readonly string[],
  ): boolean {
    return touched.some((key) => {
      const old = getChild(before, key)
      const child = getChild(after, key)
      if (!this.windowKeys?.has(key)) return child !== null && isInRange(this.query, key, child)
      if (old === null || child === null) return true
      return compareRows(toRow(this.query, key, old), toRow(this.query, key, child)) !== 0
    })
  }
}

const toGroupKey = ({ index, start, end, limit, limitEnd }: Query): string =>
  JSON.stringify([index.name, start, end, limit, limitEnd])

class ListenerNode {
  readonly children = new Map<string, ListenerNode>()
  readonly groups = new Map<string, ListenerGroup>()
}

/** All listeners of a database, by place. */
export class ListenerRegistry {
  private readonly root = new ListenerNode()
  private readonly listeners = new Set<Listener>()

  get size(): number {
    return this.listeners.size
  }

  [Symbol.iterator](): IterableIterator<Listener> {
    return this.listeners.values()
  }

  /** Adds a listener. `node` is the current value of its place. */
  add(listen: Listener, node: Node | null): void {
    let place = this.root
    for (const key of listen.path) {
      let below = place.children.get(key)
      if (below === undefined) place.children.set(key, (below = new ListenerNode()))
      place = below
    }
    const name = toGroupKey(listen.query)
    let group = place.groups.get(name)
    if (group === undefined) {
      group = new ListenerGroup(listen.path, listen.query, node)
      place.groups.set(name, group)
    }
    group.listeners.add(listen)
    this.listeners.add(listen)
  }

  remove(listen: Listener): void {
    if (!this.listeners.delete(listen)) return
    const places = [this.root]
    for (const key of listen.path) {
      const below = places.at(-1)?.children.get(key)
      if (below === undefined) return
      places.push(below)
    }
    const name = toGroupKey(listen.query)
    const group = places.at(-1)?.groups.get(name)
    group?.listeners.delete(listen)
    if (group?.listeners.size === 0) places.at(-1)?.groups.delete(name)
    for (let depth = listen.path.length; depth > 0; depth--) {
      const place = places[depth]
      if (place === undefined || place.groups.size > 0 || place.children.size > 0) return
      places[depth - 1]?.children.delete(listen.path[depth - 1] as string)
    }
  }

  /** Finds the listeners that a write affects and updates them through `deliver`. */
  notify(
    before: Node | null,
    after: Node | null,
    { base, changes }: { readonly base: Path; readonly changes: readonly Change[] },
    deliver: (listen: Listener, push: DataUpdate) => void,
  ): void {
    const shared = new Map<string, DataUpdate>()
    const plainPush = (path: Path): ((relevant: readonly Change[]) => DataUpdate | null) => {
      return (relevant) => {
        // Listeners at or above the place in the request all get the same message.
        const named =
          base.length > path.length && relevant.every((change) => change.path.length > base.length)
        const from = named ? base : path
        const name = relevant.length === 1 ? relevant[0]?.path.join('/') : from.join('/')
        const sharedPush = shared.get(`${relevant.length} ${name}`)
        if (sharedPush !== undefined) return sharedPush
        const push = createUpdate(
          from,
          relevant.map((change) => [change.path.slice(from.length), change.after]),
        )
        if (push !== null) shared.set(`${relevant.length} ${name}`, push)
        return push
      }
    }
    const visit = (
      place: ListenerNode,
      path: Path,
      [old, now]: readonly [Node | null, Node | null],
      relevant: readonly Change[],
    ): void => {
      if (old === now) return
      const depth = path.length
      const whole = relevant.some((change) => change.path.length <= depth)
      const isBelowReplaced = relevant.some((change) => change.path.length < depth)
      if (isBelowReplaced && place.groups.size > 0 && isSameContent(old, now)) return
      for (const group of place.groups.values()) {
        const push = whole
          ? group.updateForReplacement(old, now)
          : isFiltered(group.query)
            ? group.updateForChanges(old, now, relevant)
            : plainPush(path)(relevant)
        // A copy, because a delivery may revoke a listener and remove it.
        if (push !== null) for (const listen of [...group.listeners]) deliver(listen, push)
      }
      if (place.children.size === 0) return
      const keys = whole
        ? [...place.children.keys()]
        : relevant.map(({ path }) => path[depth] ?? '')
      for (const key of new Set(keys)) {
        const below = place.children.get(key)
        if (below === undefined) continue
        const changesBelow = whole
          ? relevant
          : relevant.filter((change) => change.path[depth] === key)
        visit(below, [...path, key], [getChild(old, key), getChild(now, key)], changesBelow)
      }
    }
    visit(this.root, [], [before, after], changes)
  }
}
