import type { Actor } from './auth'
import { Push } from './push'
import { inRange, isFiltered, rowOf, select } from './query/query'
import type { Entry, Query } from './query/query'
import { compareRows } from './tree/order'
import { jsonText } from './tree/json'
import { Branch, childOf } from './tree/node'
import type { Node } from './tree/node'
import type { Path } from './tree/path'
import type { Change } from './write'

/** One client's interest in a place. */
export interface Listen {
  readonly path: Path
  readonly query: Query
  readonly actor: () => Actor
  /** Hands over new values; called before the write that made them is acknowledged. */
  readonly push: (push: Push) => void
  /** The client may no longer read here; the listen has been removed. */
  readonly revoke: () => void
}

/** The text of a query's selection as an object in export format. */
export const entriesText = (entries: readonly Entry[]): string =>
  entries.length === 0
    ? 'null'
    : `{${entries.map(([key, child]) => `${JSON.stringify(key)}:${jsonText(child, 'export')}`).join(',')}}`

type BelowChange = readonly [below: Path, node: Node | null]

const pushOf = (path: Path, puts: readonly BelowChange[]): Push | null => {
  const [first] = puts
  if (first === undefined) return null
  if (puts.length > 1) return Push.merge(path, puts)
  return Push.put([...path, ...first[0]], jsonText(first[1], 'export'))
}

/** The listens of one place that ask the same, so that a change is worked out once for all. */
class Group {
  readonly members = new Set<Listen>()
  /** The keys a limited query shows now; other queries tell from a child alone. */
  private window: ReadonlySet<string> | null = null

  constructor(
    readonly path: Path,
    readonly query: Query,
    node: Node | null,
  ) {
    if (query.limit !== null) this.window = this.windowOf(node)
  }

  // A limited live query keeps its order whether or not the rules name it: sorting a large
  // collection at every write would stall everybody.
  private windowOf(node: Node | null): Set<string> {
    return new Set(select(node, this.query, true).map(([key]) => key))
  }

  /** The push for a place that was replaced as a whole. */
  replaced(before: Node | null, after: Node | null): Push | null {
    if (!isFiltered(this.query)) return Push.put(this.path, jsonText(after, 'export'))
    const entries = select(after, this.query, this.query.limit !== null)
    if (this.window !== null) this.window = new Set(entries.map(([key]) => key))
    else {
      const shown = select(before, this.query, false)
      const same =
        shown.length === entries.length &&
        shown.every(([key, child], i) => entries[i]?.[0] === key && entries[i][1] === child)
      if (same && before instanceof Branch === after instanceof Branch) return null
    }
    return Push.put(this.path, entriesText(entries))
  }

  /** The push of a filtered query for changes below its place. */
  changed(before: Node | null, after: Node | null, changes: readonly Change[]): Push | null {
    const depth = this.path.length
    const puts: BelowChange[] = []
    const byKey = new Map<string, Change[]>()
    for (const change of changes) {
      const key = change.path[depth] as string
      const others = byKey.get(key)
      if (others === undefined) byKey.set(key, [change])
      else others.push(change)
    }
    const shown = this.window
    const touched = [...byKey.keys()]
    const showing =
      shown !== null && this.moves(before, after, touched) ? this.windowOf(after) : shown
    for (const [key, below] of byKey) {
      const old = childOf(before, key)
      const child = childOf(after, key)
      const was = shown?.has(key) ?? (old !== null && inRange(this.query, key, old))
      const is = showing?.has(key) ?? (child !== null && inRange(this.query, key, child))
      if (was && is) {
        for (const change of below) puts.push([change.path.slice(depth), change.after])
      } else if (is) puts.push([[key], child])
      else if (was) puts.push([[key], null])
    }
    if (shown !== null && showing !== null && shown !== showing) {
      for (const key of shown) {
        if (!showing.has(key) && !byKey.has(key)) puts.push([[key], null])
      }
      for (const key of showing) {
        if (!shown.has(key) && !byKey.has(key)) puts.push([[key], childOf(after, key)])
      }
      this.window = showing
    }
    return pushOf(this.path, puts)
  }

