import type { DatabaseValue } from '~/domain/data/databaseValue'
import { referenceAt } from '~/domain/booking/search/reference'
import { createCases, type AccessCase } from './accessCase'
import {
  createBooking,
  createOffer,
  englishLanguage,
  LONG_AGO,
  createFreshUpdate,
  SERVER_TIMESTAMP,
  settings,
  vanVehicleType,
  welcomePromo,
  type TestPerson,
} from './rulesFixtures'

/** The reference of the booking that `createFreshUpdate` creates. */
const FRESH = referenceAt('fresh', 0)
const office: TestPerson[] = ['admin', 'server']
const functions: TestPerson[] = ['server']
const noPeople: TestPerson[] = []

const createSetCases = (
  at: string,
  value: DatabaseValue,
  by: readonly TestPerson[],
  because: string,
): AccessCase[] => createCases({ does: 'set', at, value }, by, because)
const createRemoveCases = (at: string, by: readonly TestPerson[], because: string): AccessCase[] =>
  createCases({ does: 'remove', at }, by, because)
/** Returns rows for a write of several paths at once. */
const createUpdateCases = (
  value: Record<string, DatabaseValue>,
  by: readonly TestPerson[],
  because: string,
  given: Record<string, DatabaseValue> = {},
): AccessCase[] => createCases({ does: 'update', at: '', value, given }, by, because)
/** Returns the same rows, tried with the given data changed. */
const withChangedData = (
  different: Record<string, DatabaseValue>,
  rows: AccessCase[],
): AccessCase[] => rows.map((row) => ({ ...row, given: different }))
const toJson = (value: object): DatabaseValue => JSON.parse(JSON.stringify(value)) as DatabaseValue

const profile: DatabaseValue = {
  id: 'newcomer',
  usertype: 'rider',
  firstName: 'New',
  lastName: 'Comer',
  mobile: '+15555559999',
  email: 'new@example.com',
  createdAt: '2026-01-01T00:00:00.000Z',
  approved: true,
  walletBalance: 0,
}
/** A review as a function writes it for a trip that needs a decision of the back office. */
const flaggedReview = {
  verdict: 'flagged',
  reasons: ['far_longer', 'loops'],
  dropped_points: 12,
  charged_time: 840,
  decision: 'keep',
  decided_by: 'admin',
  decided_at: LONG_AGO,
  credited: 12.5,
}
/** Removes an account and records what the rules require. */
const createAccountRemoval = (
  uid: string,
  more: Record<string, DatabaseValue> = {},
): DatabaseValue => ({
  [`users/${uid}`]: null,
  [`roles/${uid}`]: null,
  [`closed_accounts/${uid}`]: { at: SERVER_TIMESTAMP, waived: 0, open: true },
  ...more,
})
/** Returns an update of the booking `riding`: its fields with the required revision. */
const createBookingStep = (fields: Record<string, DatabaseValue>): DatabaseValue => ({
  'bookings/riding/revision': 4,
  ...Object.fromEntries(
    Object.entries(fields).map(([field, value]) => [`bookings/riding/${field}`, value]),
  ),
})

/** The details of a booking that its rider and the office may have a function change. */
const amendedDetails: Record<string, DatabaseValue> = {
  pickup: { lat: -34.9, lng: -56.17, add: 'Cordón' },
  drop: { lat: -34.88, lng: -56.08, add: 'Carrasco' },
  waypoints: [{ lat: -34.89, lng: -56.1, add: 'Malvín' }],
  tripdate: LONG_AGO,
  bookLater: true,
  carType: 'Bike',
  carTypeId: 'bike',
  deliveryPerson: 'Gil',
}

/** The record of a credit of 5 to a balance of 100, as the domain writes it. */
const creditMove: DatabaseValue = {
  code: 'UYU',
  scale: 100,
  before: 10_000,
  after: 10_500,
  slots: { a: { entry: 'gift', units: 500 } },
}

const userCases: AccessCase[] = [
  ...createUpdateCases(
    { 'users/newcomer': profile, 'roles/newcomer': 'rider' },
    functions,
    'only functions create accounts',
  ),
  ...createSetCases('users/newcomer', profile, noPeople, 'an approved account needs its role'),
  ...createSetCases(
    'users/stranger/firstName',
    'Stranger',
    noPeople,
    'one field cannot create a profile',
  ),
  ...createCases(
    { does: 'update', at: '', value: createAccountRemoval('otherRider') },
    functions,
    'only functions delete accounts',
  ),
  ...createCases(
    {
      does: 'update',
      at: '',
      value: createAccountRemoval('otherRider', { 'roles/otherRider': 'rider' }),
    },
    noPeople,
    'a deleted account cannot keep its role',
  ),
  ...createRemoveCases('users/otherRider', noPeople, 'a deletion must be recorded'),
  ...createRemoveCases('users/driver', noPeople, 'a driver on a trip cannot be deleted'),
  ...createSetCases('users', { rider: profile }, noPeople, 'all users cannot be written at once'),

  // Profile fields change only through a function: owners correct them, and the function audits
  // corrections by the office.
  ...createSetCases(
    'users/rider/firstName',
    'Ria',
    functions,
    'only a function changes a name, because it audits the change',
  ),
  ...createSetCases(
    'users/driver/lastName',
    'Rider',
    functions,
    'only a function changes a name, because it audits the change',
  ),
  ...createRemoveCases('users/rider/firstName', noPeople, 'a name cannot be removed'),
  ...createSetCases(
    'users/rider/email',
    'ria@example.com',
    functions,
    'only a function changes an email address, because it must be unique',
  ),
  ...createSetCases(
    'users/rider/email',
    '',
    functions,
    'only functions clear an email address, when its verified owner claims it',
  ),
  ...createSetCases(
    'users/rider/emailVerified',
    true,
    functions,
    'only functions mark an email address as verified',
  ),
  ...createRemoveCases(
    'users/rider/emailVerified',
    functions,
    'only functions remove the verification of an email address',
  ),
  ...createSetCases(
    'users/rider/lang',
    { langLocale: 'es', dateLocale: 'es' },
    ['rider', 'server'],
    'users choose their own language',
  ),
  ...createSetCases(
    'users/rider/profile_image',
    'https://images.example/ria.webp',
    functions,
    "only a function sets a picture, because it checks that the file is the user's own",
  ),
  ...createSetCases(
    'internal/named_devices/driver',
    { token: 'token', revision: 1 },
    functions,
    'only functions register a device',
  ),
  ...createSetCases(
    'users/rider/pushToken',
    'token',
    noPeople,
    'no profile has a push token, because others read the profile',
  ),
  ...createSetCases(
    'users/driver/bankName',
    'Bank',
    functions,
    'only a function changes bank details, which makes payouts wait',
  ),
  ...createSetCases(
    'users/driver/bankCode',
    '42',
    functions,
    'only a function changes bank details, which makes payouts wait',
  ),
  ...createSetCases(
    'users/driver/bankAccount',
    '000999',
    functions,
    'only a function changes bank details, which makes payouts wait',
  ),
  ...createSetCases(
    'users/driver/vehicleMake',
    'Make',
    functions,
    'only a function changes vehicle data that the back office approved',
  ),
  ...createSetCases(
    'users/driver/vehicleModel',
    'Model',
    functions,
    'only a function changes vehicle data that the back office approved',
  ),
  ...createSetCases(
    'users/driver/vehicleNumber',
    'SBA 9',
    functions,
    'only a function changes vehicle data that the back office approved',
  ),
  ...createSetCases(
    'users/driver/other_info',
    'Blue',
    functions,
    'only a function changes vehicle data that the back office approved',
  ),
  ...createSetCases(
    'users/driver/licenseImage',
    'https://images.example/licence.png',
    functions,
    'only a function changes a license picture, because it checks the file and the approval',
  ),
  ...createSetCases(
    'users/rider/vehicleMake',
    'Make',
    functions,
    'riders cannot write vehicle data',
  ),
  ...createSetCases(
    'users/driver/driverActiveStatus',
    false,
    ['driver', 'server'],
    'drivers may go off duty',
  ),
  ...createSetCases('users/rider/driverActiveStatus', true, functions, 'riders are never on duty'),
  ...createSetCases(
    'users/pending/driverActiveStatus',
    true,
    functions,
    'an unapproved driver cannot go on duty',
  ),
  ...createSetCases(
    'users/driver/location',
    { lat: -34.9, lng: -56.1 },
    ['driver', 'server'],
    'drivers update their own position',
  ),
  ...createSetCases(
    'users/rider/location',
    { lat: -34.9, lng: -56.1 },
    functions,
    'riders have no position',
  ),

  // Users cannot change their own permissions.
  ...createSetCases('users/rider/id', 'admin', functions, 'users cannot change an id'),
  ...['rider', 'driver', 'unknown'].flatMap((uid) => [
    ...createUpdateCases(
      { [`users/${uid}/usertype`]: 'admin', [`roles/${uid}`]: 'admin' },
      functions,
      'only functions change a user type',
    ),
    ...createSetCases(
      `users/${uid}/usertype`,
      'admin',
      noPeople,
      'a user type changes together with its role',
    ),
  ]),
  ...createSetCases('users/stranger/usertype', 'admin', noPeople, 'a role needs an account'),
  ...createUpdateCases(
    { 'users/pending/approved': true, 'roles/pending': 'driver' },
    functions,
    'a function approves a driver',
  ),
  ...createUpdateCases(
    { 'users/unapproved/approved': true, 'roles/unapproved': 'rider' },
    functions,
    'a function approves a rider',
  ),
  ...createUpdateCases(
    { 'users/driver/approved': false, 'roles/driver': null },
    functions,
    'a function suspends a driver, because it also ends the sessions',
  ),
  ...createUpdateCases(
    { 'users/admin/approved': false, 'roles/admin': null },
    functions,
    'admins cannot suspend themselves',
  ),
  ...createUpdateCases(
    { 'users/secondAdmin/approved': false, 'roles/secondAdmin': null },
    functions,
    'admins suspend a colleague by a function, which asks for a fresh sign-in',
  ),
  ...createSetCases('users/pending/approved', true, noPeople, 'an approval must write the role'),
  ...createSetCases('users/unapproved/approved', true, noPeople, 'an approval must write the role'),
  ...createSetCases('users/driver/approved', false, noPeople, 'a suspension must remove the role'),
  ...createSetCases(
    'users/admin/approved',
    false,
    noPeople,
    'a suspension of an admin must remove the role',
  ),
  ...createSetCases(
    'users/driver/fleetadmin',
    'otherFleet',
    functions,
    'a function moves a driver to another fleet',
  ),
  ...createSetCases(
    'users/driver/fleetadmin',
    'rider',
    noPeople,
    "a driver's fleet must belong to a fleet admin",
  ),
  ...createSetCases(
    'users/rider/mobile',
    '+15555550000',
    functions,
    'only functions change a phone number, after a verification code',
  ),
  ...createSetCases(
    'users/driver/carType',
    'limousine',
    functions,
    "a function sets the vehicle type, because it sets the driver's pay",
  ),
  ...createSetCases('users/rider/createdAt', '2020-01-01', functions, 'only functions write dates'),
  ...createSetCases(
    'users/rider/createdByAdmin',
    true,
    functions,
    'only functions record how an account was created',
  ),
  ...createSetCases(
    'users/rider/referralId',
    'free9999',
    functions,
    'only functions write referral data, because a referral pays',
  ),
  ...createSetCases(
    'users/rider/signupViaReferral',
    'otherRider',
    functions,
    'only functions write referral data, because a referral pays',
  ),
  ...createSetCases(
    'users/rider/referralRewarded',
    false,
    functions,
    'only functions record a paid referral, because it is paid once',
  ),
  ...createSetCases(
    'users/rider/formerPromos',
    { welcome: true },
    functions,
    'only functions record used benefits',
  ),
  ...createSetCases(
    'users/rider/formerPhones',
    { hash: true },
    functions,
    'only functions record earlier phone numbers',
  ),
  ...createSetCases(
    'users/rider/sessionsEnd',
    1_764_000_000_000,
    functions,
    'only functions end the sessions of an account',
  ),
  ...createSetCases(
    'users/rider/loginType',
    'google',
    functions,
    'only functions record how an account was created',
  ),
  ...createSetCases(
    'users/otherDriver/queue',
    true,
    functions,
    'only functions make a driver busy',
  ),
  ...createSetCases('users/driver/queue', false, functions, 'only functions make a driver free'),
  ...createSetCases('users/driver/queue', true, noPeople, 'a busy driver cannot become busy again'),
  ...createSetCases(
    'users/driver/ratings',
    { userrating: 5, details: { riding: { user: 'rider', rate: 5 } } },
    functions,
    'only functions write a rating, for a rider',
  ),
  ...createSetCases(
    'users/driver/ratings',
    { userrating: 4, count: 2, details: { a: { user: 'rider', rate: 4 } } },
    functions,
    'a function may write the first ratings with any count',
  ),
  ...[2, 3].flatMap((count) =>
    createCases(
      {
        does: 'update',
        at: 'users/driver/ratings',
        value: { userrating: 4, count, 'details/b': { user: 'rider', rate: 4 } },
        given: { 'users/driver/ratings': { userrating: 4, count: 2 } },
      },
      count === 3 ? functions : noPeople,
      'the count rises by one, so the second of two concurrent ratings is computed again',
    ),
  ),
  ...createSetCases('users/driver/shift', 'newKey', noPeople, 'a key must name a car that exists'),
  ...createSetCases(
    'users/rider/walletBalance',
    1000,
    noPeople,
    'a balance changes together with its entry',
  ),
  ...createRemoveCases('users/rider/walletBalance', noPeople, 'a balance cannot be removed'),
  ...createCases(
    {
      does: 'update',
      at: 'users/rider',
      value: {
        'walletHistory/gift': { type: 'Credit', amount: 5, date: LONG_AGO, txRef: 'AdminCredit' },
        walletBalance: 105,
        walletMove: creditMove,
      },
    },
    functions,
    'only functions move money',
  ),
  ...createSetCases(
    'users/rider/walletHistory/gift',
    { type: 'Credit', amount: 5, date: LONG_AGO, txRef: 'AdminCredit' },
    noPeople,
    'an entry changes together with the balance',
  ),
  ...createSetCases(
    'users/rider/walletHistory/opening',
    { type: 'Credit', amount: 500, date: LONG_AGO, txRef: 'AdminCredit' },
    noPeople,
    'an entry is written only once',
  ),
  ...createSetCases(
    'users/rider/walletHistory/opening/amount',
    500,
    noPeople,
    'an entry is written only once',
  ),
  ...createRemoveCases('users/rider/walletHistory/opening', noPeople, 'an entry cannot be removed'),
  ...createRemoveCases('users/rider/walletHistory', noPeople, 'a wallet history cannot be removed'),
  ...createSetCases(
    'users/rider/walletMove',
    creditMove,
    noPeople,
    'a record needs its entry and balance',
  ),
  ...createRemoveCases(
    'users/rider/walletMove',
    noPeople,
    'the record of the last write cannot be removed',
  ),
  ...createSetCases(
    'users/rider/savedAddresses/home',
    { lat: -34.9, lng: -56.1, description: 'Home', count: 1 },
    functions,
    'only functions save addresses, when a trip ends',
  ),
  ...createSetCases(
    'users/rider/notifications/one',
    { title: 'Hi' },
    functions,
    'only functions write notifications',
  ),
  ...createSetCases('users/rider/isAdmin', true, noPeople, 'a profile has no unknown fields'),
  ...createSetCases(
    'users/rider',
    { ...(profile as object), id: 'rider', usertype: 'admin' },
    noPeople,
    'an account cannot be overwritten',
  ),
]

