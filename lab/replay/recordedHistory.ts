import { fnv1a } from '~/domain/data/fnv1a'
import { toKm } from '~/domain/geo/geo'
import { createPushKey } from '~/domain/data/pushKeys'
import {
  USUAL_BEHAVIOR,
  type DriverBehavior,
  type DutyPeriod,
  type ReplayDriver,
  type ReplayRequest,
  type ReplayScenario,
} from '~/domain/replay/scenario'
import { MINUTE_MS } from '~/domain/language/timeUnits'
import type { Booking } from '~/domain/booking/types'
import type { LatLng, Place } from '~/domain/geo/types'
import type { Offer } from '~/domain/dispatch/types'
import type { Settings, VehicleType } from '~/domain/catalog/types'
import type { Seconds } from '~/domain/language/units'

/** Minutes before the first and after the last sign of a driver that count as on duty. */
const DUTY_MARGIN_MS = 10 * MINUTE_MS
/** A longer time (ms) without a sign of a driver is a break. */
const LONGEST_GAP_MS = 120 * MINUTE_MS
/** Bounds of recorded seconds, beyond which an event was forgotten and the usual time counts. */
const MAX_STANDING_SECONDS = 1800
const MAX_TRIP_SECONDS = 4 * 3600
const USUAL_PICKUP_SECONDS = 90
const USUAL_DROP_SECONDS = 75
/** Seconds of patience of riders who found a driver sooner. */
const MIN_PATIENCE_SECONDS = 360
const MAX_PATIENCE_SECONDS = 600
/** Number of answered offers below which the usual behavior of drivers counts. */
const MIN_OFFERS = 200

/** Seconds from one time to another; undefined when unknown, negative or beyond the limit. */
const getSeconds = (
  from: number | undefined,
  to: number | undefined,
  most: number,
): Seconds | undefined => {
  const seconds = Math.round(((to ?? Number.NaN) - (from ?? Number.NaN)) / 1000)
  return seconds >= 0 && seconds <= most ? seconds : undefined
}

/** Returns when a booking began to wait for a driver, ms; undefined when it never did. */
const getWaitStart = ({ event_log = {} }: Booking): number | undefined => {
  const times = Object.values(event_log)
    .filter(({ status }) => status === 'NEW')
    .map(({ at }) => at)
  return times.length > 0 ? Math.min(...times) : undefined
}

/** Returns the coordinates of a place without its address, because a report must not name homes. */
const toPlace = ({ lat, lng }: LatLng): Place => ({
  lat,
  lng,
  add: `${lat.toFixed(5)}, ${lng.toFixed(5)}`,
})

/** Returns a number of seconds that is always the same for a booking. */
const getUsualPatience = (id: string): number =>
  MIN_PATIENCE_SECONDS + (fnv1a(id) % (MAX_PATIENCE_SECONDS - MIN_PATIENCE_SECONDS + 1))

type RecordedRequest = Omit<ReplayRequest, 'id'> & { booking: string }

const toRequest = (
  booking: Booking,
  at: number,
  settings: Pick<Settings, 'convert_to_mile'>,
): RecordedRequest => {
  const { id, accepted_at, cancelled_at, cancelledBy, waypoints } = booking
  const from = booking.bookLater ? Math.max(at, booking.tripdate) : at
  const waited = getSeconds(from, accepted_at, Infinity) ?? 0
  const hasGivenUp = accepted_at === undefined && cancelledBy !== 'driver'
  const gaveUpAfter = hasGivenUp ? getSeconds(from, cancelled_at, Infinity) : undefined
  const isRidersCancel = accepted_at !== undefined && cancelledBy !== 'driver'
  const cancelSeconds = isRidersCancel ? getSeconds(accepted_at, cancelled_at, Infinity) : undefined
  const finishedAt = booking.event_log.finish?.at
  return {
    booking: id,
    at,
    ...(booking.bookLater && { tripdate: booking.tripdate }),
    pickup: toPlace(booking.pickup),
    drop: toPlace(booking.drop),
    ...(waypoints && { waypoints: waypoints.map(toPlace) }),
    carType: booking.carTypeId,
    km: toKm(booking.estimateDistance, settings),
    plannedSeconds: booking.estimateTime,
    tripSeconds:
      getSeconds(booking.startTime, booking.endTime, MAX_TRIP_SECONDS) ?? booking.estimateTime,
    pickupSeconds:
      getSeconds(booking.driver_arrive_time, booking.startTime, MAX_STANDING_SECONDS) ??
      USUAL_PICKUP_SECONDS,
    dropSeconds:
      getSeconds(booking.endTime, finishedAt, MAX_STANDING_SECONDS) ?? USUAL_DROP_SECONDS,
    patienceSeconds: gaveUpAfter ?? Math.max(getUsualPatience(id), waited),
    ...(cancelSeconds !== undefined && { cancelSeconds }),
  }
}

