import { internalPaths } from '~/domain/internalPaths'
import type { DatabasePort } from '../ports/database'
import type { Ports } from '../ports/ports'

/**
 * A cost that a call can cause for the platform: requests to a maps service, messages by SMS,
 * WhatsApp and e-mail, requests to a payment provider. Pushes are free.
 */
export type Cost = 'maps' | 'messages' | 'payments'

/**
 * The costs of each port. A booking event looks up roads and the drivers near a pickup, and tells
 * people; a payment pays a booking.
 */
interface PortCosts {
  maps: 'maps'
  outbox: 'messages'
  messages: 'messages'
  bookings: 'maps' | 'messages'
  payments: Cost
}
export type SpendingPort = keyof PortCosts

/** The ports whose costs are all declared. */
export type PortsFor<Declared extends Cost> = {
  [Port in SpendingPort as PortCosts[Port] extends Declared ? Port : never]: Ports[Port]
}

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