/** Data in which the fleet's driver is not approved yet. */
const unapprovedDriver = { 'users/driver/approved': false, 'roles/driver': null }
const roleCases: AccessCase[] = [
  ...createSetCases('roles/rider', 'admin', noPeople, 'a role must match the user type'),
  ...createSetCases('roles/fleet', 'admin', noPeople, 'a role must match the user type'),
  ...createSetCases('roles/secondAdmin', 'rider', noPeople, 'a role must match the user type'),
  ...createSetCases('roles/pending', 'driver', noPeople, 'an unapproved user has no role'),
  ...createSetCases('roles/unapproved', 'rider', noPeople, 'an unapproved user has no role'),
  ...createSetCases('roles/stranger', 'rider', noPeople, 'a role needs an account'),
  ...createSetCases('roles/unknown', 'superuser', noPeople, 'an unknown user type has no role'),
  ...createRemoveCases('roles/driver', noPeople, 'an approved user keeps their role'),
  ...createRemoveCases('roles', noPeople, 'all roles cannot be removed at once'),
  ...createUpdateCases(
    { 'users/pending/approved': true, 'roles/pending': 'admin' },
    noPeople,
    'an approval must write the role of the user type',
  ),
  ...createUpdateCases(
    { 'users/driver/approved': true, 'roles/driver': 'driver' },
    functions,
    'neither an admin nor the fleet admin approves a driver without a function',
    unapprovedDriver,
  ),
  ...createUpdateCases(
    { 'users/rider/usertype': 'admin', 'users/rider/approved': false, 'roles/rider': 'admin' },
    noPeople,
    'a suspension cannot write a role',
  ),
  ...createUpdateCases(
    { 'users/otherRider': null, 'roles/otherRider': 'admin' },
    noPeople,
    'a deleted account has no role',
  ),
  ...createUpdateCases(
    { 'users/rider/approved': null, 'roles/rider': null },
    noPeople,
    'the approval cannot be removed',
  ),
  ...createCases(
    { does: 'set', at: 'roles/driver', value: 'driver', given: { 'roles/driver': null } },
    functions,
    'a function may restore a missing role from the profile',
  ),
  ...createCases(
    { does: 'remove', at: 'roles/gone', given: { 'roles/gone': 'admin' } },
    functions,
    'a function may remove a role without an account',
  ),
  ...createCases(
    { does: 'set', at: 'roles/admin', value: 'admin', given: { 'roles/admin': null } },
    functions,
    'admins cannot write their own role, even the right one',
  ),
]

