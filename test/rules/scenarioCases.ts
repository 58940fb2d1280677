import type { DatabaseValue } from '~/domain/data/databaseValue'
import { MINUTE_MS } from '~/domain/language/timeUnits'
import { currencyCases } from './currencyCases'
import { allow, deny, type AccessCase } from './accessCase'
import { walletCases } from './walletCases'
import {
  createBooking,
  englishLanguage,
  LONG_AGO,
  createFreshUpdate,
  SERVER_TIMESTAMP,
  vanVehicleType,
  welcomePromo,
} from './rulesFixtures'

const toJson = (value: object): DatabaseValue => JSON.parse(JSON.stringify(value)) as DatabaseValue
const updateOperation = (value: Record<string, DatabaseValue>) => ({
  does: 'update' as const,
  at: '',
  value,
})
const setOperation = (at: string, value: DatabaseValue) => ({ does: 'set' as const, at, value })
const removeOperation = (at: string) => ({ does: 'remove' as const, at })

const examplePosition = { lat: -34.95, lng: -56.2 }
const createAvailability = (more: Record<string, DatabaseValue> = {}): DatabaseValue => ({
  carType: 'van',
  geohash: '6dpnew000',
  ...examplePosition,
  at: SERVER_TIMESTAMP,
  ...more,
})
/** Moves a free driver: updates their account and their availability in one write. */
const createPositionUpdate = (uid: string, more: Record<string, DatabaseValue> = {}) =>
  updateOperation({
    [`users/${uid}/location`]: examplePosition,
    [`available_drivers/${uid}`]: createAvailability(),
    ...more,
  })

/** Does the same, and shows the vehicle to riders under a key. */
const createVisibleCarUpdate = (
  uid: string,
  key: string,
  more: Record<string, DatabaseValue> = {},
) =>
  createPositionUpdate(uid, {
    [`users/${uid}/shift`]: key,
    [`nearby_cars/${key}`]: createAvailability(more),
  })
const removedFromLists = {
  'available_drivers/otherDriver': null,
  'users/otherDriver/shift': null,
  'nearby_cars/shiftOfOther': null,
}
const removedFromAvailability = {
  'available_drivers/otherDriver': null,
  'nearby_cars/shiftOfOther': null,
}

/** Removes an account and records what the rules require. */
const createAccountRemoval = (
  uid: string,
  more: object = {},
  others: Record<string, DatabaseValue> = {},
) =>
  updateOperation({
    [`users/${uid}`]: null,
    [`roles/${uid}`]: null,
    [`closed_accounts/${uid}`]: { at: SERVER_TIMESTAMP, waived: 0, open: true, ...more },
    ...others,
  })
const createListQuery = (at: string, orderBy: string, equalTo: string) => ({
  does: 'read' as const,
  at,
  asked: { orderBy, equalTo },
})
const listCases: AccessCase[] = [
  deny(
    'rider',
    createListQuery('bookings', 'carTypeId', 'rider'),
    'the uid in another field does not bound the list',
  ),
  deny(
    'driver',
    createListQuery('bookings', 'carTypeId', 'driver'),
    'the uid in another field does not bound the list',
  ),
  deny(
    'fleet',
    createListQuery('bookings', 'carTypeId', 'fleet'),
    'the uid in another field does not bound the list',
  ),
  deny(
    'rider',
    createListQuery('bookings', 'driver', 'rider'),
    'a rider cannot list bookings as a driver',
  ),
  deny(
    'rider',
    createListQuery('bookings', 'fleetadmin', 'rider'),
    'a rider cannot list bookings as a fleet admin',
  ),
  deny(
    'fleet',
    createListQuery('users', 'referralId', 'fleet'),
    'the uid in another field does not bound the list',
  ),
  deny(
    'rider',
    createListQuery('users', 'fleetadmin', 'rider'),
    'a rider cannot list users as a fleet admin',
  ),
  deny(
    'rider',
    createListQuery('payments', 'booking', 'rider'),
    'the uid in another field does not bound the list',
  ),
  deny(
    'driver',
    createListQuery('withdraws', 'bankName', 'driver'),
    'the uid in another field does not bound the list',
  ),
  allow('rider', createListQuery('payments', 'uid', 'rider'), 'riders list their own payments'),
  allow(
    'driver',
    createListQuery('withdraws', 'uid', 'driver'),
    'drivers list their own withdrawals',
  ),
]

const createSuspension = (uid: string): Record<string, DatabaseValue> => ({
  [`users/${uid}/approved`]: false,
  [`roles/${uid}`]: null,
})
const createApproval = (uid: string, role: string): Record<string, DatabaseValue> => ({
  [`users/${uid}/approved`]: true,
  [`roles/${uid}`]: role,
})
/** Returns updates that set the booking `riding` to a status, `minutes` after its end. */
const minutesAfter = (minutes: number, status: string): Record<string, DatabaseValue> => ({
  'bookings/riding/status': status,
  [`bookings/riding/${status === 'CANCELLED' ? 'cancelled_at' : 'endTime'}`]:
    Date.now() - minutes * MINUTE_MS,
})
const read = (at: string) => ({ does: 'read' as const, at })
const phone = read('booking_contacts/riding/customer_contact')
const contacts: AccessCase[] = [
  ...(['ARRIVED', 'STARTED'] as const).map((status) => ({
    ...allow('driver', phone, `the driver can call the rider while the booking is ${status}`),
    given: { 'bookings/riding/status': status },
  })),
  ...(['REACHED', 'PENDING', 'PAID', 'COMPLETE', 'CANCELLED'] as const).flatMap((status) => [
    {
      ...allow(
        'driver',
        phone,
        `contacts are open half an hour after the end of a ${status} booking`,
      ),
      given: minutesAfter(30, status),
    },
    {
      ...deny('driver', phone, `contacts are closed an hour after the end of a ${status} booking`),
      given: minutesAfter(61, status),
    },
    {
      ...allow(
        'rider',
        read('booking_contacts/riding/driver_contact'),
        `contacts are open half an hour after the end of a ${status} booking`,
      ),
      given: minutesAfter(30, status),
    },
    {
      ...deny(
        'rider',
        read('booking_contacts/riding/driver_contact'),
        `contacts are closed an hour after the end of a ${status} booking`,
      ),
      given: minutesAfter(61, status),
    },
  ]),
  ...(['REACHED', 'PENDING', 'PAID', 'COMPLETE', 'CANCELLED'] as const).flatMap((status) => [
    {
      ...deny(
        'driver',
        read('booking_contacts/riding/pickUpInstructions'),
        `the driver reads no instructions at the end of a ${status} booking`,
      ),
      given: minutesAfter(0, status),
    },
    {
      ...deny(
        'driver',
        read('tracking/riding'),
        `the track of a ${status} booking is the office’s`,
      ),
      given: minutesAfter(0, status),
    },
    {
      ...deny('rider', read('tracking/riding'), `the track of a ${status} booking is the office’s`),
      given: minutesAfter(0, status),
    },
  ]),
  {
    ...deny('driver', phone, 'an ended booking without an end time shows no contacts'),
    given: { 'bookings/riding/status': 'PENDING' },
  },
  {
    ...deny('driver', phone, 'an unpaid booking hides its contacts after an hour'),
    given: { ...minutesAfter(3 * 24 * 60, 'PENDING') },
  },
  {
    ...deny('driver', phone, 'a suspended driver cannot read phone numbers'),
    given: createSuspension('driver'),
  },
  {
    ...deny(
      'requested',
      read('booking_contacts/waiting/deliveryPersonPhone'),
      "a driver with only an offer cannot read the recipient's phone number",
    ),
  },
  {
    ...deny(
      'requested',
      read('booking_contacts/waiting'),
      'a booking canceled without a driver shows no contacts',
    ),
    given: { 'bookings/waiting/status': 'CANCELLED', 'bookings/waiting/cancelled_at': Date.now() },
  },
  deny(
    'rider',
    createListQuery('booking_contacts', 'customer_contact', 'rider'),
    'riders cannot list phone numbers',
  ),
]

