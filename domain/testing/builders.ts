/**
 * Builders of valid test data: each takes the fields that matter to the test and fills in the rest.
 */
import type { CreateBookingInput } from '../api/inputs/bookings'
import type { Actor } from '../booking/eventTypes'
import { referenceAt } from '../booking/search/reference'
import { emptyContext, type EventContext } from '../booking/eventContext'
import { quoteFare } from '../money/fare'
import type { PaymentAttempt } from '../payments/paymentAttempt'
import { createSettings } from '../catalog/defaultSettings'
import { MINUTE_MS } from '../language/timeUnits'
import type { Booking, BookingContacts, PaymentPacket } from '../booking/types'
import type { Promo, Settings, VehicleType } from '../catalog/types'
import type { User } from '../accounts/types'

export const MINUTE = MINUTE_MS
/** Noon on a Friday in Montevideo. */
export const NOON = Date.UTC(2026, 10, 20, 15, 0, 0)

export const aSettings = (over: Partial<Settings> = {}): Settings => ({
  ...createSettings({
    country: 'Uruguay',
    restrictCountry: 'UY',
    symbol: '$',
    code: 'UYU',
    appcat: 'delivery',
    timezone: 'America/Montevideo',
  }),
  contact_email: 'hello@kerbside.example',
  bonus: 10,
  bonusDelayDays: 0,
  autoDispatch: false,
  requeueDeclined: false,
  dispatchMode: 'broadcast',
  ...over,
})

export const aVehicleType = (over: Partial<VehicleType> = {}): VehicleType => ({
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
/** The road of a car that has not moved. */
export const NO_ROAD = { distance_in_km: 0, time_in_secs: 0, polylinePoints: '' }

const getUnchosenIndex = ({ appcat }: Settings): number => (appcat === 'delivery' ? 0 : -1)

/** Returns a client's booking request at the price shown for `aVehicleType` over `ROUTE`. */
export const aBookingRequest = (
  over: Partial<CreateBookingInput> = {},
  { carType = aVehicleType(), settings = aSettings() } = {},
): CreateBookingInput => ({
  booking_id: '-OAbcdefghijklmnopqr',
  pickup: PICKUP,
  drop: DROP,
  carType: carType.id,
  bookLater: false,
  estimateFare: quoteFare({
    carType,
    settings,
    distanceKm: ROUTE.distance_in_km,
    seconds: ROUTE.time_in_secs,
    parcelType: carType.parcelTypes?.[over.parcelTypeIndex ?? getUnchosenIndex(settings)],
    option: carType.options?.[over.optionIndex ?? getUnchosenIndex(settings)],
  }).estimateFare,
  deliveryPerson: 'Carla',
  deliveryPersonPhone: '099 123 456',
  ...over,
})

/** Returns a context that allows every event, for rider `rider` and driver `driver`. */
export const anEventContext = (over: Partial<EventContext> = {}): EventContext => ({
  ...emptyContext(aSettings()),
  carType: aVehicleType(),
  customer: aRider(),
  driver: aDriver(),
  route: ROUTE,
  roadSoFar: NO_ROAD,
  isDriverNearby: true,
  reference: referenceAt(aBookingRequest().booking_id, 0),
  otp: 12345,
  ...over,
})

export const rider: Actor = { uid: 'rider', role: 'rider' }
export const driver: Actor = { uid: 'driver', role: 'driver' }
export const admin: Actor = { uid: 'admin', role: 'admin' }
export const system: Actor = { uid: 'kerbside-server', role: 'system' }

/** Returns a booking in a status, with the fields that this status requires. */
export const aBooking = (over: Partial<Booking> = {}): Booking => {
  const status = over.status ?? 'NEW'
  const order = ['ACCEPTED', 'ARRIVED', 'STARTED', 'REACHED', 'PENDING', 'PAID', 'COMPLETE']
  const reached = order.indexOf(status)
  const id = over.id ?? '-OAbcdefghijklmnopqr'
  const passed = (name: string) => reached >= order.indexOf(name)
  return {
    id,
    booking_id: id,
    reference: referenceAt(id, 0),
    revision: 1,
    carType: 'Van',
    carTypeId: 'van',
    customer: 'rider',
    customer_name: 'Ana Lima',
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

/** Returns the contacts of a booking of `aRider` driven by `aDriver`. */
export const someBookingContacts = (over: Partial<BookingContacts> = {}): BookingContacts => ({
  customer_contact: '+15555550199',
  customer_email: 'rider@kerbside.example',
  driver_contact: '+15555550102',
  ...over,
})

/** Returns the packet of such a booking, paid entirely by card. */
export const aCardPacket = (over: Partial<PaymentPacket> = {}): PaymentPacket => ({
  appcat: 'delivery',
  payment_mode: 'card',
  customer_paid: 43.13,
  discount_amount: 0,
  usedWalletMoney: 0,
  cardPaymentAmount: 43.13,
  cashPaymentAmount: 0,
  payableAmount: 43.13,
  promo_applied: false,
  promo_details: null,
  ...over,
})

/** Returns a top-up of the rider's wallet that has just begun. */
export const aPaymentAttempt = (over: Partial<PaymentAttempt> = {}): PaymentAttempt => ({
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
