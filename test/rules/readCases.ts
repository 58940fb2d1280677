import { referenceAt } from '~/domain/booking/search/reference'
import { createCases, type AccessCase } from './accessCase'
import { TEST_PEOPLE, type TestPerson } from './rulesFixtures'

const allPeople = TEST_PEOPLE
/** The people who are approved and have a known user type. */
const approvedUsers: TestPerson[] = [
  'rider',
  'otherRider',
  'driver',
  'requested',
  'otherDriver',
  'fleet',
  'otherFleet',
  'admin',
  'server',
]
const office: TestPerson[] = ['admin', 'server']
const functions: TestPerson[] = ['server']

const createReadCases = (at: string, by: readonly TestPerson[], because: string): AccessCase[] =>
  createCases({ does: 'read', at }, by, because)

/** The booking `riding` after its driver released it. */
const released = {
  'bookings/riding/status': 'NEW',
  'bookings/riding/driver': null,
  'bookings/riding/fleetadmin': null,
}

/** Rows that read every path as everyone. */
export const readCases: AccessCase[] = [
  ...createCases(
    { does: 'read', at: 'tracking/riding', given: released },
    office,
    'nobody follows a booking without a driver',
  ),
  ...[
    'bookings/riding',
    'chats/riding',
    'booking_contacts/riding/customer_contact',
    'booking_contacts/riding/deliveryInstructions',
  ].flatMap((at) =>
    createCases(
      { does: 'read', at, given: released },
      ['rider', ...office],
      'a driver who released a booking, and their fleet, no longer read it',
    ),
  ),
  ...createReadCases('', functions, 'clients cannot read the whole database'),
  ...createReadCases('nowhere', functions, 'paths without a rule are closed'),

  ...createReadCases(
    'settings',
    allPeople,
    'the site needs its name and currency before anyone signs in',
  ),
  ...createReadCases('settings/AllowCriticalEditsAdmin', allPeople, 'settings are public'),
  ...createReadCases('schema', functions, 'only functions read the schema version'),
  ...createReadCases('languages', allPeople, 'texts are public'),
  ...createReadCases('languages/en/keyValuePairs/book_now', allPeople, 'texts are public'),
  ...createReadCases('cartypes', allPeople, 'visitors choose a vehicle type before they sign in'),
  ...createReadCases(
    'cartypes/van',
    allPeople,
    'visitors choose a vehicle type before they sign in',
  ),
  ...createReadCases(
    'cancel_reason',
    approvedUsers,
    'approved users choose a reason when they cancel',
  ),
  ...createReadCases('promos', approvedUsers, 'approved users see the promos they can use'),
  ...createReadCases('promos/welcome', approvedUsers, 'approved users see the promos they can use'),

  ...createReadCases('users', functions, 'clients cannot read all users at once'),
  ...createReadCases(
    'users/rider',
    ['rider', ...office],
    'only the owner and the back office read a profile',
  ),
  ...createReadCases(
    'users/rider/walletBalance',
    ['rider', ...office],
    'only the owner and the back office read a wallet',
  ),
  ...createReadCases(
    'users/driver',
    ['driver', 'fleet', ...office],
    'a fleet admin reads the profiles of their drivers',
  ),
  ...createReadCases(
    'users/driver/location',
    ['driver', 'fleet', ...office],
    "riders follow the booking, not the driver's profile",
  ),
  ...createReadCases(
    'users/requested',
    ['requested', ...office],
    'this driver belongs to no fleet',
  ),
  ...createReadCases(
    'users/unapproved',
    ['unapproved', ...office],
    'unapproved users must see that they are not approved',
  ),
  ...createReadCases(
    'users/unknown',
    ['unknown', ...office],
    'users of an unknown type must see why they are signed out',
  ),
  ...createReadCases(
    'users/stranger',
    ['stranger', ...office],
    'users without a profile must see that it is missing',
  ),
  ...createReadCases('users/admin', office, "only the back office reads an admin's profile"),

  ...createReadCases('roles', functions, 'only the rules read roles'),
  ...createReadCases('roles/rider', functions, 'only the rules read roles'),

  ...createReadCases('people', functions, 'clients cannot read the whole directory'),
  ...createReadCases(
    'people/rider',
    functions,
    'clients query the directory and never read single entries',
  ),
  ...createCases(
    { does: 'read', at: 'people', asked: { orderBy: 'usertype', equalTo: 'driver' } },
    functions,
    'a directory query needs a limit',
  ),
  ...createCases(
    {
      does: 'read',
      at: 'people',
      asked: { orderBy: 'usertype', equalTo: 'driver', limitToFirst: 100 },
    },
    office,
    'the back office lists people by user type',
  ),
  ...createCases(
    {
      does: 'read',
      at: 'people',
      asked: { orderBy: 'firstName', startAt: 'dri', endAt: 'dri~', limitToFirst: 20 },
    },
    office,
    'the back office searches by name',
  ),
  ...createCases(
    { does: 'read', at: 'people', asked: { orderBy: 'fleetadmin', equalTo: 'fleet' } },
    ['fleet', 'server'],
    'a fleet admin lists their drivers',
  ),

  ...createReadCases('bookings', functions, 'clients cannot read all bookings at once'),
  ...createReadCases(
    'bookings/riding',
    ['rider', 'driver', 'fleet', ...office],
    'the parties of a booking read it',
  ),
  ...createReadCases(
    'bookings/riding/status',
    ['rider', 'driver', 'fleet', ...office],
    'the parties of a booking read each of its fields',
  ),
  ...createReadCases(
    'bookings/waiting',
    ['rider', 'requested', ...office],
    'a driver with an offer reads the booking',
  ),
  ...createReadCases('bookings/missing', office, 'a missing booking has no parties'),
  ...createReadCases('booking_refs', functions, 'clients cannot list references'),
  ...createReadCases(
    `booking_refs/${referenceAt('riding', 0)}`,
    ['fleet', ...office],
    'the back office finds every booking by its reference, a fleet only its own',
  ),
  ...createReadCases(
    `booking_refs/${referenceAt('waiting', 0)}`,
    office,
    'a fleet cannot find a booking without one of its drivers',
  ),
  ...createReadCases(
    'booking_refs/K7M-4QX',
    office,
    'only the back office may look up a reference that does not exist',
  ),
  ...createCases(
    { does: 'read', at: 'booking_refs', asked: { limitToFirst: 10 } },
    functions,
    'clients look up one reference at a time',
  ),
  ...createReadCases('booking_contacts', functions, 'clients cannot list phone numbers'),
  ...createReadCases(
    'booking_contacts/riding',
    office,
    'people read contacts field by field, because the fields have different readers',
  ),
  ...createReadCases(
    'booking_contacts/riding/customer_contact',
    ['rider', 'driver', 'fleet', ...office],
    'the rider and the driver can read each contact field',
  ),
  ...createReadCases(
    'booking_contacts/riding/deliveryInstructions',
    ['rider', 'driver', ...office],
    'the driver on the way reads the instructions, and their fleet does not',
  ),
  ...createReadCases(
    'booking_contacts/waiting/pickUpInstructions',
    ['rider', ...office],
    'a driver with only an offer cannot read door codes',
  ),
  ...createReadCases(
    'booking_contacts/done/pickUpInstructions',
    ['rider', ...office],
    'the driver of an ended trip cannot read door codes',
  ),
  ...createReadCases(
    'booking_contacts/waiting/customer_contact',
    ['rider', ...office],
    'a driver with only an offer cannot read phone numbers',
  ),
  ...createReadCases(
    'booking_contacts/waiting/customer_email',
    ['rider', ...office],
    'a driver with only an offer cannot read email addresses',
  ),
  ...createReadCases(
    'booking_contacts/unpaid/customer_contact',
    ['rider', ...office],
    'a booking without a driver shows its contacts to the rider',
  ),
  ...createReadCases(
    'booking_contacts/done/customer_contact',
    ['rider', 'fleet', ...office],
    'drivers cannot read contacts more than an hour after the end',
  ),
  ...createReadCases(
    'booking_contacts/done/deliveryPersonPhone',
    ['rider', 'fleet', ...office],
    "drivers cannot read the recipient's phone number more than an hour after the end",
  ),
  ...createReadCases(
    'booking_contacts/done/driver_contact',
    ['fleet', ...office],
    "riders cannot read the driver's phone number more than an hour after the end",
  ),
  ...createReadCases('booking_contacts/missing', office, 'a missing booking has no parties'),
  ...createCases(
    { does: 'read', at: 'booking_contacts', asked: { limitToFirst: 1000 } },
    office,
    'the back office reads the contacts of one page of bookings',
  ),
  ...createCases(
    {
      does: 'read',
      at: 'booking_contacts',
      asked: { orderBy: 'customer_contact', equalTo: '+15555551004', limitToFirst: 20 },
    },
    office,
    'the back office finds bookings by phone number',
  ),
  ...createCases(
    {
      does: 'read',
      at: 'booking_contacts',
      asked: { orderBy: 'customer_contact', equalTo: '+15555551004' },
    },
    functions,
    'a query by phone number needs a limit',
  ),
  ...createReadCases('booking_otps', functions, 'clients cannot list codes'),
  ...createReadCases(
    'booking_otps/riding',
    ['rider', ...office],
    'only the rider and the back office read the code, so the driver must get it from the rider',
  ),
  ...createReadCases('otp_attempts', functions, 'only functions read failed attempts'),
  ...createReadCases('otp_attempts/riding', functions, 'only functions read failed attempts'),
  ...createReadCases('driver_tasks', functions, 'clients cannot list the offers of all drivers'),
  ...createReadCases(
    'driver_tasks/requested',
    ['requested', 'server'],
    'only the driver reads their own offers',
  ),
  ...createReadCases('offers', functions, 'nobody reads the offers of all bookings at once'),
  ...createReadCases('offers/waiting', office, 'the back office reads who was asked'),
  ...createReadCases(
    'offers/waiting/0',
    ['requested', ...office],
    'a driver reads their own offer, and no other driver does',
  ),
  ...createReadCases(
    'offers/riding/0',
    ['driver', 'fleet', ...office],
    'a fleet admin reads the offers to the drivers of their fleet',
  ),
  ...createReadCases('available_drivers', functions, 'clients cannot read the whole fleet'),
  ...createCases(
    { does: 'read', at: 'available_drivers', asked: { orderBy: 'fleetadmin', equalTo: 'fleet' } },
    ['fleet', 'server'],
    'a fleet admin reads the available drivers of their fleet',
  ),
  ...createReadCases('busy_drivers', functions, 'clients cannot read the whole fleet'),
  ...createReadCases('busy_drivers/driver', functions, 'clients read busy drivers in pages'),
  ...createCases(
    { does: 'read', at: 'busy_drivers', asked: { limitToLast: 1000 } },
    office,
    'the back office reads all busy drivers for its map',
  ),
  ...createCases(
    { does: 'read', at: 'busy_drivers', asked: { orderBy: 'fleetadmin', equalTo: 'fleet' } },
    ['fleet', 'server'],
    'a fleet admin reads the busy drivers of their fleet',
  ),
  ...createReadCases(
    'available_drivers/otherDriver',
    ['otherDriver', ...office],
    'drivers read their own availability',
  ),
  ...createCases(
    {
      does: 'read',
      at: 'available_drivers',
      asked: { equalTo: 'otherDriver', limitToFirst: 1 },
    },
    office,
    'only the back office queries a driver by uid',
  ),
  ...createReadCases('nearby_cars', functions, 'clients cannot read the whole fleet'),
  ...createReadCases(
    'nearby_cars/shiftOfOther',
    functions,
    'clients cannot follow a car by its key',
  ),
  ...createCases(
    {
      does: 'read',
      at: 'nearby_cars',
      asked: { equalTo: 'shiftOfOther', limitToFirst: 1 },
    },
    functions,
    'clients cannot follow a car by its key',
  ),
  ...createCases(
    { does: 'read', at: 'nearby_cars', asked: { limitToFirst: 100 } },
    functions,
    'clients query cars by geohash, not by page',
  ),
  ...createCases(
    {
      does: 'read',
      at: 'nearby_cars',
      asked: { orderBy: 'geohash', startAt: '6dp', endAt: '6dp~', limitToFirst: 200 },
    },
    approvedUsers,
    'approved users find cars near them',
  ),
  ...createCases(
    {
      does: 'read',
      at: 'nearby_cars',
      asked: { orderBy: 'geohash', startAt: '6dp', endAt: '6dp~' },
    },
    functions,
    'a query for nearby cars needs a limit',
  ),
  ...createCases(
    {
      does: 'read',
      at: 'nearby_cars',
      asked: { orderBy: 'geohash', startAt: '6dp', endAt: '6dp~', limitToFirst: 201 },
    },
    functions,
    'a query for nearby cars returns at most 200 cars',
  ),
  ...createCases(
    {
      does: 'read',
      at: 'nearby_cars',
      asked: { orderBy: 'geohash', startAt: '6', endAt: '6~', limitToFirst: 200 },
    },
    functions,
    'a query for nearby cars cannot cover a continent',
  ),
  ...createCases(
    {
      does: 'read',
      at: 'nearby_cars',
      asked: { orderBy: 'geohash', startAt: '6dp', endAt: '6dz~', limitToFirst: 200 },
    },
    functions,
    'a query for nearby cars covers one geohash cell',
  ),
  ...createCases(
    {
      does: 'read',
      at: 'nearby_cars',
      asked: { orderBy: 'geohash', startAt: '6dp', limitToFirst: 9 },
    },
    functions,
    'a query for nearby cars needs an upper bound',
  ),
  ...createCases(
    {
      does: 'read',
      at: 'nearby_cars',
      asked: { orderBy: 'carType', equalTo: 'van', limitToFirst: 9 },
    },
    functions,
    'clients query cars by geohash, not by vehicle type',
  ),
  ...createReadCases('tracking', functions, 'clients cannot list tracks'),
  ...createReadCases(
    'tracking/riding',
    ['rider', 'driver', 'fleet', ...office],
    'the parties of a booking follow its track',
  ),
  ...createReadCases(
    'tracking/done',
    ['fleet', ...office],
    'rider and driver cannot read the track of an ended trip',
  ),
  ...createReadCases('chats', functions, 'clients cannot list chats'),
  ...createReadCases(
    'chats/riding',
    ['rider', 'driver', ...office],
    'only the rider, the driver, and the back office read a chat',
  ),

  ...createReadCases('notifications', functions, 'clients read notifications in pages'),
  ...createReadCases(
    'notifications/sale',
    office,
    'only the back office reads notifications to groups',
  ),
  ...createReadCases('withdraws', functions, 'clients read withdrawals in pages'),
  ...createReadCases(
    'withdraws/asked',
    ['driver', ...office],
    'the driver who requested a withdrawal sees its status',
  ),
  ...createReadCases('payments', functions, 'clients read payments in pages'),
  ...createReadCases(
    'payments/checkout',
    ['rider', ...office],
    'only the payer and the back office read a payment',
  ),
  ...createReadCases('open_payments', functions, 'only functions read open payments'),
  ...createReadCases('open_payments/rider', functions, 'even the payer cannot read open payments'),
  ...createReadCases('payment_events', functions, 'clients read webhook events in pages'),
  ...createReadCases('payment_events/test-1', functions, 'clients read webhook events in pages'),
  ...createReadCases('promo_uses', functions, 'only functions read which promos a user has used'),
  ...createReadCases(
    'promo_uses/welcome/otherRider',
    functions,
    'only functions read which promos a user has used',
  ),
  ...createReadCases('shares', functions, 'a list of links would expose every shared trip'),
  ...createReadCases('shares/token', functions, 'only a function opens a shared link'),
  ...createReadCases('share_links', functions, 'only functions read who shares a booking'),
  ...createReadCases(
    'share_links/riding/rider/live',
    functions,
    'a token opens a trip, so only functions read it',
  ),
  ...createReadCases('inbox', functions, 'clients cannot list inboxes'),
  ...createReadCases(
    'inbox/rider',
    ['rider', 'server'],
    'only the recipient reads their notifications',
  ),
  ...createReadCases('audit', functions, 'clients read the audit log in pages'),
  ...createReadCases('audit/first', functions, 'clients read the audit log in pages'),
  ...createReadCases(
    'user_emails',
    functions,
    'only functions read which user has an email address',
  ),
  ...createReadCases(
    'user_emails/hash-of-rider',
    functions,
    'only functions read which user has an email address',
  ),
  ...createReadCases(
    'internal/referral_ids/ana1234',
    functions,
    'only functions read whose a referral id is',
  ),
  ...createReadCases('booking_notes', functions, 'notes are read booking by booking'),
  ...createReadCases(
    'booking_notes/done',
    office,
    'only admins read the office’s notes about a booking, and none of its parties',
  ),
  ...createReadCases('fare_reviews', functions, 'clients read fare reviews in pages'),
  ...createReadCases('fare_reviews/riding', functions, 'clients read fare reviews in pages'),
  ...createCases(
    { does: 'read', at: 'fare_reviews', asked: { orderBy: 'at', limitToLast: 100 } },
    office,
    'the back office decides the fare of a flagged trip',
  ),
  ...createReadCases('closed_accounts', functions, 'only functions read closed accounts'),
  ...createReadCases('closed_accounts/gone', functions, 'only functions read closed accounts'),
  ...createReadCases('former_users', functions, 'only functions read used benefits'),
  ...createReadCases('former_users/hash', functions, 'only functions read used benefits'),
  ...createReadCases('push_tokens', functions, 'only functions read which user has a device'),
  ...createReadCases(
    'push_tokens/hash-of-rider',
    functions,
    'only functions read which user has a device',
  ),
  ...createReadCases('pending_registrations', functions, 'only functions read pending sign-ups'),
  ...createReadCases(
    'pending_registrations/hash-of-a-number',
    functions,
    'only a function shows a pending sign-up to the owner of its number',
  ),
  ...createReadCases('stuck_bookings', functions, 'clients read stuck bookings in pages'),
  ...createReadCases('stuck_bookings/riding', functions, 'clients read stuck bookings in pages'),
  ...createCases(
    { does: 'read', at: 'stuck_bookings', asked: { limitToFirst: 100 } },
    office,
    'the back office handles stuck bookings',
  ),
  ...createReadCases('newest', functions, 'only the rules read the newest keys'),
  ...createReadCases('newest/chats/done/rider', functions, 'only the rules read the newest keys'),
  ...createReadCases('internal', functions, 'only functions read internal notes'),
  ...createReadCases(
    'internal/chat_notices/done_driver',
    functions,
    'only functions read internal notes',
  ),
  ...createReadCases(
    'internal/person_notes/rider',
    functions,
    'only functions read the office’s note about a person',
  ),
  ...createReadCases('internal/admin', office, 'only the office reads the calls that ring'),
  ...createReadCases('internal/admin/ringing', office, 'only the office reads the calls that ring'),
  ...createReadCases(
    'internal/admin/~panic-riding-rider',
    office,
    'only the office reads emergencies, and not even the person who raised one',
  ),
  ...createReadCases('open_bookings', functions, 'only functions read the count of open bookings'),
  ...createReadCases(
    'open_bookings/rider',
    functions,
    'only functions read the count of open bookings',
  ),
  ...createReadCases('rate_limits', functions, 'only functions read rate limits'),
  ...createReadCases(
    'rate_limits/check_user_exists/somebody',
    functions,
    'only functions read rate limits',
  ),

  ...createReadCases('currency', office, 'the back office reads current and earlier currencies'),
  ...createReadCases('stats', functions, 'each report has its own readers'),
  ...createReadCases('stats/days', office, 'the back office reads daily totals'),
  ...createReadCases('stats/earnings', office, "the back office reads the platform's earnings"),
  ...createReadCases(
    'stats/cartypes',
    office,
    'the back office reads the demand for each vehicle type',
  ),
  ...createReadCases('stats/total', office, "the back office reads the platform's totals"),
  ...createReadCases(
    'stats/status',
    office,
    'the back office reads the number of bookings per status',
  ),
  ...createReadCases(
    'stats/driver_earnings',
    functions,
    'clients read the earnings of all drivers in pages',
  ),
  ...createReadCases(
    'stats/driver_earnings/driver',
    ['driver', 'fleet', ...office],
    "drivers, their fleet admin, and the back office read a driver's earnings",
  ),
  ...createReadCases('stats/fleet_days', functions, "fleets cannot read each other's totals"),
  ...createReadCases(
    'stats/fleet_days/fleet',
    ['fleet', ...office],
    'a fleet admin reads the totals of their own fleet',
  ),
  ...createReadCases('stats/fleet_earnings', functions, "fleets cannot read each other's earnings"),
  ...createReadCases(
    'stats/fleet_earnings/fleet',
    ['fleet', ...office],
    'a fleet admin reads the earnings of their own fleet',
  ),
  ...createReadCases('stats/fleet_total', functions, "fleets cannot read each other's totals"),
  ...createReadCases(
    'stats/fleet_total/fleet',
    ['fleet', ...office],
    'a fleet admin reads the totals of their own fleet',
  ),
  ...createReadCases(
    'stats/fleet_driver_earnings/fleet',
    ['fleet', ...office],
    'a fleet admin reads the earnings of the drivers of their own fleet',
  ),

  // Clients read lists with a query.
  ...createCases(
    { does: 'read', at: 'bookings', asked: { orderBy: 'customer', equalTo: 'rider' } },
    ['rider', 'server'],
    'riders list their own bookings',
  ),
  ...createCases(
    { does: 'read', at: 'bookings', asked: { orderBy: 'driver', equalTo: 'driver' } },
    ['driver', 'server'],
    'drivers list their own bookings',
  ),
  ...createCases(
    { does: 'read', at: 'bookings', asked: { orderBy: 'fleetadmin', equalTo: 'fleet' } },
    ['fleet', 'server'],
    'fleet admins list the bookings of their drivers',
  ),
  ...createCases(
    {
      does: 'read',
      at: 'bookings',
      asked: { orderBy: 'fleetadmin', startAt: 'fleet', endAt: 'fleet', limitToLast: 30 },
    },
    ['fleet', 'admin', 'server'],
    "a query for a later page of a fleet's bookings has equal bounds",
  ),
  ...createCases(
    { does: 'read', at: 'bookings', asked: { orderBy: 'fleetadmin', startAt: 'fleet' } },
    functions,
    'an open range includes other fleets',
  ),
  ...createCases(
    { does: 'read', at: 'bookings', asked: { orderBy: 'customer' } },
    functions,
    'an order without a bound is refused, even for visitors, whose uid is null',
  ),
  ...createCases(
    {
      does: 'read',
      at: 'bookings',
      asked: { orderBy: 'customer', startAt: 'rider', endAt: 'rides' },
    },
    functions,
    'a range includes other customers',
  ),
  ...createCases(
    { does: 'read', at: 'bookings', asked: { limitToLast: 50 } },
    office,
    'the back office reads pages of bookings, newest first',
  ),
  ...createCases(
    {
      does: 'read',
      at: 'bookings',
      asked: { orderBy: 'status', equalTo: 'NEW', limitToFirst: 1000 },
    },
    office,
    'the back office reads up to 1,000 bookings of one status',
  ),
  ...createCases(
    { does: 'read', at: 'bookings', asked: { orderBy: 'status', equalTo: 'NEW' } },
    functions,
    'a query by status needs a limit',
  ),
  ...createCases(
    { does: 'read', at: 'bookings', asked: { limitToLast: 1001 } },
    functions,
    'a page has at most 1,000 rows',
  ),
  ...createCases(
    { does: 'read', at: 'users', asked: { orderBy: 'fleetadmin', equalTo: 'fleet' } },
    ['fleet', 'server'],
    'fleet admins list their drivers',
  ),
  ...createCases(
    {
      does: 'read',
      at: 'users',
      asked: { orderBy: 'usertype', equalTo: 'driver', limitToFirst: 100 },
    },
    office,
    'the back office lists users by user type',
  ),
  ...createCases(
    { does: 'read', at: 'users', asked: { orderBy: 'usertype', equalTo: 'driver' } },
    functions,
    'a query by user type needs a limit',
  ),
  ...createCases(
    {
      does: 'read',
      at: 'available_drivers',
      asked: { orderBy: 'geohash', startAt: '6dp', endAt: '6dp~' },
    },
    functions,
    'riders find cars, not drivers',
  ),
  ...createCases(
    { does: 'read', at: 'available_drivers', asked: { orderBy: 'geohash', startAt: '6dp' } },
    functions,
    'a query by geohash needs an upper bound',
  ),
  ...createCases(
    { does: 'read', at: 'available_drivers', asked: { orderBy: 'geohash', limitToFirst: 100 } },
    office,
    'only the back office reads 100 availability rows at once',
  ),
  ...createCases(
    { does: 'read', at: 'withdraws', asked: { orderBy: 'uid', equalTo: 'driver' } },
    ['driver', 'server'],
    'drivers list their own withdrawals',
  ),
  ...createCases(
    { does: 'read', at: 'withdraws', asked: { limitToLast: 100 } },
    office,
    'the back office lists withdrawals to pay them out',
  ),
  ...createCases(
    { does: 'read', at: 'payments', asked: { orderBy: 'uid', equalTo: 'rider' } },
    ['rider', 'server'],
    'payers list their own payments',
  ),
  ...createCases(
    { does: 'read', at: 'payments', asked: { limitToLast: 100 } },
    office,
    'the back office reconciles payments',
  ),
  ...createCases(
    { does: 'read', at: 'payment_events', asked: { limitToLast: 100 } },
    office,
    'the back office reconciles webhook events',
  ),
  ...createCases(
    { does: 'read', at: 'notifications', asked: { limitToLast: 100 } },
    office,
    'the back office sees the notifications it sent',
  ),
  ...createCases(
    { does: 'read', at: 'audit', asked: { limitToLast: 100 } },
    office,
    'the back office reads its own audit log',
  ),
  ...createCases(
    { does: 'read', at: 'stats/driver_earnings', asked: { limitToFirst: 100 } },
    office,
    'the back office reads the earnings of all drivers in pages',
  ),
  ...createCases(
    { does: 'read', at: 'tracking/riding', asked: { limitToLast: 1 } },
    ['rider', 'driver', 'fleet', ...office],
    'the last track position shows where the car is',
  ),
]