const availability: AccessCase[] = [
  allow(
    'requested',
    createPositionUpdate('requested'),
    "one write updates a driver's position and availability",
  ),
  deny(
    'requested',
    updateOperation({ 'available_drivers/requested': createAvailability() }),
    'availability must match the position in the profile',
  ),
  deny(
    'requested',
    createPositionUpdate('requested', {
      'available_drivers/requested': createAvailability({ lat: -34.9 }),
    }),
    'availability must have the latitude of the profile',
  ),
  deny(
    'requested',
    createPositionUpdate('requested', {
      'available_drivers/requested': createAvailability({ lng: -56.1 }),
    }),
    'availability must have the longitude of the profile',
  ),
  deny(
    'requested',
    createPositionUpdate('requested', {
      'available_drivers/requested': createAvailability({ fleetadmin: 'otherFleet' }),
    }),
    'availability must have the fleet of the profile',
  ),
  deny(
    'requested',
    createPositionUpdate('requested', {
      'available_drivers/requested': createAvailability({ carType: 'limousine' }),
    }),
    'availability must have the vehicle type of the profile',
  ),
  deny(
    'requested',
    createPositionUpdate('requested', {
      'available_drivers/requested': createAvailability({ at: LONG_AGO }),
    }),
    'availability cannot have an old time',
  ),
  deny(
    'requested',
    createPositionUpdate('requested', {
      'available_drivers/requested': createAvailability({ at: 4_000_000_000_000 }),
    }),
    'availability cannot have a future time',
  ),
  deny(
    'requested',
    createPositionUpdate('requested', {
      'available_drivers/requested': createAvailability({ geohash: 'SOMEWHERE' }),
    }),
    'a geohash has only characters of the geohash alphabet',
  ),
  deny(
    'requested',
    createPositionUpdate('requested', {
      'available_drivers/requested': createAvailability({ name: 'Beto' }),
    }),
    'availability has no personal data',
  ),
  deny('requested', createPositionUpdate('otherDriver'), 'drivers cannot move another driver'),
  deny('driver', createPositionUpdate('driver'), 'a busy driver cannot be available'),
  allow(
    'driver',
    setOperation('users/driver/location', examplePosition),
    'a busy driver still updates their position',
  ),
  deny('pending', createPositionUpdate('pending'), 'an unapproved driver cannot be available'),
  {
    ...deny(
      'requested',
      createPositionUpdate('requested'),
      'an off-duty driver cannot be available',
    ),
    given: { 'users/requested/driverActiveStatus': false },
  },
  {
    ...allow(
      'requested',
      createPositionUpdate('requested', { 'users/requested/driverActiveStatus': true }),
      'one write puts a driver on duty and makes them available',
    ),
    given: { 'users/requested/driverActiveStatus': false },
  },
  allow(
    'otherDriver',
    updateOperation({ 'users/otherDriver/driverActiveStatus': false, ...removedFromLists }),
    'going off duty removes both availability rows',
  ),
  deny(
    'otherDriver',
    updateOperation({
      'users/otherDriver/driverActiveStatus': false,
      'available_drivers/otherDriver': null,
    }),
    'going off duty must remove both availability rows',
  ),
  deny(
    'otherDriver',
    setOperation('users/otherDriver/driverActiveStatus', false),
    'an off-duty driver cannot stay available',
  ),
  allow(
    'server',
    updateOperation({ ...createSuspension('otherDriver'), ...removedFromLists }),
    'a suspension removes both availability rows',
  ),
  deny(
    'admin',
    updateOperation({ ...createSuspension('otherDriver'), ...removedFromLists }),
    'an admin suspends a driver by a function',
  ),
  allow(
    'requested',
    createVisibleCarUpdate('requested', 'fresh'),
    'a free car is shown under its own key',
  ),
  deny(
    'requested',
    createVisibleCarUpdate('requested', 'fresh', { lat: -34.9 }),
    'the public car has the position of the availability row',
  ),
  deny(
    'requested',
    createVisibleCarUpdate('requested', 'fresh', { geohash: '6dpold000' }),
    'the public car has the geohash of the availability row',
  ),
  deny(
    'requested',
    createVisibleCarUpdate('requested', 'fresh', { carType: 'limousine' }),
    'the public car has the vehicle type of the availability row',
  ),
  deny(
    'requested',
    createVisibleCarUpdate('requested', 'fresh', { at: LONG_AGO }),
    'the public car has the time of the availability row',
  ),
  deny(
    'requested',
    createVisibleCarUpdate('requested', 'fresh', { driver: 'requested' }),
    'the public car does not name its driver',
  ),
  deny(
    'requested',
    createVisibleCarUpdate('requested', 'shiftOfOther'),
    'drivers cannot take over another car',
  ),
  deny(
    'driver',
    createVisibleCarUpdate('driver', 'fresh'),
    "a busy driver's car is not shown as free",
  ),
  deny(
    'pending',
    createVisibleCarUpdate('pending', 'fresh'),
    "an unapproved driver's car is not shown",
  ),
  allow(
    'otherDriver',
    updateOperation({
      ...(createVisibleCarUpdate('otherDriver', 'fresh').value as object),
      'nearby_cars/shiftOfOther': null,
    }),
    'a driver may replace the key of their car',
  ),
  deny(
    'otherDriver',
    createVisibleCarUpdate('otherDriver', 'fresh'),
    'a car has only one key at a time',
  ),
  deny(
    'server',
    updateOperation({ 'users/otherDriver/queue': true, 'available_drivers/otherDriver': null }),
    'a driver who becomes busy must leave both lists',
  ),
  allow(
    'server',
    updateOperation({ 'users/otherDriver/queue': true, ...removedFromLists }),
    'a driver who becomes busy leaves both lists',
  ),
  {
    ...deny(
      'server',
      updateOperation({ 'users/otherDriver/queue': true, ...removedFromLists }),
      'a car whose key changed meanwhile cannot stay on one list alone',
    ),
    given: {
      'users/otherDriver/shift': 'renewed',
      'nearby_cars/renewed': { ...(createAvailability() as object), at: LONG_AGO },
    },
  },
  allow(
    'server',
    createAccountRemoval('otherDriver', {}, removedFromAvailability),
    'deleting an account also removes its car',
  ),
  deny(
    'server',
    createAccountRemoval('otherDriver'),
    'deleting an account must also remove its car',
  ),
  deny(
    'admin',
    updateOperation(createSuspension('otherDriver')),
    'only a function suspends a driver',
  ),
  deny(
    'admin',
    setOperation('users/otherDriver/carType', 'limousine'),
    'only a function changes the vehicle type',
  ),
]

