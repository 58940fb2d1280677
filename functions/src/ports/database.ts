import type { DatabaseValue } from '~/domain/data/databaseValue'
import { dbPaths } from '~/domain/data/databasePaths'
import type { Wallet } from '~/domain/money/wallet'

/** A bounded query, never a whole list. */
export interface Query {
  /** A child's name (which needs an index), or `$key`. */
  by: string
  /** Null finds the rows without the child. */
  equalTo?: string | number | boolean | null
  startAt?: string | number
  endAt?: string | number
  /** The last key of the previous page. Returns only rows after it, also among equal values. */
  afterKey?: string
  /** The value of `by` in the row of `afterKey`, for queries without `equalTo`. */
  afterValue?: string | number
  first?: number
  last?: number
}

/** The database that handlers use. */
export interface DatabasePort {
  /** Returns null when no value exists. The rules guarantee the shape. */
  read<T>(path: string): Promise<T | null>
  /** Returns rows in the query's order. */
  list<T>(path: string, query: Query): Promise<[string, T][]>
  /**
   * Writes many paths atomically. Rejects with `WriteConflictError` when the rules refuse any of
   * them, and with a `DomainException` while the database is closed or has another schema version.
   */
  update(updates: Readonly<Record<string, DatabaseValue>>): Promise<void>
}

/**
 * A write refused by the rules because another one came first (revision, wallet key, queue, promo
 * count). Read and decide again.
 */
export class WriteConflictError extends Error {
  constructor(options?: ErrorOptions) {
    super('The database refused the write.', options)
    this.name = 'Conflict'
  }
}

/**
 * Yields all rows of a query in pages of `size`, because a list may have a million. Rows may be
 * changed or removed during the iteration.
 */
export const iteratePages = async function* <T>(
  db: DatabasePort,
  path: string,
  query: Pick<Query, 'by' | 'equalTo'>,
  size: number,
): AsyncGenerator<[string, T][]> {
  let afterKey: string | undefined
  for (;;) {
    const after = afterKey === undefined ? {} : { afterKey }
    const page: [string, T][] = await db.list<T>(path, { ...query, ...after, first: size })
    yield page
    afterKey = page.at(-1)?.[0]
    if (page.length < size) return
  }
}

/** Reads a user's wallet without its history. Returns null when the account is deleted. */
export const readWallet = async (db: DatabasePort, uid: string): Promise<Wallet | null> => {
  const walletBalance = await db.read<number>(dbPaths.walletBalance(uid))
  return walletBalance === null ? null : { id: uid, walletBalance }
}

/** Returns the balance that an update writes. Throws when the update does not write it. */
export const getWrittenBalance = (
  updates: Readonly<Record<string, DatabaseValue>>,
  uid: string,
): number => {
  const balance = updates[dbPaths.walletBalance(uid)]
  if (typeof balance !== 'number') throw new Error('The update does not write a wallet balance.')
  return balance
}

/**
 * Reads a user without the wallet history, which grows without limit. Its key sorts last, after
 * `walletBalance`, so a query by key can exclude it.
 */
export const readUser = async <User>(db: DatabasePort, uid: string): Promise<User | null> => {
  const fields = await db.list<unknown>(`users/${uid}`, { by: '$key', endAt: 'walletBalance' })
  return fields.length === 0 ? null : ({ ...Object.fromEntries(fields), id: uid } as User)
}
