import type { DatabaseValue } from '../data/databaseValue'
import type { DomainError } from '../api/errors'
import { SERVER_UID } from '../data/databasePaths'
import type { InboxEntry } from '../messages/types'
import type { Status } from './types'
import type { UserType } from '../access/types'

/**
 * The actor of an event. `system` is the scheduled job, the dispatcher or a payment provider's
 * verified webhook.
 */
export interface Actor {
  uid: string
  role: UserType | 'system'
}
/** The actor of events that no person starts. */
export const SYSTEM_ACTOR: Actor = { uid: SERVER_UID, role: 'system' }

/** A push to send after the commit. It is also written to the recipient's inbox. */
export interface PushMessage extends Omit<InboxEntry, 'read' | 'at'> {
  to: string
}

/**
 * All effects of one event: paths from the root for one atomic `update()`, and the pushes to send
 * afterwards.
 */
export interface BookingChange {
  updates: Record<string, DatabaseValue>
  pushes: PushMessage[]
  /** The response to the caller. */
  response: {
    booking_id: string
    status: Status
    revision: number
    /** Only from create: the grand total and the reference. */
    estimate?: number
    reference?: string
  }
}

/** A refusal. One that must be recorded, such as a wrong code, carries its change. */
export interface BookingError extends DomainError {
  failureChange?: BookingChange
}
