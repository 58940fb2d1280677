import type { EventInputFor } from '../booking/eventInput'
import type { Booking } from '../booking/types'
import { drawAnswer } from './driverAnswer'
import type { ReplayState } from './replayState'
import { approach, cancelNext } from './replayTrips'
import type { Seconds } from '../language/units'

/** Sends offers to drivers, who answer later. Returns false when the domain refuses the offers. */
export const dispatchOffers = (
  replay: ReplayState,
  id: string,
  input: EventInputFor<'dispatch'>,
): boolean => {
  const before = replay.listRequested(id)
  if (!replay.platform.applyAsSystem(id, input, replay.now)) return false
  const askedBefore = new Set(before)
  for (const driver of replay.listRequested(id))
    if (!askedBefore.has(driver)) expectAnswer(replay, id, driver, input.etas?.[driver] ?? 0)
  replay.react(id, input, before)
  return true
}

const expectAnswer = (replay: ReplayState, id: string, driver: string, eta_s: Seconds): void => {
  const { seed, scenario } = replay.options
  const count = replay.countOffer(id, driver)
  const key = `${id} ${driver} ${count}`
  const { decision, seconds } = drawAnswer(seed, key, eta_s, scenario.behavior)
  if (decision === 'none') return
  const askedAt = replay.now
  replay.addEventAfter(replay.toMs(seconds), () => {
    const booking = replay.platform.readBooking(id)
    // Another driver was faster, or this request has ended.
    if (booking?.askedDrivers?.[driver] !== askedAt || !booking.requestedDrivers?.[driver]) return
    if (decision === 'accept') accept(replay, booking, driver)
    else decline(replay, id, driver)
  })
}

/**
 * Accepts an offer. For a driver on a trip it is the next booking, to which they drive when the
 * trip ends.
 */
const accept = (replay: ReplayState, { id }: Booking, driver: string): void => {
  const { platform, now } = replay
  const otherTasks = platform.listTasks(driver).filter((other) => other !== id)
  if (!platform.applyAsDriver(id, { event: 'accept' }, driver, now)) return
  replay.waiting.delete(id)
  Object.assign(replay.findResult(id), { driver, acceptedAt: now })
  const state = replay.findDriver(driver)
  if (state.busyWith === undefined) approach(replay, id, driver)
  else {
    state.next = id
    const { cancelSeconds } = replay.findRequest(id)
    if (cancelSeconds !== undefined)
      replay.addEventAfter(replay.toMs(cancelSeconds), () => cancelNext(replay, id))
  }
  for (const other of otherTasks) replay.policyRun.search(other)
}

const decline = (replay: ReplayState, id: string, driver: string): void => {
  const before = replay.listRequested(id)
  replay.platform.applyAsDriver(id, { event: 'decline' }, driver, replay.now)
  replay.react(id, { event: 'decline' }, before)
}