const bookingCases: AccessCase[] = [
  ...createUpdateCases(
    createFreshUpdate(createBooking('fresh', 'NEW', { revision: 1 })),
    functions,
    'clients call a function to book',
  ),
  ...createUpdateCases(
    createFreshUpdate(createBooking('fresh', 'NEW', { revision: 7 })),
    noPeople,
    'a booking starts at revision 1',
  ),
  ...createUpdateCases(
    createFreshUpdate(createBooking('fresh', 'PAID', { revision: 1 })),
    noPeople,
    'a booking cannot start as paid',
  ),
  ...createSetCases(
    'bookings/riding',
    toJson(createBooking('riding', 'NEW', { revision: 1 })),
    noPeople,
    'a booking cannot be overwritten',
  ),
  ...createRemoveCases('bookings/riding', noPeople, 'a booking cannot be removed'),
  ...createRemoveCases('bookings', noPeople, 'all bookings cannot be removed at once'),
  ...createCases(
    { does: 'update', at: '', value: createBookingStep({ status: 'ARRIVED' }) },
    functions,
    'clients call a function to change a booking',
  ),
  ...createSetCases(
    'bookings/riding/status',
    'ARRIVED',
    noPeople,
    'a change must raise the revision',
  ),
  ...createUpdateCases(
    createFreshUpdate({ ...createBooking('fresh', 'NEW', { revision: 1 }), due_at: null }),
    noPeople,
    'a booking has a due time from the beginning',
  ),
  ...createCases(
    { does: 'update', at: '', value: createBookingStep({ status: 'ARRIVED', due_at: null }) },
    noPeople,
    'an open booking keeps a due time through every change of its status',
  ),
  ...createCases(
    { does: 'update', at: '', value: createBookingStep({ status: 'CANCELLED' }) },
    noPeople,
    'a booking that is over has no due time',
  ),
  ...createCases(
    { does: 'update', at: '', value: createBookingStep({ status: 'CANCELLED', due_at: null }) },
    functions,
    'the due time goes with the last change',
  ),
  ...createCases(
    { does: 'update', at: '', value: createBookingStep({ due_at: LONG_AGO + 1 }) },
    functions,
    'the scheduled job moves the due time with the revision',
  ),
  ...createCases(
    { does: 'update', at: '', value: createBookingStep({ due_at: null }) },
    functions,
    'the scheduled job removes the due time of a booking that it has listed as stuck',
  ),
  ...createSetCases(
    'bookings/riding/due_at',
    LONG_AGO + 1,
    noPeople,
    'a due time from an outdated revision is refused',
  ),
  ...createCases(
    {
      does: 'update',
      at: '',
      value: {
        ...(createBookingStep({ status: 'ARRIVED' }) as object),
        'bookings/riding/revision': 5,
      },
    },
    noPeople,
    'the revision rises by exactly one',
  ),
  ...createCases(
    {
      does: 'update',
      at: '',
      value: {
        ...(createBookingStep({ status: 'ARRIVED' }) as object),
        'bookings/riding/revision': 3,
      },
    },
    noPeople,
    'a change from an outdated revision is refused',
  ),
  ...createCases(
    { does: 'update', at: '', value: createBookingStep({ status: 'PAID' }) },
    noPeople,
    'an accepted booking cannot become paid before the trip',
  ),
  ...createCases(
    { does: 'update', at: '', value: createBookingStep({ status: 'ENDED' }) },
    noPeople,
    'a status must be known',
  ),
  ...createCases(
    { does: 'update', at: '', value: createBookingStep({ status: null }) },
    noPeople,
    'a booking needs a status',
  ),
  ...createCases(
    { does: 'update', at: '', value: createBookingStep({ trip_cost: 1, driver_share: 1000 }) },
    functions,
    'only functions write prices',
  ),
  ...createCases(
    { does: 'update', at: '', value: createBookingStep(amendedDetails) },
    functions,
    'only functions change the details of a booking',
  ),
  ...Object.entries(amendedDetails).flatMap(([field, value]) =>
    createSetCases(
      `bookings/riding/${field}`,
      value,
      noPeople,
      `a change of ${field} must raise the revision`,
    ),
  ),
  ...createCases(
    { does: 'update', at: '', value: createBookingStep({ bookLater: 'yes' }) },
    noPeople,
    'a booking is for now or for later',
  ),
  ...createCases(
    { does: 'update', at: '', value: createBookingStep({ customer: 'otherRider' }) },
    noPeople,
    'the customer of a booking cannot change',
  ),
  ...createCases(
    { does: 'update', at: '', value: createBookingStep({ driver: 'otherDriver' }) },
    noPeople,
    'the driver of a booking cannot change',
  ),
  ...createCases(
    {
      does: 'update',
      at: '',
      value: {
        ...(createBookingStep({ status: 'NEW', driver: null, requeued_at: LONG_AGO }) as object),
        'busy_drivers/driver': null,
      },
    },
    functions,
    'a function takes a booking from its driver, who is then free',
  ),
  ...createCases(
    { does: 'update', at: '', value: createBookingStep({ status: 'NEW', driver: null }) },
    noPeople,
    'a driver who loses a booking is no longer busy with it',
  ),
  ...createCases(
    {
      does: 'update',
      at: '',
      value: {
        ...(createBookingStep({ status: 'ARRIVED', driver: null }) as object),
        'busy_drivers/driver': null,
      },
    },
    noPeople,
    'a booking under way keeps its driver',
  ),
  ...createSetCases(
    'settings/requeueDeclined',
    true,
    office,
    'the back office decides whether a decline ends a booking',
  ),
  ...createSetCases(
    'settings/requeueDeclined',
    'yes',
    noPeople,
    'declined bookings stay in the queue or not',
  ),
  ...createCases(
    { does: 'update', at: '', value: createBookingStep({ otp: 12345 }) },
    noPeople,
    'a booking does not hold its code, because the driver reads it',
  ),
  ...createCases(
    { does: 'update', at: '', value: createBookingStep({ route: '~k_tE~s{uIfc@reA' }) },
    functions,
    'only functions write the planned route, because it sets the price',
  ),
  ...createCases(
    { does: 'update', at: '', value: createBookingStep({ route: 'x'.repeat(3001) }) },
    noPeople,
    'a route is at most 3,000 characters, because lists read whole bookings',
  ),
  ...createCases(
    { does: 'update', at: '', value: createBookingStep({ route: 7 }) },
    noPeople,
    'a route is an encoded string',
  ),
  ...createCases(
    {
      does: 'update',
      at: '',
      value: createBookingStep({ driven_distance: 7.4, distance_review: flaggedReview }),
    },
    functions,
    'only functions review the driven distance',
  ),
  ...createCases(
    { does: 'update', at: '', value: createBookingStep({ driven_distance: -1 }) },
    noPeople,
    'a driven distance cannot be negative',
  ),
  ...[
    { ...flaggedReview, verdict: 'believed' },
    { ...flaggedReview, reasons: ['because'] },
    { ...flaggedReview, decision: 'double' },
    { ...flaggedReview, charged_time: -1 },
    { verdict: 'flagged' },
  ].flatMap((distance_review) =>
    createCases(
      { does: 'update', at: '', value: createBookingStep({ distance_review }) },
      noPeople,
      'a distance review must have valid fields',
    ),
  ),
  ...createCases(
    { does: 'update', at: '', value: createBookingStep({ discountCode: 'x' }) },
    noPeople,
    'a booking has no unknown fields',
  ),
  ...createCases(
    {
      does: 'update',
      at: '',
      value: createBookingStep({
        'fare_history/final': { kind: 'final', at: LONG_AGO, cause: 'reached', total: 9 },
      }),
    },
    functions,
    'only functions explain a price',
  ),
  ...createCases(
    {
      does: 'update',
      at: '',
      value: createBookingStep({
        'fare_history/estimate': { kind: 'estimate', at: LONG_AGO, cause: 'booked', total: 1 },
      }),
    },
    noPeople,
    'an explanation cannot be rewritten',
  ),
  ...createCases(
    { does: 'update', at: '', value: createBookingStep({ 'fare_history/estimate': null }) },
    noPeople,
    'an explanation cannot be removed',
  ),
  ...createCases(
    { does: 'update', at: '', value: createBookingStep({ fare_history: null }) },
    noPeople,
    'all explanations cannot be removed at once',
  ),
  ...createCases(
    {
      does: 'update',
      at: '',
      value: createBookingStep({
        'adjustments/request': { at: LONG_AGO, reason: 'late', rider: 5, driver: -2 },
      }),
    },
    functions,
    'only functions record compensation',
  ),
  ...createCases(
    { does: 'update', at: '', value: createBookingStep({ words: { rate: 'Thank you' } }) },
    functions,
    'only functions store what people wrote about a booking',
  ),
  ...createCases(
    { does: 'update', at: '', value: createBookingStep({ words: null }) },
    functions,
    'the deletion of an account removes what people wrote',
  ),
  ...createCases(
    { does: 'update', at: '', value: createBookingStep({ words: { rate: 'x'.repeat(501) } }) },
    noPeople,
    'words have a limit',
  ),
  ...createSetCases(
    'bookings/riding/words/rate',
    'Thank you',
    noPeople,
    'words change only with the revision of their booking',
  ),
  ...createCases(
    {
      does: 'update',
      at: '',
      value: createBookingStep({ 'adjustments/request': { at: LONG_AGO, rider: 5 } }),
    },
    noPeople,
    'compensation has a reason',
  ),
  ...createCases(
    {
      does: 'update',
      at: '',
      value: createBookingStep({
        'adjustments/request': { at: LONG_AGO, reason: 'late', office: 5 },
      }),
    },
    noPeople,
    'compensation is for the rider or the driver',
  ),
  ...createCases(
    {
      does: 'update',
      at: '',
      value: createBookingStep({
        'event_log/arrive': {
          event: 'arrive',
          by: 'driver',
          at: LONG_AGO,
          status: 'ARRIVED',
          revision: 4,
        },
      }),
    },
    functions,
    'only functions write the event log',
  ),
  ...createCases(
    {
      does: 'update',
      at: '',
      value: createBookingStep({
        'event_log/arrive': {
          event: 'arrive',
          by: 'driver',
          at: LONG_AGO,
          received_at: LONG_AGO + 1000,
          status: 'ARRIVED',
          revision: 4,
        },
      }),
    },
    functions,
    'only functions write the time when an event was received',
  ),
  ...createCases(
    {
      does: 'update',
      at: '',
      value: createBookingStep({
        'event_log/arrive': {
          event: 'arrive',
          by: 'driver',
          at: LONG_AGO,
          received_at: 'later',
          status: 'ARRIVED',
          revision: 4,
        },
      }),
    },
    noPeople,
    'the time when an event was received is a number',
  ),
  ...createCases(
    {
      does: 'update',
      at: '',
      value: createBookingStep({
        'event_log/arrive': {
          event: 'arrive',
          by: 'driver',
          at: LONG_AGO,
          status: 'ARRIVED',
          revision: 2,
        },
      }),
    },
    noPeople,
    'an event has the revision that it created',
  ),
  ...createCases(
    {
      does: 'update',
      at: '',
      value: createBookingStep({
        'event_log/create': {
          event: 'create',
          by: 'otherRider',
          at: LONG_AGO,
          status: 'NEW',
          revision: 4,
        },
      }),
    },
    noPeople,
    'an event cannot be rewritten',
  ),
  ...createCases(
    { does: 'update', at: '', value: createBookingStep({ 'event_log/create': null }) },
    noPeople,
    'an event cannot be removed',
  ),
  ...createCases(
    { does: 'update', at: '', value: createBookingStep({ event_log: null }) },
    noPeople,
    'the event log cannot be removed',
  ),

  ...createCases(
    {
      does: 'update',
      at: '',
      value: {
        ...createFreshUpdate(createBooking('fresh', 'NEW', { revision: 1 })),
        'booking_contacts/fresh': { customer_contact: '+15555551004', customer_email: '' },
      },
    },
    functions,
    'only functions write contacts, together with their booking',
  ),
  ...createSetCases(
    'booking_contacts/fresh',
    { customer_contact: '+15555551004', customer_email: '' },
    noPeople,
    'contacts need a booking',
  ),
  ...createSetCases(
    'booking_contacts/fresh',
    { customer_contact: '+15555551004' },
    noPeople,
    'contacts must be complete',
  ),
  ...createCases(
    {
      does: 'update',
      at: '',
      value: {
        ...(createBookingStep({}) as object),
        'booking_contacts/riding/driver_contact': '+15555551007',
      },
    },
    functions,
    'only functions change a phone number, together with the booking',
  ),
  ...createSetCases(
    'booking_contacts/riding/driver_contact',
    '+15555551007',
    noPeople,
    'contacts change only together with their booking',
  ),
  ...createCases(
    {
      does: 'update',
      at: '',
      value: {
        ...(createBookingStep({}) as object),
        'booking_contacts/riding/customer_token': 'token',
      },
    },
    noPeople,
    'contacts hold no push token',
  ),
  ...createCases(
    {
      does: 'update',
      at: '',
      value: { ...(createBookingStep({}) as object), 'booking_contacts/riding': null },
    },
    functions,
    'only functions remove the contacts of a deleted account',
  ),
  ...createRemoveCases(
    'booking_contacts/riding',
    noPeople,
    'contacts cannot be removed without a change of the booking',
  ),
  ...createCases(
    { does: 'update', at: '', value: createBookingStep({ customer_contact: '+15555551004' }) },
    noPeople,
    'a booking holds no contacts',
  ),
  ...createUpdateCases(
    {
      ...createFreshUpdate(createBooking('fresh', 'NEW', { revision: 1 })),
      [`booking_refs/${FRESH}`]: null,
    },
    noPeople,
    'a new booking needs its reference in the index',
  ),
  ...createUpdateCases(
    createFreshUpdate({ ...createBooking('fresh', 'NEW', { revision: 1 }), reference: undefined }),
    noPeople,
    'a booking needs a reference',
  ),
  ...createUpdateCases(
    createFreshUpdate(createBooking('fresh', 'NEW', { revision: 1, reference: 'BAD-REF' })),
    noPeople,
    'a reference has only unambiguous characters',
  ),
  ...createUpdateCases(
    createFreshUpdate(
      createBooking('fresh', 'NEW', { revision: 1, reference: referenceAt('riding', 0) }),
    ),
    noPeople,
    'the index must name the booking of a reference',
  ),
  ...createUpdateCases(
    {
      'bookings/fresh': toJson(
        createBooking('fresh', 'NEW', { revision: 1, reference: referenceAt('riding', 0) }),
      ),
      [`booking_refs/${referenceAt('riding', 0)}`]: 'fresh',
    },
    noPeople,
    'a reference cannot be taken from another booking',
  ),
  ...createSetCases(
    `booking_refs/${FRESH}`,
    'riding',
    noPeople,
    'the index has only references that bookings have',
  ),
  ...createSetCases(
    'booking_refs/BAD-REF',
    'riding',
    noPeople,
    'the index has only well-formed references',
  ),
  ...createUpdateCases(
    createBookingStep({ reference: FRESH }) as Record<string, DatabaseValue>,
    noPeople,
    'the reference of a booking cannot change',
  ),
  ...createUpdateCases(
    {
      ...(createBookingStep({ reference: FRESH }) as object),
      [`booking_refs/${FRESH}`]: 'riding',
    },
    noPeople,
    'the reference of a booking cannot change, even together with the index',
  ),
  ...createRemoveCases(
    `booking_refs/${referenceAt('riding', 0)}`,
    noPeople,
    'a reference cannot be released',
  ),
  ...createRemoveCases('booking_refs', noPeople, 'all references cannot be removed at once'),
  ...createSetCases('booking_otps/waiting', 54_321, functions, 'only functions create a code'),
  ...createSetCases('booking_otps/riding', 54_321, noPeople, 'a code cannot change during a trip'),
  ...createSetCases('booking_otps/waiting', 999, noPeople, 'a code has five digits'),
  ...createRemoveCases('booking_otps/riding', functions, 'only functions remove a code'),
  ...createSetCases(
    'otp_attempts/riding',
    { tries: 3, locked_until: 0 },
    functions,
    'only functions count failed attempts',
  ),
  ...createSetCases(
    'otp_attempts/riding',
    { tries: 2, locked_until: 0 },
    noPeople,
    'the count rises by one, so two concurrent attempts both count',
  ),
  ...createRemoveCases('otp_attempts/riding', functions, 'only functions reset the count'),
  ...createSetCases(
    'driver_tasks/otherDriver/waiting',
    true,
    functions,
    'only functions send an offer',
  ),
  ...createSetCases('driver_tasks/driver/waiting', true, noPeople, 'a busy driver gets no offer'),
  ...createSetCases(
    'driver_tasks/otherDriver/waiting',
    'yes',
    noPeople,
    'an offer has the value true',
  ),
  ...createRemoveCases(
    'driver_tasks/requested/waiting',
    functions,
    'only functions remove an offer',
  ),
  ...createRemoveCases(
    'driver_tasks/requested',
    functions,
    'only functions remove the offers of a deleted driver',
  ),
]

