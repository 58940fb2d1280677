import { isMetered, buildRoadQueries, toTrip } from '~/domain/booking/trip/drivenDistance'
import {
  getAmendedFields,
  getAmendedTrip,
  isNearbyDriverNeeded,
  isRouteAmended,
} from '~/domain/booking/events/amend/amendedFields'
import { getStops } from '~/domain/booking/stops/bookingStops'
import { buildDrivenRoadQueries } from '~/domain/booking/trip/drivenRoad'
import { getTripUnderWay } from '~/domain/booking/trip/tripUnderWay'
import { resolveClientTime } from '~/domain/booking/trip/clientTime'
import { freeReference } from '~/domain/booking/search/reference'
import { dbPaths } from '~/domain/data/databasePaths'
import { toEnteredPlaces, type EnteredPlace } from '../../maps/addressCheck'
import { findReachableDrivers, findSoonestPickup } from '../nearbyDrivers'
import type { RoutePlaces } from './lookups'
import { type EventReads, getCustomerId, type Loaders, readWithId } from './eventReads'
import type { LatLng, Place } from '~/domain/geo/types'
import type { Promo, VehicleType } from '~/domain/catalog/types'
import { getStepPosition } from '~/domain/booking/trip/officeStep'

/** The trip that needs a route: of a new booking, or of an amended one. */
interface RequestedTrip {
  places: RoutePlaces
  /** Of a trip under way: the part that the car has driven; `places` are then the rest. */
  driven?: RoutePlaces
  carTypeId: string
  needsDriver: boolean
  /** The places whose addresses the request gives. */
  entered: EnteredPlace[]
}

const withoutAddress = ({ lat, lng }: LatLng): Place => ({ lat, lng, add: '' })

const readRequestedTrip = async ({
  actor,
  input,
  booking,
  load,
}: EventReads): Promise<RequestedTrip | null> => {
  if (input.event === 'create' && !booking) {
    const { pickup, drop, waypoints, carType, bookLater } = input.input
    const places = { pickup, drop, waypoints }
    // Also for a rider's occurrence: an earlier release saved recurring bookings without the check.
    const isOfficeOccurrence = input.occurrence !== undefined && actor.role === 'admin'
    const isConfirmed = input.input.addressesConfirmed ?? isOfficeOccurrence
    const entered = isConfirmed ? [] : toEnteredPlaces(places)
    return { places, carTypeId: carType, needsDriver: !bookLater, entered }
  }
  if (input.event !== 'amend' || !booking) return null
  const fields = getAmendedFields(booking, input, null)
  const { pickup, drop, waypoints, carTypeId } = getAmendedTrip(booking, input)
  const needsDriver = isNearbyDriverNeeded(booking, input, fields)
  if (!isRouteAmended(fields)) return null
  const entered = input.addressesConfirmed
    ? []
    : toEnteredPlaces({
        ...(fields.includes('pickup') && { pickup }),
        ...(fields.includes('drop') && { drop }),
        ...(fields.includes('waypoints') && { waypoints }),
      })
  if (booking.status !== 'STARTED')
    return { places: { pickup, drop, waypoints }, carTypeId, needsDriver, entered }
  const [tracking, driver] = await Promise.all([load('tracking'), load('driver')])
  const trip = getTripUnderWay({ ...booking, tracking, driver }, getStops(booking), waypoints)
  const car = withoutAddress(trip.position)
  return {
    places: { pickup: car, drop, waypoints: trip.remaining },
    driven: { pickup, drop: car, waypoints: trip.visited },
    carTypeId,
    needsDriver,
    entered,
  }
}

const toSearch = ({ places, carTypeId }: RequestedTrip) => ({
  from: places.pickup,
  carType: carTypeId,
  enough: 1,
})

const isDriverNearby = async (reads: EventReads, trip: RequestedTrip | null) =>
  trip?.needsDriver === true &&
  (await findReachableDrivers(reads.db, toSearch(trip), reads)).length > 0

const readSoonestPickup = async (reads: EventReads, trip: RequestedTrip | null) => {
  if (!trip?.needsDriver || (await reads.load('isDriverNearby'))) return null
  return findSoonestPickup(reads.db, toSearch(trip), reads)
}

/** Creates the loaders of what a trip needs: its vehicle type, routes, addresses and promo. */
export const createTripLoaders = (): Loaders<
  | 'carType'
  | 'route'
  | 'misplacedAddress'
  | 'roadSoFar'
  | 'isDriverNearby'
  | 'soonestPickup'
  | 'reference'
  | 'promo'
  | 'isPromoUsed'
  | 'dropAddress'
  | 'roadResults'
> => {
  let reading: ReturnType<typeof readRequestedTrip> | undefined
  const readTrip = (reads: EventReads) => (reading ??= readRequestedTrip(reads))
  return {
    carType: async (reads) => {
      const id = (await readTrip(reads))?.carTypeId ?? reads.booking?.carTypeId
      return readWithId<VehicleType>(reads.db, id, dbPaths.carType)
    },
    route: async (reads) => {
      const trip = await readTrip(reads)
      return trip && reads.lookups.fetchRoute(trip.places)
    },
    misplacedAddress: async (reads) => {
      const trip = await readTrip(reads)
      return trip && reads.lookups.findMisplaced(trip.entered, reads.settings.restrictCountry)
    },
    roadSoFar: async (reads) => {
      const trip = await readTrip(reads)
      return trip?.driven ? reads.lookups.fetchRoute(trip.driven) : null
    },
    isDriverNearby: async (reads) => isDriverNearby(reads, await readTrip(reads)),
    soonestPickup: async (reads) => readSoonestPickup(reads, await readTrip(reads)),
    // Reads again at every try, because another booking may have taken it in the meantime.
    reference: async (reads) =>
      (await readTrip(reads))
        ? freeReference(reads.id, (one) => reads.db.read<string>(dbPaths.reference(one)))
        : null,
    promo: (reads) => readWithId<Promo>(reads.db, getPromoId(reads), dbPaths.promo),
    isPromoUsed: async (reads) => {
      const { db, id } = reads
      const promo = getPromoId(reads)
      const uid = getCustomerId(reads)
      if (promo === undefined || uid === undefined) return false
      const [use, customer] = await Promise.all([
        db.read<string>(dbPaths.promoUse(promo, uid)),
        reads.load('customer'),
      ])
      return (use !== null && use !== id) || customer?.formerPromos?.[promo] === true
    },
    dropAddress: async ({ settings, lookups }) =>
      settings.appcat === 'taxi' ? lookups.fetchAddress() : null,
    roadResults: async (reads) => readRoads(reads, await readTrip(reads)),
  }
}

/** Returns the promo that the payer names, otherwise the booking's. */
const getPromoId = ({ input, booking }: EventReads): string | undefined =>
  (input.event === 'pay' ? input.promo : undefined) ?? booking?.promo_details?.id

/** Queries the roads of a trip that ends, or that is amended under way. */
const readRoads = async (reads: EventReads, requested: RequestedTrip | null) => {
  const { input, booking, settings, lookups, now } = reads
  if (!booking) return null
  const isEnding = input.event === 'reach' && isMetered(booking, settings)
  const position = isEnding ? getStepPosition(input) : requested?.driven?.drop
  if (!position) return null
  const { lat, lng } = position
  const end = { lat, lng, at: resolveClientTime(booking, input, now) }
  const trip = toTrip(booking, await reads.load('tracking'), end, settings)
  return lookups.fetchRoads(isEnding ? buildRoadQueries(trip) : buildDrivenRoadQueries(trip))
}