const listed: AccessCase[] = [
  allow(
    'server',
    updateOperation({ 'users/rider/firstName': 'Ria', 'people/rider/firstName': 'Ria' }),
    'one write changes a name in the profile and the directory',
  ),
  deny(
    'rider',
    updateOperation({ 'users/rider/firstName': 'Ria', 'people/rider/firstName': 'Ria' }),
    'only a function changes names',
  ),
  deny(
    'rider',
    setOperation('people/rider/firstName', 'Ria'),
    'a directory entry must match the profile',
  ),
  deny(
    'rider',
    setOperation('people/otherRider/firstName', 'otherRider'),
    "riders cannot write another user's directory entry",
  ),
  deny(
    'rider',
    setOperation('people/rider/usertype', 'admin'),
    'a directory entry must have the user type of the profile',
  ),
  deny(
    'admin',
    setOperation('people/rider/firstName', 'Ria'),
    'the back office cannot write the directory directly',
  ),
  allow(
    'server',
    updateOperation({
      'users/driver/fleetadmin': 'otherFleet',
      'people/driver/fleetadmin': 'otherFleet',
    }),
    'one write changes the fleet in the profile and the directory',
  ),
  deny(
    'server',
    setOperation('people/driver/fleetadmin', 'otherFleet'),
    'a directory entry must have the fleet of the profile',
  ),
  deny(
    'server',
    setOperation('people/rider/walletBalance', 100),
    'a directory entry has no money fields',
  ),
  allow(
    'server',
    setOperation('people/rider/sortKey', 'rider~ria'),
    'a function moves a person in the lists of the office',
  ),
  deny(
    'server',
    setOperation('people/rider/sortKey', 'driver~ria'),
    'a person is in the list of their own user type',
  ),
  deny(
    'rider',
    setOperation('people/rider/sortKey', 'rider~ria'),
    'riders cannot move in the lists of the office',
  ),
  allow(
    'server',
    removeOperation('people/rider'),
    'a function may remove the entry of a leaving user',
  ),
  deny('rider', removeOperation('people/rider'), 'users cannot hide from the back office'),
  deny(
    'driver',
    removeOperation('people/driver/fleetadmin'),
    'drivers cannot hide from their fleet admin',
  ),
  allow(
    'server',
    updateOperation({ 'users/driver/vehicleNumber': null, 'people/driver/vehicleNumber': null }),
    'a field removed from the profile is removed from the directory',
  ),
  deny(
    'driver',
    updateOperation({ 'users/driver/vehicleNumber': null, 'people/driver/vehicleNumber': null }),
    'only a function changes vehicle data that the back office approved',
  ),
]

const contact = 'rider@example.com'
/** Moves an email address from the rider to another rider. */
const createContactTransfer = (more: Record<string, DatabaseValue> = {}) =>
  updateOperation({
    'user_emails/hash-of-rider': 'otherRider',
    'users/rider/email': '',
    'users/otherRider/email': contact,
    'users/otherRider/emailVerified': true,
    ...more,
  })
const ownershipCases: AccessCase[] = [
  allow(
    'server',
    createContactTransfer(),
    'a verified owner may take an address from a profile that loses it',
  ),
  deny('otherRider', createContactTransfer(), 'only a function checks who has verified an address'),
  deny(
    'server',
    createContactTransfer({ 'users/rider/email': contact }),
    'an address cannot be in two profiles after the write',
  ),
  {
    ...deny(
      'server',
      createContactTransfer(),
      'an address that its holder has verified stays with them',
    ),
    given: { 'users/rider/emailVerified': true },
  },
  {
    ...allow(
      'server',
      createContactTransfer(),
      'a reservation whose holder has another address is free',
    ),
    given: { 'users/rider/email': 'another@example.com' },
  },
  {
    ...allow(
      'server',
      updateOperation({
        'user_emails/hash-of-rider': 'otherRider',
        'users/otherRider/email': contact,
      }),
      'a reservation of a deleted account is free',
    ),
    given: { 'users/rider': null },
  },
  allow(
    'server',
    updateOperation({
      'push_tokens/hash-of-rider': { uid: 'otherRider', token: 'device', at: LONG_AGO },
      'internal/named_devices/rider': null,
      'internal/named_devices/otherRider': { token: 'device', revision: 1 },
    }),
    'a device may move from an account that loses it',
  ),
  deny(
    'server',
    updateOperation({
      'push_tokens/hash-of-rider': { uid: 'otherRider', token: 'device', at: LONG_AGO },
      'internal/named_devices/otherRider': { token: 'device', revision: 1 },
    }),
    'two accounts cannot name a device after the write',
  ),
  {
    ...deny(
      'server',
      updateOperation({
        'push_tokens/hash-of-rider': null,
        'internal/named_devices/rider': null,
      }),
      'a late sign-out cannot remove a device that another person took over',
    ),
    given: {
      'push_tokens/hash-of-rider': { uid: 'otherRider', token: 'device', at: LONG_AGO },
      'internal/named_devices/otherRider': { token: 'device', revision: 1 },
    },
  },
  allow(
    'server',
    setOperation('users/otherDriver/queue', true),
    'an approved driver may become busy',
  ),
  deny(
    'server',
    setOperation('users/pending/queue', true),
    'an unapproved driver cannot become busy',
  ),
  deny(
    'server',
    updateOperation({ 'users/otherDriver/queue': true, 'users/otherDriver/approved': false }),
    'a driver who loses their approval in the same write cannot become busy',
  ),
]

