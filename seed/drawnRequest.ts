import type { CreateBookingInput } from '~/domain/api/inputs/bookings'
import { checkOpenBookings } from '~/domain/booking/limits/openBookingLimits'
import type { Route } from '~/domain/booking/trip/route'
import type { VehicleType } from '~/domain/catalog/types'
import { getDistanceKm } from '~/domain/geo/geo'
import type { Place } from '~/domain/geo/types'
import { quoteFare } from '~/domain/money/fare'
import { FIXED_DRIVER, FIXED_RIDER, type CityHistory } from './cityHistory'
import { drawLeadTime, type PlannedBooking } from './historyPlan'
import { places } from './places'
import { createRandomPushKey } from './randomKeys'

/** Number of drivers per vehicle type that unfinished bookings leave free for users of the demo. */
const FREE_DRIVERS_PER_TYPE = 2

const INSTRUCTIONS = [
  ['Ring the bell twice', 'Leave it at the reception'],
  ['Third floor, no lift', 'Call on arrival'],
  ['Ask for Marta at the counter', 'The green door'],
  ['Second gate on the left', 'Hand it over in person'],
] as const

/** A request for a trip, of a rider or of the office for them. */
export interface DrawnRequest {
  id: string
  rider: string
  isByOffice: boolean
  pickup: Place
  drop: Place
  carType: VehicleType
  route: Route
  input: CreateBookingInput
}

const listOtherPlaces = (place: Place): Place[] => places.filter((other) => other !== place)

/** Returns the five other places nearest to a place. */
export const findNearestPlaces = (to: Place): Place[] =>
  listOtherPlaces(to)
    .sort((a, b) => getDistanceKm(to, a) - getDistanceKm(to, b))
    .slice(0, 5)

const drawRider = (city: CityHistory, { ending, isLive }: PlannedBooking): string => {
  const { random, riders } = city.input
  const mayBeFixed = !isLive && ending !== 'CANCELLED'
  // The fixed rider has a history but no active bookings that would interfere with a trial.
  // Riders at the limit of open or unpaid bookings make no more.
  const able = riders
    .slice(1)
    .filter((uid) => !checkOpenBookings(city.readOpenBookings(uid), { role: 'rider' }))
  return mayBeFixed && random.chance(0.05) ? FIXED_RIDER : random.pick(able)
}

/** Draws one of the vehicle types that have a free driver. */
const drawCarType = (city: CityHistory, planned: PlannedBooking): VehicleType => {
  const { beginAt, isByFixedDriver, isLive } = planned
  const candidates = Object.values(city.carTypes).filter(({ id }) =>
    isByFixedDriver
      ? id === city.readUser(FIXED_DRIVER).carType
      : city.listFreeDrivers(id, beginAt, isLive).length > (isLive ? FREE_DRIVERS_PER_TYPE : 0),
  )
  return city.input.random.pick(candidates)
}

/** Draws what the rider chooses of the vehicle type, and returns it with its price. */
const drawFare = (
  city: CityHistory,
  carType: VehicleType,
  route: Route,
): Pick<CreateBookingInput, 'estimateFare' | 'parcelTypeIndex' | 'optionIndex'> => {
  const { random, settings } = city.input
  const { parcelTypes, options } = carType
  const parcelTypeIndex = parcelTypes && random.integer(0, parcelTypes.length - 1)
  const optionIndex = options && random.integer(0, options.length - 1)
  const { estimateFare } = quoteFare({
    carType,
    settings,
    distanceKm: route.distance_in_km,
    seconds: route.time_in_secs,
    parcelType: parcelTypeIndex === undefined ? undefined : parcelTypes?.[parcelTypeIndex],
    option: optionIndex === undefined ? undefined : options?.[optionIndex],
  })
  return {
    estimateFare,
    ...(parcelTypeIndex !== undefined && { parcelTypeIndex }),
    ...(optionIndex !== undefined && { optionIndex }),
  }
}

/** Draws the time of the pickup and, for deliveries, the recipient and instructions. */
const drawDetails = (city: CityHistory, { ending, beginAt, isLive }: PlannedBooking) => {
  const { random, riders } = city.input
  const [pickUpInstructions, deliveryInstructions] = random.pick(INSTRUCTIONS)
  const receiver = city.readUser(random.pick(riders))
  const bookLater = (isLive && ending === 'NEW' && random.chance(0.5)) || random.chance(0.1)
  return {
    bookLater,
    ...(bookLater && { tripdate: beginAt + drawLeadTime(ending, random) }),
    ...(city.isDelivery && {
      deliveryPerson: `${receiver.firstName} ${receiver.lastName}`,
      deliveryPersonPhone: receiver.mobile,
    }),
    ...(random.chance(0.5) && city.isDelivery && { pickUpInstructions, deliveryInstructions }),
  }
}

/** Draws who asks for which trip, so that the plan's ending is possible. */
export const drawRequest = async (
  city: CityHistory,
  planned: PlannedBooking,
): Promise<DrawnRequest> => {
  const { random, routeBetween } = city.input
  const rider = drawRider(city, planned)
  const isByOffice = random.chance(0.15) && planned.ending !== 'PAYMENT_PENDING'
  const pickup = random.pick(places)
  // The fixed driver's newest booking must already be finished, so its route is short.
  const drop = random.pick(
    planned.isByFixedDriver ? findNearestPlaces(pickup) : listOtherPlaces(pickup),
  )
  const carType = drawCarType(city, planned)
  const route = await routeBetween(pickup, drop)
  const fare = drawFare(city, carType, route)
  const id = createRandomPushKey(planned.beginAt, random)
  const input = {
    booking_id: id,
    pickup,
    drop,
    carType: carType.id,
    ...fare,
    ...drawDetails(city, planned),
    ...(isByOffice && { customer: rider }),
  }
  return { id, rider, isByOffice, pickup, drop, carType, route, input }
}
