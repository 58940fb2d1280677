import type { Actor } from '~/domain/booking/eventTypes'
import type { Caller } from './accounts'
import type { PaymentPort } from './payments'
import type { Ports } from './ports'
import type { SpendingPort } from './costs'
import type { UserType } from '~/domain/access/types'

export interface RequestContext extends Omit<Ports, SpendingPort> {
  payments: Pick<PaymentPort, 'listProviders'>
  /** Milliseconds since 1970; constant during a call. */
  now: number
  /** Null when the caller is not signed in. */
  caller: Caller | null
  /** The caller's name in rate limit counters: their uid, or a hash of their address. */
  rateLimitKey: string
}

/** A caller whose role the database has confirmed. */
export type KnownActor = Actor & { role: UserType }

/** The context of a handler whose definition admits only known users. */
export interface UserRequestContext extends RequestContext {
  caller: Caller
  actor: KnownActor
}
