import { isOpenStatus } from '~/domain/booking/limits/openBookingLimits'
import type { DatabaseValue } from '~/domain/data/databaseValue'
import { referenceAt } from '~/domain/booking/search/reference'
import { toDirectoryEntry } from '~/domain/accounts/directory'
import { FUNCTIONS_UID } from '~/domain/data/databasePaths'
import { getRoles } from '~/domain/access/roles'
import type { Booking, Status } from '~/domain/booking/types'
import type { Promo, Settings, VehicleType } from '~/domain/catalog/types'
import type { User } from '~/domain/accounts/types'
import type { UserType } from '~/domain/access/types'

/** Everyone who accesses the database in these tests. The name is also the uid. */
export const TEST_PEOPLE = [
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
export type TestPerson = (typeof TEST_PEOPLE)[number]

export const PERSON_DESCRIPTIONS: Record<TestPerson, string> = {
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
/** Returns the uid that a person signs in with; null for a visitor. */
export const getUid = (who: TestPerson): string | null =>
  who === 'visitor' ? null : who === 'server' ? FUNCTIONS_UID : who

export const SERVER_TIMESTAMP: DatabaseValue = { '.sv': 'timestamp' }
export const LONG_AGO = 1_700_000_000_000

/** Returns an open offer of a booking to a driver. */
export const createOffer = (driver: string) => ({
  driver,
  at: LONG_AGO,
  expires: LONG_AGO + 30_000,
  eta_s: 240,
  by: 'system',
})

const createAccount = (id: TestPerson, usertype: UserType, more: Partial<User> = {}): User => ({
  id,
  usertype,
  firstName: id,
  lastName: 'Example',
  mobile: `+1555555${String(1000 + TEST_PEOPLE.indexOf(id))}`,
  email: `${id}@example.com`,
  createdAt: '2026-01-01T00:00:00.000Z',
  approved: true,
  walletBalance: 0,
  ...more,
})
const driverFields: Partial<User> = {
  carType: 'van',
  driverActiveStatus: true,
  queue: false,
  vehicleNumber: 'SBA 1234',
  location: { lat: -34.9, lng: -56.16 },
}
const createOpenedWallet = (amount: number): Partial<User> => ({
  walletBalance: amount,
  walletHistory: {
    opening: { type: 'Credit', amount, date: LONG_AGO, txRef: 'AdminCredit' },
  },
  walletMove: {
    code: 'UYU',
    scale: 100,
    before: 0,
    after: amount * 100,
    slots: { a: { entry: 'opening', units: amount * 100 } },
  },
})

const users = {
  rider: createAccount('rider', 'rider', createOpenedWallet(100)),
  otherRider: createAccount('otherRider', 'rider'),
  driver: createAccount('driver', 'driver', {
    ...driverFields,
    ...createOpenedWallet(50),
    queue: true,
    fleetadmin: 'fleet',
    bankAccount: '000123',
  }),
  requested: createAccount('requested', 'driver', driverFields),
  otherDriver: createAccount('otherDriver', 'driver', { ...driverFields, shift: 'shiftOfOther' }),
  pending: createAccount('pending', 'driver', { ...driverFields, approved: false }),
  fleet: createAccount('fleet', 'fleetadmin'),
  otherFleet: createAccount('otherFleet', 'fleetadmin'),
  admin: createAccount('admin', 'admin'),
  secondAdmin: { ...createAccount('admin', 'admin'), id: 'secondAdmin' },
  unapproved: createAccount('unapproved', 'rider', { approved: false }),
  unknown: { ...createAccount('unknown', 'rider'), usertype: 'superuser' },
}

/** Returns a booking in the given status, as the database holds it. */
export const createBooking = (
  id: string,
  status: Status,
  more: Partial<Booking> = {},
): Booking => ({
  id,
  booking_id: id,
  reference: referenceAt(id, 0),
  revision: 3,
  status,
  ...(isOpenStatus(status) && { due_at: LONG_AGO }),
  carType: 'Van',
  carTypeId: 'van',
  customer: 'rider',
  customer_name: 'rider Example',
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
/** Returns the paths that a function writes to create the booking `fresh`, which may be invalid. */
export const createFreshUpdate = (booking: object): Record<string, DatabaseValue> => ({
  'bookings/fresh': JSON.parse(JSON.stringify(booking)) as DatabaseValue,
  [`booking_refs/${referenceAt('fresh', 0)}`]: 'fresh',
})
const drivenBookingFields: Partial<Booking> = {
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
export const vanVehicleType: VehicleType = {
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
export const welcomePromo: Promo = {
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
export const englishLanguage = {
  langName: 'English',
  langLocale: 'en',
  dateLocale: 'en-gb',
  default: true,
  createdAt: '2026-01-01T00:00:00.000Z',
  keyValuePairs: { book_now: 'Book Now' },
}
const totals = {
  created: 3,
  completed: 1,
  minor: { UYU2: { tripCost: 1250, convenienceFee: 250 } },
}
const earnings = {
  year: 2026,
  monthsName: 'January',
  driverName: 'driver Example',
  driverVehicleNo: 'SBA 1234',
  total_rides: 1,
  minor: { UYU2: { driverShare: 1000 } },
}

const tree = {
  users,
  settings,
  cartypes: { van: vanVehicleType },
  promos: { welcome: welcomePromo },
  promo_uses: { welcome: { otherRider: 'done' } },
  cancel_reason: [
    { label: 'Too late', value: 0 },
    { label: 'Mistake', value: 1 },
  ],
  languages: {
    en: englishLanguage,
    es: { ...englishLanguage, langName: 'Español', default: false },
  },
  bookings: {
    riding: createBooking('riding', 'ACCEPTED', drivenBookingFields),
    waiting: createBooking('waiting', 'NEW', { requestedDrivers: { requested: true } }),
    unpaid: createBooking('unpaid', 'PAYMENT_PENDING'),
    done: createBooking('done', 'COMPLETE', drivenBookingFields),
  },
  people: Object.fromEntries(
    Object.entries(users).map(([uid, user]) => [uid, toDirectoryEntry(user)]),
  ),
  roles: getRoles(users),
  booking_refs: Object.fromEntries(
    ['riding', 'waiting', 'unpaid', 'done'].map((id) => [referenceAt(id, 0), id]),
  ),
  booking_contacts: Object.fromEntries(
    ['riding', 'waiting', 'unpaid', 'done'].map((id) => [
      id,
      {
        customer_contact: '+15555551004',
        customer_email: 'rider@example.com',
        deliveryPersonPhone: '099 123 456',
        pickUpInstructions: 'Ring twice',
        deliveryInstructions: 'Back door',
        ...((id === 'riding' || id === 'done') && { driver_contact: '+15555551006' }),
      },
    ]),
  ),
  booking_otps: { riding: 12_345 },
  otp_attempts: { riding: { tries: 2, locked_until: 0 } },
  driver_tasks: { requested: { waiting: true } },
  offers: {
    waiting: { 0: createOffer('requested') },
    riding: { 0: { ...createOffer('driver'), answer: 'accepted', answeredAt: LONG_AGO } },
  },
  available_drivers: {
    otherDriver: {
      carType: 'van',
      geohash: '6dptest00',
      lat: -34.9,
      lng: -56.16,
      at: LONG_AGO,
    },
  },
  nearby_cars: {
    shiftOfOther: {
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
  newest: {
    chats: { done: { rider: '-Ofirst0000000000000' } },
    tracking: { done: { driver: '-Ofirst0000000000000' } },
  },
  internal: {
    named_devices: { rider: { token: 'device', revision: 1 } },
    referral_ids: { ana1234: 'rider' },
    admin: {
      '~panic-riding-rider': {
        event: 'panic',
        booking_id: 'riding',
        by: 'rider',
        role: 'rider',
        name: 'Rita',
        reference: 'K7M-4QX',
        presses: 1,
        at: LONG_AGO,
        expires: LONG_AGO + 60_000,
        revision: 1,
      },
      ringing: { number: '+59899123456', at: LONG_AGO, expires: LONG_AGO + 60_000, revision: 1 },
    },
    person_notes: {
      rider: { text: 'Rings the wrong bell', by: 'admin', at: LONG_AGO, revision: 1 },
    },
    chat_notices: {
      done_driver: { entry: 'push', at: LONG_AGO, pushed_at: LONG_AGO, revision: 3 },
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
  open_payments: {
    rider: { wallet: { test: { payment: 'checkout', n: 1, since: LONG_AGO, begun: 1 } } },
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
  share_links: { riding: { rider: { live: 'token' } } },
  inbox: {
    rider: {
      push: { title: 'accepted', msg: 'accepted', screen: 'BookedCab', at: LONG_AGO },
    },
  },
  audit: {
    first: { by: 'admin', at: LONG_AGO, action: 'settings_update', path: 'settings', to: { a: 1 } },
  },
  user_emails: { 'hash-of-rider': 'rider' },
  fare_reviews: { riding: { at: LONG_AGO, driver: 'driver' } },
  booking_notes: {
    done: {
      first: { text: 'Called twice', by: 'admin', at: LONG_AGO },
      later: { text: 'No answer', by: 'admin', at: LONG_AGO },
    },
  },
  closed_accounts: { gone: { at: LONG_AGO, waived: 5, open: true } },
  former_users: { hash: { at: LONG_AGO, promos: { welcome: true }, referred: true } },
  push_tokens: {
    'hash-of-rider': { uid: 'rider', token: 'device', platform: 'WEB', at: LONG_AGO },
  },
  open_bookings: { rider: { open: 1, unpaid: 0, revision: 3 } },
  pending_registrations: {
    'hash-of-a-number': { expires: 4_000_000_000_000, registration: '{}' },
  },
  stuck_bookings: { riding: { status: 'ACCEPTED', since: LONG_AGO, found_at: LONG_AGO } },
  rate_limits: { check_user_exists: { somebody: { count: 1, since: LONG_AGO } } },
}

/** Returns a copy of the initial data for each attempt. */
export const createWorld = (): DatabaseValue => JSON.parse(JSON.stringify(tree)) as DatabaseValue
