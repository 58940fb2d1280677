/** Builders of valid things for tests: each takes what the test is about and fills in the rest. */
import type { CreateBooking } from '../api'
import type { Actor, World } from '../booking/change'
import { emptyWorld } from '../booking/world'
import type { Booking, CarType, Promo, Settings, User } from '../entities'
import { quote } from '../fare'
import type { PaymentAttempt } from '../payments/attempt'
import { newSettings } from '../settings'

export const MINUTE = 60_000
/** A Friday noon in Montevideo. */
export const NOON = Date.UTC(2026, 10, 20, 15, 0, 0)

export const aSettings = (over: Partial<Settings> = {}): Settings => ({
  ...newSettings({
    country: 'Uruguay',
    restrictCountry: 'UY',
    symbol: '$',
    code: 'UYU',
    appcat: 'delivery',
    timezone: 'America/Montevideo',
  }),
  contact_email: 'hello@kerbside.example',
  bonus: 10,
  autoDispatch: false,
  ...over,
})

export const aCarType = (over: Partial<CarType> = {}): CarType => ({
  id: 'van',
  name: 'Van',
  base_fare: 10,
  rate_per_unit_distance: 5,
  rate_per_hour: 6,
  min_fare: 20,
  convenience_fees: 15,
  convenience_fee_type: 'percentage',
  parcelTypes: [
    { description: 'Envelope', amount: 0 },
    { description: 'Box', amount: 7.5 },
  ],
  options: [
    { description: 'None', amount: 0 },
    { description: 'Carry upstairs', amount: 12.25 },
  ],
  cancelSlab: [
    { minsDelayed: 2, amount: 5 },
    { minsDelayed: 10, amount: 15 },
    { minsDelayed: 5, amount: 10 },
  ],
  ...over,
})

const aUser = (over: Partial<User> & Pick<User, 'id' | 'usertype'>): User => ({
  firstName: 'Ana',
  lastName: 'Lima',
  mobile: '+15555550199',
  email: `${over.id}@kerbside.example`,
  createdAt: '2026-01-01T00:00:00.000Z',
  approved: true,
  walletBalance: 0,
  ...over,
})
export const aRider = (over: Partial<User> = {}): User =>
  aUser({ id: 'rider', usertype: 'rider', ...over })
export const aDriver = (over: Partial<User> = {}): User =>
  aUser({
    id: 'driver',
    usertype: 'driver',
    firstName: 'Beto',
    lastName: 'Silva',
    carType: 'van',
    vehicleNumber: 'SBA 1234',
    driverActiveStatus: true,
    queue: false,
    location: { lat: -34.905, lng: -56.185 },
    ...over,
  })

export const aPromo = (over: Partial<Promo> = {}): Promo => ({
  id: 'spring',
  promo_name: 'SPRING',
  promo_description: 'Spring',
  promo_discount_type: 'percentage',
  promo_discount_value: 10,
  max_promo_discount_value: 50,
  min_order: 10,
  promo_validity: NOON + 86_400_000,
  promo_usage_limit: 3,
  ...over,
})

export const PICKUP = { lat: -34.9058, lng: -56.1913, add: 'Plaza Independencia' }
export const DROP = { lat: -34.8941, lng: -56.1521, add: 'Tres Cruces' }
export const ROUTE = { distance_in_km: 5.2, time_in_secs: 900, polylinePoints: '' }

const unchosen = ({ appcat }: Settings): number => (appcat === 'delivery' ? 0 : -1)

/** What a client asks for, at the price it was shown for `aCarType` over `ROUTE`. */
export const aRequest = (
  over: Partial<CreateBooking> = {},
  { carType = aCarType(), settings = aSettings() } = {},
): CreateBooking => ({
  booking_id: '-OAbcdefghijklmnopqr',
  pickup: PICKUP,
  drop: DROP,
  carType: carType.id,
  bookLater: false,
  estimateFare: quote({
    carType,
    settings,
    distanceKm: ROUTE.distance_in_km,
    seconds: ROUTE.time_in_secs,
    parcelType: carType.parcelTypes?.[over.parcelTypeIndex ?? unchosen(settings)],
    option: carType.options?.[over.optionIndex ?? unchosen(settings)],
  }).estimateFare,
  deliveryPerson: 'Carla',
  deliveryPersonPhone: '099 123 456',
  ...over,
})

/** A world that lets every event through, for rider `rider` and driver `driver`. */
export const aWorld = (over: Partial<World> = {}): World => ({
  ...emptyWorld(aSettings()),
  carType: aCarType(),
  customer: aRider(),
  driver: aDriver(),
  route: ROUTE,
  driverNearby: true,
  otp: 12345,
  ...over,
})

export const rider: Actor = { uid: 'rider', role: 'rider' }
export const driver: Actor = { uid: 'driver', role: 'driver' }
export const admin: Actor = { uid: 'admin', role: 'admin' }
export const system: Actor = { uid: 'kerbside-server', role: 'system' }

/** A booking as it stands in a status, with the fields that status requires. */
export const aBooking = (over: Partial<Booking> = {}): Booking => {
  const status = over.status ?? 'NEW'
  const order = ['ACCEPTED', 'ARRIVED', 'STARTED', 'REACHED', 'PENDING', 'PAID', 'COMPLETE']
  const reached = order.indexOf(status)
  const id = over.id ?? '-OAbcdefghijklmnopqr'
  const passed = (name: string) => reached >= order.indexOf(name)
  return {
    id,
    booking_id: id,
    revision: 1,
    carType: 'Van',
    carTypeId: 'van',
    customer: 'rider',
    customer_email: 'rider@kerbside.example',
    customer_name: 'Ana Lima',
    customer_contact: '+15555550199',
    pickup: PICKUP,
    drop: DROP,
    pickupAddress: PICKUP.add,
    dropAddress: DROP.add,
    estimate: 43.13,
    estimateDistance: 5.2,
    distance: 5.2,
    estimateTime: 900,
    bookLater: false,
    tripdate: NOON,
    bookingDate: NOON,
    otp: true,
    booking_type_admin: false,
    coords: [PICKUP, DROP],
    trip_cost: 43.13,
    convenience_fees: 5.63,
    driver_share: 37.5,
    ...(reached >= 0 && {
      driver: 'driver',
      driver_name: 'Beto Silva',
      vehicle_number: 'SBA 1234',
      accepted_at: NOON + MINUTE,
    }),
    ...(passed('ARRIVED') && { driver_arrive_time: NOON + 5 * MINUTE }),
    ...(passed('STARTED') && { startTime: NOON + 6 * MINUTE, trip_start_time: '12:06:00' }),
    ...(passed('REACHED') && {
      endTime: NOON + 20 * MINUTE,
      trip_end_time: '12:20:00',
      total_trip_time: 840,
    }),
    ...(passed('PAID') && { paid_at: NOON + 22 * MINUTE, customer_paid: 43.13 }),
    ...(status === 'COMPLETE' && { rating: 5 }),
    fare_history: {
      '-first': { kind: 'estimate', at: NOON, cause: 'booked', lines: [], total: 43.13 },
    },
    event_log: { create: { event: 'create', by: 'rider', at: NOON, status: 'NEW', revision: 1 } },
    ...over,
    status,
  }
}

/** A top-up of the rider's wallet that has just begun. */
export const anAttempt = (over: Partial<PaymentAttempt> = {}): PaymentAttempt => ({
  id: 'pay1',
  uid: 'rider',
  kind: 'wallet',
  gateway: 'test',
  amount: 43.13,
  currency: 'UYU',
  createdAt: NOON,
  revision: 1,
  status: 'created',
  ...over,
})