const offering = (driver: string, offer: DatabaseValue = createOffer(driver), n = 1) => ({
  [`driver_tasks/${driver}/waiting`]: true,
  [`offers/waiting/${n}`]: offer,
})
const offerCases: AccessCase[] = [
  ...createUpdateCases(
    offering('otherDriver'),
    functions,
    'only functions add an offer, together with its request',
  ),
  ...createUpdateCases(
    offering('otherDriver', { ...createOffer('otherDriver'), rank: 2, cost: 240.5 }),
    functions,
    'an offer says how the driver was chosen',
  ),
  ...createSetCases(
    'offers/waiting/1',
    createOffer('otherDriver'),
    noPeople,
    'an offer needs its request',
  ),
  ...createUpdateCases(
    offering('otherDriver', createOffer('driver')),
    noPeople,
    'an offer names the driver of its request',
  ),
  ...createUpdateCases(
    { 'driver_tasks/requested/done': true, 'offers/done/0': createOffer('requested') },
    noPeople,
    'a driver has at most one open offer',
  ),
  ...createUpdateCases(
    offering('otherDriver', { ...createOffer('otherDriver'), eta_s: null }),
    noPeople,
    'an offer says how far the driver was',
  ),
  ...createUpdateCases(
    offering('otherDriver', { ...createOffer('otherDriver'), by: 'rider' }),
    noPeople,
    'an offer is by the system or the back office',
  ),
  ...createUpdateCases(
    offering('otherDriver', { ...createOffer('otherDriver'), at: 'now' }),
    noPeople,
    'the time of an offer is a number',
  ),
  ...createUpdateCases(
    offering('otherDriver', { ...createOffer('otherDriver'), note: 'x' }),
    noPeople,
    'an offer has no other parts',
  ),
  ...createUpdateCases(
    offering('requested', createOffer('requested'), 0),
    noPeople,
    'an offer cannot be replaced',
  ),
  ...createSetCases('offers/waiting/0/at', 1, noPeople, 'an offer cannot change'),
  ...createSetCases('offers/waiting/0/rank', 1, noPeople, 'nothing is added to an offer later'),
  ...createRemoveCases('offers/waiting/0', noPeople, 'an offer cannot be removed'),
  ...createRemoveCases('offers/waiting', noPeople, 'the offers of a booking cannot be removed'),
  ...createSetCases(
    'offers/waiting/0/answer',
    'declined',
    functions,
    'only functions add an answer to an offer',
  ),
  ...createSetCases(
    'offers/waiting/0/answeredAt',
    LONG_AGO,
    functions,
    'only functions add the time of an answer',
  ),
  ...createSetCases('offers/waiting/0/answer', 'maybe', noPeople, 'an answer is a known one'),
  ...createSetCases('offers/waiting/7/answer', 'declined', noPeople, 'an answer needs its offer'),
  ...createSetCases('offers/riding/0/answer', 'declined', noPeople, 'an answer cannot change'),
  ...createRemoveCases('offers/riding/0/answer', noPeople, 'an answer cannot be removed'),
]

const createTrackPoint = (status: string): DatabaseValue => ({
  at: SERVER_TIMESTAMP,
  status,
  lat: -34.9,
  lng: -56.1,
})
const createMessage = (from: string, source: string): DatabaseValue => ({
  message: 'On my way',
  from,
  type: 'msg',
  msgDate: '1 January',
  msgTime: '10:05',
  source,
  at: SERVER_TIMESTAMP,
})
const availabilityRow: DatabaseValue = {
  carType: 'van',
  geohash: '6dptest00',
  lat: -34.9,
  lng: -56.16,
  at: SERVER_TIMESTAMP,
}
const NEXT = '-Onext00000000000000'
/** Returns a position and a message as clients write them, each named as its sender's newest. */
const withNewestKeys = (booking: string, status: string): Record<string, DatabaseValue> => ({
  [`tracking/${booking}/${NEXT}`]: createTrackPoint(status),
  [`newest/tracking/${booking}/driver`]: NEXT,
})
const createNamedMessage = (
  booking: string,
  from: string,
  source: string,
): Record<string, DatabaseValue> => ({
  [`chats/${booking}/${NEXT}`]: createMessage(from, source),
  [`newest/chats/${booking}/${from}`]: NEXT,
})
const createWriteCases = (
  value: Record<string, DatabaseValue>,
  by: readonly TestPerson[],
  because: string,
): AccessCase[] => createCases({ does: 'update', at: '', value }, by, because)

const createBonus = (revision: number): DatabaseValue => ({
  uid: 'rider',
  referred: 'rider',
  booking: 'done',
  amount: 5,
  code: 'UYU',
  at: LONG_AGO,
  due: LONG_AGO,
  revision,
})
const createNotice = (revision: number): DatabaseValue => ({
  entry: NEXT,
  at: SERVER_TIMESTAMP,
  revision,
})

