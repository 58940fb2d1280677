import type { LatLng } from '../geo/types'
import { endDuty } from './replayDuty'
import { START_CODE } from './replayPlatform'
import type { ReplayState } from './replayState'
import type { Kilometers } from '../language/units'

/** Sends a driver to the pickup. They start there, unless the rider cancels before. */
export const approach = (replay: ReplayState, id: string, uid: string): void => {
  const { now } = replay
  const driver = replay.findDriver(uid)
  driver.busyWith = id
  const { pickup, pickupSeconds, cancelSeconds = Infinity } = replay.findRequest(id)
  const { km, seconds } = replay.options.travel(driver.place, pickup)
  const approachMs = replay.toMs(seconds)
  const startAt = now + approachMs + replay.toMs(pickupSeconds)
  const cancelAt = (replay.findResult(id).acceptedAt ?? now) + replay.toMs(cancelSeconds)
  if (cancelAt < startAt) {
    const share = Math.min(1, (cancelAt - now) / Math.max(1, approachMs))
    if (share === 1) replay.addEvent(now + approachMs, () => arrive(replay, id, uid))
    replay.addEvent(cancelAt, () => cancelApproach(replay, { id, uid, share, km: km * share }))
  } else {
    replay.findResult(id).emptyKm = km
    replay.addEvent(now + approachMs, () => arrive(replay, id, uid))
    replay.addEvent(startAt, () => drive(replay, id, uid))
  }
}

/** Cancels a booking whose driver is still on the trip before it. */
export const cancelNext = (replay: ReplayState, id: string): void => {
  const driver = replay.findDriver(replay.findResult(id).driver ?? '')
  if (driver.next !== id) return
  delete driver.next
  replay.platform.applyAsRider(id, { event: 'cancel', reason: 'changed_mind' }, replay.now)
  replay.finish(id, 'canceled', { emptyKm: 0 })
}

const arrive = (replay: ReplayState, id: string, uid: string): void => {
  const { lat, lng } = replay.findRequest(id).pickup
  replay.platform.moveDriver(uid, { lat, lng })
  replay.platform.applyAsDriver(id, { event: 'arrive', lat, lng }, uid, replay.now)
  replay.findResult(id).arrivedAt = replay.now
}

/** The part of an approach that was driven when the rider canceled. */
interface CanceledApproach {
  id: string
  uid: string
  /** 1 when the driver waits at the pickup. */
  share: number
  km: Kilometers
}

const cancelApproach = (replay: ReplayState, { id, uid, share, km }: CanceledApproach): void => {
  replay.platform.applyAsRider(id, { event: 'cancel', reason: 'changed_mind' }, replay.now)
  const { pickup } = replay.findRequest(id)
  const { place } = replay.findDriver(uid)
  const here = {
    lat: place.lat + (pickup.lat - place.lat) * share,
    lng: place.lng + (pickup.lng - place.lng) * share,
  }
  replay.finish(id, 'canceled', { emptyKm: km })
  freeDriver(replay, uid, share === 1 ? pickup : here)
}

const drive = (replay: ReplayState, id: string, uid: string): void => {
  const { drop, tripSeconds, dropSeconds } = replay.findRequest(id)
  replay.platform.applyAsDriver(id, { event: 'start', otp: START_CODE }, uid, replay.now)
  replay.addEventAfter(replay.toMs(tripSeconds), () => {
    const { lat, lng } = drop
    replay.platform.applyAsDriver(id, { event: 'reach', lat, lng }, uid, replay.now)
    replay.addEventAfter(replay.toMs(dropSeconds), () => complete(replay, id, uid))
  })
}

const complete = (replay: ReplayState, id: string, uid: string): void => {
  const { platform, now } = replay
  platform.applyAsDriver(id, { event: 'finish' }, uid, now)
  platform.applyAsDriver(id, { event: 'collect' }, uid, now)
  const { driver_share: driverShare = 0, customer_paid: paid = 0 } = platform.readBooking(id) ?? {}
  replay.finish(id, 'served', { finishedAt: now, paid, driverShare })
  freeDriver(replay, uid, replay.findRequest(id).drop)
}

/** Sends a driver to their next booking, off duty, or back to those who wait for offers. */
const freeDriver = (replay: ReplayState, uid: string, { lat, lng }: LatLng): void => {
  const driver = replay.findDriver(uid)
  driver.place = { lat, lng }
  delete driver.busyWith
  const { next } = driver
  if (next !== undefined) {
    delete driver.next
    approach(replay, next, uid)
  } else if (replay.now >= driver.until) endDuty(replay, uid)
  else {
    replay.platform.listDriver(uid, driver.place, replay.now)
    replay.policyRun.offerToFreed([uid])
  }
}
