import type { Booking } from '../types'

const STOP_EVENTS: readonly string[] = ['arrive_stop', 'leave_stop', 'skip_stop']

/**
 * Returns one sentence when the events of a booking's stops are not in order: each stop is skipped
 * once, or reached once and then left once, before the events of the following one.
 */
export const findStopViolations = ({
  id,
  event_log = {},
}: Pick<Booking, 'id'> & Partial<Pick<Booking, 'event_log'>>): string[] => {
  const entries = Object.values(event_log)
    .filter(({ event }) => STOP_EVENTS.includes(event))
    .sort((a, b) => a.revision - b.revision)
  let index = 0
  let isAtStop = false
  for (const { event, ref } of entries) {
    const isExpected = ref === String(index) && (event === 'leave_stop') === isAtStop
    if (!isExpected) return [`bookings/${id}: ${event} of stop ${ref ?? '?'} is out of order`]
    isAtStop = event === 'arrive_stop'
    if (!isAtStop) index += 1
  }
  return []
}
