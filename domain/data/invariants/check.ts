import type { Currency } from '../../catalog/types'
import type { DatabaseTree } from '../databaseTree'

export type CheckedData = Required<
  Pick<DatabaseTree, 'users' | 'bookings' | 'promos' | 'promo_uses'>
> &
  DatabaseTree & {
    /** Returns the currency at a time (ms). */
    findCurrency: (at: number) => Currency
    /**
     * Returns true when all records of a key are present, because a check may receive only a part
     * of a database.
     */
    hasAllRecords(key: string): boolean
  }

export type CollectionName = Exclude<
  keyof DatabaseTree,
  'settings' | 'currency' | 'stats' | 'internal'
>
type RecordIn<Name extends CollectionName> = NonNullable<DatabaseTree[Name]>[string]

/** A check of records that belong together. */
export interface Check {
  /**
   * By collection, the keys that a record belongs to. The check receives all records that share a
   * key together, possibly with others, and must need nothing else to judge them.
   */
  groupingKeys: {
    [Name in CollectionName]?: (
      record: RecordIn<Name>,
      key: string,
    ) => readonly (string | undefined)[]
  }
  find(facts: CheckedData): string[]
}

/** Groups a record with the others of its own key. */
export const byOwnKey = (_: unknown, key: string): readonly string[] => [key]
