import type { LatLng } from '../geo/types'
import type { ReplayState } from './replayState'

/** Begins a duty period of a driver, or prolongs the present one. `until` is its end in ms. */
export const beginDuty = (replay: ReplayState, uid: string, place: LatLng, until: number): void => {
  const driver = replay.drivers.get(uid)
  // Overtime runs into this period.
  if (driver?.isOnDuty) {
    driver.until = until
    return
  }
  replay.drivers.set(uid, { place: { lat: place.lat, lng: place.lng }, until, isOnDuty: true })
  replay.platform.listDriver(uid, place, replay.now)
  replay.policyRun.offerToFreed([uid])
}

/** Ends the duty of a driver whose period is over, unless they drive, and withdraws requests. */
export const endDuty = (replay: ReplayState, uid: string): void => {
  const { platform, now } = replay
  const driver = replay.findDriver(uid)
  if (!driver.isOnDuty || driver.busyWith !== undefined || now < driver.until) return
  driver.isOnDuty = false
  platform.unlistDriver(uid, now)
  for (const id of platform.listTasks(uid)) {
    const before = replay.listRequested(id)
    const input = { event: 'withdraw', driver: uid } as const
    if (platform.applyAsSystem(id, input, now)) replay.react(id, input, before)
  }
}
