import type { DatabasePort } from '../ports/database'

export interface DatabaseCosts {
  /** Paths and queries read, in order. */
  reads: string[]
  updates: number
  /** Paths written by all updates. */
  writtenPaths: number
  /** Bytes of JSON read and written. */
  bytesRead: number
  bytesWritten: number
}

/** Counts the requests to a database and their bytes. */
export const countDatabase = (db: DatabasePort): { db: DatabasePort; costs: DatabaseCosts } => {
  const costs: DatabaseCosts = {
    reads: [],
    updates: 0,
    writtenPaths: 0,
    bytesRead: 0,
    bytesWritten: 0,
  }
  const countBytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value ?? null))
  const count = <T>(path: string, value: T): T => {
    costs.reads.push(path)
    costs.bytesRead += countBytes(value)
    return value
  }
  return {
    costs,
    db: {
      read: async <T>(path: string) => count(path, await db.read<T>(path)),
      list: async (path, query) => count(path, await db.list(path, query)),
      update: async (updates) => {
        costs.updates++
        costs.writtenPaths += Object.keys(updates).length
        costs.bytesWritten += countBytes(updates)
        await db.update(updates)
      },
    },
  }
}
