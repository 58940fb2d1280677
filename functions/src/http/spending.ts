import { internalPaths } from '~/domain/data/internalPaths'
import type { DatabasePort } from '../ports/database'

/**
 * Returns a database that refuses messages. The outbox is a path like any other, so the types alone
 * cannot tell an update of the domain that has a message in it.
 */
export const refuseMessages = (db: DatabasePort): DatabasePort => ({
  read: (path) => db.read(path),
  list: (path, query) => db.list(path, query),
  update: async (updates) => {
    const message = Object.keys(updates).find((path) => path.startsWith(`${internalPaths.outbox}/`))
    if (message !== undefined)
      throw new Error(`${message} is a message. Declare 'messages' in spends of the endpoint.`)
    await db.update(updates)
  },
})
