import { planMaintenance } from '../booking/bookingMaintenance'
import { getDueTime } from '../booking/deadlines'
import type { Booking } from '../booking/types'
import type { ReplayState } from './replayState'

/** Runs the scheduled job: whatever is due with the bookings that wait. */
export const runScheduledJob = (replay: ReplayState): void => {
  const { platform, policyRun, now } = replay
  const toMatch: Booking[] = []
  for (const id of listDue(replay)) {
    const booking = platform.readBooking(id)
    if (!booking || !replay.waiting.has(id)) continue
    const { event } = planMaintenance(booking, platform.settings, now)
    if (event === 'expire') expire(replay, id)
    else if (event === 'dispatch' && policyRun.runRound) toMatch.push(booking)
    else if (event !== 'dispatch' || !policyRun.search(id)) postpone(replay, booking)
  }
  const offeredIds = toMatch.length > 0 ? policyRun.runRound?.(toMatch) : undefined
  for (const booking of toMatch) if (!offeredIds?.has(booking.id)) postpone(replay, booking)
}

/** Returns the waiting bookings that are due, those first that are due longest. */
const listDue = ({ platform, waiting, now }: ReplayState): string[] =>
  [...waiting]
    .flatMap((id) => platform.readBooking(id) ?? [])
    .filter(({ due_at }) => due_at !== undefined && due_at <= now)
    .sort((a, b) => (a.due_at ?? 0) - (b.due_at ?? 0) || (a.id < b.id ? -1 : 1))
    .map(({ id }) => id)

const expire = (replay: ReplayState, id: string): void => {
  const before = replay.listRequested(id)
  replay.platform.applyAsSystem(id, { event: 'expire' }, replay.now)
  replay.finish(id, 'expired')
  replay.policyRun.offerToFreed(before)
}

/** Writes when the scheduled job looks at a booking again, unless an event has done so. */
const postpone = ({ platform, now }: ReplayState, booking: Booking): void => {
  if (platform.readBooking(booking.id)?.revision === booking.revision)
    platform.writeDueTime(booking, getDueTime(booking, platform.settings, now, 'run'))
}