const lookupCases: AccessCase[] = [
  deny(
    'unapproved',
    updateOperation({
      ...createApproval('unapproved', 'rider'),
      'users/unapproved/firstName': 'Now',
    }),
    'an approval in the same write does not count yet',
  ),
  allow(
    'server',
    updateOperation({
      ...createApproval('unapproved', 'rider'),
      'users/unapproved/firstName': 'Now',
    }),
    'a function may approve and edit in one write',
  ),
  deny(
    'unapproved',
    setOperation('users/unapproved/firstName', 'Una'),
    'an unapproved user cannot change their profile',
  ),
  deny(
    'unknown',
    setOperation('users/unknown/firstName', 'Una'),
    'a user of an unknown type cannot change their profile',
  ),
  deny(
    'pending',
    setOperation('users/pending/vehicleNumber', 'X'),
    'a driver cannot change their profile before approval',
  ),
  {
    ...deny(
      'admin',
      setOperation('promos/welcome/min_order', 1),
      'a suspended admin has no admin rights',
    ),
    given: createSuspension('admin'),
  },
  {
    ...deny('admin', { does: 'read', at: 'users/rider' }, 'a suspended admin has no admin rights'),
    given: createSuspension('admin'),
  },
  {
    ...deny(
      'fleet',
      { does: 'read', at: 'users', asked: { orderBy: 'fleetadmin', equalTo: 'fleet' } },
      'a former fleet admin cannot list drivers',
    ),
    given: { 'users/fleet/usertype': 'rider', 'roles/fleet': 'rider' },
  },
  {
    ...deny(
      'fleet',
      { does: 'read', at: 'users/driver' },
      "a former fleet admin cannot read a driver's profile",
    ),
    given: { 'users/fleet/usertype': 'rider', 'roles/fleet': 'rider' },
  },
  deny(
    'admin',
    updateOperation(createSuspension('secondAdmin')),
    'only a function suspends another admin',
  ),
  deny('admin', updateOperation(createSuspension('admin')), 'an admin cannot suspend themselves'),
  {
    ...deny(
      'admin',
      updateOperation(createApproval('admin', 'admin')),
      'a suspended admin cannot approve themselves again',
    ),
    given: createSuspension('admin'),
  },
]

const credit = (amount: number, txRef = 'riding'): DatabaseValue => ({
  type: 'Credit',
  amount,
  date: LONG_AGO,
  txRef,
})
const createIncrement = (amount: number): DatabaseValue => ({ '.sv': { increment: amount } })

/** Creates an account with its role. */
const createNewUser = (more: Record<string, DatabaseValue>) =>
  updateOperation({
    'roles/newcomer': 'rider',
    'users/newcomer': {
      ...{ id: 'newcomer', usertype: 'rider', firstName: 'New', lastName: 'Comer' },
      ...{ mobile: '+15555559999', email: '', createdAt: '2026-01-01', approved: true },
      walletBalance: 0,
      ...more,
    },
  })

const moneyCases: AccessCase[] = [
  ...walletCases,
  allow('server', createNewUser({}), 'a new account has an empty wallet'),
  deny('server', createNewUser({ walletBalance: 50 }), 'a new account cannot start with money'),
  deny(
    'server',
    createNewUser({ walletHistory: { gift: credit(50, 'AdminCredit') } }),
    'a new account cannot start with a wallet history',
  ),
  allow(
    'server',
    createAccountRemoval('rider', { waived: 100 }),
    'an account and its wallet history are deleted together',
  ),
  deny('server', createAccountRemoval('rider'), 'a remaining balance must be waived'),
  deny(
    'server',
    createAccountRemoval('rider', { waived: 99 }),
    'the waived amount must equal the balance',
  ),
  {
    ...deny(
      'server',
      createAccountRemoval('rider', { waived: 100 }),
      'a credit that arrived meanwhile was not waived',
    ),
    given: { 'users/rider/walletBalance': 150 },
  },
  allow(
    'server',
    createAccountRemoval('otherRider'),
    'an account with an empty wallet may be deleted',
  ),
  {
    ...allow(
      'server',
      createAccountRemoval('otherRider', { waived: 1e-9 }),
      'a rounding error does not block a deletion',
    ),
    given: { 'users/otherRider/walletBalance': 1e-9 },
  },
  {
    ...deny('server', createAccountRemoval('otherRider'), 'a debt blocks the deletion'),
    given: { 'users/otherRider/walletBalance': -11 },
  },
  {
    ...deny(
      'server',
      createAccountRemoval('otherRider', { waived: -11 }),
      'a debt cannot be waived',
    ),
    given: { 'users/otherRider/walletBalance': -11 },
  },
]

const promoUse = (count: DatabaseValue, uid = 'rider') =>
  updateOperation({
    'promos/welcome/user_avail': count,
    [`promo_uses/welcome/${uid}`]: 'riding',
  })
const promos: AccessCase[] = [
  allow('server', promoUse(createIncrement(1)), 'a function may count the last use'),
  {
    ...deny('server', promoUse(createIncrement(1)), 'a use beyond the limit is refused'),
    given: { 'promos/welcome/user_avail': 2 },
  },
  deny('server', promoUse(createIncrement(1), 'otherRider'), 'a rider cannot use a promo twice'),
  allow(
    'server',
    updateOperation({
      'promos/welcome/user_avail': createIncrement(-1),
      'promo_uses/welcome/otherRider': null,
    }),
    'a function may give a use back',
  ),
  {
    ...allow(
      'server',
      updateOperation({
        'promos/welcome/user_avail': createIncrement(-1),
        'promo_uses/welcome/otherRider': null,
      }),
      'a use may be given back even when the limit is now below the count',
    ),
    given: { 'promos/welcome/user_avail': 5 },
  },
  deny(
    'server',
    updateOperation({ 'promos/gone/user_avail': createIncrement(1) }),
    'a count cannot recreate a deleted promo',
  ),
  deny(
    'admin',
    setOperation('promos/welcome', toJson({ ...welcomePromo, user_avail: 0 })),
    'an admin cannot reset the count',
  ),
  allow(
    'admin',
    setOperation('promos/welcome', toJson({ ...welcomePromo, min_order: 1 })),
    'an admin may change the other fields',
  ),
]

const demo = { 'settings/AllowCriticalEditsAdmin': false }
const withDemoSettings = (rows: AccessCase[]): AccessCase[] =>
  rows.map((row) => ({ ...row, given: demo }))
const demoMode: AccessCase[] = withDemoSettings([
  deny('admin', setOperation('settings/appName', 'Mine'), 'settings are read-only in demo mode'),
  deny(
    'admin',
    setOperation('settings/AllowCriticalEditsAdmin', true),
    'an admin cannot end demo mode',
  ),
  deny(
    'admin',
    setOperation('cartypes/van/base_fare', 0),
    'vehicle types are read-only in demo mode',
  ),
  deny('admin', removeOperation('cartypes/van'), 'vehicle types are read-only in demo mode'),
  deny(
    'admin',
    setOperation('cartypes/truck', toJson({ ...vanVehicleType, id: 'truck', name: 'Truck' })),
    'vehicle types cannot be added in demo mode',
  ),
  deny('admin', setOperation('promos/welcome/min_order', 0), 'promos are read-only in demo mode'),
  deny('admin', removeOperation('promos/welcome'), 'promos are read-only in demo mode'),
  allow(
    'admin',
    setOperation('promos/spring', toJson({ ...welcomePromo, id: 'spring', user_avail: 0 })),
    'promos may be added in demo mode',
  ),
  deny(
    'admin',
    setOperation('languages/en/keyValuePairs/book_now', 'X'),
    'texts are read-only in demo mode',
  ),
  deny('admin', setOperation('languages/es/langName', 'X'), 'languages are read-only in demo mode'),
  deny('admin', removeOperation('languages/es'), 'languages are read-only in demo mode'),
  deny(
    'admin',
    setOperation('languages/fr', { ...englishLanguage, langName: 'Français', default: false }),
    'languages cannot be added in demo mode',
  ),
  deny(
    'admin',
    updateOperation({ 'languages/en/default': false, 'languages/es/default': true }),
    'the default language is read-only in demo mode',
  ),
  deny('admin', removeOperation('cancel_reason/1'), 'cancel reasons are read-only in demo mode'),
  deny(
    'admin',
    setOperation('cancel_reason/2', { label: 'Rain', value: 2 }),
    'cancel reasons are read-only in demo mode',
  ),
  deny(
    'admin',
    setOperation('notifications/news', {
      devicetype: 'All',
      usertype: 'All',
      title: 'News',
      body: 'Hello',
      createdAt: SERVER_TIMESTAMP,
    }),
    'notifications cannot be sent in demo mode',
  ),
  deny('admin', removeOperation('notifications/sale'), 'notifications are read-only in demo mode'),
  deny(
    'admin',
    updateOperation(createApproval('pending', 'driver')),
    'only a function approves a driver, also in demo mode',
  ),
  allow(
    'server',
    setOperation('settings/AllowCriticalEditsAdmin', true),
    'the operator may end demo mode',
  ),
])