const tripCases: AccessCase[] = [
  ...createWriteCases(
    withNewestKeys('riding', 'ACCEPTED'),
    ['driver', 'server'],
    'drivers write their own track',
  ),
  ...createSetCases(
    `tracking/riding/${NEXT}`,
    createTrackPoint('ACCEPTED'),
    functions,
    "a driver's position must be named as the newest, a function's need not be",
  ),
  ...createSetCases(
    'newest/tracking/riding/driver',
    NEXT,
    functions,
    'only functions name a newest position alone',
  ),
  ...createRemoveCases(
    'newest/tracking/done/driver',
    functions,
    'only functions remove the newest key of a removed track',
  ),
  ...createSetCases(
    'tracking/done/second',
    createTrackPoint('COMPLETE'),
    functions,
    'drivers cannot write the track of a finished trip',
  ),
  ...createSetCases(
    'tracking/riding/first',
    createTrackPoint('ACCEPTED'),
    noPeople,
    'a track position cannot be rewritten',
  ),
  ...createRemoveCases('tracking/riding/first', noPeople, 'a track position cannot be removed'),
  ...createRemoveCases(
    'tracking/riding',
    noPeople,
    'the track of an active booking cannot be removed',
  ),
  ...createWriteCases(
    createNamedMessage('riding', 'rider', 'rider'),
    ['rider'],
    'riders write messages as themselves',
  ),
  ...createWriteCases(
    createNamedMessage('riding', 'driver', 'driver'),
    ['driver'],
    'drivers write messages as themselves',
  ),
  ...createWriteCases(
    createNamedMessage('riding', 'driver', 'rider'),
    noPeople,
    'users cannot write a message as the other party',
  ),
  ...createSetCases(
    `chats/riding/${NEXT}`,
    createMessage('rider', 'rider'),
    noPeople,
    'a message must be named as the newest',
  ),
  ...createSetCases(
    'newest/chats/riding/rider',
    NEXT,
    functions,
    'only functions name a newest message alone',
  ),
  ...createRemoveCases(
    'newest/chats/done/rider',
    functions,
    'only functions remove the key of the newest message',
  ),
  ...createSetCases(
    'newest/inbox/riding/rider',
    NEXT,
    functions,
    'only functions write a newest key for other lists',
  ),
  ...createSetCases(
    'newest/chats/riding/rider',
    'x',
    noPeople,
    'a newest key must have the format of an SDK push key',
  ),
  ...createSetCases(
    'internal/chat_notices/done_driver',
    createNotice(4),
    functions,
    'only functions write the next revision of a note',
  ),
  ...createSetCases(
    'internal/chat_notices/riding_driver',
    createNotice(1),
    functions,
    'only functions write the first revision of a note',
  ),
  ...createSetCases(
    'internal/chat_notices/riding_driver',
    createNotice(2),
    noPeople,
    'a change of a note that another call has removed does not create it again',
  ),
  ...createSetCases(
    'internal/pending_bonuses/rider_rider',
    createBonus(1),
    functions,
    'only functions let a bonus wait for its payment',
  ),
  ...createSetCases(
    'internal/pending_bonuses/rider_rider',
    createBonus(2),
    noPeople,
    'a bonus that is paid or dropped does not wait again',
  ),
  ...createSetCases(
    'internal/chat_notices/done_driver',
    createNotice(3),
    noPeople,
    'the revision rises by one, so the second of two concurrent writes is refused',
  ),
  ...createSetCases(
    'internal/chat_notices/done_driver',
    createNotice(5),
    noPeople,
    'a note cannot skip a revision',
  ),
  ...createSetCases(
    'internal/chat_notices/done_driver/at',
    1,
    noPeople,
    'a change of a note must raise the revision',
  ),
  ...createSetCases(
    'internal/admin/ringing',
    { at: LONG_AGO, expires: LONG_AGO + 60_000, revision: 2 },
    functions,
    'only functions take a call off the screens, with the next revision',
  ),
  ...createSetCases(
    'internal/admin/forged',
    { number: '+59899000000', at: LONG_AGO, expires: LONG_AGO + 60_000, revision: 1 },
    functions,
    'only functions announce a call',
  ),
  ...createSetCases(
    'internal/admin/~panic-riding-driver',
    { event: 'panic', by: 'driver', at: LONG_AGO, expires: LONG_AGO + 60_000, revision: 1 },
    functions,
    'only functions raise an emergency',
  ),
  ...createSetCases(
    'internal/admin/~panic-riding-rider',
    { event: 'panic', by: 'rider', at: LONG_AGO, expires: LONG_AGO + 60_000, revision: 1 },
    noPeople,
    'an emergency that changed meanwhile is not overwritten',
  ),
  ...createRemoveCases(
    'internal/admin/~panic-riding-rider',
    functions,
    'only functions close an emergency',
  ),
  ...createSetCases(
    'internal/person_notes/rider',
    { text: 'Forged', by: 'admin', at: LONG_AGO, revision: 2 },
    functions,
    'only functions write the office’s note about a person',
  ),
  ...createRemoveCases(
    'internal/chat_notices/done_driver',
    functions,
    'only functions remove a note',
  ),
  ...createSetCases(
    'open_bookings/rider',
    { open: 2, unpaid: 0, revision: 4 },
    functions,
    'only functions count a booking, with the next revision',
  ),
  ...createSetCases(
    'open_bookings/rider',
    { open: 2, unpaid: 0, revision: 3 },
    noPeople,
    'the second of two concurrent bookings is refused',
  ),
  ...createSetCases(
    'open_bookings/otherRider',
    { open: 1, unpaid: 0, revision: 1 },
    functions,
    'only functions count the first booking of a rider',
  ),
  ...createRemoveCases(
    'open_bookings/rider',
    functions,
    'only functions remove the count of a deleted rider',
  ),
  ...createSetCases(
    'chats/riding/first',
    createMessage('rider', 'rider'),
    noPeople,
    'a message cannot be rewritten',
  ),
  ...createRemoveCases('chats/riding/first', noPeople, 'a message cannot be removed'),
  ...createWriteCases(
    createNamedMessage('done', 'rider', 'rider'),
    noPeople,
    'the chat of a finished booking is closed',
  ),
  ...createWriteCases(
    createNamedMessage('waiting', 'rider', 'rider'),
    noPeople,
    'a booking without a driver has no chat',
  ),
  ...createRemoveCases(
    'tracking/riding',
    noPeople,
    'the track of an active booking cannot be removed',
  ),
  ...createRemoveCases(
    'tracking/done',
    functions,
    'only functions remove the track of a finished booking',
  ),
  ...createRemoveCases('chats/riding', noPeople, 'the chat of an active booking cannot be removed'),
  ...createRemoveCases(
    'chats/done',
    functions,
    'only functions remove the chat of a finished booking',
  ),
  ...createCases(
    {
      does: 'update',
      at: '',
      value: {
        'available_drivers/otherDriver': null,
        'users/otherDriver/shift': null,
        'nearby_cars/shiftOfOther': null,
      },
    },
    ['otherDriver', 'server'],
    'drivers and functions remove both availability rows',
  ),
  ...createRemoveCases(
    'available_drivers/otherDriver',
    noPeople,
    'both availability rows must be removed together',
  ),
  ...createRemoveCases(
    'nearby_cars/shiftOfOther',
    ['otherDriver', 'server'],
    'drivers and functions remove a car from the map',
  ),
  ...createRemoveCases(
    'users/otherDriver/shift',
    noPeople,
    'the key of a visible car cannot be removed',
  ),
  ...createSetCases(
    'nearby_cars/ghost',
    { carType: 'van', geohash: '6dptest00', lat: -34.9, lng: -56.16, at: LONG_AGO },
    noPeople,
    'a car on the map needs a driver',
  ),
  ...createSetCases(
    'users/requested/shift',
    'ghost',
    noPeople,
    'a key must name a car that exists',
  ),
  ...createSetCases(
    'users/requested/shift',
    'shiftOfOther',
    noPeople,
    'a driver cannot take over another car',
  ),
  ...createSetCases(
    'available_drivers/otherDriver/geohash',
    '6dpth000',
    noPeople,
    'one field of an availability row cannot change alone',
  ),
  ...createCases(
    {
      does: 'update',
      at: '',
      value: {
        'available_drivers/otherDriver': availabilityRow,
        'nearby_cars/shiftOfOther': availabilityRow,
      },
    },
    ['otherDriver'],
    'drivers on duty write their own availability',
  ),
  ...createSetCases(
    'available_drivers/otherDriver',
    availabilityRow,
    noPeople,
    'the availability row cannot change without the public car',
  ),
  ...createSetCases(
    'nearby_cars/shiftOfOther',
    availabilityRow,
    noPeople,
    'the public car cannot change without the availability row',
  ),
  ...createSetCases(
    'available_drivers/driver',
    { carType: 'van', geohash: '6dptest00', lat: -34.9, lng: -56.16, at: SERVER_TIMESTAMP },
    noPeople,
    'a busy driver cannot be available',
  ),
  ...createSetCases(
    'available_drivers/pending',
    { carType: 'van', geohash: '6dptest00', lat: -34.9, lng: -56.16, at: SERVER_TIMESTAMP },
    noPeople,
    'an unapproved driver cannot be available',
  ),
]

