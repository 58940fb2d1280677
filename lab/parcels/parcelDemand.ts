import { createPushKey } from '~/domain/data/pushKeys'
import { createSeededRandom } from '~/domain/data/seededRandom'
import type { TourParcel } from './tours/tour'
import { createPlacePicker, drawDrop } from '~/domain/replay/generatedDemand'
import type { TravelTimes } from '~/domain/replay/scenario'
import { HOUR_MS, MINUTE_MS } from '~/domain/language/timeUnits'
import type { LatLng, Place } from '~/domain/geo/types'
import type { Hours, Kilometers, Minutes, Seconds } from '~/domain/language/units'

/** The first hour puts parcels on the streets and does not count. */
const WARM_UP_MS = HOUR_MS
/** Kilometers by the streets of the shortest and the longest way of a parcel. */
const PARCEL_KM = [0.5, 8] as const
const PICKUP_SECONDS = 90
const DROP_SECONDS = 120

/** A request to bring a parcel, made when the parcel is ready. */
export interface ParcelRequest extends TourParcel {
  pickup: Place
  drop: Place
  km: Kilometers
  seconds: Seconds
}

/** The demand and the couriers of a replay of parcels. */
export interface ParcelScenario {
  /** In order of time. */
  parcels: readonly ParcelRequest[]
  couriers: readonly { uid: string; place: LatLng }[]
  /** Parcels requested before this time only fill the streets, ms. */
  countFrom: number
}

export interface GeneratedParcels {
  seed: number
  couriers: number
  parcelsPerHour: number
  hours: Hours
  /** Shops from which all parcels come; 0: from any door. */
  shops: number
  /** Minutes from the request to the promised delivery. */
  promiseMinutes: Minutes
  /** Start of the first hour, ms. */
  start: number
  places: readonly LatLng[]
  center: LatLng
  travel: TravelTimes
}

/**
 * Generates parcels at random times at a constant rate, from a few shops or from any door. Shops
 * and doors are denser near the center. Parcels and their ways are the same for any number of
 * couriers.
 */
export const generateParcels = (options: GeneratedParcels): ParcelScenario => {
  const { seed, start, travel, shops, hours, promiseMinutes } = options
  const random = createSeededRandom(seed)
  const pickPlace = createPlacePicker(options.places, options.center, random)
  const shopPlaces = Array.from({ length: shops }, pickPlace)
  const end = start + hours * HOUR_MS
  const meanGap = HOUR_MS / options.parcelsPerHour
  const parcels: ParcelRequest[] = []
  for (let at = start; (at += -Math.log(1 - random.next()) * meanGap) < end;) {
    const pickup = shops > 0 ? random.pick(shopPlaces) : pickPlace()
    const { drop, way } = drawDrop(pickup, pickPlace, travel, PARCEL_KM)
    const readyAt = Math.round(at)
    parcels.push({
      id: createPushKey(readyAt, parcels.length),
      pickup,
      drop,
      readyAt,
      promisedAt: readyAt + promiseMinutes * MINUTE_MS,
      pickupSeconds: PICKUP_SECONDS,
      dropSeconds: DROP_SECONDS,
      size: 1,
      km: way.km,
      seconds: Math.round(way.seconds),
    })
  }
  return {
    parcels,
    couriers: Array.from({ length: options.couriers }, (_, i) => ({
      uid: `courier${String(i).padStart(4, '0')}`,
      place: pickPlace(),
    })),
    countFrom: start + WARM_UP_MS,
  }
}
