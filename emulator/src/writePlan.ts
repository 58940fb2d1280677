import { buildNode, buildPriority, ValueError } from './tree/nodeBuilder'
import { getNodeAt, reuseUnchanged, replaceNodeAt, withPriority } from './tree/node'
import type { Node } from './tree/node'
import { isWithin, splitPath, parseWritePath } from './tree/path'
import type { Path, WriteTarget } from './tree/path'
import { isJsonObject } from './auth'

/** A write as requested by a client. */
export interface WriteRequest {
  /** The keys of the path as sent; the last may be `.priority`. */
  readonly path: readonly string[]
  /** True to write each child of `json` (names may be paths) instead of `json` itself. */
  readonly isMerge: boolean
  readonly json: unknown
  /** The JSON text of `json`, if available, to avoid serializing it again. */
  readonly text?: string
}

/** One place that differs after the write, including its priority. */
export interface Change {
  readonly path: Path
  readonly before: Node | null
  readonly after: Node | null
}

/** The effects of a write before it is committed. */
export interface WritePlan {
  /** The place in the request. */
  readonly base: Path
  /** The places that the write sets, changed or not. */
  readonly paths: readonly Path[]
  readonly root: Node | null
  readonly changes: readonly Change[]
  /** The request's text when it is exactly the value stored at `base`. */
  readonly text: string | null
}

interface PlannedPut extends WriteTarget {
  readonly json: unknown
}

const toPuts = ({ path, isMerge, json }: WriteRequest): PlannedPut[] => {
  if (!isMerge) return [{ ...parseWritePath(path), json }]
  if (!isJsonObject(json)) throw new ValueError('Invalid data; an update must be an object')
  const puts = Object.keys(json).map((key) => ({
    ...parseWritePath([...path, ...splitPath(key)]),
    json: json[key],
  }))
  // An ancestor sorts before its descendants, so every ancestor has already been seen.
  const sorted = puts
    .filter(({ isPriority }) => !isPriority)
    .map(({ path: place }) => ({ place, text: place.join('/') }))
    .sort((a, b) => (a.text < b.text ? -1 : 1))
  const usedPlaces = new Set<string>()
  for (const { place, text } of sorted) {
    for (let length = 0; length <= place.length; length++) {
      if (usedPlaces.has(place.slice(0, length).join('/'))) {
        throw new ValueError(`Invalid data; the path ${text} is set twice by one update`)
      }
    }
    usedPlaces.add(text)
  }
  return puts
}

/**
 * Computes the tree after a write without changing anything. Server values resolve to `now` and to
 * the previous value. Throws a PathError or a ValueError for values that cannot be stored.
 */
export const planWrite = (root: Node | null, request: WriteRequest, now: number): WritePlan => {
  const puts = toPuts(request)
  const base = parseWritePath(request.path).path
  if (puts.some(({ path }) => path[0] === '.info')) throw new ValueError('Cannot write to /.info')
  let next = root
  let resolved = false
  const onResolved = (): void => {
    resolved = true
  }
  for (const { path, isPriority, json } of puts) {
    const existing = getNodeAt(root, path)
    const building = { now, existing, depth: path.length, onResolved }
    const value = isPriority
      ? withPriority(getNodeAt(next, path), buildPriority(json, building))
      : reuseUnchanged(existing, buildNode(json, building))
    next = replaceNodeAt(next, path, value)
  }
  const changes: Change[] = []
  for (const { path } of puts) {
    const before = getNodeAt(root, path)
    const after = getNodeAt(next, path)
    const isCovered = changes.some((change) => isWithin(path, change.path))
    if (before !== after && !isCovered) changes.push({ path, before, after })
  }
  const literal =
    !resolved && puts.length === 1 && puts[0]?.isPriority === false && !request.isMerge
  return {
    base,
    paths: puts.map(({ path }) => path),
    root: next,
    changes,
    text: literal ? (request.text ?? null) : null,
  }
}
