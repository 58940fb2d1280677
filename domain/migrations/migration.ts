import type { DatabaseValue } from '../data/databaseValue'
import type { EndedCurrencies } from '../catalog/types'

/**
 * A stored record of any release, whose fields must be checked before use. Lists are objects keyed
 * by position.
 */
export type StoredRecord = Record<string, DatabaseValue>

/** The records of one key, by collection; null where missing. */
export type MigrationRow = Readonly<Record<string, DatabaseValue>>

/** Additional values that a change may read. Small, and the same for all rows. */
export interface MigrationContext {
  /** The settings stored at the start of the pass. */
  settings: StoredRecord
  /** Earlier currencies than the one in the settings. */
  currency?: { ended?: EndedCurrencies }
  /** The interface texts of this release, by locale and by key. */
  texts: Readonly<Record<string, Record<string, string>>>
  /** Start of the migration, ms. */
  now: number
}

/**
 * A pure change of all records of one or more collections that share their keys, such as `users`
 * and `people`. It must leave records in the new or a later shape unchanged, because a page may be
 * processed twice.
 */
export interface RowChange {
  /** The collections it reads. It may write only to these. */
  collections: readonly [string, ...string[]]
  /** Returns the row in its new form. Only differences are written. */
  apply(row: MigrationRow, key: string, context: MigrationContext): MigrationRow
  /** Returns a line for the report about a row that it changed, such as an amount of money. */
  describeRow?(before: MigrationRow, after: MigrationRow, key: string): string
}

/**
 * Totals counted from all records of some collections. A database with more of them than fit into
 * memory counts them in several rounds, each time those of some paths.
 */
export interface TotalsCounter {
  /** The counted collections, in the shape of this release, read one after another. */
  collections: readonly [string, ...string[]]
  /** The path of the totals. Values below it without a count are removed. */
  path: string
  /**
   * Creates a counter at zero of the totals whose path from the root `isCounted` accepts: all or
   * none below one parent.
   */
  createCounter(
    context: MigrationContext,
    isCounted: (path: string) => boolean,
  ): {
    add(collection: string, record: unknown, key: string): void
    /** Returns the number of totals in memory. */
    getSize(): number
    /** Returns the totals by path. The counter must not be used afterwards. */
    finish(): Map<string, DatabaseValue>
  }
}

/** Data derived from other data, in rebuild order; registry.ts defines how. */
export const DERIVED_DATA_NAMES = ['people', 'roles', 'texts', 'totals', 'openBookings'] as const
export type DerivedDataName = (typeof DERIVED_DATA_NAMES)[number]

/**
 * Gives every record of a collection a unique name, stored in a field of the record and in an index
 * from names to keys.
 */
export interface Naming {
  over: string
  field: string
  into: string
  /**
   * Returns the first candidate of a record that no other record has; `findOwner` returns the key
   * of the record that has a name, or null.
   */
  choose(key: string, findOwner: (name: string) => Promise<string | null>): Promise<string>
}

/** One change of the data's shape between two releases. */
export interface Migration {
  /** The resulting schema version: 1, 2, 3 … */
  version: number
  name: string
  /** A sentence for the operator, such as "Moves contacts out of bookings". */
  description: string
  changes: readonly RowChange[]
  /** Naming passes that run after the changes. */
  namings?: readonly Naming[]
  /** Derived data to rebuild afterwards, with the code of the release that runs the migration. */
  rebuilds: readonly DerivedDataName[]
}
