import type { Value } from '~/domain/booking/change'
import { LISTED, type ListedPerson } from '~/domain/entities'
import { listingOf } from '~/domain/listing'
import { at } from '~/domain/paths'
import { Conflict } from './ports/database'
import type { DatabasePort } from './ports/database'

const TRIES = 10

/**
 * Lists somebody as his record says, or takes him off the list when there is none. It looks again after each write, and
 * when the rules refuse what is no longer so: the last of several ends with what is true. Rejects with `Conflict` when the
 * rules refuse every time: a record from a console or an import that lacks what everybody listed has.
 */
export const listPerson = async (db: DatabasePort, uid: string): Promise<void> => {
  for (let tries = 0; tries < TRIES; tries++) {
    const [listed, ...values] = await Promise.all([
      db.read<Partial<ListedPerson>>(at.listed(uid)),
      ...LISTED.map((field) => db.read<Value>(`${at.user(uid)}/${field}`)),
    ])
    const user = Object.fromEntries(LISTED.map((field, i) => [field, values[i] ?? null]))
    if (LISTED.every((field) => (listed?.[field] ?? null) === user[field])) return
    try {
      await db.update({ [at.listed(uid)]: listingOf(user) })
    } catch (error) {
      if (!(error instanceof Conflict)) throw error
    }
  }
  throw new Conflict()
}
