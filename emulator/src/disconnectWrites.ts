import { isJsonObject } from './auth'
import { setOwnProperty } from './tree/nodeJson'
import { isWithin, splitPath } from './tree/path'
import type { WriteRequest } from './writePlan'

const removeAtPath = (json: Record<string, unknown>, path: readonly string[]) => {
  const [key, ...below] = path
  const copy: Record<string, unknown> = {}
  for (const name of Object.keys(json)) {
    const child = json[name]
    if (name !== key) setOwnProperty(copy, name, child)
    else if (below.length > 0 && isJsonObject(child))
      setOwnProperty(copy, name, removeAtPath(child, below))
  }
  return copy
}

/** The writes to perform when a connection ends, oldest first. */
export class DisconnectWrites {
  private writes: WriteRequest[] = []

  /** Adds a write and removes the earlier ones that it would overwrite. */
  add(request: WriteRequest): void {
    if (!request.isMerge) {
      this.writes = this.writes.filter(
        ({ isMerge, path }) => isMerge || !isWithin(path, request.path),
      )
    }
    this.writes.push(request)
  }

  /** Removes the writes at a path and below it, and the matching part of writes above it. */
  cancel(path: readonly string[]): void {
    this.writes = this.writes.flatMap((write) => {
      if (isWithin(write.path, path)) return []
      if (!isWithin(path, write.path) || !isJsonObject(write.json)) return [write]
      const below = path.slice(write.path.length)
      if (!write.isMerge) {
        // The rest of a set must not delete the canceled part, so it becomes an update.
        return [{ ...write, isMerge: true, json: removeAtPath(write.json, below) }]
      }
      const json: Record<string, unknown> = {}
      for (const key of Object.keys(write.json)) {
        const target = splitPath(key)
        const value = write.json[key]
        if (isWithin(target, below)) continue
        if (isWithin(below, target) && isJsonObject(value)) {
          setOwnProperty(json, key, removeAtPath(value, below.slice(target.length)))
        } else setOwnProperty(json, key, value)
      }
      return [{ ...write, json }]
    })
  }

  /** Returns the pending writes and clears them. */
  takeAll(): readonly WriteRequest[] {
    const { writes } = this
    this.writes = []
    return writes
  }
}
