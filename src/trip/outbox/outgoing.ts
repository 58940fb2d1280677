import type { AdvanceBooking } from '~/domain/api'
import type { LatLng, Status } from '~/domain/entities'
import { ERROR_KEYS, type Refusal } from '~/domain/errors'

/** What a driver does to his own booking. Accepting and declining are races: they are never kept for later. */
export type DriverEvent = Extract<
  AdvanceBooking,
  { event: 'arrive' | 'start' | 'reach' | 'finish' | 'collect' | 'cancel' }
>
export type PhotoField = 'pickup_image' | 'deliver_image'

interface Made {
  /** Sorts by the order in which things were made. */
  key: string
  booking_id: string
  /** When it was made by the server's clock, ms. */
  at: number
}
export type OutgoingEvent = Made & {
  kind: 'event'
  input: DriverEvent
  /** The picture that goes with it is kept beside it, until its link is known. */
  photo?: PhotoField
}
export type OutgoingPoint = Made & {
  kind: 'point'
  /** The key it will have in the database, so that sent twice it is still one. */
  id: string
  point: LatLng & { status: Status }
}
/** One thing that is on its way to the server, or waits for a connection. */
export type Outgoing = OutgoingEvent | OutgoingPoint

// These come from the connection or from a crowd, not from the booking: trying again may do.
const PASSING = new Set<string>(['too_many_requests', 'changed_meanwhile', 'must_login'])

/** Whether the server has said no for good; anything else is worth another try. */
export const isFinal = ({ key }: Refusal): boolean =>
  (ERROR_KEYS as readonly string[]).includes(key) && !PASSING.has(key)

let made = 0
/** A key after all earlier ones, also those of the same millisecond and of an earlier page. */
export const outgoingKey = (at: number): string =>
  `${String(at).padStart(15, '0')}-${String(made++ % 1e6).padStart(6, '0')}`