const readOperation = (at: string, asked?: AccessCase['asked']) => ({
  does: 'read' as const,
  at,
  ...(asked && { asked }),
})
const FIRST_TEN = { limitToFirst: 10 }
/** Reads of contacts by the office, each with who may make it outside demo mode. */
const CONTACT_READS = [
  ['admin', readOperation('users/rider')],
  ['admin', readOperation('users/rider/mobile')],
  ['admin', readOperation('users/rider/email')],
  ['admin', readOperation('users', FIRST_TEN)],
  ['admin', readOperation('users', { orderBy: 'mobile', startAt: '+1', limitToFirst: 10 })],
  ['admin', readOperation('people', FIRST_TEN)],
  ['admin', readOperation('people', { orderBy: 'email', startAt: 'a', limitToFirst: 10 })],
  ['admin', readOperation('booking_contacts', FIRST_TEN)],
  ['admin', readOperation('booking_contacts/riding')],
  ['admin', readOperation('booking_contacts/riding/customer_contact')],
  ['admin', readOperation('booking_contacts/riding/driver_contact')],
  ['fleet', readOperation('users/driver')],
  ['fleet', readOperation('users/driver/mobile')],
  ['fleet', readOperation('users', { orderBy: 'fleetadmin', equalTo: 'fleet' })],
  ['fleet', readOperation('people', { orderBy: 'fleetadmin', equalTo: 'fleet' })],
  ['fleet', readOperation('booking_contacts/riding/customer_email')],
  ['fleet', readOperation('booking_contacts/riding/deliveryPersonPhone')],
] as const
const demoContacts: AccessCase[] = [
  ...CONTACT_READS.map(([who, read]) => allow(who, read, 'the office reads contacts')),
  ...withDemoSettings([
    ...CONTACT_READS.map(([who, read]) =>
      deny(who, read, 'the office reads no contacts in demo mode'),
    ),
    ...['savedAddresses', 'formerPhones'].map((field) =>
      deny('admin', readOperation(`users/rider/${field}`), 'no screen of a demo shows it'),
    ),
    ...['usertype', 'firstName', 'approved', 'walletBalance', 'walletHistory', 'carType'].flatMap(
      (field) => [
        allow('admin', readOperation(`users/driver/${field}`), 'a demo shows the rest of a person'),
        allow('fleet', readOperation(`users/driver/${field}`), 'also to their fleet admin'),
        deny('otherFleet', readOperation(`users/driver/${field}`), 'not to another fleet admin'),
        deny('otherRider', readOperation(`users/driver/${field}`), 'not to other people'),
        deny('fleet', readOperation(`users/rider/${field}`), 'not of people outside the fleet'),
      ],
    ),
    allow(
      'admin',
      readOperation('booking_contacts/riding/deliveryInstructions'),
      'instructions are no contacts',
    ),
    deny(
      'fleet',
      readOperation('booking_contacts/riding/deliveryInstructions'),
      'a fleet admin reads no instructions',
    ),
    allow('rider', readOperation('users/rider'), 'a person reads their own record'),
    allow('fleet', readOperation('users/fleet/mobile'), 'also one of the office'),
    allow('admin', readOperation('users/admin'), 'also an admin'),
    allow(
      'driver',
      readOperation('booking_contacts/riding/customer_contact'),
      'the driver of a booking calls its rider',
    ),
    allow(
      'rider',
      readOperation('booking_contacts/riding/driver_contact'),
      'the rider calls the driver',
    ),
  ]),
]

const languages: AccessCase[] = [
  allow(
    'admin',
    updateOperation({ 'languages/en/default': false, 'languages/es/default': true }),
    'one write may replace the default language',
  ),
  allow(
    'admin',
    removeOperation('languages/es'),
    'a language that is not the default may be removed',
  ),
  deny('admin', removeOperation('languages/en'), 'the default language cannot be removed'),
]

const trip = (status: string, at: DatabaseValue = SERVER_TIMESTAMP): DatabaseValue => ({
  at,
  status,
  ...examplePosition,
})
const createChatMessage = (from: string, source: string): Record<string, DatabaseValue> => ({
  message: 'Hello',
  from,
  type: 'msg',
  msgDate: '1 January',
  msgTime: '10:05',
  source,
  at: SERVER_TIMESTAMP,
})

const [FIRST, SECOND] = ['-Ofirst0000000000000', '-Osecond000000000000']
/** Writes one track position and names it as its driver's newest, as the driver's page does. */
const createTrackPoint = (value: DatabaseValue, key = FIRST, booking = 'riding', by = 'driver') =>
  updateOperation({
    [`tracking/${booking}/${key}`]: value,
    [`newest/tracking/${booking}/${by}`]: key,
  })
const trackPointCase = (status: string, at: DatabaseValue = SERVER_TIMESTAMP) =>
  createTrackPoint(trip(status, at))
/** Writes one message and names it as its sender's newest. */
const createNamedMessage = (value: Record<string, DatabaseValue>, key = FIRST) =>
  updateOperation({
    [`chats/riding/${key}`]: value,
    [`newest/chats/riding/${value.from as string}`]: key,
  })

