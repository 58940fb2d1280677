import { applyBookingEvent } from '~/domain/booking/applyBookingEvent'
import type { DatabaseValue } from '~/domain/data/databaseValue'
import type { Actor } from '~/domain/booking/eventTypes'
import { emptyContext } from '~/domain/booking/eventContext'
import { dbPaths } from '~/domain/data/databasePaths'
import { err, ok, type Result } from '~/domain/api/result'
import type { DomainError } from '~/domain/api/errors'
import type { DriverEventInput, OutboxItem, PhotoField } from './outboxItem'
import type { EventInput } from '~/domain/booking/eventInput'
import type { Booking } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'
import type { User } from '~/domain/accounts/types'

type Node = { [key: string]: DatabaseValue }
const isNode = (value: DatabaseValue | undefined): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const setAtPath = (node: Node, [key = '', ...rest]: string[], value: DatabaseValue): Node => {
  const child = node[key]
  return {
    ...node,
    [key]: rest.length === 0 ? value : setAtPath(isNode(child) ? child : {}, rest, value),
  }
}

interface DriverEventContext {
  driver: User
  settings: Settings
  input: DriverEventInput
  photo?: PhotoField | undefined
  /** Current time in ms. */
  now: number
}

/**
 * Applies an event with the server's own table. Returns the new booking or the refusal. The server
 * alone checks the code, later.
 */
export const applyDriverEvent = (
  booking: Booking,
  { driver, settings, input, photo, now }: DriverEventContext,
): Result<Booking, DomainError> => {
  const actor: Actor = { uid: driver.id, role: 'driver' }
  const eventInput = { ...input, ...(photo && { [photo]: 'kept' }) } as EventInput
  const context = {
    ...emptyContext(settings),
    driver,
    otp: input.event === 'start' ? (input.otp ?? null) : null,
  }
  const change = applyBookingEvent(booking, eventInput, { actor, context, now })
  if (!change.ok) return err(change.error)
  const base = `${dbPaths.booking(booking.id)}/`
  // Updates are paths of the stored booking, so it is changed as plain nodes.
  const after = Object.entries(change.value.updates)
    .filter(([path]) => path.startsWith(base))
    .reduce<Node>(
      (node, [path, value]) => setAtPath(node, path.slice(base.length).split('/'), value),
      booking as unknown as Node,
    )
  return ok(after as unknown as Booking)
}

/** Returns the booking with the driver's unsent events applied to the server's state. */
export const applyUnsentEvents = (
  booking: Booking,
  items: readonly OutboxItem[],
  { driver, settings }: Pick<DriverEventContext, 'driver' | 'settings'>,
): Booking =>
  items.reduce((before, item) => {
    if (item.kind !== 'event' || item.booking_id !== booking.id) return before
    const { input, photo, at: now } = item
    const after = applyDriverEvent(before, { driver, settings, input, photo, now })
    // The server has already applied the event or will refuse it, so its state wins.
    return after.ok ? after.value : before
  }, booking)
