import type { ContextPart, EventContext } from '~/domain/booking/eventContext'
import type { EventInput } from '~/domain/booking/eventInput'
import type { Actor } from '~/domain/booking/eventTypes'
import { getDefinition } from '~/domain/booking/transitions'
import type { DatabasePort } from '../../../ports/database'
import type { Lookups } from './lookups'
import type { Booking } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'

/** An event whose context is read. */
export interface EventRequest {
  db: DatabasePort
  /** The booking's id. */
  id: string
  input: EventInput
  actor: Actor
  lookups: Lookups
  /** The server's time, ms. */
  now: number
}

/** The request, with everything that the loaders of one attempt share. */
export interface EventReads extends EventRequest {
  booking: Booking | null
  settings: Settings
  /** Returns a part of the context, which is read once. */
  load: <Part extends ContextPart>(part: Part) => Promise<EventContext[Part]>
}

/**
 * Reads one part of the context, after the booking. Data that changes together with the booking's
 * revision is then never older than the booking; when it is newer, the write is refused.
 */
export type Loader<Part extends ContextPart> = (reads: EventReads) => Promise<EventContext[Part]>
export type Loaders<Part extends ContextPart> = { [Name in Part]: Loader<Name> }

export const getCustomerId = ({
  input,
  booking,
  actor,
}: Pick<EventReads, 'input' | 'booking' | 'actor'>) =>
  booking?.customer ?? (input.event === 'create' ? (input.input.customer ?? actor.uid) : undefined)

/** Returns the driver whom the back office names in an event, if any. */
export const getChosenDriver = (input: EventInput): string | undefined =>
  input.event === 'assign' || input.event === 'release' ? input.driver : undefined

export const getDriverId = ({ input, booking, actor }: EventReads): string | undefined => {
  if (input.event === 'assign') return input.driver
  return getDefinition(input.event).isForAskedDrivers ? actor.uid : booking?.driver
}

export const readWithId = async <T extends { id: string }>(
  db: DatabasePort,
  id: string | undefined,
  path: (id: string) => string,
): Promise<T | null> => {
  const stored = id === undefined ? null : await db.read<Omit<T, 'id'>>(path(id))
  return stored && id !== undefined ? ({ ...stored, id } as T) : null
}
