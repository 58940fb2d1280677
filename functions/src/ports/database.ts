import type { Value } from '~/domain/booking/change'

/** A bounded query: never a whole list. */
export interface Query {
  /** A child's name (it needs an index), or `$key`. */
  by: string
  equalTo?: string | number | boolean
  startAt?: string | number
  endAt?: string | number
  /** The last page's last key: only what comes after it, among equals too. */
  afterKey?: string
  /** With `afterKey`, where `by` is a child that is no equal: that row's value of it. */
  afterValue?: string | number
  first?: number
  last?: number
}

/** The database as the handlers see it. */
export interface DatabasePort {
  /** Null when nothing is there. The rules vouch for the shape. */
  read<T>(path: string): Promise<T | null>
  /** In the query's order. */
  list<T>(path: string, query: Query): Promise<[string, T][]>
  /** One atomic write of many paths; rejects with `Conflict` when the rules refuse any of them. */
  update(updates: Readonly<Record<string, Value>>): Promise<void>
}

/**
 * The rules refused a write: somebody was faster (revision, wallet key, queue, promo count),
 * so read again and ask the domain again.
 */
export class Conflict extends Error {
  constructor(options?: ErrorOptions) {
    super('The database refused the write.', options)
    this.name = 'Conflict'
  }
}

/** All rows of a query, in pages of `size`, among which rows may be changed or removed: a list may have a million. */
export const pagesOf = async function* <T>(
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

/**
 * A user without his wallet's history. The history only grows, and its key is the last in the
 * alphabet after `walletBalance`, so a query by key leaves it behind.
 */
export const readUser = async <User>(db: DatabasePort, uid: string): Promise<User | null> => {
  const fields = await db.list<unknown>(`users/${uid}`, { by: '$key', endAt: 'walletBalance' })
  return fields.length === 0 ? null : ({ ...Object.fromEntries(fields), id: uid } as User)
}
