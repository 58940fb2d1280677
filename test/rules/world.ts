import type { Value } from '~/domain/booking/change'
import type { Booking, CarType, Promo, Settings, Status, User, UserType } from '~/domain/entities'
import { listingOf } from '~/domain/listing'
import { SERVER_UID } from '~/domain/paths'

/** Everybody who knocks at the database in these tests. The name is also the uid. */
export const PEOPLE = [
  'visitor',
  'stranger',
  'unapproved',
  'unknown',
  'rider',
  'otherRider',
  'driver',
  'requested',
  'otherDriver',
  'pending',
  'fleet',
  'otherFleet',
  'admin',
  'server',
] as const
export type Who = (typeof PEOPLE)[number]

export const WHO_THEY_ARE: Record<Who, string> = {
  visitor: 'a visitor',
  stranger: 'a signed-in person without a profile',
  unapproved: 'an unapproved rider',
  unknown: 'an account of an unknown user type',
  rider: 'the rider of the booking',
  otherRider: 'another rider',
  driver: 'the driver of the booking',
  requested: 'a requested driver',
  otherDriver: 'another driver',
  pending: 'a driver waiting for approval',
  fleet: 'the fleet admin of the driver',
  otherFleet: 'another fleet admin',
  admin: 'an admin',
  server: 'a function',
}
/** The uid somebody signs in with; null for who is not signed in. */
export const uidOf = (who: Who): string | null =>
  who === 'visitor' ? null : who === 'server' ? SERVER_UID : who

export const NOW_IS: Value = { '.sv': 'timestamp' }
export const LONG_AGO = 1_700_000_000_000

const account = (id: Who, usertype: UserType, more: Partial<User> = {}): User => ({
  id,
  usertype,
  firstName: id,
  lastName: 'Example',
  mobile: `+1555555${String(1000 + PEOPLE.indexOf(id))}`,
  email: `${id}@example.com`,
  createdAt: '2026-01-01T00:00:00.000Z',
  approved: true,
  walletBalance: 0,
  ...more,
})
const onTheRoad: Partial<User> = {
  carType: 'van',
  driverActiveStatus: true,
  queue: false,
  vehicleNumber: 'SBA 1234',
  location: { lat: -34.9, lng: -56.16 },
}
const opened = (amount: number): Partial<User> => ({
  walletBalance: amount,
  walletHistory: {
    opening: { type: 'Credit', amount, date: LONG_AGO, txRef: 'AdminCredit' },
  },
})

const users = {
  rider: account('rider', 'rider', opened(100)),
  otherRider: account('otherRider', 'rider'),
  driver: account('driver', 'driver', {
    ...onTheRoad,
    ...opened(50),
    queue: true,
    fleetadmin: 'fleet',
    bankAccount: '000123',
  }),
  requested: account('requested', 'driver', onTheRoad),
  otherDriver: account('otherDriver', 'driver', onTheRoad),
  pending: account('pending', 'driver', { ...onTheRoad, approved: false }),
  fleet: account('fleet', 'fleetadmin'),
  otherFleet: account('otherFleet', 'fleetadmin'),
  admin: account('admin', 'admin'),
  secondAdmin: { ...account('admin', 'admin'), id: 'secondAdmin' },
  unapproved: account('unapproved', 'rider', { approved: false }),
  unknown: { ...account('unknown', 'rider'), usertype: 'superuser' },
}