const previousCurrency = { code: 'USD', decimal: 2, symbol: '$' }
const unusedCurrency = Object.fromEntries(
  Object.entries(welcomePromo).filter(([field]) => field !== 'user_avail'),
)
const officeCases: AccessCase[] = [
  ...createSetCases(
    'settings/appName',
    'Curbside',
    office,
    'the back office sets the product name',
  ),
  ...createSetCases(
    'settings',
    toJson({ ...settings, bonus: 20 }),
    office,
    'the back office may save all settings at once',
  ),
  ...createSetCases(
    'settings/AppleStoreLink',
    'https://apps.example/k',
    office,
    'the back office sets a store link',
  ),
  ...createSetCases('settings/AppleStoreLink', '', office, 'the back office clears a store link'),
  ...createSetCases(
    'settings/PlayStoreLink',
    'javascript:alert(1)',
    noPeople,
    'a link cannot run a script',
  ),
  ...createSetCases(
    'settings/FacebookHandle',
    '@kerbside',
    office,
    'the back office sets a social account by its handle',
  ),
  ...createSetCases(
    'settings/FacebookHandle',
    '',
    office,
    'the back office clears a social account',
  ),
  ...createSetCases(
    'settings/InstagramHandle',
    'https://i.example/k',
    office,
    'the back office sets a social account by its URL',
  ),
  ...createSetCases(
    'settings/FacebookHandle',
    'javascript:alert(1)',
    noPeople,
    'a link cannot run a script',
  ),
  ...createSetCases('settings/TwitterHandle', '../admin', noPeople, 'a handle is a single name'),
  ...createSetCases(
    'settings/CompanyTerms',
    'https://k.example/terms',
    office,
    'the back office sets the link to the terms',
  ),
  ...createSetCases(
    'settings/CompanyTerms',
    'javascript:alert(1)',
    noPeople,
    'a link cannot run a script',
  ),
  ...createSetCases(
    'settings/CompanyWebsite',
    'https://k.example',
    office,
    'the back office sets the company website',
  ),
  ...createSetCases(
    'settings/CompanyWebsite',
    'data:text/html,x',
    noPeople,
    'a link cannot run a script',
  ),
  ...createSetCases('settings/CompanyTerms', '', office, 'a company may have no terms yet'),
  ...createSetCases(
    'settings/setupChecklist',
    'priced',
    office,
    'the back office says that the prices of a new company are right',
  ),
  ...createSetCases(
    'settings/setupChecklist',
    'done',
    noPeople,
    'the checklist has no other state',
  ),
  ...createSetCases(
    'settings/walletMoneyField',
    '10, 20.5',
    office,
    'the back office sets the top-up amounts',
  ),
  ...createSetCases(
    'settings/walletMoneyField',
    '',
    office,
    'the back office removes all top-up amounts',
  ),
  ...createSetCases('settings/walletMoneyField', 'ten', noPeople, 'top-up amounts are numbers'),
  ...createSetCases(
    'settings/walletMoneyField',
    '1'.repeat(201),
    noPeople,
    'top-up amounts have at most 200 characters',
  ),
  ...createSetCases(
    'settings/waitWarnMinutes',
    5,
    office,
    'the back office sets the minutes before the board warns',
  ),
  ...createSetCases(
    'settings/waitAlarmMinutes',
    0,
    noPeople,
    'a booking waits at least one minute before the board alarms',
  ),
  ...createSetCases(
    'settings/noShowFee',
    60.5,
    office,
    'the back office sets the fee of a no-show',
  ),
  ...createSetCases(
    'settings/noShowDriverPart',
    101,
    noPeople,
    'the driver gets at most the whole fee of a no-show',
  ),
  ...createSetCases(
    'settings/fairnessWeight',
    120,
    office,
    'the back office sets how much income counts when drivers are matched',
  ),
  ...createSetCases(
    'settings/fairnessWeight',
    3601,
    noPeople,
    'income counts at most an hour when drivers are matched',
  ),
  ...createSetCases(
    'settings/bankWaitHours',
    48,
    office,
    'the back office sets how long payouts wait after new bank details',
  ),
  ...createSetCases(
    'settings/bankWaitHours',
    0,
    noPeople,
    'payouts wait at least an hour after new bank details',
  ),
  ...createSetCases(
    'settings/bonusDelayDays',
    90,
    office,
    'the back office sets how long referral bonuses wait',
  ),
  ...createSetCases(
    'settings/bonusDelayDays',
    91,
    noPeople,
    'referral bonuses wait at most 90 days',
  ),
  ...createSetCases('settings/fareStep', 0.05, office, 'the back office sets the step of fares'),
  ...createSetCases('settings/fareStep', 0, noPeople, 'the step of fares is above zero'),
  ...createSetCases(
    'settings/providerStep',
    0.01,
    functions,
    'the step of the providers follows from their keys, which only the server knows',
  ),
  ...createSetCases('settings/bonus', 'ten', noPeople, 'a bonus is a number'),
  ...createSetCases('settings/decimal', -1, noPeople, 'the number of decimals cannot be negative'),
  ...createSetCases(
    'settings/decimal',
    3,
    noPeople,
    'the decimals change only together with the currency',
  ),
  ...createSetCases(
    'settings/decimal',
    settings.decimal,
    office,
    'the back office may save unchanged decimals',
  ),
  ...createSetCases('settings/code', 'USD', noPeople, 'the currency changes only during a hold'),
  ...createSetCases('settings/symbol', '₮', office, 'the back office sets the currency symbol'),
  ...createSetCases(
    'settings',
    toJson({ ...settings, code: 'USD' }),
    noPeople,
    'saving all settings cannot change the currency',
  ),
  ...createSetCases(
    'settings',
    toJson({ ...settings, decimal: 3 }),
    noPeople,
    'saving all settings cannot change the decimals',
  ),
  ...createSetCases('currency/hold', SERVER_TIMESTAMP, functions, 'only functions start a hold'),
  ...createSetCases(
    'currency/hold',
    4_000_000_000_000,
    noPeople,
    'a hold cannot start in the future',
  ),
  ...createSetCases(
    'currency/ended/1700000000000',
    previousCurrency,
    functions,
    'only functions record an earlier currency',
  ),
  ...createSetCases(
    'currency/ended/1700000000000',
    { ...previousCurrency, rate: 40 },
    noPeople,
    'an earlier currency has no unknown fields',
  ),
  ...createRemoveCases('currency', noPeople, 'earlier currencies cannot be removed'),
  ...createRemoveCases('settings/code', noPeople, 'the currency cannot be removed'),
  ...createSetCases('settings/theme', 'dark', noPeople, 'a setting must be known'),
  ...createSetCases(
    'settings/AllowCriticalEditsAdmin',
    false,
    functions,
    'only the operator switches demo mode',
  ),
  ...createRemoveCases('settings', noPeople, 'all settings cannot be removed at once'),

  ...createSetCases(
    'cartypes/truck',
    toJson({ ...vanVehicleType, id: 'truck', name: 'Truck' }),
    office,
    'the back office adds a vehicle type',
  ),
  ...createSetCases('cartypes/van/base_fare', 2, office, 'the back office sets prices'),
  ...createSetCases('cartypes/van/base_fare', -2, noPeople, 'a fare cannot be negative'),
  ...createSetCases(
    'cartypes/van/names',
    { de: 'Transporter', 'pt-BR': 'Furgão' },
    office,
    'the back office translates names',
  ),
  ...createSetCases('cartypes/van/names/de', '', noPeople, 'a translated name is not empty'),
  ...createSetCases('cartypes/van/names/de', 5, noPeople, 'a translated name is text'),
  ...createSetCases(
    'cartypes/van/names/de',
    'x'.repeat(101),
    noPeople,
    'a translated name is at most 100 characters long',
  ),
  ...createSetCases(
    'cartypes/van/names/d',
    'Transporter',
    noPeople,
    'a translated name has a locale',
  ),
  ...createSetCases(
    'cartypes/van/parcelTypes',
    [{ description: 'Letter', names: { de: 'Brief' }, amount: 1 }],
    office,
    'the back office translates parcel types',
  ),
  ...createSetCases(
    'cartypes/van/options',
    [{ description: 'Fragile', names: { de: 'x'.repeat(501) }, amount: 1 }],
    noPeople,
    'a translated option is at most 500 characters long',
  ),
  ...createSetCases(
    'cartypes/van/options',
    [{ description: 'Fragile', names: { d: 'Brief' }, amount: 1 }],
    noPeople,
    'a translated option has a locale',
  ),
  ...createSetCases(
    'cartypes/van/options',
    [{ description: 'Fragile', names: { de: 5 }, amount: 1 }],
    noPeople,
    'a translated option is text',
  ),
  ...createSetCases(
    'cartypes/van/cancelSlab',
    [{ minsDelayed: 1, amount: 1, names: { de: 'Brief' } }],
    noPeople,
    'a cancellation fee has no text to translate',
  ),
  ...createSetCases('cartypes/van/discount', 2, noPeople, 'a vehicle type has no unknown fields'),
  ...createRemoveCases('cartypes/van/min_fare', noPeople, 'a vehicle type needs every price'),
  ...createRemoveCases('cartypes/van', office, 'the back office removes a vehicle type'),

  ...createSetCases(
    'cancel_reason',
    [{ label: 'Mistake', value: 0 }],
    office,
    'the back office saves all cancel reasons at once',
  ),
  ...createSetCases(
    'cancel_reason/2',
    { label: 'Rain', value: 2 },
    office,
    'the back office adds a cancel reason',
  ),
  ...createSetCases(
    'cancel_reason/2',
    { label: 'Rain', names: { de: 'Regen', 'pt-BR': 'Chuva' }, value: 2 },
    office,
    'the back office translates a cancel reason',
  ),
  ...createSetCases(
    'cancel_reason/2',
    { label: 'Rain', names: { de: 'x'.repeat(501) }, value: 2 },
    noPeople,
    'a translated cancel reason is at most 500 characters long',
  ),
  ...createSetCases(
    'cancel_reason/2',
    { label: 'Rain', names: { d: 'Regen' }, value: 2 },
    noPeople,
    'a translated cancel reason has a locale',
  ),
  ...createSetCases(
    'cancel_reason/2',
    { label: 'Rain', names: { de: '' }, value: 2 },
    noPeople,
    'a translated cancel reason is not empty',
  ),
  ...createSetCases(
    'cancel_reason/2',
    { label: 'Rain', value: 7 },
    noPeople,
    'the value of a cancel reason equals its index',
  ),
  ...createSetCases(
    'cancel_reason/rain',
    { label: 'Rain', value: 2 },
    noPeople,
    'the key of a cancel reason is a number',
  ),

  ...createSetCases(
    'promos/spring',
    toJson({ ...unusedCurrency, id: 'spring' }),
    office,
    'the back office creates promos',
  ),
  ...createSetCases(
    'promos/spring',
    toJson({ ...welcomePromo, id: 'spring', user_avail: 0 }),
    office,
    'a new promo may have a count of zero',
  ),
  ...createSetCases(
    'promos/spring',
    toJson({ ...welcomePromo, id: 'spring', user_avail: 5, promo_usage_limit: 9 }),
    noPeople,
    'a new promo cannot have a count above zero',
  ),
  ...createSetCases('promos/welcome/min_order', 20, office, 'the back office changes a promo'),
  ...createSetCases(
    'promos/welcome/promo_usage_limit',
    50,
    office,
    'the back office changes a promo',
  ),
  ...createSetCases('promos/welcome/user_avail', 0, functions, 'only functions change the count'),
  ...createSetCases('promos/welcome/user_avail', 2, functions, 'only functions count the last use'),
  ...createSetCases('promos/welcome/user_avail', 3, noPeople, 'the count cannot exceed the limit'),
  ...createRemoveCases('promos/welcome/promo_validity', noPeople, 'a promo needs an end date'),
  ...createRemoveCases('promos/welcome', office, 'the back office removes a promo'),
  ...createSetCases('promo_uses/welcome/rider', 'riding', functions, 'only functions record a use'),
  ...createSetCases(
    'promo_uses/welcome/otherRider',
    'riding',
    noPeople,
    'a rider uses a promo only once',
  ),
  ...createRemoveCases(
    'promo_uses/welcome/otherRider',
    functions,
    'only functions give back the use of a canceled booking',
  ),

  ...createSetCases(
    'languages/fr',
    { ...englishLanguage, langName: 'Français', default: false },
    office,
    'the back office adds a language',
  ),
  ...createSetCases(
    'languages/en/keyValuePairs/book_now',
    'Book',
    office,
    'the back office edits texts',
  ),
  ...createSetCases('languages/en/keyValuePairs/book_now', 7, noPeople, 'a text is a string'),
  ...createRemoveCases('languages/es', office, 'the back office removes a language'),
  ...createRemoveCases('languages/en', noPeople, 'the default language cannot be removed'),

  ...createSetCases(
    'notifications/news',
    {
      devicetype: 'All',
      usertype: 'All',
      title: 'News',
      body: 'Hello',
      createdAt: SERVER_TIMESTAMP,
    },
    office,
    'the back office sends notifications to groups',
  ),
  ...createSetCases(
    'notifications/sale/title',
    'Changed',
    noPeople,
    'a sent notification cannot be rewritten',
  ),
  ...createRemoveCases('notifications/sale', office, 'the back office clears old notifications'),
]