/** A sign that a driver was on duty: a booking they drove, or an offer to them. */
interface DutySign {
  from: number
  to: number
  carType?: string
  start?: LatLng
  end?: LatLng
}

const toDutyPeriods = (signs: readonly DutySign[]): DutyPeriod[] => {
  const periods: { from: number; to: number; place: LatLng | undefined }[] = []
  let place: LatLng | undefined
  for (const sign of [...signs].sort((a, b) => a.from - b.from || a.to - b.to)) {
    const last = periods.at(-1)
    if (last && sign.from - last.to <= LONGEST_GAP_MS) {
      last.to = Math.max(last.to, sign.to)
      last.place ??= place ?? sign.start
    } else periods.push({ from: sign.from, to: sign.to, place: place ?? sign.start })
    place = sign.end ?? place
  }
  return periods.flatMap(({ from, to, place: start }) =>
    start
      ? [
          {
            from: from - DUTY_MARGIN_MS,
            to: to + DUTY_MARGIN_MS,
            place: { lat: start.lat, lng: start.lng },
          },
        ]
      : [],
  )
}

/** Returns the drivers in the order of their ids, without those who have no known place. */
const toReplayDrivers = (signs: ReadonlyMap<string, readonly DutySign[]>): ReplayDriver[] =>
  [...signs]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([uid, own]): ReplayDriver[] => {
      const carType = own.find((sign) => sign.carType !== undefined)?.carType
      const duty = toDutyPeriods(own)
      return carType === undefined || duty.length === 0 ? [] : [{ uid, carType, duty }]
    })

/** Returns the behavior of drivers with the shares of recorded answers, if there are enough. */
const toBehavior = (offers: readonly Offer[]): DriverBehavior => {
  const count = (outcome: Offer['answer']) => offers.filter((one) => one.answer === outcome).length
  const [accepted, declined, expired] = [count('accepted'), count('declined'), count('expired')]
  const answered = accepted + declined + expired
  if (answered < MIN_OFFERS) return USUAL_BEHAVIOR
  const meanMinutes = offers.reduce((sum, { eta_s }) => sum + eta_s, 0) / offers.length / 60
  const share = accepted / answered
  return {
    ...USUAL_BEHAVIOR,
    acceptShare: Math.min(1, share + USUAL_BEHAVIOR.acceptLossPerMinute * meanMinutes),
    leastAcceptShare: Math.min(share, USUAL_BEHAVIOR.leastAcceptShare),
    ...(declined + expired > 0 && { declineShare: declined / (declined + expired) }),
  }
}

/** The period of a replay, ms. */
export interface HistoryPeriod {
  from: number
  to: number
}

/**
 * Collects what a replay needs from records that are read one by one, so that a database of any
 * size needs memory only for the period. Names and addresses of people are not kept.
 */
export const createHistoryCollector = (
  { from, to }: HistoryPeriod,
  settings: Pick<Settings, 'convert_to_mile'>,
) => {
  const requests: RecordedRequest[] = []
  const signs = new Map<string, DutySign[]>()
  const offers: Offer[] = []
  const isNear = (at: number) => at >= from - LONGEST_GAP_MS && at < to + LONGEST_GAP_MS
  const addSign = (driver: string, sign: DutySign) => {
    const driverSigns = signs.get(driver)
    if (driverSigns) driverSigns.push(sign)
    else signs.set(driver, [sign])
  }

  return {
    addBooking(booking: Booking) {
      const at = getWaitStart(booking)
      if (at === undefined) return
      const { driver, accepted_at, endTime, cancelled_at, carTypeId, pickup, drop } = booking
      if (driver !== undefined && accepted_at !== undefined && isNear(accepted_at))
        addSign(driver, {
          from: accepted_at,
          to: Math.max(accepted_at, endTime ?? cancelled_at ?? accepted_at),
          carType: carTypeId,
          start: pickup,
          end: endTime === undefined ? pickup : drop,
        })
      const time = booking.bookLater ? Math.max(at, booking.tripdate) : at
      if (time >= from && time < to) requests.push(toRequest(booking, at, settings))
    },
    /** Adds an offer. Drivers who were asked were on duty, even without a trip. */
    addOffer(offer: Offer) {
      if (!isNear(offer.at)) return
      offers.push(offer)
      addSign(offer.driver, { from: offer.at, to: offer.at })
    },
    /** Returns the scenario. Drivers without any trip near the period have no known place. */
    createScenario(
      all: Settings,
      vehicleTypes: Readonly<Record<string, VehicleType>>,
    ): ReplayScenario {
      return {
        settings: all,
        vehicleTypes,
        requests: requests
          .filter(({ carType }) => vehicleTypes[carType])
          .sort((a, b) => a.at - b.at || (a.booking < b.booking ? -1 : 1))
          .map(({ booking: _, ...request }, i) => ({
            ...request,
            id: createPushKey(request.at, i),
          })),
        drivers: toReplayDrivers(signs),
        behavior: toBehavior(offers),
        countFrom: from,
        countTo: to,
      }
    },
  }
}
