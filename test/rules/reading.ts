import { cell, type Row } from './row'
import { PEOPLE, type Who } from './world'

const everyone = PEOPLE
/** Approved, and of a known user type. */
const members: Who[] = [
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
const office: Who[] = ['admin', 'server']
const functions: Who[] = ['server']

const reading = (at: string, by: readonly Who[], because: string): Row[] =>
  cell({ does: 'read', at }, by, because)

/** Every path, read by everybody. */
export const readingRows: Row[] = [
  ...reading('', functions, 'nobody takes the whole database home'),
  ...reading('nowhere', functions, 'what is not named is closed'),

  ...reading('settings', everyone, 'the site needs its name and currency before anyone signs in'),
  ...reading('settings/AllowCriticalEditsAdmin', everyone, 'settings are public'),
  ...reading('languages', everyone, 'texts are public'),
  ...reading('languages/en/keyValuePairs/book_now', everyone, 'texts are public'),
  ...reading('cartypes', everyone, 'visitors choose a car before they sign in'),
  ...reading('cartypes/van', everyone, 'visitors choose a car before they sign in'),
  ...reading('cancel_reason', members, 'who may cancel chooses a reason'),
  ...reading('promos', members, 'who may pay may see what there is off'),
  ...reading('promos/welcome', members, 'who may pay may see what there is off'),

  ...reading('users', functions, 'no list of people is read whole'),
  ...reading('users/rider', ['rider', ...office], 'a profile is its owner’s and the office’s'),
  ...reading('users/rider/walletBalance', ['rider', ...office], 'a wallet is its owner’s'),
  ...reading(
    'users/driver',
    ['driver', 'fleet', ...office],
    'a fleet admin sees who drives for him',
  ),
  ...reading(
    'users/driver/location',
    ['driver', 'fleet', ...office],
    'riders follow the booking, not the driver',
  ),
  ...reading('users/requested', ['requested', ...office], 'he drives for no fleet'),
  ...reading(
    'users/unapproved',
    ['unapproved', ...office],
    'he must be told that he is not approved',
  ),
  ...reading('users/unknown', ['unknown', ...office], 'he must be told why he is signed out'),
  ...reading('users/stranger', ['stranger', ...office], 'he may find that he has no profile'),
  ...reading('users/admin', office, 'admins are nobody’s to look up'),

  ...reading('people', functions, 'no list of people is read whole'),
  ...reading('people/rider', functions, 'the list is asked, not looked up'),
  ...cell(
    { does: 'read', at: 'people', asked: { orderBy: 'usertype', equalTo: 'driver' } },
    functions,
    'every driver at once is a list read whole',
  ),
  ...cell(
    {
      does: 'read',
      at: 'people',
      asked: { orderBy: 'usertype', equalTo: 'driver', limitToFirst: 100 },
    },
    office,
    'the office lists people by type',
  ),
  ...cell(
    {
      does: 'read',
      at: 'people',
      asked: { orderBy: 'firstName', startAt: 'dri', endAt: 'dri~', limitToFirst: 20 },
    },
    office,
    'the office looks for a name',
  ),
  ...cell(
    { does: 'read', at: 'people', asked: { orderBy: 'fleetadmin', equalTo: 'fleet' } },
    ['fleet', 'server'],
    'a fleet admin lists who drives for him',
  ),

  ...reading('bookings', functions, 'no list of bookings is read whole'),
  ...reading(
    'bookings/riding',
    ['rider', 'driver', 'fleet', ...office],
    'a booking is its parties’',
  ),
  ...reading(
    'bookings/riding/status',
    ['rider', 'driver', 'fleet', ...office],
    'and so are its parts',
  ),
  ...reading(
    'bookings/waiting',
    ['rider', 'requested', ...office],
    'who is asked to drive sees what',
  ),
  ...reading('bookings/missing', office, 'a booking that is not there has no parties'),
  ...reading('booking_otps', functions, 'codes are not listed'),
  ...reading(
    'booking_otps/riding',
    ['rider', ...office],
    'the driver must be told the code by the rider',
  ),
  ...reading('otp_attempts', functions, 'the lock is the functions’ own'),
  ...reading('otp_attempts/riding', functions, 'the lock is the functions’ own'),
  ...reading('driver_tasks', functions, 'tasks are not listed'),
  ...reading('driver_tasks/requested', ['requested', 'server'], 'a task is one driver’s'),
  ...reading('available_drivers', functions, 'the fleet is not read whole'),
  ...cell(
    { does: 'read', at: 'available_drivers', asked: { orderBy: 'fleetadmin', equalTo: 'fleet' } },
    ['fleet', 'server'],
    'a fleet’s map',
  ),
  ...reading('busy_drivers', functions, 'the fleet is not read whole'),
  ...reading('busy_drivers/driver', office, 'who drives whom is the office’s to know'),
  ...cell(
    { does: 'read', at: 'busy_drivers', asked: { limitToLast: 1000 } },
    office,
    'the office’s map',
  ),
  ...cell(
    { does: 'read', at: 'busy_drivers', asked: { orderBy: 'fleetadmin', equalTo: 'fleet' } },
    ['fleet', 'server'],
    'a fleet’s map',
  ),
  ...reading('available_drivers/otherDriver', ['otherDriver', ...office], 'one listing is his own'),
  ...reading('tracking', functions, 'trails are not listed'),
  ...reading(
    'tracking/riding',
    ['rider', 'driver', 'fleet', ...office],
    'the parties follow the trip',
  ),
  ...reading('chats', functions, 'chats are not listed'),
  ...reading('chats/riding', ['rider', 'driver', ...office], 'a chat is between two'),

  ...reading('notifications', functions, 'messages are read by the page'),
  ...reading('notifications/sale', office, 'messages to many are the office’s'),
  ...reading('withdraws', functions, 'requests are read by the page'),
  ...reading('withdraws/asked', ['driver', ...office], 'who asked may see what became of it'),
  ...reading('payments', functions, 'checkouts are read by the page'),
  ...reading('payments/checkout', ['rider', ...office], 'a checkout is its payer’s'),
  ...reading('payment_events', functions, 'callbacks are read by the page'),
  ...reading('payment_events/test-1', office, 'callbacks are for reconciling'),
  ...reading('promo_uses', functions, 'who used what is nobody’s to know'),
  ...reading('promo_uses/welcome/otherRider', functions, 'who used what is nobody’s to know'),
  ...reading('shares', functions, 'a list of links would open every trip'),
  ...reading('shares/token', functions, 'a link is opened by a function'),
  ...reading('inbox', functions, 'inboxes are not listed'),
  ...reading('inbox/rider', ['rider', 'server'], 'a push is its receiver’s'),
  ...reading('audit', functions, 'the audit is read by the page'),
  ...reading('audit/first', office, 'the office answers for what it changed'),
  ...reading('user_emails', functions, 'whose an e-mail is, is nobody’s to know'),
  ...reading('user_emails/hash-of-rider', functions, 'whose an e-mail is, is nobody’s to know'),
  ...reading('stuck_bookings', functions, 'what stands still is read by the page'),
  ...reading('stuck_bookings/riding', office, 'the office looks after what stands still'),
  ...cell(
    { does: 'read', at: 'stuck_bookings', asked: { limitToFirst: 100 } },
    office,
    'the office looks after what stands still',
  ),
  ...reading('rate_limits', functions, 'the book of who asked is the functions’ own'),
  ...reading('rate_limits/check_user_exists/somebody', functions, 'the book is the functions’ own'),

  ...reading('stats', functions, 'each report has its own readers'),
  ...reading('stats/days', office, 'the platform’s earnings'),
  ...reading('stats/earnings', office, 'the platform’s earnings'),
  ...reading('stats/cartypes', office, 'which vehicles are asked for'),
  ...reading('stats/total', office, 'the platform’s earnings'),
  ...reading('stats/status', office, 'the platform’s work'),
  ...reading('stats/driver_earnings', functions, 'a report is read by the page'),
  ...reading('stats/driver_earnings/driver', ['driver', 'fleet', ...office], 'his, his fleet’s'),
  ...reading('stats/fleet_days', functions, 'fleets do not see each other'),
  ...reading('stats/fleet_days/fleet', ['fleet', ...office], 'fleets do not see each other'),
  ...reading('stats/fleet_earnings', functions, 'fleets do not see each other'),
  ...reading('stats/fleet_earnings/fleet', ['fleet', ...office], 'fleets do not see each other'),
  ...reading('stats/fleet_total', functions, 'fleets do not see each other'),
  ...reading('stats/fleet_total/fleet', ['fleet', ...office], 'fleets do not see each other'),
  ...reading(
    'stats/fleet_driver_earnings/fleet',
    ['fleet', ...office],
    'fleets do not see each other',
  ),

  // Lists are asked for by query.
  ...cell(
    { does: 'read', at: 'bookings', asked: { orderBy: 'customer', equalTo: 'rider' } },
    ['rider', 'server'],
    'a rider lists his own bookings',
  ),
  ...cell(
    { does: 'read', at: 'bookings', asked: { orderBy: 'driver', equalTo: 'driver' } },
    ['driver', 'server'],
    'a driver lists his own bookings',
  ),
  ...cell(
    { does: 'read', at: 'bookings', asked: { orderBy: 'fleetadmin', equalTo: 'fleet' } },
    ['fleet', 'server'],
    'a fleet admin lists his drivers’ bookings',
  ),
  ...cell(
    { does: 'read', at: 'bookings', asked: { orderBy: 'customer' } },
    functions,
    'the order alone is no bound, least of all for a visitor whose uid is null',
  ),
  ...cell(
    {
      does: 'read',
      at: 'bookings',
      asked: { orderBy: 'customer', startAt: 'rider', endAt: 'rides' },
    },
    functions,
    'a range could take in others',
  ),
  ...cell(
    { does: 'read', at: 'bookings', asked: { limitToLast: 50 } },
    office,
    'the office reads pages, newest first',
  ),
  ...cell(
    {
      does: 'read',
      at: 'bookings',
      asked: { orderBy: 'status', equalTo: 'NEW', limitToFirst: 1000 },
    },
    office,
    'the office reads up to a thousand of a status',
  ),
  ...cell(
    { does: 'read', at: 'bookings', asked: { orderBy: 'status', equalTo: 'NEW' } },
    functions,
    'a status without a limit is a list read whole',
  ),
  ...cell(
    { does: 'read', at: 'bookings', asked: { limitToLast: 1001 } },
    functions,
    'a page has at most a thousand rows',
  ),
  ...cell(
    { does: 'read', at: 'users', asked: { orderBy: 'fleetadmin', equalTo: 'fleet' } },
    ['fleet', 'server'],
    'a fleet admin lists who drives for him',
  ),
  ...cell(
    {
      does: 'read',
      at: 'users',
      asked: { orderBy: 'usertype', equalTo: 'driver', limitToFirst: 100 },
    },
    office,
    'the office lists users by type',
  ),
  ...cell(
    { does: 'read', at: 'users', asked: { orderBy: 'usertype', equalTo: 'driver' } },
    functions,
    'every driver at once is a list read whole',
  ),
  ...cell(
    {
      does: 'read',
      at: 'available_drivers',
      asked: { orderBy: 'geohash', startAt: '6dp', endAt: '6dp~' },
    },
    members,
    'who books looks around for drivers',
  ),
  ...cell(
    { does: 'read', at: 'available_drivers', asked: { orderBy: 'geohash', startAt: '6dp' } },
    functions,
    'half a range is most of the world',
  ),
  ...cell(
    { does: 'read', at: 'available_drivers', asked: { orderBy: 'geohash', limitToFirst: 100 } },
    members,
    'a hundred listings are bounded too',
  ),
  ...cell(
    { does: 'read', at: 'withdraws', asked: { orderBy: 'uid', equalTo: 'driver' } },
    ['driver', 'server'],
    'who asked lists his requests',
  ),
  ...cell(
    { does: 'read', at: 'withdraws', asked: { limitToLast: 100 } },
    office,
    'the office pays out',
  ),
  ...cell(
    { does: 'read', at: 'payments', asked: { orderBy: 'uid', equalTo: 'rider' } },
    ['rider', 'server'],
    'a payer lists his checkouts',
  ),
  ...cell(
    { does: 'read', at: 'payments', asked: { limitToLast: 100 } },
    office,
    'the office reconciles',
  ),
  ...cell(
    { does: 'read', at: 'payment_events', asked: { limitToLast: 100 } },
    office,
    'the office reconciles',
  ),
  ...cell(
    { does: 'read', at: 'notifications', asked: { limitToLast: 100 } },
    office,
    'the office sees what it sent',
  ),
  ...cell(
    { does: 'read', at: 'audit', asked: { limitToLast: 100 } },
    office,
    'the office answers for what it changed',
  ),
  ...cell(
    { does: 'read', at: 'stats/driver_earnings', asked: { limitToFirst: 100 } },
    office,
    'the report of all drivers',
  ),
  ...cell(
    { does: 'read', at: 'tracking/riding', asked: { limitToLast: 1 } },
    ['rider', 'driver', 'fleet', ...office],
    'the last point is where the car is',
  ),
]
