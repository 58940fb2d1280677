import type { Booking, EventLogEntry } from '../types'
import type { Place } from '../../geo/types'

/**
 * `ahead`: a later stop, or any stop before the trip. `next`: the one to drive to now. `reached`:
 * the driver is there. `left` and `skipped` are passed.
 */
export const STOP_STATES = ['ahead', 'next', 'reached', 'left', 'skipped'] as const
export type StopState = (typeof STOP_STATES)[number]

/** A stop of a booking with its times in ms, which the event log has. */
export interface BookingStop {
  place: Place
  state: StopState
  reachedAt?: number
  leftAt?: number
  skippedAt?: number
  /** The driver's reason for skipping it. */
  reason?: string
}

type StopSource = Pick<Booking, 'status'> &
  Partial<Pick<Booking, 'waypoints' | 'event_log' | 'words'>>

/** Returns true when the log entry is about the stop with this index. */
const isAboutStop = ({ ref }: EventLogEntry, index: number): boolean =>
  ref !== undefined && ref.split(',').includes(String(index))

/** Returns a stop as the event log has it, without the state `next`. */
const readStop = (
  place: Place,
  index: number,
  { status, event_log = {}, words = {} }: StopSource,
): BookingStop => {
  const entries = Object.entries(event_log)
    .filter(([, entry]) => isAboutStop(entry, index))
    .map(([key, entry]) => ({ ...entry, key }))
  const findEntry = (event: string) => entries.find((entry) => entry.event === event)
  const skipped = findEntry('skip_stop') ?? findEntry('reach')
  if (skipped) {
    const { at, key } = skipped
    const reason = words[key]
    return { place, state: 'skipped', skippedAt: at, ...(reason !== undefined && { reason }) }
  }
  const reachedAt = findEntry('arrive_stop')?.at
  const leftAt = findEntry('leave_stop')?.at
  if (reachedAt === undefined) return { place, state: 'ahead' }
  // A driver who ends the trip at a stop has left it, although they did not say so.
  const isLeft = leftAt !== undefined || status !== 'STARTED'
  return {
    place,
    state: isLeft ? 'left' : 'reached',
    reachedAt,
    ...(leftAt !== undefined && { leftAt }),
  }
}

/**
 * Returns the stops of a booking in their order. All are `ahead` before the trip, and for a trip
 * that ended in a release that recorded no stops.
 */
export const getStops = (booking: StopSource): BookingStop[] => {
  const stops = (booking.waypoints ?? []).map((place, index) => readStop(place, index, booking))
  if (booking.status !== 'STARTED') return stops
  const next = stops.findIndex(({ state }) => state !== 'left' && state !== 'skipped')
  return stops.map((stop, index) =>
    index === next && stop.state === 'ahead' ? { ...stop, state: 'next' } : stop,
  )
}

/** Returns true for a stop that the driver has reached or skipped, and that no longer changes. */
export const isStopDone = ({ state }: Pick<BookingStop, 'state'>): boolean =>
  state === 'reached' || state === 'left' || state === 'skipped'

/** The stop of the driver's next event, with its index. */
export interface CurrentStop extends BookingStop {
  index: number
}

/** Returns the stop where the driver is, or the next one; undefined without one. */
export const getCurrentStop = (booking: StopSource): CurrentStop | undefined => {
  const stops = getStops(booking)
  const index = stops.findIndex(({ state }) => state === 'next' || state === 'reached')
  const stop = stops[index]
  return stop && { ...stop, index }
}

/** Returns the indexes of the stops that the driver of a trip under way has not reached. */
export const getOpenStops = (booking: StopSource): number[] =>
  getStops(booking).flatMap(({ state }, index) =>
    state === 'next' || state === 'ahead' ? [index] : [],
  )