/** A booking as the database holds it, in any status. */
export const aBooking = (id: string, status: Status, more: Partial<Booking> = {}): Booking => ({
  id,
  booking_id: id,
  revision: 3,
  status,
  carType: 'Van',
  carTypeId: 'van',
  customer: 'rider',
  customer_email: 'rider@example.com',
  customer_name: 'rider Example',
  customer_contact: '+15555551004',
  pickup: { lat: -34.9, lng: -56.16, add: 'Plaza' },
  drop: { lat: -34.91, lng: -56.17, add: 'Puerto' },
  pickupAddress: 'Plaza',
  dropAddress: 'Puerto',
  estimate: 12.5,
  estimateDistance: 4,
  distance: 4,
  estimateTime: 600,
  bookLater: false,
  tripdate: LONG_AGO,
  bookingDate: LONG_AGO,
  otp: true,
  booking_type_admin: false,
  coords: [
    { lat: -34.9, lng: -56.16 },
    { lat: -34.91, lng: -56.17 },
  ],
  trip_cost: 12.5,
  convenience_fees: 2.5,
  driver_share: 10,
  fare_history: {
    estimate: {
      kind: 'estimate',
      at: LONG_AGO,
      cause: 'booked',
      lines: [{ label: 'fare_distance', amount: 12.5 }],
      total: 12.5,
    },
  },
  event_log: {
    create: { event: 'create', by: 'rider', at: LONG_AGO, status: 'NEW', revision: 1 },
  },
  ...more,
})
const ride: Partial<Booking> = {
  driver: 'driver',
  driver_name: 'driver Example',
  fleetadmin: 'fleet',
  accepted_at: LONG_AGO,
}

export const settings: Settings = {
  appName: 'Kerbside',
  CompanyName: 'Kerbside',
  CompanyWebsite: 'https://kerbside.example',
  CompanyTerms: 'https://kerbside.example/terms',
  contact_email: 'hello@kerbside.example',
  country: 'Uruguay',
  restrictCountry: 'UY',
  symbol: '$',
  swipe_symbol: false,
  code: 'UYU',
  decimal: 2,
  convert_to_mile: false,
  otp_secure: true,
  driver_approval: true,
  bonus: 10,
  AllowCountrySelection: true,
  CarHornRepeat: false,
  AllowDeliveryPickupImageCapture: false,
  AllowFinalDeliveryImageCapture: false,
  RiderWithDraw: true,
  horizontal_view: false,
  showLiveRoute: true,
  driverRadius: 10,
  autoDispatch: false,
  negativeBalance: false,
  bank_fields: true,
  AllowCriticalEditsAdmin: true,
  FacebookLoginEnabled: false,
  appcat: 'delivery',
  timezone: 'America/Montevideo',
}
export const van: CarType = {
  id: 'van',
  name: 'Van',
  base_fare: 1,
  rate_per_unit_distance: 2,
  rate_per_hour: 3,
  min_fare: 4,
  convenience_fees: 10,
  convenience_fee_type: 'percentage',
  parcelTypes: [{ description: 'Box', amount: 1 }],
  cancelSlab: [{ minsDelayed: 5, amount: 2 }],
}
export const welcome: Promo = {
  id: 'welcome',
  promo_name: 'Welcome',
  promo_description: 'One off',
  promo_discount_type: 'flat',
  promo_discount_value: 5,
  max_promo_discount_value: 5,
  min_order: 10,
  promo_validity: 4_000_000_000_000,
  promo_usage_limit: 2,
  user_avail: 1,
}
export const english = {
  langName: 'English',
  langLocale: 'en',
  dateLocale: 'en-gb',
  default: true,
  createdAt: '2026-01-01T00:00:00.000Z',
  keyValuePairs: { book_now: 'Book Now' },
}
const totals = { created: 3, completed: 1, tripCost: 12.5, convenienceFee: 2.5 }
const earnings = {
  year: 2026,
  monthsName: 'January',
  driverName: 'driver Example',
  driverVehicleNo: 'SBA 1234',
  total_rides: 1,
  driverShare: 10,
}

