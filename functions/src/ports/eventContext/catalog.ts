import { isMetered, buildRoadQueries, toTrip } from '~/domain/booking/drivenDistance'
import {
  getAmendedFields,
  getAmendedTrip,
  isNearbyDriverNeeded,
  isRouteAmended,
} from '~/domain/booking/events/amend/amendedFields'
import { getStops } from '~/domain/booking/stops/bookingStops'
import { buildDrivenRoadQueries } from '~/domain/booking/underWay/drivenRoad'
import { getTripUnderWay } from '~/domain/booking/underWay/tripUnderWay'
import { resolveClientTime } from '~/domain/booking/clientTime'
import { freeReference } from '~/domain/booking/reference'
import type { LatLng, Place, VehicleType, Promo, User } from '~/domain/entities'
import { dbPaths } from '~/domain/databasePaths'
import type { DatabasePort } from '../database'
import { toEnteredPlaces, type EnteredPlace } from '../../maps/addressCheck'
import { findReachableDrivers } from '../nearbyDrivers'
import type { RoutePlaces } from './lookups'
import { type LoadIfRequired, type LoadSubject, getCustomerId, readWithId } from './loadSubject'
import type { EventContext } from '~/domain/booking/eventContext'

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

const getRequestedTrip = (
  { input, booking, tracking }: LoadSubject,
  driver: User | null,
): RequestedTrip | null => {
  if (input.event === 'create' && !booking) {
    const { pickup, drop, waypoints, carType, bookLater } = input.input
    const places = { pickup, drop, waypoints }
    // The places of a recurring booking were checked when it was saved.
    const entered = input.occurrence ? [] : toEnteredPlaces(places)
    return { places, carTypeId: carType, needsDriver: !bookLater, entered }
  }
  if (input.event !== 'amend' || !booking) return null
  const fields = getAmendedFields(booking, input, null)
  const { pickup, drop, waypoints, carTypeId } = getAmendedTrip(booking, input)
  const needsDriver = isNearbyDriverNeeded(booking, input, fields)
  if (!isRouteAmended(fields)) return null
  const entered = toEnteredPlaces({
    ...(fields.includes('pickup') && { pickup }),
    ...(fields.includes('drop') && { drop }),
    ...(fields.includes('waypoints') && { waypoints }),
  })
  if (booking.status !== 'STARTED')
    return { places: { pickup, drop, waypoints }, carTypeId, needsDriver, entered }
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

const isDriverNear = async (
  db: DatabasePort,
  trip: RequestedTrip | null,
  { settings, now }: LoadSubject,
): Promise<boolean> => {
  if (!trip?.needsDriver) return false
  const { places, carTypeId } = trip
  return (await findReachableDrivers(db, places.pickup, carTypeId, settings, 1, now)).length > 0
}

/** Reads the vehicle type, the promo and the route of a booking, and looks up its places. */
export const loadCatalog = async (
  db: DatabasePort,
  subject: LoadSubject,
  ask: LoadIfRequired,
  driver: Promise<User | null>,
): Promise<
  Pick<
    EventContext,
    | 'carType'
    | 'route'
    | 'misplacedAddress'
    | 'roadSoFar'
    | 'isDriverNearby'
    | 'reference'
    | 'promo'
    | 'isPromoUsed'
    | 'dropAddress'
    | 'roadResults'
  >
> => {
  const { id, input, booking, settings, cachedLookups } = subject
  // Only an amendment needs the driver here, and the other events do not wait for them.
  const trip = getRequestedTrip(subject, input.event === 'amend' ? await driver : null)
  const carTypeId = trip?.carTypeId ?? booking?.carTypeId
  const promoId = (input.event === 'pay' ? input.promo : undefined) ?? booking?.promo_details?.id
  const customer = getCustomerId(subject)
  const [
    carType,
    route,
    misplacedAddress,
    roadSoFar,
    driverNearby,
    reference,
    promo,
    use,
    dropAddress,
    roads,
  ] = await Promise.all([
    ask('carType', () => readWithId<VehicleType>(db, carTypeId, dbPaths.carType)),
    ask('route', async () => (trip ? cachedLookups.fetchRoute(trip.places) : null)),
    ask('misplacedAddress', async () =>
      trip ? cachedLookups.findMisplaced(trip.entered, settings.restrictCountry) : null,
    ),
    ask('roadSoFar', async () => (trip?.driven ? cachedLookups.fetchRoute(trip.driven) : null)),
    ask('isDriverNearby', () => isDriverNear(db, trip, subject)),
    // Reads again at every try, because another booking may have taken it in the meantime.
    ask('reference', async () =>
      trip ? freeReference(id, (one) => db.read<string>(dbPaths.reference(one))) : null,
    ),
    ask('promo', () => readWithId<Promo>(db, promoId, dbPaths.promo)),
    ask('isPromoUsed', async () =>
      promoId && customer ? db.read<string>(dbPaths.promoUse(promoId, customer)) : null,
    ),
    ask('dropAddress', async () =>
      settings.appcat === 'taxi' ? cachedLookups.fetchAddress() : null,
    ),
    ask('roadResults', () => loadRoads(subject, trip)),
  ])
  return {
    carType,
    route,
    misplacedAddress,
    roadSoFar,
    isDriverNearby: driverNearby ?? false,
    reference,
    promo,
    isPromoUsed: use !== null && use !== id,
    dropAddress,
    roadResults: roads,
  }
}

/** Queries the roads of a trip that ends, or that is amended under way. */
const loadRoads = async (
  { input, booking, settings, cachedLookups, now, tracking }: LoadSubject,
  requested: RequestedTrip | null,
) => {
  if (!booking) return null
  const isEnding = input.event === 'reach' && isMetered(booking, settings)
  const position = isEnding ? input : requested?.driven?.drop
  if (!position) return null
  const { lat, lng } = position
  const end = { lat, lng, at: resolveClientTime(booking, input, now) }
  const trip = toTrip(booking, tracking, end, settings)
  return cachedLookups.fetchRoads(isEnding ? buildRoadQueries(trip) : buildDrivenRoadQueries(trip))
}
