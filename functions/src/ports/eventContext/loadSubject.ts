import type { Actor } from '~/domain/booking/eventTypes'
import type { BookingEvent } from '~/domain/booking/transitions'
import type { Booking, Settings, TrackingPoint } from '~/domain/entities'
import type { DatabasePort } from '../database'
import type { Lookups } from './lookups'
import type { EventInput } from '~/domain/booking/eventInput'
import type { EventContext } from '~/domain/booking/eventContext'

/** Reads a value only if the event requires it; returns null otherwise. */
export type LoadIfRequired = <T>(
  part: keyof EventContext,
  read: () => Promise<T | null>,
) => Promise<T | null>

export interface LoadSubject {
  id: string
  input: EventInput
  actor: Actor
  booking: Booking | null
  settings: Settings
  cachedLookups: Lookups
  now: number
  tracking: TrackingPoint[]
}

export const getCustomerId = ({ input, booking, actor }: LoadSubject) =>
  booking?.customer ?? (input.event === 'create' ? (input.input.customer ?? actor.uid) : undefined)

const SELF_ASSIGNED_EVENTS: readonly BookingEvent[] = ['accept', 'decline']

/** Returns the driver whom the back office names in an event, if any. */
export const getChosenDriver = (input: EventInput): string | undefined =>
  input.event === 'assign' || input.event === 'release' ? input.driver : undefined

export const getDriverId = ({ input, booking, actor }: LoadSubject) => {
  if (input.event === 'assign') return input.driver
  return SELF_ASSIGNED_EVENTS.includes(input.event) ? actor.uid : booking?.driver
}

export const readWithId = async <T extends { id: string }>(
  db: DatabasePort,
  id: string | undefined,
  path: (id: string) => string,
): Promise<T | null> => {
  const found = id === undefined ? null : await db.read<Omit<T, 'id'>>(path(id))
  return found && id !== undefined ? ({ ...found, id } as T) : null
}
