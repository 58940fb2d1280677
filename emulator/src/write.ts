import { build, buildPriority, ValueError } from './tree/build'
import { nodeAt, reuse, withNodeAt, withPriority } from './tree/node'
import type { Node } from './tree/node'
import { isWithin, splitPath, targetOf } from './tree/path'
import type { Path, Target } from './tree/path'
import { isJsonObject } from './auth'

/** A write as clients ask for it. */
export interface WriteRequest {
  /** The keys of the path as sent; the last may be `.priority`. */
  readonly path: readonly string[]
  /** True to put the children of `json` (their names may be paths) instead of `json` itself. */
  readonly merge: boolean
  readonly json: unknown
  /** The JSON text of `json`, where it is at hand and saves making it again. */
  readonly text?: string
}

/** One place that differs after the write. Its priority counts as part of it. */
export interface Change {
  readonly path: Path
  readonly before: Node | null
  readonly after: Node | null
}

/** What a write would do. */
export interface Plan {
  /** The place the request named. */
  readonly base: Path
  /** The places it sets, whether or not that changes them. */
  readonly paths: readonly Path[]
  readonly root: Node | null
  readonly changes: readonly Change[]
  /** The request's text when it says exactly what was put at `base`. */
  readonly text: string | null
}

interface Put extends Target {
  readonly json: unknown
}

const putsOf = ({ path, merge, json }: WriteRequest): Put[] => {
  if (!merge) return [{ ...targetOf(path), json }]
  if (!isJsonObject(json)) throw new ValueError('Invalid data; an update must be an object')
  const puts = Object.keys(json).map((key) => ({
    ...targetOf([...path, ...splitPath(key)]),
    json: json[key],
  }))
  // An ancestor sorts before what lies below it, so only the last one seen can hold the next.
  const sorted = puts
    .filter(({ priority }) => !priority)
    .map(({ path: place }) => ({ place, text: place.join('/') }))
    .sort((a, b) => (a.text < b.text ? -1 : 1))
  const seen = new Set<string>()
  for (const { place, text } of sorted) {
    for (let length = 0; length <= place.length; length++) {
      if (seen.has(place.slice(0, length).join('/'))) {
        throw new ValueError(`Invalid data; the path ${text} is set twice by one update`)
      }
    }
    seen.add(text)
  }
  return puts
}

/**
 * What a write would make of the tree; nothing is changed. Server values resolve to `now` and to what
 * was there before. Throws a PathError or a ValueError for what can't be stored.
 */
export const planWrite = (root: Node | null, request: WriteRequest, now: number): Plan => {
  const puts = putsOf(request)
  const base = targetOf(request.path).path
  if (puts.some(({ path }) => path[0] === '.info')) throw new ValueError('Cannot write to /.info')
  let next = root
  let resolved = false
  const onResolved = (): void => {
    resolved = true
  }
  for (const { path, priority, json } of puts) {
    const existing = nodeAt(root, path)
    const building = { now, existing, depth: path.length, onResolved }
    const value = priority
      ? withPriority(nodeAt(next, path), buildPriority(json, building))
      : reuse(existing, build(json, building))
    next = withNodeAt(next, path, value)
  }
  const changes: Change[] = []
  for (const { path } of puts) {
    const before = nodeAt(root, path)
    const after = nodeAt(next, path)
    const known = changes.some((change) => isWithin(path, change.path))
    if (before !== after && !known) changes.push({ path, before, after })
  }
  const literal = !resolved && puts.length === 1 && puts[0]?.priority === false && !request.merge
  return {
    base,
    paths: puts.map(({ path }) => path),
    root: next,
    changes,
    text: literal ? (request.text ?? null) : null,
  }
}
