import type { Value } from '~/domain/booking/change'
import { cell, type Row } from './row'
import { aBooking, english, LONG_AGO, NOW_IS, settings, van, welcome, type Who } from './world'

const office: Who[] = ['admin', 'server']
const functions: Who[] = ['server']
const nobody: Who[] = []

const setting = (at: string, value: Value, by: readonly Who[], because: string): Row[] =>
  cell({ does: 'set', at, value }, by, because)
const removing = (at: string, by: readonly Who[], because: string): Row[] =>
  cell({ does: 'remove', at }, by, because)
const plain = (value: object): Value => JSON.parse(JSON.stringify(value)) as Value

const profile: Value = {
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
/** A step of the booking at `riding`: its fields with the revision that must go with them. */
const step = (fields: Record<string, Value>): Value => ({
  'bookings/riding/revision': 4,
  ...Object.fromEntries(
    Object.entries(fields).map(([field, value]) => [`bookings/riding/${field}`, value]),
  ),
})

const userRows: Row[] = [
  ...setting('users/newcomer', profile, functions, 'accounts are made by functions'),
  ...setting(
    'users/stranger/firstName',
    'Stranger',
    nobody,
    'a profile is not begun by one of its parts',
  ),
  ...removing('users/otherRider', functions, 'accounts are removed by functions'),
  ...removing('users/driver', nobody, 'a driver on a trip stays until it is over'),
  ...setting('users', { rider: profile }, nobody, 'the list is never written whole'),

  // What an owner may correct; the office corrects through a function, which audits it.
  ...setting('users/rider/firstName', 'Ria', ['rider', 'server'], 'names are one’s own'),
  ...setting('users/rider/lastName', 'Rider', ['rider', 'server'], 'names are one’s own'),
  ...removing('users/rider/firstName', nobody, 'a name is corrected, not removed'),
  ...setting('users/rider/email', 'ria@example.com', ['rider', 'server'], 'receipts go there'),
  ...setting(
    'users/rider/lang',
    { langLocale: 'es', dateLocale: 'es' },
    ['rider', 'server'],
    'a language is one’s own',
  ),
  ...setting(
    'users/rider/profile_image',
    'https://images.example/ria.webp',
    ['rider', 'server'],
    'a face is one’s own',
  ),
  ...setting('users/rider/pushToken', 'token', ['rider', 'server'], 'a device is one’s own'),
  ...removing('users/rider/pushToken', ['rider', 'server'], 'signing out forgets the device'),
  ...setting('users/rider/userPlatform', 'WEB', ['rider', 'server'], 'a device is one’s own'),
  ...setting('users/driver/bankName', 'Bank', ['driver', 'server'], 'he says where he is paid'),
  ...setting('users/driver/bankCode', '42', ['driver', 'server'], 'he says where he is paid'),
  ...setting(
    'users/driver/bankAccount',
    '000999',
    ['driver', 'server'],
    'he says where he is paid, and not even the office says it for him',
  ),
  ...setting('users/driver/vehicleMake', 'Make', ['driver', 'server'], 'the car is his'),
  ...setting('users/driver/vehicleModel', 'Model', ['driver', 'server'], 'the car is his'),
  ...setting('users/driver/vehicleNumber', 'SBA 9', ['driver', 'server'], 'the car is his'),
  ...setting('users/driver/other_info', 'Blue', ['driver', 'server'], 'the car is his'),
  ...setting(
    'users/driver/licenseImage',
    'https://images.example/licence.png',
    ['driver', 'server'],
    'a licence is renewed',
  ),
  ...setting('users/rider/vehicleMake', 'Make', functions, 'a rider has no car here'),
  ...setting('users/driver/driverActiveStatus', false, ['driver', 'server'], 'he goes off duty'),
  ...setting('users/rider/driverActiveStatus', true, functions, 'a rider is never on duty'),
  ...setting('users/pending/driverActiveStatus', true, functions, 'nor is who is not approved'),
  ...setting(
    'users/driver/location',
    { lat: -34.9, lng: -56.1 },
    ['driver', 'server'],
    'he says where he is',
  ),
  ...setting(
    'users/rider/location',
    { lat: -34.9, lng: -56.1 },
    functions,
    'riders are not followed',
  ),

  // What somebody may do is decided for him.
  ...setting('users/rider/id', 'admin', functions, 'an id is given'),
  ...setting('users/rider/usertype', 'admin', functions, 'roles are looked up here'),
  ...setting('users/driver/usertype', 'admin', functions, 'roles are looked up here'),
  ...setting('users/unknown/usertype', 'admin', functions, 'roles are looked up here'),
  ...setting('users/stranger/usertype', 'admin', nobody, 'a role needs an account first'),
  ...setting('users/pending/approved', true, office, 'the office approves'),
  ...setting('users/unapproved/approved', true, office, 'the office approves'),
  ...setting('users/driver/approved', false, office, 'the office suspends'),
  ...setting('users/admin/approved', false, functions, 'an admin does not decide about himself'),
  ...setting('users/driver/fleetadmin', 'otherFleet', office, 'the office moves a driver'),
  ...setting('users/driver/fleetadmin', 'rider', nobody, 'only to who is a fleet admin'),
  ...setting('users/rider/mobile', '+15555550000', functions, 'a number is proved by a code first'),
  ...setting('users/driver/carType', 'limousine', office, 'the car type sets what he is paid'),
  ...setting('users/rider/createdAt', '2020-01-01', functions, 'dates are the functions’ own'),
  ...setting('users/rider/createdByAdmin', true, functions, 'said when the account is made'),
  ...setting('users/rider/referralId', 'free9999', functions, 'a referral pays'),
  ...setting('users/rider/signupViaReferral', 'otherRider', functions, 'a referral pays'),
  ...setting('users/rider/referralRewarded', false, functions, 'a referral pays once'),
  ...setting('users/rider/loginType', 'google', functions, 'said when the account is made'),
  ...setting('users/otherDriver/queue', true, functions, 'busy is what a booking makes him'),
  ...setting('users/driver/queue', false, functions, 'busy is what a booking makes him'),
  ...setting('users/driver/queue', true, nobody, 'who is taken is not taken again'),
  ...setting(
    'users/driver/ratings',
    { userrating: 5, details: { riding: { user: 'rider', rate: 5 } } },
    functions,
    'ratings are given by riders, through a function',
  ),
  ...setting(
    'users/driver/ratings',
    { userrating: 4, count: 2, details: { a: { user: 'rider', rate: 4 } } },
    functions,
    'the first ratings, however many',
  ),
  ...[2, 3].flatMap((count) =>
    cell(
      {
        does: 'update',
        at: 'users/driver/ratings',
        value: { userrating: 4, count, 'details/b': { user: 'rider', rate: 4 } },
        given: { 'users/driver/ratings': { userrating: 4, count: 2 } },
      },
      count === 3 ? functions : nobody,
      'of two ratings at once the second makes its average again',
    ),
  ),
  ...setting('users/rider/walletBalance', 1000, functions, 'money moves by functions'),
  ...removing('users/rider/walletBalance', nobody, 'a wallet does not vanish'),
  ...cell(
    {
      does: 'update',
      at: 'users/rider',
      value: {
        'walletHistory/gift': { type: 'Credit', amount: 5, date: LONG_AGO, txRef: 'AdminCredit' },
        walletBalance: 105,
      },
    },
    functions,
    'money moves by functions',
  ),
  ...setting(
    'users/rider/walletHistory/gift',
    { type: 'Credit', amount: 5, date: LONG_AGO, txRef: 'AdminCredit' },
    nobody,
    'an entry moves the balance with it',
  ),
  ...setting(
    'users/rider/walletHistory/opening',
    { type: 'Credit', amount: 500, date: LONG_AGO, txRef: 'AdminCredit' },
    nobody,
    'an entry is written once',
  ),
  ...setting('users/rider/walletHistory/opening/amount', 500, nobody, 'an entry is written once'),
  ...removing('users/rider/walletHistory/opening', nobody, 'an entry is never removed'),
  ...removing('users/rider/walletHistory', nobody, 'a history is never removed'),
  ...setting(
    'users/rider/savedAddresses/home',
    { lat: -34.9, lng: -56.1, description: 'Home', count: 1 },
    functions,
    'places are remembered when a trip ends',
  ),
  ...setting('users/rider/notifications/one', { title: 'Hi' }, functions, 'told by functions'),
  ...setting('users/rider/isAdmin', true, nobody, 'a user has no such part'),
  ...setting(
    'users/rider',
    { ...(profile as object), id: 'rider', usertype: 'admin' },
    nobody,
    'an account is never written over',
  ),
]

const bookingRows: Row[] = [
  ...setting(
    'bookings/fresh',
    plain(aBooking('fresh', 'NEW', { revision: 1 })),
    functions,
    'clients ask a function to book',
  ),
  ...setting(
    'bookings/fresh',
    plain(aBooking('fresh', 'NEW', { revision: 7 })),
    nobody,
    'a booking begins at revision one',
  ),
  ...setting(
    'bookings/fresh',
    plain(aBooking('fresh', 'PAID', { revision: 1 })),
    nobody,
    'a booking does not begin paid',
  ),
  ...setting(
    'bookings/riding',
    plain(aBooking('riding', 'NEW', { revision: 1 })),
    nobody,
    'a booking is never written over',
  ),
  ...removing('bookings/riding', nobody, 'a booking is never removed'),
  ...removing('bookings', nobody, 'nor are all of them'),
  ...cell({ does: 'update', at: '', value: step({ status: 'ARRIVED' }) }, functions, 'clients ask'),
  ...setting('bookings/riding/status', 'ARRIVED', nobody, 'a change moves the revision'),
  ...cell(
    {
      does: 'update',
      at: '',
      value: { ...(step({ status: 'ARRIVED' }) as object), 'bookings/riding/revision': 5 },
    },
    nobody,
    'the revision rises by exactly one',
  ),
  ...cell(
    {
      does: 'update',
      at: '',
      value: { ...(step({ status: 'ARRIVED' }) as object), 'bookings/riding/revision': 3 },
    },
    nobody,
    'a change from a state that has passed is refused',
  ),
  ...cell(
    { does: 'update', at: '', value: step({ status: 'PAID' }) },
    nobody,
    'an accepted booking is not paid before it is driven',
  ),
  ...cell(
    { does: 'update', at: '', value: step({ status: 'ENDED' }) },
    nobody,
    'there is no such status',
  ),
  ...cell(
    { does: 'update', at: '', value: step({ status: null }) },
    nobody,
    'a booking has a status',
  ),
  ...cell(
    { does: 'update', at: '', value: step({ trip_cost: 1, driver_share: 1000 }) },
    functions,
    'prices are the functions’ own',
  ),
  ...cell(
    { does: 'update', at: '', value: step({ customer: 'otherRider' }) },
    nobody,
    'a booking stays its customer’s',
  ),
  ...cell(
    { does: 'update', at: '', value: step({ driver: 'otherDriver' }) },
    nobody,
    'a booking stays its driver’s',
  ),
  ...cell(
    { does: 'update', at: '', value: step({ otp: 12345 }) },
    nobody,
    'the code is not kept where the driver reads',
  ),
  ...cell(
    { does: 'update', at: '', value: step({ discountCode: 'x' }) },
    nobody,
    'a booking has no such part',
  ),
  ...cell(
    {
      does: 'update',
      at: '',
      value: step({
        'fare_history/final': { kind: 'final', at: LONG_AGO, cause: 'reached', total: 9 },
      }),
    },
    functions,
    'a price is explained by functions',
  ),
  ...cell(
    {
      does: 'update',
      at: '',
      value: step({
        'fare_history/estimate': { kind: 'estimate', at: LONG_AGO, cause: 'booked', total: 1 },
      }),
    },
    nobody,
    'an explanation is not rewritten',
  ),
  ...cell(
    { does: 'update', at: '', value: step({ 'fare_history/estimate': null }) },
    nobody,
    'an explanation is not removed',
  ),
  ...cell(
    { does: 'update', at: '', value: step({ fare_history: null }) },
    nobody,
    'explanations are not removed',
  ),
  ...cell(
    {
      does: 'update',
      at: '',
      value: step({
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
    'what happened is written down by functions',
  ),
  ...cell(
    {
      does: 'update',
      at: '',
      value: step({
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
    'and when it was heard of',
  ),
  ...cell(
    {
      does: 'update',
      at: '',
      value: step({
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
    nobody,
    'as a time',
  ),
  ...cell(
    {
      does: 'update',
      at: '',
      value: step({
        'event_log/arrive': {
          event: 'arrive',
          by: 'driver',
          at: LONG_AGO,
          status: 'ARRIVED',
          revision: 2,
        },
      }),
    },
    nobody,
    'under the revision that made it',
  ),
  ...cell(
    {
      does: 'update',
      at: '',
      value: step({
        'event_log/create': {
          event: 'create',
          by: 'otherRider',
          at: LONG_AGO,
          status: 'NEW',
          revision: 4,
        },
      }),
    },
    nobody,
    'what happened is not rewritten',
  ),
  ...cell(
    { does: 'update', at: '', value: step({ 'event_log/create': null }) },
    nobody,
    'what happened is not removed',
  ),
  ...cell(
    { does: 'update', at: '', value: step({ event_log: null }) },
    nobody,
    'what happened is not removed',
  ),

  ...setting('booking_otps/waiting', 54_321, functions, 'a code is drawn by a function'),
  ...setting('booking_otps/riding', 54_321, nobody, 'a code is not changed on the way'),
  ...setting('booking_otps/waiting', 999, nobody, 'a code has five digits'),
  ...removing('booking_otps/riding', functions, 'a code is thrown away by a function'),
  ...setting(
    'otp_attempts/riding',
    { tries: 3, locked_until: 0 },
    functions,
    'guesses are counted by functions',
  ),
  ...setting(
    'otp_attempts/riding',
    { tries: 2, locked_until: 0 },
    nobody,
    'of two guesses at once each counts',
  ),
  ...removing('otp_attempts/riding', functions, 'the right code ends the count'),
  ...setting('driver_tasks/otherDriver/waiting', true, functions, 'who is asked is chosen'),
  ...setting('driver_tasks/otherDriver/waiting', 'yes', nobody, 'a task is true'),
  ...removing('driver_tasks/requested/waiting', functions, 'a task is declined by a function'),
  ...removing('driver_tasks/requested', functions, 'a deleted driver has no tasks'),
]

const point = (status: string): Value => ({ at: NOW_IS, status, lat: -34.9, lng: -56.1 })
const message = (from: string, source: string): Value => ({
  message: 'On my way',
  from,
  type: 'msg',
  msgDate: '1 January',
  msgTime: '10:05',
  source,
  at: NOW_IS,
})
const tripRows: Row[] = [
  ...setting(
    'tracking/riding/second',
    point('ACCEPTED'),
    ['driver', 'server'],
    'its driver says where he is',
  ),
  ...setting(
    'tracking/done/second',
    point('COMPLETE'),
    functions,
    'a trip that is over is not followed',
  ),
  ...setting('tracking/riding/first', point('ACCEPTED'), nobody, 'a trail is not rewritten'),
  ...removing('tracking/riding/first', nobody, 'a trail is not shortened'),
  ...removing('tracking/riding', nobody, 'a trail does not vanish'),
  ...setting(
    'chats/riding/second',
    message('rider', 'rider'),
    ['rider'],
    'the rider writes as himself',
  ),
  ...setting(
    'chats/riding/second',
    message('driver', 'driver'),
    ['driver'],
    'the driver writes as himself',
  ),
  ...setting(
    'chats/riding/second',
    message('driver', 'rider'),
    nobody,
    'nobody writes as the other',
  ),
  ...setting('chats/riding/first', message('rider', 'rider'), nobody, 'a word is not taken back'),
  ...removing('chats/riding/first', nobody, 'a word is not taken back'),
  ...setting(
    'chats/done/second',
    message('rider', 'rider'),
    nobody,
    'a trip that is over is silent',
  ),
  ...setting(
    'chats/waiting/first',
    message('rider', 'rider'),
    nobody,
    'there is nobody to write to yet',
  ),
  ...removing('tracking/riding', nobody, 'a trail lasts as long as its trip'),
  ...removing('tracking/done', functions, 'who leaves takes his way with him'),
  ...removing('chats/riding', nobody, 'a chat lasts as long as its trip'),
  ...removing('chats/done', functions, 'who has his account deleted takes his words with him'),
  ...removing('available_drivers/otherDriver', ['otherDriver', ...office], 'off the list'),
  ...setting(
    'available_drivers/otherDriver/geohash',
    '6dpth000',
    nobody,
    'a listing is renewed whole, with the place',
  ),
  ...setting(
    'available_drivers/otherDriver',
    { carType: 'van', geohash: '6dptest00', lat: -34.9, lng: -56.16, at: NOW_IS },
    ['otherDriver'],
    'a driver on duty lists himself where his account says he is',
  ),
  ...setting(
    'available_drivers/driver',
    { carType: 'van', geohash: '6dptest00', lat: -34.9, lng: -56.16, at: NOW_IS },
    nobody,
    'a busy driver is not available',
  ),
  ...setting(
    'available_drivers/pending',
    { carType: 'van', geohash: '6dptest00', lat: -34.9, lng: -56.16, at: NOW_IS },
    nobody,
    'who is not approved is not available',
  ),
]

const unused = Object.fromEntries(
  Object.entries(welcome).filter(([field]) => field !== 'user_avail'),
)
const officeRows: Row[] = [
  ...setting('settings/appName', 'Curbside', office, 'the office names the product'),
  ...setting('settings', plain({ ...settings, bonus: 20 }), office, 'settings are saved whole too'),
  ...setting('settings/AppleStoreLink', 'https://apps.example/k', office, 'where the app is'),
  ...setting('settings/AppleStoreLink', '', office, 'there is no app yet'),
  ...setting('settings/PlayStoreLink', 'javascript:alert(1)', nobody, 'a link runs no script'),
  ...setting('settings/bonus', 'ten', nobody, 'a bonus is a number'),
  ...setting('settings/decimal', -1, nobody, 'there are no fewer than no decimals'),
  ...removing('settings/code', nobody, 'a currency is needed'),
  ...setting('settings/theme', 'dark', nobody, 'there is no such setting'),
  ...setting(
    'settings/AllowCriticalEditsAdmin',
    false,
    functions,
    'demo mode is switched by who runs the installation',
  ),
  ...removing('settings', nobody, 'settings stay'),

  ...setting(
    'cartypes/truck',
    plain({ ...van, id: 'truck', name: 'Truck' }),
    office,
    'the office sets prices',
  ),
  ...setting('cartypes/van/base_fare', 2, office, 'the office sets prices'),
  ...setting('cartypes/van/base_fare', -2, nobody, 'a fare is not negative'),
  ...setting('cartypes/van/discount', 2, nobody, 'a car type has no such part'),
  ...removing('cartypes/van/min_fare', nobody, 'a car type has every price'),
  ...removing('cartypes/van', office, 'the office retires a car type'),

  ...setting('cancel_reason', [{ label: 'Mistake', value: 0 }], office, 'the list is saved whole'),
  ...setting('cancel_reason/2', { label: 'Rain', value: 2 }, office, 'a reason is added'),
  ...setting('cancel_reason/2', { label: 'Rain', value: 7 }, nobody, 'a value is its position'),
  ...setting('cancel_reason/rain', { label: 'Rain', value: 2 }, nobody, 'a list has numbers'),

  ...setting(
    'promos/spring',
    plain({ ...unused, id: 'spring' }),
    office,
    'the office makes promos',
  ),
  ...setting(
    'promos/spring',
    plain({ ...welcome, id: 'spring', user_avail: 0 }),
    office,
    'a promo begins unused',
  ),
  ...setting(
    'promos/spring',
    plain({ ...welcome, id: 'spring', user_avail: 5, promo_usage_limit: 9 }),
    nobody,
    'uses are counted, not typed',
  ),
  ...setting('promos/welcome/min_order', 20, office, 'the office changes a promo'),
  ...setting('promos/welcome/promo_usage_limit', 50, office, 'the office changes a promo'),
  ...setting('promos/welcome/user_avail', 0, functions, 'uses are counted, not typed'),
  ...setting('promos/welcome/user_avail', 2, functions, 'the last use'),
  ...setting('promos/welcome/user_avail', 3, nobody, 'one more than there are'),
  ...removing('promos/welcome/promo_validity', nobody, 'a promo ends some day'),
  ...removing('promos/welcome', office, 'the office withdraws a promo'),
  ...setting(
    'promo_uses/welcome/rider',
    'riding',
    functions,
    'a use is written down by a function',
  ),
  ...setting('promo_uses/welcome/otherRider', 'riding', nobody, 'a promo is used once a rider'),
  ...removing('promo_uses/welcome/otherRider', functions, 'a cancelled booking gives it back'),

  ...setting(
    'languages/fr',
    { ...english, langName: 'Français', default: false },
    office,
    'the office adds a language',
  ),
  ...setting('languages/en/keyValuePairs/book_now', 'Book', office, 'the office edits texts'),
  ...setting('languages/en/keyValuePairs/book_now', 7, nobody, 'a text is a text'),
  ...removing('languages/es', office, 'the office removes a language'),
  ...removing('languages/en', nobody, 'the default language cannot be deleted'),

  ...setting(
    'notifications/news',
    { devicetype: 'All', usertype: 'All', title: 'News', body: 'Hello', createdAt: NOW_IS },
    office,
    'the office writes to many',
  ),
  ...setting('notifications/sale/title', 'Changed', nobody, 'what was sent is not rewritten'),
  ...removing('notifications/sale', office, 'the office clears the list'),
]

const moneyRows: Row[] = [
  ...setting(
    'withdraws/second',
    { id: 'second', uid: 'driver', name: 'driver', amount: 5, date: NOW_IS, processed: false },
    functions,
    'a request takes the money from the wallet first',
  ),
  ...setting('withdraws/asked/processed', true, functions, 'paid out through a function'),
  ...setting('withdraws/asked/amount', 2000, nobody, 'a request is not raised afterwards'),
  ...removing('withdraws/asked', nobody, 'a request stays'),
  ...setting(
    'payments/second',
    {
      id: 'second',
      uid: 'rider',
      kind: 'wallet',
      gateway: 'test',
      amount: 5,
      currency: 'UYU',
      createdAt: NOW_IS,
      revision: 1,
      status: 'created',
    },
    functions,
    'a checkout is begun by a function',
  ),
  ...setting(
    'payments/second',
    {
      id: 'second',
      uid: 'rider',
      kind: 'wallet',
      gateway: 'test',
      amount: 5,
      currency: 'UYU',
      createdAt: NOW_IS,
      revision: 1,
      status: 'paid',
    },
    nobody,
    'no checkout begins paid',
  ),
  ...cell(
    { does: 'update', at: 'payments/checkout', value: { status: 'paid', revision: 2 } },
    functions,
    'paid is what a provider proved',
  ),
  ...cell(
    { does: 'update', at: 'payments/checkout', value: { status: 'paid', revision: 3 } },
    nobody,
    'a change from a state that has passed is refused',
  ),
  ...cell(
    { does: 'update', at: 'payments/checkout', value: { status: 'refunded', revision: 2 } },
    nobody,
    'what was not paid is not refunded',
  ),
  ...cell(
    {
      does: 'update',
      at: 'payments/checkout',
      value: { revision: 2, refunded: 21, status: 'pending' },
    },
    nobody,
    'no more goes back than came',
  ),
  ...cell(
    {
      does: 'update',
      at: 'payments/checkout',
      value: { status: 'failed', revision: 2 },
      given: { 'payments/checkout/status': 'paid' },
    },
    nobody,
    'what is paid does not fail any more',
  ),
  ...setting('payments/checkout/status', 'paid', nobody, 'a change moves the revision'),
  ...setting('payments/checkout/amount', 1, nobody, 'what was asked stays'),
  ...removing('payments/checkout', nobody, 'a checkout stays'),
  ...setting(
    'payment_events/test-2',
    { payment: 'checkout', gateway: 'test', amount: 20, currency: 'UYU', at: NOW_IS },
    functions,
    'a callback is accepted by a function',
  ),
  ...setting(
    'payment_events/test-1',
    { payment: 'checkout', gateway: 'test', amount: 20, currency: 'UYU', at: NOW_IS },
    nobody,
    'a callback counts once',
  ),
  ...removing('payment_events/test-1', nobody, 'nor is it forgotten to count again'),
  ...setting('stats/days/2026-01-01/created', 4, functions, 'totals move with what they count'),
  ...setting('stats/days/2026-01-01/created', 'many', nobody, 'a total is a number'),
  ...setting('stats/days/someday/created', 4, nobody, 'a day is a date'),
  ...setting('stats/days/2026-01-01/profit', 4, nobody, 'there is no such total'),
  ...removing('stats/days/2026-01-01/created', nobody, 'a total is not removed'),
  ...setting('stats/earnings/2026-01/tripCost', 4, functions, 'totals move with what they count'),
  ...setting('stats/cartypes/2026-01/van', 4, functions, 'and those of each car type'),
  ...setting('stats/total/created', 4, functions, 'totals move with what they count'),
  ...setting('stats/status/NEW', 4, functions, 'totals move with what they count'),
  ...setting('stats/status/LOST', 4, nobody, 'there is no such status'),
  ...setting('stats/driver_earnings/driver/2026-01/driverShare', 4, functions, 'his earnings'),
  ...setting('stats/driver_earnings/driver/2026-01/driverName', 'D', functions, 'his row’s name'),
  ...setting(
    'busy_drivers/free',
    { booking: 'riding', carType: 'van', name: 'Free' },
    functions,
    'who is on a trip follows from his booking',
  ),
  ...setting('busy_drivers/free', { booking: 'riding' }, nobody, 'a row is whole'),
  ...removing('busy_drivers/driver', functions, 'nobody takes himself off'),
  ...setting('stats/fleet_days/fleet/2026-01-01/created', 4, functions, 'a fleet’s total'),
  ...setting('stats/fleet_earnings/fleet/2026-01/tripCost', 4, functions, 'a fleet’s month'),
  ...setting('stats/fleet_total/fleet/tripCost', 4, functions, 'a fleet’s total'),
  ...setting('stats/fleet_total/fleet/profit', 4, nobody, 'there is no such total'),
  ...setting(
    'stats/fleet_driver_earnings/fleet/driver/2026-01/total_rides',
    4,
    functions,
    'a fleet’s total',
  ),
  ...removing('stats', nobody, 'totals are not removed'),
  ...setting(
    'shares/second',
    { booking: 'riding', by: 'rider', level: 'live', at: NOW_IS, expires: 4_000_000_000_000 },
    functions,
    'a link is made by a function',
  ),
  ...setting('shares/token/revoked', true, functions, 'a link is withdrawn by a function'),
  ...setting('shares/token/booking', 'done', nobody, 'a link stays its booking’s'),
  ...removing('shares/token', functions, 'old links are swept'),
  ...setting(
    'inbox/rider/second',
    { title: 'arrived', msg: 'arrived', screen: 'BookedCab', at: NOW_IS },
    functions,
    'pushes come from functions',
  ),
  ...setting('inbox/rider/push/read', true, ['rider'], 'he has read it'),
  ...setting('inbox/rider/push/read', false, nobody, 'what is read stays read'),
  ...setting('inbox/rider/push/title', 'changed', nobody, 'he may only mark it'),
  ...setting('inbox/rider/none/read', true, nobody, 'a mark alone is no push'),
  ...removing('inbox/rider/push', functions, 'old pushes are swept'),
  ...removing('inbox/rider', functions, 'a deleted account has no inbox'),
  ...setting(
    'audit/second',
    { by: 'admin', at: NOW_IS, action: 'promo_update', path: 'promos/welcome' },
    functions,
    'a change is written down by functions',
  ),
  ...setting('audit/first/by', 'somebody', nobody, 'the audit is not rewritten'),
  ...removing('audit/first', nobody, 'the audit is not shortened'),
  ...removing('audit', nobody, 'the audit does not vanish'),
  ...setting('user_emails/another', 'rider', functions, 'an e-mail is reserved by a function'),
  ...setting('user_emails/hash-of-rider', 'otherRider', nobody, 'an e-mail is one person’s'),
  ...removing('user_emails/hash-of-rider', functions, 'who leaves gives his e-mail back'),
  ...setting(
    'stuck_bookings/waiting',
    { status: 'NEW', since: LONG_AGO, found_at: NOW_IS },
    functions,
    'the sweep says what stands still',
  ),
  ...setting('stuck_bookings/waiting', true, nobody, 'and since when'),
  ...removing('stuck_bookings/riding', functions, 'and that it moves again'),
  ...setting(
    'rate_limits/check_user_exists/somebody',
    { count: 2, since: LONG_AGO },
    functions,
    'who asks too often does not count himself',
  ),
  ...setting('nowhere', true, nobody, 'what is not named is closed'),
  ...setting('users/rider/walletHistory', null, nobody, 'null removes as well'),
  ...removing('', nobody, 'nobody removes everything'),
]

/** Every path, written by everybody. */
export const writingRows: Row[] = [
  ...userRows,
  ...bookingRows,
  ...tripRows,
  ...officeRows,
  ...moneyRows,
]
