import type { Ports } from './ports'

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
