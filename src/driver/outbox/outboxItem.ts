import { ERROR_KEYS, UPDATE_ERRORS } from '~/domain/api/errorKeys'
import type { DomainError } from '~/domain/api/errors'
import type { AdvanceBookingInput } from '~/domain/booking/events/inputs'
import type { DriverEvent } from '~/domain/booking/transitions'
import type { LatLng } from '~/domain/geo/types'
import type { Status } from '~/domain/booking/types'

/**
 * An event of the driver's own booking. Accepting and declining are races, so the outbox never
 * stores them.
 */
export type DriverEventInput = Extract<AdvanceBookingInput, { event: DriverEvent }>
export type PhotoField = 'pickup_image' | 'deliver_image'

interface BaseItem {
  /** Keys sort in the order of creation. */
  key: string
  booking_id: string
  /** Creation time by the server's clock, in ms. */
  at: number
}
export type OutboxEventItem = BaseItem & {
  kind: 'event'
  input: DriverEventInput
  /** The field of the photo, which is stored separately until it is uploaded. */
  photo?: PhotoField
}
export type OutboxTrackPointItem = BaseItem & {
  kind: 'point'
  /** The key in the database, so that a repeat writes the same record. */
  id: string
  point: LatLng & { status: Status }
}
/** An item that is being sent or waits for a connection. */
export type OutboxItem = OutboxEventItem | OutboxTrackPointItem

const toStep = (input: DriverEventInput) =>
  [input.booking_id, input.event, 'index' in input ? input.index : ''].join(' ')

/** Returns true when an item is the same step of the same booking, wherever it happened. */
export const isSameEvent = (item: OutboxItem, input: DriverEventInput): boolean =>
  item.kind === 'event' && toStep(item.input) === toStep(input)

// These come from the connection, the load or the platform's state, not from the booking, so a
// retry may succeed.
const RETRYABLE_ERRORS = new Set<string>([
  'too_many_requests',
  'too_many_today',
  'changed_meanwhile',
  'must_login',
  ...UPDATE_ERRORS,
])

/** Returns true when the server has refused permanently; any other error allows a retry. */
export const isPermanentError = ({ key }: DomainError): boolean =>
  (ERROR_KEYS as readonly string[]).includes(key) && !RETRYABLE_ERRORS.has(key)

let itemCount = 0
/**
 * Returns a key after all earlier ones, including those of the same millisecond and of an earlier
 * page.
 */
export const createItemKey = (at: number): string =>
  `${String(at).padStart(15, '0')}-${String(itemCount++ % 1e6).padStart(6, '0')}`