  /** False when every touched child is shown, stays, and stands where it stood. */
  private moves(before: Node | null, after: Node | null, touched: readonly string[]): boolean {
    return touched.some((key) => {
      const old = childOf(before, key)
      const child = childOf(after, key)
      if (!this.window?.has(key)) return child !== null && inRange(this.query, key, child)
      if (old === null || child === null) return true
      return compareRows(rowOf(this.query, key, old), rowOf(this.query, key, child)) !== 0
    })
  }
}

const groupName = ({ index, start, end, limit, from }: Query): string =>
  JSON.stringify([index.name, start, end, limit, from])

class Place {
  readonly children = new Map<string, Place>()
  readonly groups = new Map<string, Group>()
}

/** All listens of a database, by place. */
export class Listens {
  private readonly top = new Place()
  private readonly all = new Set<Listen>()

  get size(): number {
    return this.all.size
  }

  [Symbol.iterator](): IterableIterator<Listen> {
    return this.all.values()
  }

  /** Adds a listen; `node` is what is at its place now. */
  add(listen: Listen, node: Node | null): void {
    let place = this.top
    for (const key of listen.path) {
      let below = place.children.get(key)
      if (below === undefined) place.children.set(key, (below = new Place()))
      place = below
    }
    const name = groupName(listen.query)
    let group = place.groups.get(name)
    if (group === undefined) {
      group = new Group(listen.path, listen.query, node)
      place.groups.set(name, group)
    }
    group.members.add(listen)
    this.all.add(listen)
  }

  remove(listen: Listen): void {
    if (!this.all.delete(listen)) return
    const places = [this.top]
    for (const key of listen.path) {
      const below = places.at(-1)?.children.get(key)
      if (below === undefined) return
      places.push(below)
    }
    const name = groupName(listen.query)
    const group = places.at(-1)?.groups.get(name)
    group?.members.delete(listen)
    if (group?.members.size === 0) places.at(-1)?.groups.delete(name)
    for (let depth = listen.path.length; depth > 0; depth--) {
      const place = places[depth]
      if (place === undefined || place.groups.size > 0 || place.children.size > 0) return
      places[depth - 1]?.children.delete(listen.path[depth - 1] as string)
    }
  }

  /** Works out who sees a write, and tells them with `deliver`. */
  notify(
    before: Node | null,
    after: Node | null,
    { base, changes }: { readonly base: Path; readonly changes: readonly Change[] },
    deliver: (listen: Listen, push: Push) => void,
  ): void {
    const shared = new Map<string, Push>()
    const plainPush = (path: Path): ((relevant: readonly Change[]) => Push | null) => {
      return (relevant) => {
        // Listeners at or above the place the client named all get the same words.
        const named =
          base.length > path.length && relevant.every((change) => change.path.length > base.length)
        const from = named ? base : path
        const name = relevant.length === 1 ? relevant[0]?.path.join('/') : from.join('/')
        const known = shared.get(`${relevant.length} ${name}`)
        if (known !== undefined) return known
        const push = pushOf(
          from,
          relevant.map((change) => [change.path.slice(from.length), change.after]),
        )
        if (push !== null) shared.set(`${relevant.length} ${name}`, push)
        return push
      }
    }
    const visit = (
      place: Place,
      path: Path,
      old: Node | null,
      now: Node | null,
      relevant: readonly Change[],
    ): void => {
      if (old === now) return
      const depth = path.length
      const whole = relevant.some((change) => change.path.length <= depth)
      for (const group of place.groups.values()) {
        const push = whole
          ? group.replaced(old, now)
          : isFiltered(group.query)
            ? group.changed(old, now, relevant)
            : plainPush(path)(relevant)
        // A copy, because delivering may find a listen revoked and remove it.
        if (push !== null) for (const listen of [...group.members]) deliver(listen, push)
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
        visit(below, [...path, key], childOf(old, key), childOf(now, key), changesBelow)
      }
    }
    visit(this.top, [], before, after, changes)
  }
}