const anotherShare: DatabaseValue = {
  booking: 'riding',
  by: 'rider',
  level: 'live',
  at: SERVER_TIMESTAMP,
  expires: 4_000_000_000_000,
}
const moneyCases: AccessCase[] = [
  ...createSetCases(
    'withdraws/second',
    {
      id: 'second',
      uid: 'driver',
      name: 'driver',
      amount: 5,
      date: SERVER_TIMESTAMP,
      processed: false,
    },
    functions,
    'only functions create a withdrawal, because it debits the wallet first',
  ),
  ...createSetCases(
    'withdraws/asked/processed',
    true,
    functions,
    'only functions mark a withdrawal as paid out',
  ),
  ...createSetCases(
    'withdraws/asked/payable_at',
    SERVER_TIMESTAMP,
    functions,
    'only functions let a withdrawal wait',
  ),
  ...createSetCases(
    'withdraws/asked/amount',
    2000,
    noPeople,
    'the amount of a withdrawal cannot change',
  ),
  ...createRemoveCases('withdraws/asked', noPeople, 'a withdrawal cannot be removed'),
  ...createSetCases(
    'payments/second',
    {
      id: 'second',
      uid: 'rider',
      kind: 'wallet',
      gateway: 'test',
      amount: 5,
      currency: 'UYU',
      createdAt: SERVER_TIMESTAMP,
      revision: 1,
      status: 'created',
    },
    functions,
    'only functions start a payment',
  ),
  ...createSetCases(
    'payments/second',
    {
      id: 'second',
      uid: 'rider',
      kind: 'wallet',
      gateway: 'test',
      amount: 5,
      currency: 'UYU',
      createdAt: SERVER_TIMESTAMP,
      revision: 1,
      status: 'paid',
    },
    noPeople,
    'a payment cannot start as paid',
  ),
  ...createCases(
    { does: 'update', at: 'payments/checkout', value: { status: 'paid', revision: 2 } },
    functions,
    'only functions mark a payment as paid',
  ),
  ...createCases(
    { does: 'update', at: 'payments/checkout', value: { status: 'paid', revision: 3 } },
    noPeople,
    'a change from an outdated revision is refused',
  ),
  ...createCases(
    { does: 'update', at: 'payments/checkout', value: { status: 'refunded', revision: 2 } },
    noPeople,
    'an unpaid payment cannot be refunded',
  ),
  ...createCases(
    {
      does: 'update',
      at: 'payments/checkout',
      value: { revision: 2, refunded: 21, status: 'pending' },
    },
    noPeople,
    'refunds cannot exceed the payment',
  ),
  ...(['returned', 'charged_back'] as const).flatMap((part) =>
    createCases(
      {
        does: 'update',
        at: 'payments/checkout',
        value: { revision: 2, [part]: 21, status: 'pending' },
      },
      noPeople,
      `the part ${part} cannot exceed the payment`,
    ),
  ),
  ...createCases(
    {
      does: 'update',
      at: 'payments/checkout',
      value: { status: 'failed', revision: 2 },
      given: { 'payments/checkout/status': 'paid' },
    },
    noPeople,
    'a paid payment cannot fail',
  ),
  ...createSetCases(
    'payments/checkout/status',
    'paid',
    noPeople,
    'a change must raise the revision',
  ),
  ...createSetCases(
    'payments/checkout/amount',
    1,
    noPeople,
    'the amount of a payment cannot change',
  ),
  ...createRemoveCases('payments/checkout', noPeople, 'a payment cannot be removed'),
  ...createSetCases(
    'open_payments/rider/wallet/test',
    { payment: 'second', n: 2, since: SERVER_TIMESTAMP, begun: 2 },
    functions,
    'only functions write the next attempt of a purpose',
  ),
  ...createSetCases(
    'open_payments/rider/wallet/test',
    { payment: 'second', n: 1, since: SERVER_TIMESTAMP, begun: 1 },
    noPeople,
    'the second of two concurrent attempts is refused',
  ),
  ...createRemoveCases(
    'open_payments/rider/wallet/test',
    functions,
    'only functions remove a paid attempt',
  ),
  ...createRemoveCases(
    'open_payments/rider',
    functions,
    'only functions remove the attempts of a deleted account',
  ),
  ...createSetCases(
    'open_payments/rider',
    { wallet: { test: { payment: 'second', n: 2, since: SERVER_TIMESTAMP, begun: 2 } } },
    noPeople,
    'all attempts of a user cannot be written at once',
  ),
  ...createSetCases(
    'payment_events/test-2',
    { payment: 'checkout', gateway: 'test', amount: 20, currency: 'UYU', at: SERVER_TIMESTAMP },
    functions,
    'only functions record a webhook event',
  ),
  ...createSetCases(
    'payment_events/test-1',
    { payment: 'checkout', gateway: 'test', amount: 20, currency: 'UYU', at: SERVER_TIMESTAMP },
    noPeople,
    'a webhook event is recorded only once',
  ),
  ...createRemoveCases('payment_events/test-1', noPeople, 'a webhook event cannot be removed'),
  ...createSetCases('stats/days/2026-01-01/created', 4, functions, 'only functions write totals'),
  ...createSetCases('stats/days/2026-01-01/created', 'many', noPeople, 'a total is a number'),
  ...createSetCases('stats/days/someday/created', 4, noPeople, 'a day is a date'),
  ...createSetCases('stats/days/2026-01-01/profit', 4, noPeople, 'a total must be known'),
  ...createRemoveCases('stats/days/2026-01-01/created', noPeople, 'a total cannot be removed'),
  ...createSetCases('stats/days/2026-01-01/created', 4.5, noPeople, 'a total is a whole number'),
  ...createSetCases(
    'stats/earnings/2026-01/minor/UYU2/tripCost',
    400,
    functions,
    'only functions write earnings in minor units',
  ),
  ...createSetCases(
    'stats/earnings/2026-01/minor/UYU2/driverCompensation',
    -400,
    functions,
    'only functions count what drivers got or gave back for complaints',
  ),
  ...createSetCases(
    'stats/earnings/2026-01/minor/UYU2/tripCost',
    4.5,
    noPeople,
    'earnings are whole minor units',
  ),
  ...createSetCases(
    'stats/earnings/2026-01/minor/pesos/tripCost',
    400,
    noPeople,
    'earnings need a currency code with its decimals',
  ),
  ...createSetCases(
    'stats/earnings/2026-01/minor/UYU2/profit',
    400,
    noPeople,
    'a total must be known',
  ),
  ...createSetCases(
    'stats/earnings/2026-01/tripCost',
    4,
    noPeople,
    'earnings are stored in minor units only',
  ),
  ...createSetCases(
    'stats/cartypes/2026-01/van',
    4,
    functions,
    'only functions write the totals of a vehicle type',
  ),
  ...createSetCases('stats/total/created', 4, functions, 'only functions write totals'),
  ...createSetCases('stats/status/NEW', 4, functions, 'only functions write totals'),
  ...createSetCases('stats/status/LOST', 4, noPeople, 'a status must be known'),
  ...createSetCases(
    'stats/driver_earnings/driver/2026-01/minor/UYU2/driverShare',
    400,
    functions,
    "only functions write a driver's earnings",
  ),
  ...createSetCases(
    'stats/driver_earnings/driver/2026-01/minor/UYU2/tripCost',
    400,
    noPeople,
    "a driver's earnings have no platform totals",
  ),
  ...createSetCases(
    'stats/driver_earnings/driver/2026-01/driverName',
    'D',
    functions,
    "only functions write the driver's name in a report",
  ),
  ...createSetCases(
    'busy_drivers/free',
    { booking: 'riding', carType: 'van', name: 'Free' },
    functions,
    'only functions mark a driver as busy, for a booking',
  ),
  ...createSetCases(
    'busy_drivers/free',
    { booking: 'riding' },
    noPeople,
    "a busy driver's row must be complete",
  ),
  ...createRemoveCases('busy_drivers/driver', functions, 'only functions remove a busy driver'),
  ...createSetCases(
    'stats/fleet_days/fleet/2026-01-01/created',
    4,
    functions,
    "only functions write a fleet's totals",
  ),
  ...createSetCases(
    'stats/fleet_earnings/fleet/2026-01/minor/UYU2/tripCost',
    4,
    functions,
    "only functions write a fleet's monthly earnings",
  ),
  ...createSetCases(
    'stats/fleet_total/fleet/minor/UYU2/tripCost',
    4,
    functions,
    "only functions write a fleet's totals",
  ),
  ...createSetCases('stats/fleet_total/fleet/profit', 4, noPeople, 'a total must be known'),
  ...createSetCases(
    'stats/fleet_driver_earnings/fleet/driver/2026-01/total_rides',
    4,
    functions,
    "only functions write the totals of a fleet's driver",
  ),
  ...createRemoveCases('stats', noPeople, 'totals cannot be removed'),
  ...createSetCases(
    'shares/second',
    {
      booking: 'riding',
      by: 'rider',
      level: 'live',
      at: SERVER_TIMESTAMP,
      expires: 4_000_000_000_000,
    },
    functions,
    'only functions create a link',
  ),
  ...createSetCases('shares/token/revoked', true, functions, 'only functions revoke a link'),
  ...createSetCases(
    'shares/token/booking',
    'done',
    noPeople,
    'the booking of a link cannot change',
  ),
  ...createRemoveCases('shares/token', functions, 'only functions remove old links'),
  ...createSetCases(
    'shares/gone/expires',
    4_000_000_000_000,
    noPeople,
    'one field cannot create a link',
  ),
  ...createSetCases(
    'shares/token/expires',
    3_000_000_000_000,
    functions,
    'only functions change the expiry of a link',
  ),
  ...createCases(
    {
      does: 'update',
      at: '',
      value: { 'shares/second': anotherShare, 'share_links/riding/rider/live': 'second' },
    },
    noPeople,
    'the second of two concurrent links is refused',
  ),
  ...createCases(
    {
      does: 'update',
      at: '',
      value: {
        'shares/second': anotherShare,
        'shares/token': null,
        'share_links/riding/rider/live': 'second',
      },
    },
    functions,
    'a function may replace a link',
  ),
  ...createCases(
    {
      does: 'update',
      at: '',
      value: { 'shares/second': anotherShare, 'share_links/riding/rider/status': 'second' },
    },
    functions,
    'a function may add a link of another level',
  ),
  ...createSetCases(
    'share_links/riding/rider/status',
    'none',
    noPeople,
    'an index entry must name an existing link',
  ),
  ...createRemoveCases(
    'share_links/riding/rider/live',
    noPeople,
    'the index entry of an existing link cannot be removed',
  ),
  ...createCases(
    {
      does: 'update',
      at: '',
      value: { 'shares/token': null, 'share_links/riding/rider/live': null },
    },
    functions,
    'a function may remove a link together with its index entry',
  ),
  ...createSetCases(
    'inbox/rider/second',
    { title: 'arrived', msg: 'arrived', screen: 'BookedCab', at: SERVER_TIMESTAMP },
    functions,
    'only functions write notifications',
  ),
  ...createSetCases(
    'inbox/rider/push/read',
    true,
    ['rider'],
    'recipients mark their own notifications as read',
  ),
  ...createSetCases('inbox/rider/push/read', false, noPeople, 'a read notification stays read'),
  ...createSetCases(
    'inbox/rider/push/title',
    'changed',
    noPeople,
    'recipients cannot change a notification',
  ),
  ...createSetCases(
    'inbox/rider/none/read',
    true,
    noPeople,
    'a missing notification cannot be marked as read',
  ),
  ...createRemoveCases('inbox/rider/push', functions, 'only functions remove old notifications'),
  ...createRemoveCases(
    'inbox/rider',
    functions,
    'only functions remove the inbox of a deleted account',
  ),
  ...createSetCases(
    'audit/second',
    { by: 'admin', at: SERVER_TIMESTAMP, action: 'promo_update', path: 'promos/welcome' },
    functions,
    'only functions write an audit entry',
  ),
  ...createSetCases('audit/first/by', 'somebody', noPeople, 'an audit entry cannot be rewritten'),
  ...createRemoveCases('audit/first', noPeople, 'an audit entry cannot be removed'),
  ...createRemoveCases('audit', noPeople, 'the audit log cannot be removed'),
  ...createSetCases(
    'user_emails/another',
    'rider',
    functions,
    'only functions reserve an email address',
  ),
  ...createSetCases(
    'user_emails/hash-of-rider',
    'otherRider',
    noPeople,
    'an email address belongs to one person',
  ),
  ...createRemoveCases(
    'user_emails/hash-of-rider',
    functions,
    'only functions release an email address',
  ),
  ...createSetCases(
    'internal/referral_ids/eva1234',
    'rider',
    functions,
    'only functions reserve a referral id',
  ),
  ...createSetCases(
    'internal/referral_ids/ana1234',
    'otherRider',
    noPeople,
    'a referral id belongs to one person',
  ),
  ...createSetCases(
    'push_tokens/another',
    { uid: 'rider', token: 'another', platform: 'IOS', at: LONG_AGO },
    functions,
    'only functions register a device',
  ),
  ...createSetCases(
    'internal/referral_ids/eva1234',
    'rider',
    functions,
    'only functions reserve a referral id',
  ),
  ...createSetCases(
    'internal/referral_ids/ana1234',
    'otherRider',
    noPeople,
    'a referral id belongs to one person',
  ),
  ...createSetCases(
    'push_tokens/another',
    { uid: 'rider', at: LONG_AGO },
    noPeople,
    'a registration has its token',
  ),
  ...createSetCases(
    'internal/referral_ids/eva1234',
    'rider',
    functions,
    'only functions reserve a referral id',
  ),
  ...createSetCases(
    'internal/referral_ids/ana1234',
    'otherRider',
    noPeople,
    'a referral id belongs to one person',
  ),
  ...createSetCases(
    'push_tokens/another',
    { uid: 'rider', token: 'another', platform: 'PHONE', at: LONG_AGO },
    noPeople,
    'a device has a known platform',
  ),
  ...createSetCases(
    'internal/referral_ids/eva1234',
    'rider',
    functions,
    'only functions reserve a referral id',
  ),
  ...createSetCases(
    'internal/referral_ids/ana1234',
    'otherRider',
    noPeople,
    'a referral id belongs to one person',
  ),
  ...createSetCases(
    'push_tokens/another',
    { uid: 'rider', token: 'another', at: LONG_AGO, name: 'Pixel' },
    noPeople,
    'a registration has no other fields',
  ),
  ...createSetCases(
    'push_tokens/hash-of-rider',
    { uid: 'rider', token: 'device', at: LONG_AGO + 1 },
    functions,
    'a function may register the same device again',
  ),
  ...createSetCases(
    'push_tokens/hash-of-rider',
    { uid: 'otherRider', token: 'device', at: LONG_AGO },
    noPeople,
    'a device belongs to one person',
  ),
  ...createRemoveCases(
    'push_tokens/hash-of-rider',
    noPeople,
    'a device stays registered while an account names it',
  ),
  ...createUpdateCases(
    { 'push_tokens/hash-of-rider': null, 'internal/named_devices/rider': null },
    functions,
    'only functions release a device',
  ),
  ...createSetCases(
    'pending_registrations/another',
    { expires: LONG_AGO, registration: '{}' },
    functions,
    'only functions store a pending sign-up',
  ),
  ...createSetCases(
    'pending_registrations/hash-of-a-number',
    { expires: LONG_AGO, registration: '{}' },
    functions,
    'a function may replace an earlier sign-up',
  ),
  ...createSetCases(
    'pending_registrations/another',
    { expires: LONG_AGO, registration: 'x'.repeat(8001) },
    noPeople,
    'a sign-up has at most 8,000 characters',
  ),
  ...createSetCases(
    'pending_registrations/another',
    { expires: LONG_AGO, registration: '{}', mobile: '+15555550100' },
    noPeople,
    'a sign-up has no readable phone number',
  ),
  ...createSetCases(
    'pending_registrations/another/expires',
    LONG_AGO,
    noPeople,
    'a sign-up must be complete',
  ),
  ...createRemoveCases(
    'pending_registrations/hash-of-a-number',
    functions,
    'only functions remove a used sign-up',
  ),
  ...createRemoveCases('pending_registrations/gone', noPeople, 'a sign-up can be used only once'),
  ...createSetCases(
    'booking_notes/done/second',
    { text: 'No answer', by: 'admin', at: LONG_AGO },
    functions,
    'only functions add a note about a booking',
  ),
  ...createSetCases(
    'booking_notes/done/first',
    { text: 'Forged', by: 'admin', at: LONG_AGO },
    noPeople,
    'nobody changes a note about a booking',
  ),
  ...createSetCases(
    'booking_notes/done/second',
    { text: 'x'.repeat(1001), by: 'admin', at: LONG_AGO },
    noPeople,
    'a note about a booking has at most 1,000 characters',
  ),
  ...createRemoveCases(
    'booking_notes/done/first',
    noPeople,
    'nobody removes a single note about a booking',
  ),
  ...createRemoveCases(
    'booking_notes/done',
    functions,
    'only functions remove the notes of a booking, with the account of a party',
  ),
  ...createSetCases(
    'fare_reviews/waiting',
    { at: LONG_AGO, driver: 'driver' },
    functions,
    'only functions flag a trip for review',
  ),
  ...createSetCases(
    'fare_reviews/waiting',
    { at: 'today', driver: 'driver' },
    noPeople,
    'the time of a fare review is a number',
  ),
  ...createSetCases(
    'fare_reviews/waiting',
    { at: LONG_AGO, driver: 'driver', price: 1 },
    noPeople,
    'a fare review has no unknown fields',
  ),
  ...createRemoveCases(
    'fare_reviews/riding',
    functions,
    'only functions remove a decided fare review',
  ),
  ...createSetCases(
    'stuck_bookings/waiting',
    { status: 'NEW', since: LONG_AGO, found_at: SERVER_TIMESTAMP },
    functions,
    'only functions report a stuck booking',
  ),
  ...createSetCases('stuck_bookings/waiting', true, noPeople, 'a stuck booking must be complete'),
  ...createRemoveCases(
    'stuck_bookings/riding',
    functions,
    'only functions remove a booking that is no longer stuck',
  ),
  ...createSetCases(
    'rate_limits/check_user_exists/somebody',
    { count: 2, since: LONG_AGO },
    functions,
    'only functions count requests',
  ),
  ...withChangedData(
    { settings: null },
    createSetCases('schema/version', 1, functions, 'the initial setup writes the schema version'),
  ),
  ...createSetCases(
    'schema/version',
    1,
    noPeople,
    'after the setup, the rules refuse a new schema version',
  ),
  ...withChangedData(
    { settings: null, 'schema/version': 1 },
    createSetCases('schema/version', 2, noPeople, 'an existing schema version cannot change'),
  ),
  ...withChangedData(
    { settings: null },
    createSetCases('schema/version', 1.5, noPeople, 'a schema version is a whole number'),
  ),
  ...withChangedData(
    { settings: null },
    createSetCases(
      'schema/texts',
      'abc',
      functions,
      'the initial setup writes the version of the texts',
    ),
  ),
  ...createRemoveCases('schema', noPeople, 'the schema version cannot be removed'),
  ...createSetCases(
    'schema/closed',
    { until: LONG_AGO },
    noPeople,
    'only a migration closes the database',
  ),
  ...createSetCases(
    'closed_accounts/rider',
    { at: SERVER_TIMESTAMP, waived: 0 },
    noPeople,
    'an existing account cannot be recorded as closed',
  ),
  ...createRemoveCases(
    'closed_accounts/gone/open',
    functions,
    'only functions mark a closed account as cleared',
  ),
  ...createSetCases('closed_accounts/gone/open', true, noPeople, 'a cleared account stays cleared'),
  ...createSetCases(
    'closed_accounts/gone/waived',
    500,
    noPeople,
    'the waived amount cannot change',
  ),
  ...createRemoveCases('closed_accounts/gone', noPeople, 'a closed account stays closed'),
  ...createSetCases(
    'users/gone',
    toJson({ ...(profile as object), id: 'gone' }),
    noPeople,
    'an account cannot be created under a closed uid',
  ),
  ...createCases(
    {
      does: 'update',
      at: 'former_users/other',
      value: { at: SERVER_TIMESTAMP, 'promos/welcome': true, referred: true },
    },
    functions,
    'only functions record used benefits',
  ),
  ...createSetCases('former_users/hash/promos/welcome', false, noPeople, 'a used promo stays used'),
  ...createRemoveCases('former_users/hash', functions, 'only functions remove old benefits'),
  ...createCases(
    {
      does: 'set',
      at: 'promo_uses/welcome/rider',
      value: 'riding',
      given: { 'users/rider/formerPromos': { welcome: true } },
    },
    noPeople,
    'a promo cannot be used again with another account',
  ),
  ...createSetCases('nowhere', true, noPeople, 'paths without a rule are closed'),
  ...createSetCases(
    'users/rider/walletHistory',
    null,
    noPeople,
    'a write of null cannot remove the history',
  ),
  ...createRemoveCases('', noPeople, 'the whole database cannot be removed'),
]

/** Rows that write every path as everyone. */
export const writeCases: AccessCase[] = [
  ...userCases,
  ...roleCases,
  ...bookingCases,
  ...offerCases,
  ...tripCases,
  ...officeCases,
  ...moneyCases,
]