const tripCases: AccessCase[] = [
  deny('driver', trackPointCase('STARTED'), "a track position must have the booking's status"),
  deny(
    'driver',
    trackPointCase('ACCEPTED', LONG_AGO - 1),
    'a track position cannot be older than the assignment',
  ),
  deny(
    'driver',
    trackPointCase('ACCEPTED', 4_000_000_000_000),
    'a track position cannot be in the future',
  ),
  allow(
    'driver',
    trackPointCase('ACCEPTED', LONG_AGO + 1),
    'a track position recorded offline is accepted later',
  ),
  deny(
    'driver',
    createTrackPoint({ status: 'ACCEPTED', ...examplePosition }),
    'a track position needs a time',
  ),
  ...(['ARRIVED', 'STARTED'] as const).map((status) => ({
    ...allow(
      'driver',
      trackPointCase(status),
      `the track continues while the booking is ${status}`,
    ),
    given: { 'bookings/riding/status': status },
  })),
  ...(['REACHED', 'PENDING', 'PAID', 'COMPLETE', 'CANCELLED'] as const).map((status) => ({
    ...deny('driver', trackPointCase(status), `the track is closed when the booking is ${status}`),
    given: { 'bookings/riding/status': status },
  })),
  deny(
    'requested',
    createTrackPoint(trip('NEW'), FIRST, 'waiting', 'requested'),
    'a driver with only an offer cannot write a track',
  ),
  {
    ...deny(
      'driver',
      { does: 'read', at: 'bookings/waiting' },
      'a driver whose offer ended cannot read the booking',
    ),
    given: { 'bookings/waiting/requestedDrivers': { otherDriver: true } },
  },
  {
    ...deny(
      'driver',
      createNamedMessage(createChatMessage('driver', 'driver')),
      'a suspended driver cannot write messages',
    ),
    given: createSuspension('driver'),
  },
  deny(
    'rider',
    createNamedMessage({ ...createChatMessage('rider', 'rider'), at: LONG_AGO }),
    'a message cannot be backdated',
  ),
  deny(
    'rider',
    createNamedMessage({ ...createChatMessage('rider', 'rider'), message: '' }),
    'a message cannot be empty',
  ),
  deny(
    'rider',
    createNamedMessage({ ...createChatMessage('rider', 'rider'), message: 'x'.repeat(1001) }),
    'a message has at most 1,000 characters',
  ),
  deny(
    'rider',
    createNamedMessage({ ...createChatMessage('rider', 'rider'), image: 'x' }),
    'a message has no unknown fields',
  ),
]

/** Returns data with the newest message of a party, written past the rules. */
const lastMessage = (at: DatabaseValue) => ({
  [`chats/riding/${SECOND}`]: { ...createChatMessage('rider', 'rider'), at },
  'newest/chats/riding/rider': SECOND,
})
const lastPoint = (at: DatabaseValue) => ({
  [`tracking/riding/${SECOND}`]: trip('ACCEPTED', at),
  'newest/tracking/riding/driver': SECOND,
})
const riderMessage = createChatMessage('rider', 'rider')

const rates: AccessCase[] = [
  allow('rider', createNamedMessage(riderMessage), 'the first message of a chat is accepted'),
  {
    ...allow(
      'rider',
      createNamedMessage(riderMessage),
      'a message long after the last one is accepted',
    ),
    given: lastMessage(LONG_AGO),
  },
  {
    ...deny(
      'rider',
      createNamedMessage(riderMessage),
      'a message within a second of the last one is refused',
    ),
    given: lastMessage(4_000_000_000_000),
  },
  {
    ...allow(
      'driver',
      createNamedMessage(createChatMessage('driver', 'driver')),
      'each party has its own rate',
    ),
    given: lastMessage(4_000_000_000_000),
  },
  deny(
    'rider',
    setOperation(`chats/riding/${FIRST}`, riderMessage),
    'a message must be named as the newest',
  ),
  deny(
    'rider',
    updateOperation({
      [`chats/riding/${FIRST}`]: riderMessage,
      [`chats/riding/${SECOND}`]: riderMessage,
      'newest/chats/riding/rider': FIRST,
    }),
    'one update cannot write two messages',
  ),
  deny(
    'rider',
    updateOperation({
      [`chats/riding/${FIRST}`]: riderMessage,
      'newest/chats/riding/driver': FIRST,
    }),
    "a message cannot be named as the other party's newest",
  ),
  {
    ...deny(
      'rider',
      setOperation('newest/chats/riding/rider', '-Othird0000000000000'),
      'an older message cannot be named as the newest',
    ),
    given: {
      ...lastMessage(LONG_AGO),
      'chats/riding/-Othird0000000000000': { ...riderMessage, at: 4_000_000_000_000 },
    },
  },
  deny(
    'rider',
    setOperation('newest/chats/riding/rider', FIRST),
    'a missing message cannot be named as the newest',
  ),
  {
    ...deny(
      'rider',
      removeOperation('newest/chats/riding/rider'),
      'the key of the newest message cannot be removed',
    ),
    given: lastMessage(LONG_AGO),
  },
  deny(
    'rider',
    setOperation('newest/rider/riding/rider', FIRST),
    'an unknown list has no newest key',
  ),
  ...['x'.repeat(300), '-short', 'm', `-${'x'.repeat(20)}`, '_Ofirst0000000000000'].map((key) =>
    deny(
      'rider',
      createNamedMessage(riderMessage, key),
      'a key must have the format of an SDK push key',
    ),
  ),

  {
    ...allow(
      'driver',
      trackPointCase('ACCEPTED', LONG_AGO + 2000),
      'a position one second after the last one is accepted',
    ),
    given: lastPoint(LONG_AGO + 1000),
  },
  {
    ...deny(
      'driver',
      trackPointCase('ACCEPTED', LONG_AGO + 1999),
      'a position less than one second after the last one is refused',
    ),
    given: lastPoint(LONG_AGO + 1000),
  },
  {
    ...deny(
      'driver',
      trackPointCase('ACCEPTED', LONG_AGO + 500),
      'a position older than the last one is refused',
    ),
    given: lastPoint(LONG_AGO + 1000),
  },
  deny(
    'driver',
    setOperation(`tracking/riding/${FIRST}`, trip('ACCEPTED')),
    'a position must be named as the newest',
  ),
  deny(
    'driver',
    updateOperation({
      [`tracking/riding/${FIRST}`]: trip('ACCEPTED', LONG_AGO + 1000),
      [`tracking/riding/${SECOND}`]: trip('ACCEPTED', LONG_AGO + 9000),
      'newest/tracking/riding/driver': SECOND,
    }),
    'one update cannot write two positions',
  ),
  {
    ...deny(
      'driver',
      removeOperation('newest/tracking/riding/driver'),
      'the key of the newest position cannot be removed',
    ),
    given: lastPoint(LONG_AGO),
  },
  deny(
    'otherDriver',
    createTrackPoint(trip('ACCEPTED', LONG_AGO + 1000), FIRST, 'riding', 'otherDriver'),
    "a driver cannot write the track of another driver's trip",
  ),
  ...['x'.repeat(300), '-short', 'p'].map((key) =>
    deny(
      'driver',
      createTrackPoint(trip('ACCEPTED', LONG_AGO + 1000), key),
      'a key must have the format of an SDK push key',
    ),
  ),
]

const chat = (who: 'rider' | 'driver') =>
  updateOperation({
    [`chats/riding/${FIRST}`]: createChatMessage(who, who),
    [`newest/chats/riding/${who}`]: FIRST,
  })
