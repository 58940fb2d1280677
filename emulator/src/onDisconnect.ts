import { isJsonObject } from './auth'
import { putOwn } from './tree/json'
import { isWithin, splitPath } from './tree/path'
import type { WriteRequest } from './write'

const withoutAt = (json: Record<string, unknown>, path: readonly string[]) => {
  const [key, ...below] = path
  const copy: Record<string, unknown> = {}
  for (const name of Object.keys(json)) {
    const child = json[name]
    if (name !== key) putOwn(copy, name, child)
    else if (below.length > 0 && isJsonObject(child)) putOwn(copy, name, withoutAt(child, below))
  }
  return copy
}

/** The writes a connection wants done when it ends, oldest first. */
export class OnDisconnect {
  private writes: WriteRequest[] = []

  /** Adds a write; it supersedes those it would overwrite. */
  add(request: WriteRequest): void {
    if (!request.merge) {
      this.writes = this.writes.filter(({ merge, path }) => merge || !isWithin(path, request.path))
    }
    this.writes.push(request)
  }

  /** Forgets the writes at a path and below it, and that part of writes above it. */
  cancel(path: readonly string[]): void {
    this.writes = this.writes.flatMap((write) => {
      if (isWithin(write.path, path)) return []
      if (!isWithin(path, write.path) || !isJsonObject(write.json)) return [write]
      const below = path.slice(write.path.length)
      if (!write.merge) {
        // What is left of a set may no longer wipe the cancelled part, so it becomes an update.
        return [{ ...write, merge: true, json: withoutAt(write.json, below) }]
      }
      const json: Record<string, unknown> = {}
      for (const key of Object.keys(write.json)) {
        const target = splitPath(key)
        const value = write.json[key]
        if (isWithin(target, below)) continue
        if (isWithin(below, target) && isJsonObject(value)) {
          putOwn(json, key, withoutAt(value, below.slice(target.length)))
        } else putOwn(json, key, value)
      }
      return [{ ...write, json }]
    })
  }

  /** Takes the writes to be done, leaving none. */
  take(): readonly WriteRequest[] {
    const { writes } = this
    this.writes = []
    return writes
  }
}
