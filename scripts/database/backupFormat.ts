import type { DatabaseValue } from '~/domain/data/databaseValue'

/**
 * A database value and its path from the root: a record, or a part of a record that is too large
 * for one line.
 */
export type BackupEntry = readonly [path: string, value: DatabaseValue]

export interface BackupFile {
  name: string
  collection: string
  entries: number
  /** Size of the compressed file. */
  bytes: number
  sha256: string
  /** Path of its last entry; an interrupted backup continues after it. */
  last: string
}

/** The content of manifest.json. */
export interface Manifest {
  format: 'kerbside-backup-1'
  id: string
  /** Schema version of the data. */
  schema: number
  /** ISO times. `finishedAt` is absent until the backup is finished. */
  startedAt: string
  finishedAt?: string
  /**
   * True when the functions could not write during the backup, so that records agree with each
   * other.
   */
  consistent: boolean
  /** All collections in reading order; only the complete ones while the backup is under way. */
  collections: string[]
  files: BackupFile[]
}

/** A readable backup: a folder, or a whole database in one file. */
export interface Backup {
  readonly path: string
  readonly manifest: Manifest
  /** Yields the entries of one file in order. */
  readEntries(file: BackupFile): AsyncIterable<BackupEntry>
  /** Throws a readable error when a file is missing or was changed. */
  assertIntact(file: BackupFile): Promise<void>
  /** Removes what was needed to read it. */
  close(): void
}