const chatCases: AccessCase[] = (['PENDING', 'PAID', 'COMPLETE', 'CANCELLED'] as const).flatMap(
  (status) =>
    (['rider', 'driver'] as const).flatMap((who) => [
      {
        ...allow(
          who,
          chat(who),
          `the chat is open half an hour after the end of a ${status} booking`,
        ),
        given: minutesAfter(30, status),
      },
      {
        ...deny(who, chat(who), `the chat is closed an hour after the end of a ${status} booking`),
        given: minutesAfter(61, status),
      },
    ]),
)

const accepted = (driver: string, more: Record<string, DatabaseValue> = {}) =>
  updateOperation({
    'bookings/waiting/revision': 4,
    'bookings/waiting/status': 'ACCEPTED',
    'bookings/waiting/driver': driver,
    'bookings/waiting/requestedDrivers': null,
    [`users/${driver}/queue`]: true,
    [`driver_tasks/${driver}/waiting`]: null,
    ...more,
  })
// The driver of `riding` also gets `waiting`, as their next booking.
const onTrip = {
  'bookings/riding/status': 'STARTED',
  'bookings/waiting/requestedDrivers': { driver: true },
  'driver_tasks/driver/waiting': true,
}
const acceptedNext = (more: Record<string, DatabaseValue> = {}) =>
  updateOperation({
    'bookings/waiting/revision': 4,
    'bookings/waiting/status': 'ACCEPTED',
    'bookings/waiting/driver': 'driver',
    'bookings/waiting/requestedDrivers': null,
    'bookings/waiting/follows': 'riding',
    'driver_tasks/driver/waiting': null,
    'bookings/riding/next': 'waiting',
    'bookings/riding/revision': 4,
    ...more,
  })
const withNext = {
  ...onTrip,
  'bookings/riding/status': 'REACHED',
  'bookings/riding/next': 'waiting',
}
const finished = (more: Record<string, DatabaseValue> = {}) =>
  updateOperation({ 'bookings/riding/revision': 4, 'bookings/riding/status': 'PENDING', ...more })
const nextBookings: AccessCase[] = [
  {
    ...allow('server', acceptedNext(), 'a driver on a trip may get one next booking'),
    given: onTrip,
  },
  {
    ...deny('driver', acceptedNext(), 'only a function assigns a next booking'),
    given: onTrip,
  },
  {
    ...deny(
      'server',
      acceptedNext({ 'bookings/riding/next': null }),
      'the trip must name its next booking',
    ),
    given: onTrip,
  },
  {
    ...deny(
      'server',
      acceptedNext({ 'bookings/riding/next': 'other' }),
      'the trip must not name another next booking',
    ),
    given: onTrip,
  },
  {
    ...deny(
      'server',
      acceptedNext({ 'bookings/riding/revision': 3 }),
      'the trip must not have changed since the decision',
    ),
    given: onTrip,
  },
  {
    ...allow(
      'server',
      finished({ 'bookings/riding/next': null }),
      'a trip may end when it passes its next booking on',
    ),
    given: withNext,
  },
  {
    ...deny('server', finished(), 'a trip cannot end and keep its next booking'),
    given: withNext,
  },
  {
    ...allow(
      'server',
      updateOperation({ 'driver_tasks/driver/waiting': true }),
      'a driver whose trip ends soon may get an offer',
    ),
    given: { 'busy_drivers/driver/ends_at': LONG_AGO },
  },
  {
    ...deny(
      'server',
      updateOperation({ 'driver_tasks/driver/waiting': true, 'busy_drivers/driver/ends_at': 1 }),
      'the expected end must be known before the offer',
    ),
  },
]
const bookings: AccessCase[] = [
  allow('server', accepted('requested'), 'a free driver may get the booking and become busy'),
  deny(
    'server',
    accepted('requested', { 'users/requested/queue': false }),
    'a driver with a booking must be busy',
  ),
  {
    ...deny('server', accepted('requested'), 'a driver with a booking has no other offer'),
    given: { 'driver_tasks/requested/other': true },
  },
  deny(
    'server',
    updateOperation({ 'driver_tasks/requested/other': true, 'users/requested/queue': true }),
    'one write cannot make a driver busy and send them an offer',
  ),
  deny(
    'server',
    updateOperation({
      'driver_tasks/otherDriver/waiting': true,
      'users/otherDriver/driverActiveStatus': false,
    }),
    'a driver who is off duty gets no offer',
  ),
  deny(
    'server',
    updateOperation({ 'driver_tasks/requested/done': true }),
    'a driver with an open request gets no request of another booking',
  ),
  {
    ...deny(
      'server',
      updateOperation({ 'driver_tasks/requested/done': true }),
      'matched dispatch sends a driver one request at a time',
    ),
    given: { 'settings/dispatchMode': 'matched' },
  },
  {
    ...allow(
      'server',
      updateOperation({ 'driver_tasks/requested/done': true }),
      'a broadcast reaches a driver who has another open request',
    ),
    given: { 'settings/dispatchMode': 'broadcast' },
  },
  deny('server', accepted('driver'), 'a busy driver cannot get a second booking'),
  deny('requested', accepted('requested'), 'only a function assigns a booking'),
  allow(
    'server',
    updateOperation(createFreshUpdate(createBooking('fresh', 'PAYMENT_PENDING', { revision: 1 }))),
    'a delivery may start unpaid',
  ),
  deny(
    'server',
    updateOperation(
      createFreshUpdate({ ...createBooking('fresh', 'NEW', { revision: 1 }), status: null }),
    ),
    'a booking needs a status',
  ),
  deny(
    'server',
    updateOperation(
      createFreshUpdate({ ...createBooking('fresh', 'NEW', { revision: 1 }), extra: 1 }),
    ),
    'a booking has no unknown fields',
  ),
  deny(
    'server',
    updateOperation(
      createFreshUpdate({ ...createBooking('fresh', 'NEW', { revision: 1 }), otp: 12345 }),
    ),
    'a booking does not hold its code',
  ),
  deny(
    'server',
    updateOperation(
      createFreshUpdate({
        ...createBooking('fresh', 'NEW', { revision: 1 }),
        pickup: { lat: 95, lng: 0, add: '' },
      }),
    ),
    'a place must have a valid latitude',
  ),
  allow(
    'server',
    updateOperation({
      'bookings/done/revision': 4,
      'bookings/done/customer_name': '',
      'bookings/done/pickupAddress': '',
      'booking_contacts/done': null,
    }),
    'personal data may be removed from a finished booking',
  ),
  deny(
    'server',
    updateOperation({ 'bookings/done/revision': 4, 'bookings/done/status': 'NEW' }),
    'a complete booking stays complete',
  ),
]