const tree = {
  users,
  settings,
  cartypes: { van },
  promos: { welcome },
  promo_uses: { welcome: { otherRider: 'done' } },
  cancel_reason: [
    { label: 'Too late', value: 0 },
    { label: 'Mistake', value: 1 },
  ],
  languages: { en: english, es: { ...english, langName: 'Español', default: false } },
  bookings: {
    riding: aBooking('riding', 'ACCEPTED', ride),
    waiting: aBooking('waiting', 'NEW', { requestedDrivers: { requested: true } }),
    unpaid: aBooking('unpaid', 'PAYMENT_PENDING'),
    done: aBooking('done', 'COMPLETE', ride),
  },
  people: Object.fromEntries(Object.entries(users).map(([uid, user]) => [uid, listingOf(user)])),
  booking_otps: { riding: 12_345 },
  otp_attempts: { riding: { tries: 2, locked_until: 0 } },
  driver_tasks: { requested: { waiting: true } },
  available_drivers: {
    otherDriver: {
      carType: 'van',
      geohash: '6dptest00',
      lat: -34.9,
      lng: -56.16,
      at: LONG_AGO,
    },
  },
  tracking: {
    riding: { first: { at: LONG_AGO, status: 'ACCEPTED', lat: -34.9, lng: -56.16 } },
    done: { first: { at: LONG_AGO, status: 'ACCEPTED', lat: -34.9, lng: -56.16 } },
  },
  chats: {
    riding: {
      first: {
        message: 'Hello',
        from: 'rider',
        type: 'msg',
        msgDate: '1 January',
        msgTime: '10:00',
        source: 'rider',
        at: LONG_AGO,
      },
    },
    done: {
      first: {
        message: 'Thanks',
        from: 'rider',
        type: 'msg',
        msgDate: '1 January',
        msgTime: '10:00',
        source: 'rider',
        at: LONG_AGO,
      },
    },
  },
  notifications: {
    sale: {
      devicetype: 'All',
      usertype: 'rider',
      title: 'Sale',
      body: 'Half price',
      createdAt: LONG_AGO,
    },
  },
  withdraws: {
    asked: {
      id: 'asked',
      uid: 'driver',
      name: 'driver Example',
      amount: 20,
      date: LONG_AGO,
      processed: false,
    },
  },
  busy_drivers: {
    driver: { booking: 'riding', carType: 'van', name: 'Dario', fleetadmin: 'fleet' },
  },
  stats: {
    days: { '2026-01-01': totals },
    earnings: { '2026-01': totals },
    total: totals,
    status: { NEW: 1, ACCEPTED: 1, COMPLETE: 1 },
    driver_earnings: { driver: { '2026-01': earnings } },
    fleet_days: { fleet: { '2026-01-01': totals } },
    fleet_earnings: { fleet: { '2026-01': totals } },
    fleet_total: { fleet: totals },
    fleet_driver_earnings: { fleet: { driver: { '2026-01': earnings } } },
  },
  payments: {
    checkout: {
      id: 'checkout',
      uid: 'rider',
      kind: 'wallet',
      gateway: 'test',
      amount: 20,
      currency: 'UYU',
      createdAt: LONG_AGO,
      revision: 1,
      status: 'pending',
    },
  },
  payment_events: {
    'test-1': {
      payment: 'checkout',
      gateway: 'test',
      amount: 20,
      currency: 'UYU',
      at: LONG_AGO,
    },
  },
  shares: {
    token: {
      booking: 'riding',
      by: 'rider',
      level: 'live',
      at: LONG_AGO,
      expires: 4_000_000_000_000,
    },
  },
  inbox: {
    rider: {
      push: { title: 'accepted', msg: 'accepted', screen: 'BookedCab', at: LONG_AGO },
    },
  },
  audit: {
    first: { by: 'admin', at: LONG_AGO, action: 'settings_update', path: 'settings', to: { a: 1 } },
  },
  user_emails: { 'hash-of-rider': 'rider' },
  stuck_bookings: { riding: { status: 'ACCEPTED', since: LONG_AGO, found_at: LONG_AGO } },
  rate_limits: { check_user_exists: { somebody: { count: 1, since: LONG_AGO } } },
}

/** The database before each attempt. */
export const world = (): Value => JSON.parse(JSON.stringify(tree)) as Value