/** Changes a payment attempt, together with its revision. */
const attempt = (fields: Record<string, DatabaseValue>) => ({
  does: 'update' as const,
  at: 'payments/checkout',
  value: { revision: 2, ...fields },
})
const PAID = {
  'payments/checkout/status': 'paid',
  'payments/checkout/applied_to': 'wallet',
  'payments/checkout/ref': 'pi_1',
}
const asked5 = { amount: 5, by: 'admin', at: LONG_AGO, from_wallet: false }
const heldPayment = { ...asked5, id: 'r1', state: 'held' }
const settled = {
  ...asked5,
  state: 'confirmed',
  settled_at: LONG_AGO,
  settled_by: 'kerbside-server',
}
/** Returns a payment attempt with a refund in the given state. */
const open = (state: string) => ({ ...PAID, 'payments/checkout/refund': { ...heldPayment, state } })
const payments: AccessCase[] = [
  {
    ...allow(
      'server',
      attempt({ refund: heldPayment, refund_due: SERVER_TIMESTAMP }),
      'a refund starts as held',
    ),
    given: PAID,
  },
  {
    ...deny(
      'server',
      attempt({ refund: { ...heldPayment, state: 'sent' } }),
      'a refund cannot start as sent',
    ),
    given: PAID,
  },
  {
    ...deny(
      'server',
      attempt({ refund: { ...heldPayment, id: 'r2' } }),
      'a payment has only one open refund',
    ),
    given: open('sent'),
  },
  {
    ...deny(
      'server',
      { does: 'set', at: 'payments/checkout/refund', value: heldPayment },
      'a refund must raise the revision',
    ),
    given: PAID,
  },
  {
    ...allow(
      'server',
      attempt({ refund: { ...heldPayment, state: 'sent' } }),
      'a held refund may be sent',
    ),
    given: open('held'),
  },
  {
    ...deny(
      'server',
      attempt({ refund: { ...heldPayment, state: 'sent' } }),
      'a sent refund is not sent again',
    ),
    given: open('sent'),
  },
  {
    ...allow(
      'server',
      attempt({ refund: { ...heldPayment, state: 'unknown' } }),
      'a sent refund may become unknown when its response is lost',
    ),
    given: open('sent'),
  },
  {
    ...deny(
      'server',
      attempt({ refund: { ...heldPayment, state: 'unknown', amount: 6 } }),
      'the amount of an open refund cannot change',
    ),
    given: open('sent'),
  },
  {
    ...deny(
      'server',
      attempt({ refund: null }),
      'an open refund cannot be removed without a record',
    ),
    given: open('sent'),
  },
  {
    ...allow(
      'server',
      attempt({ refund: null, 'refunds/r1': settled, refunded: 5, status: 'partially_refunded' }),
      'an open refund ends in a record',
    ),
    given: open('sent'),
  },
  {
    ...deny(
      'server',
      attempt({ refund: null, 'refunds/r1': { ...settled, amount: 4 } }),
      "the record must have the refund's amount",
    ),
    given: open('sent'),
  },
  {
    ...deny('server', attempt({ 'refunds/r2': settled }), 'a record needs its open refund'),
    given: open('sent'),
  },
  {
    ...deny(
      'server',
      attempt({ 'refunds/r1': { ...settled, state: 'refused' } }),
      'a record cannot be rewritten',
    ),
    given: { ...PAID, 'payments/checkout/refunds/r1': settled },
  },
  {
    ...allow(
      'server',
      attempt({ 'refunds/r1/state': 'returned' }),
      'a confirmed refund may be returned',
    ),
    given: { ...PAID, 'payments/checkout/refunds/r1': settled },
  },
  {
    ...deny(
      'server',
      attempt({ 'refunds/r1/state': 'confirmed' }),
      'a refused refund cannot become confirmed',
    ),
    given: { ...PAID, 'payments/checkout/refunds/r1': { ...settled, state: 'refused' } },
  },
  {
    ...deny('server', attempt({ status: 'failed' }), 'a paid attempt cannot fail'),
    given: { 'payments/checkout/status': 'paid' },
  },
  {
    ...allow('server', attempt({ status: 'refunded' }), 'a paid attempt may be refunded'),
    given: { 'payments/checkout/status': 'paid' },
  },
  {
    ...allow(
      'server',
      attempt({ returned: 3, charged_back: 6 }),
      'a part may go back to the wallet, and more to the bank',
    ),
    given: { ...PAID, 'payments/checkout/charged_back': 5 },
  },
  {
    ...allow('server', attempt({ charged_back: 4 }), 'a won dispute makes a chargeback smaller'),
    given: { ...PAID, 'payments/checkout/charged_back': 5 },
  },
  allow('server', attempt({ ref: 'pi_1' }), "a function may store the provider's reference"),
  {
    ...deny('server', attempt({ ref: 'pi_2' }), "the provider's reference cannot change"),
    given: { 'payments/checkout/ref': 'pi_1' },
  },
  allow(
    'server',
    setOperation('withdraws/asked/procesDate', LONG_AGO),
    'a function may store the payout date',
  ),
  {
    ...deny(
      'server',
      setOperation('withdraws/asked/procesDate', LONG_AGO + 1),
      'the payout date cannot change',
    ),
    given: { 'withdraws/asked/procesDate': LONG_AGO },
  },
  {
    ...deny(
      'server',
      setOperation('withdraws/asked/processed', false),
      'a withdrawal that was paid out stays paid out',
    ),
    given: { 'withdraws/asked/processed': true },
  },
  {
    ...deny('server', setOperation('shares/token/revoked', false), 'a revoked link stays revoked'),
    given: { 'shares/token/revoked': true },
  },
]

const otpAttemptCases: AccessCase[] = [
  allow(
    'server',
    setOperation('otp_attempts/waiting', { tries: 1, locked_until: 0 }),
    'a function may count the first wrong code',
  ),
  deny(
    'server',
    setOperation('otp_attempts/waiting', { tries: 3, locked_until: 0 }),
    'the count must start at one',
  ),
  deny(
    'server',
    setOperation('otp_attempts/waiting', { tries: 0 }),
    'the count needs its lock time',
  ),
  {
    ...allow(
      'server',
      setOperation('otp_attempts/riding', { tries: 1, locked_until: 0 }),
      'the count restarts after the lock',
    ),
    given: { 'otp_attempts/riding': { tries: 5, locked_until: LONG_AGO } },
  },
  {
    ...deny(
      'server',
      setOperation('otp_attempts/riding', { tries: 1, locked_until: 0 }),
      'the count cannot restart during the lock',
    ),
    given: { 'otp_attempts/riding': { tries: 5, locked_until: 4_000_000_000_000 } },
  },
]

/** Rows that show what one person may and may not do, where the tables cannot show it. */
export const SCENARIOS: Record<string, AccessCase[]> = {
  'people list only their own records': listCases,
  'contacts close an hour after the end': contacts,
  'only drivers who can take a booking are available': availability,
  'the directory matches the profiles': listed,
  'an email address, a device, and a busy driver belong to one person': ownershipCases,
  'roles are checked where their owner cannot write': lookupCases,
  'money moves once, by exactly the amount of its entries': moneyCases,
  'the currency changes only during a hold': currencyCases,
  'promo uses are counted': promos,
  'demo mode': demoMode,
  'contacts in demo mode': demoContacts,
  languages,
  'tracks and messages during a trip': tripCases,
  'chats close an hour after the end': chatCases,
  'chats and tracks have a rate limit': rates,
  bookings,
  'a driver on a trip has one next booking': nextBookings,
  payments,
  'wrong codes are counted': otpAttemptCases,
}
