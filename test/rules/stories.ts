import type { Value } from '~/domain/booking/change'
import { may, mayNot, type Row } from './row'
import { aBooking, english, LONG_AGO, NOW_IS, van, welcome } from './world'

const plain = (value: object): Value => JSON.parse(JSON.stringify(value)) as Value
const update = (value: Record<string, Value>) => ({ does: 'update' as const, at: '', value })
const set = (at: string, value: Value) => ({ does: 'set' as const, at, value })
const remove = (at: string) => ({ does: 'remove' as const, at })

const here = { lat: -34.95, lng: -56.2 }
const listing = (more: Record<string, Value> = {}): Value => ({
  carType: 'van',
  geohash: '6dpnew000',
  ...here,
  at: NOW_IS,
  ...more,
})
/** A free driver moves: his account and his listing in one write. */
const moves = (uid: string, more: Record<string, Value> = {}) =>
  update({ [`users/${uid}/location`]: here, [`available_drivers/${uid}`]: listing(), ...more })

const asked = (at: string, orderBy: string, equalTo: string) => ({
  does: 'read' as const,
  at,
  asked: { orderBy, equalTo },
})
const lists: Row[] = [
  mayNot('rider', asked('bookings', 'carTypeId', 'rider'), 'his uid in another field is no bound'),
  mayNot(
    'driver',
    asked('bookings', 'carTypeId', 'driver'),
    'his uid in another field is no bound',
  ),
  mayNot('fleet', asked('bookings', 'carTypeId', 'fleet'), 'his uid in another field is no bound'),
  mayNot('rider', asked('bookings', 'driver', 'rider'), 'a rider drives nothing'),
  mayNot('rider', asked('bookings', 'fleetadmin', 'rider'), 'a rider has no fleet'),
  mayNot('fleet', asked('users', 'referralId', 'fleet'), 'his uid in another field is no bound'),
  mayNot('rider', asked('users', 'fleetadmin', 'rider'), 'a rider has no fleet'),
  mayNot('rider', asked('payments', 'booking', 'rider'), 'his uid in another field is no bound'),
  mayNot(
    'driver',
    asked('withdraws', 'bankName', 'driver'),
    'his uid in another field is no bound',
  ),
  may('rider', asked('payments', 'uid', 'rider'), 'his own'),
  may('driver', asked('withdraws', 'uid', 'driver'), 'his own'),
]

const availability: Row[] = [
  may('requested', moves('requested'), 'his place and his listing move together'),
  mayNot(
    'requested',
    update({ 'available_drivers/requested': listing() }),
    'a listing elsewhere than his account says',
  ),
  mayNot(
    'requested',
    moves('requested', { 'available_drivers/requested': listing({ lat: -34.9 }) }),
    'a listing a street away from himself',
  ),
  mayNot(
    'requested',
    moves('requested', { 'available_drivers/requested': listing({ lng: -56.1 }) }),
    'nor in the other direction',
  ),
  mayNot(
    'requested',
    moves('requested', { 'available_drivers/requested': listing({ fleetadmin: 'otherFleet' }) }),
    'a listing in a fleet that is not his',
  ),
  mayNot(
    'requested',
    moves('requested', { 'available_drivers/requested': listing({ carType: 'limousine' }) }),
    'a listing in a dearer class than his own',
  ),
  mayNot(
    'requested',
    moves('requested', { 'available_drivers/requested': listing({ at: LONG_AGO }) }),
    'an old place passed off as one',
  ),
  mayNot(
    'requested',
    moves('requested', { 'available_drivers/requested': listing({ at: 4_000_000_000_000 }) }),
    'a place that never grows old',
  ),
  mayNot(
    'requested',
    moves('requested', { 'available_drivers/requested': listing({ geohash: 'SOMEWHERE' }) }),
    'a geohash is made of its own letters',
  ),
  mayNot(
    'requested',
    moves('requested', { 'available_drivers/requested': listing({ name: 'Beto' }) }),
    'a listing has no personal data',
  ),
  mayNot('requested', moves('otherDriver'), 'nobody moves another driver'),
  mayNot('driver', moves('driver'), 'who is on a trip is not listed'),
  may('driver', set('users/driver/location', here), 'but he still says where he is'),
  mayNot('pending', moves('pending'), 'who is not approved is not listed'),
  {
    ...mayNot('requested', moves('requested'), 'who is off duty is not listed'),
    given: { 'users/requested/driverActiveStatus': false },
  },
  {
    ...may(
      'requested',
      moves('requested', { 'users/requested/driverActiveStatus': true }),
      'coming on duty and being listed is one step',
    ),
    given: { 'users/requested/driverActiveStatus': false },
  },
  may(
    'otherDriver',
    update({
      'users/otherDriver/driverActiveStatus': false,
      'available_drivers/otherDriver': null,
    }),
    'going off duty leaves the list',
  ),
  mayNot(
    'otherDriver',
    set('users/otherDriver/driverActiveStatus', false),
    'nobody is off duty and on the list',
  ),
  may(
    'admin',
    update({ 'users/otherDriver/approved': false, 'available_drivers/otherDriver': null }),
    'a suspended driver leaves the list',
  ),
  mayNot('admin', set('users/otherDriver/approved', false), 'nobody is suspended and on the list'),
  mayNot(
    'admin',
    set('users/otherDriver/carType', 'limousine'),
    'nobody changes class while he is listed in the old one',
  ),
]

const listed: Row[] = [
  may(
    'rider',
    update({ 'users/rider/firstName': 'Ria', 'people/rider/firstName': 'Ria' }),
    'his name changes in his record and in the list',
  ),
  mayNot('rider', set('people/rider/firstName', 'Ria'), 'a name his record does not say'),
  mayNot('rider', set('people/otherRider/firstName', 'otherRider'), 'somebody else’s line'),
  mayNot('rider', set('people/rider/usertype', 'admin'), 'what he is not'),
  mayNot('admin', set('people/rider/firstName', 'Ria'), 'the office does not write lists'),
  may(
    'server',
    update({
      'users/driver/fleetadmin': 'otherFleet',
      'people/driver/fleetadmin': 'otherFleet',
    }),
    'another fleet in his record and in the list',
  ),
  mayNot('server', set('people/driver/fleetadmin', 'otherFleet'), 'a fleet he does not drive for'),
  mayNot('server', set('people/rider/walletBalance', 100), 'the list holds no money'),
  may('server', remove('people/rider'), 'who leaves is not listed'),
  mayNot('rider', remove('people/rider'), 'nobody hides from the office'),
  mayNot('driver', remove('people/driver/fleetadmin'), 'nobody hides from his fleet admin'),
  may(
    'driver',
    update({ 'users/driver/vehicleNumber': null, 'people/driver/vehicleNumber': null }),
    'what his record no longer has leaves his line',
  ),
]

const lookups: Row[] = [
  mayNot(
    'unapproved',
    update({ 'users/unapproved/approved': true, 'users/unapproved/firstName': 'Now' }),
    'an approval in the same write is not yet one',
  ),
  mayNot(
    'unapproved',
    set('users/unapproved/firstName', 'Una'),
    'who is not approved changes nothing',
  ),
  mayNot('unknown', set('users/unknown/firstName', 'Una'), 'nor does an unknown type'),
  mayNot('pending', set('users/pending/vehicleNumber', 'X'), 'nor a driver before his approval'),
  {
    ...mayNot('admin', set('promos/welcome/min_order', 1), 'an admin who is suspended is none'),
    given: { 'users/admin/approved': false },
  },
  {
    ...mayNot('admin', { does: 'read', at: 'users/rider' }, 'an admin who is suspended is none'),
    given: { 'users/admin/approved': false },
  },
  {
    ...mayNot(
      'fleet',
      { does: 'read', at: 'users', asked: { orderBy: 'fleetadmin', equalTo: 'fleet' } },
      'a fleet admin who is a rider now lists nobody',
    ),
    given: { 'users/fleet/usertype': 'rider' },
  },
  {
    ...mayNot('fleet', { does: 'read', at: 'users/driver' }, 'nor looks anybody up'),
    given: { 'users/fleet/usertype': 'rider' },
  },
  may('admin', set('users/secondAdmin/approved', false), 'an admin suspends another'),
]

const credit = (amount: number, txRef = 'riding'): Value => ({
  type: 'Credit',
  amount,
  date: LONG_AGO,
  txRef,
})
const debit = (amount: number, txRef = 'riding'): Value => ({
  type: 'Debit',
  amount,
  date: LONG_AGO,
  txRef,
})
const plus = (amount: number): Value => ({ '.sv': { increment: amount } })
const wallet = (entries: Record<string, Value>, balance: Value, uid = 'rider') =>
  update({
    ...Object.fromEntries(
      Object.entries(entries).map(([key, entry]) => [`users/${uid}/walletHistory/${key}`, entry]),
    ),
    [`users/${uid}/walletBalance`]: balance,
  })

const money: Row[] = [
  may('server', wallet({ 'pay-topup': credit(20, 'pay') }, plus(20)), 'an entry and its money'),
  mayNot('server', wallet({ 'pay-topup': credit(20, 'pay') }, plus(21)), 'a coin too many'),
  mayNot('server', wallet({ 'pay-topup': credit(20, 'pay') }, plus(19.99)), 'a coin too few'),
  mayNot('server', wallet({ 'pay-topup': debit(20, 'pay') }, plus(20)), 'the wrong direction'),
  mayNot(
    'server',
    set('users/rider/walletHistory/pay-topup', credit(20, 'pay')),
    'an entry without its money',
  ),
  mayNot('server', wallet({ opening: credit(20) }, plus(20)), 'an entry a second time'),
  mayNot('server', wallet({ free: credit(0) }, plus(0)), 'an entry of nothing'),
  mayNot('server', wallet({ free: credit(-5) }, plus(-5)), 'an amount is positive'),
  may(
    'server',
    wallet({ 'riding-share': credit(10), 'riding-cash': debit(12.5) }, plus(-2.5), 'driver'),
    'share and cash of one booking move the balance by both',
  ),
  mayNot(
    'server',
    wallet({ 'riding-share': credit(10), 'riding-cash': debit(12.5) }, plus(10), 'driver'),
    'or not at all',
  ),
  may(
    'server',
    wallet({ 'riding-refund': credit(12.5), 'riding-cancel-fee': debit(5) }, plus(7.5)),
    'refund and fee of one booking',
  ),
  may(
    'server',
    wallet({ 'riding-share': credit(10), 'riding-cash': debit(10) }, 50, 'driver'),
    'what comes out even moves nothing, and both are told',
  ),
  may('server', wallet({ 'riding-wallet': debit(100) }, plus(-100)), 'all that is there is spent'),
  mayNot(
    'server',
    wallet({ 'riding-wallet': debit(100.01) }, plus(-100.01)),
    'more than there is is not',
  ),
  mayNot(
    'server',
    wallet(
      { 'out-withdraw': { type: 'Withdraw', amount: 51, date: LONG_AGO, txRef: 'out' } },
      plus(-51),
      'driver',
    ),
    'nor is it paid out',
  ),
  may(
    'server',
    wallet(
      { 'out-withdraw': { type: 'Withdraw', amount: 50, date: LONG_AGO, txRef: 'out' } },
      plus(-50),
      'driver',
    ),
    'what is there is',
  ),
  may(
    'server',
    wallet({ 'riding-cancel-fee': debit(150) }, plus(-150)),
    'a fee may take the wallet below zero',
  ),
  may(
    'server',
    wallet({ 'riding-cash': debit(60) }, plus(-60), 'driver'),
    'and so may the cash a driver keeps',
  ),
  mayNot(
    'server',
    wallet({ 'gone-share': credit(5) }, plus(5), 'nobody'),
    'an account that is gone is not brought back by its money',
  ),
  mayNot(
    'server',
    set('users/newcomer', {
      id: 'newcomer',
      usertype: 'rider',
      firstName: 'New',
      lastName: 'Comer',
      mobile: '+15555559999',
      email: '',
      createdAt: '2026-01-01',
      approved: true,
      walletBalance: 50,
    }),
    'a wallet begins empty',
  ),
  mayNot(
    'server',
    set('users/newcomer', {
      ...{ id: 'newcomer', usertype: 'rider', firstName: 'New', lastName: 'Comer' },
      ...{ mobile: '', email: '', createdAt: '2026-01-01', approved: true, walletBalance: 0 },
      walletHistory: { gift: credit(50, 'AdminCredit') },
    }),
    'nor with a history that nothing moved',
  ),
  may('server', remove('users/rider'), 'an account goes whole, with its history'),
]

const promoUse = (count: Value, uid = 'rider') =>
  update({
    'promos/welcome/user_avail': count,
    [`promo_uses/welcome/${uid}`]: 'riding',
  })
const promos: Row[] = [
  may('server', promoUse(plus(1)), 'the last use'),
  {
    ...mayNot('server', promoUse(plus(1)), 'a use beyond the limit'),
    given: { 'promos/welcome/user_avail': 2 },
  },
  mayNot('server', promoUse(plus(1), 'otherRider'), 'a rider’s second use'),
  may(
    'server',
    update({ 'promos/welcome/user_avail': plus(-1), 'promo_uses/welcome/otherRider': null }),
    'a use given back',
  ),
  {
    ...may(
      'server',
      update({ 'promos/welcome/user_avail': plus(-1), 'promo_uses/welcome/otherRider': null }),
      'a use given back though the office has lowered the limit below it',
    ),
    given: { 'promos/welcome/user_avail': 5 },
  },
  mayNot(
    'server',
    update({ 'promos/gone/user_avail': plus(1) }),
    'a promo that is gone is not brought back by its count',
  ),
  mayNot('admin', set('promos/welcome', plain({ ...welcome, user_avail: 0 })), 'a count set back'),
  may('admin', set('promos/welcome', plain({ ...welcome, min_order: 1 })), 'the rest of it'),
]

const demo = { 'settings/AllowCriticalEditsAdmin': false }
const inDemo = (rows: Row[]): Row[] => rows.map((row) => ({ ...row, given: demo }))
const demoMode: Row[] = inDemo([
  mayNot('admin', set('settings/appName', 'Mine'), 'settings stay in demo mode'),
  mayNot(
    'admin',
    set('settings/AllowCriticalEditsAdmin', true),
    'nobody leaves demo mode by himself',
  ),
  mayNot('admin', set('cartypes/van/base_fare', 0), 'car types stay in demo mode'),
  mayNot('admin', remove('cartypes/van'), 'car types stay in demo mode'),
  mayNot(
    'admin',
    set('cartypes/truck', plain({ ...van, id: 'truck', name: 'Truck' })),
    'no car type is added in demo mode',
  ),
  mayNot('admin', set('promos/welcome/min_order', 0), 'promos stay in demo mode'),
  mayNot('admin', remove('promos/welcome'), 'promos stay in demo mode'),
  may(
    'admin',
    set('promos/spring', plain({ ...welcome, id: 'spring', user_avail: 0 })),
    'adding a promo is not blocked in demo mode',
  ),
  mayNot('admin', set('languages/en/keyValuePairs/book_now', 'X'), 'texts stay in demo mode'),
  mayNot('admin', set('languages/es/langName', 'X'), 'languages stay in demo mode'),
  mayNot('admin', remove('languages/es'), 'languages stay in demo mode'),
  mayNot(
    'admin',
    set('languages/fr', { ...english, langName: 'Français', default: false }),
    'no language is added in demo mode',
  ),
  mayNot(
    'admin',
    update({ 'languages/en/default': false, 'languages/es/default': true }),
    'the default stays in demo mode',
  ),
  mayNot('admin', remove('cancel_reason/1'), 'cancel reasons are read-only in demo mode'),
  mayNot(
    'admin',
    set('cancel_reason/2', { label: 'Rain', value: 2 }),
    'cancel reasons are read-only in demo mode',
  ),
  mayNot(
    'admin',
    set('notifications/news', {
      devicetype: 'All',
      usertype: 'All',
      title: 'News',
      body: 'Hello',
      createdAt: NOW_IS,
    }),
    'nothing is sent in demo mode',
  ),
  mayNot('admin', remove('notifications/sale'), 'notifications stay in demo mode'),
  may('admin', set('users/pending/approved', true), 'a driver may be approved in demo mode'),
  may('server', set('settings/AllowCriticalEditsAdmin', true), 'who runs it ends demo mode'),
])

const languages: Row[] = [
  may(
    'admin',
    update({ 'languages/en/default': false, 'languages/es/default': true }),
    'one default follows another in one step',
  ),
  may('admin', remove('languages/es'), 'a language that is not the default may go'),
  mayNot('admin', remove('languages/en'), 'the default may not'),
]

const trip = (status: string, at: Value = NOW_IS): Value => ({ at, status, ...here })
const chatOf = (from: string, source: string): Record<string, Value> => ({
  message: 'Hello',
  from,
  type: 'msg',
  msgDate: '1 January',
  msgTime: '10:05',
  source,
  at: NOW_IS,
})

const trips: Row[] = [
  mayNot('driver', set('tracking/riding/p', trip('STARTED')), 'a status the booking has not'),
  mayNot(
    'driver',
    set('tracking/riding/p', trip('ACCEPTED', LONG_AGO - 1)),
    'a point from before he had the booking',
  ),
  mayNot(
    'driver',
    set('tracking/riding/p', trip('ACCEPTED', 4_000_000_000_000)),
    'a point in the future',
  ),
  may(
    'driver',
    set('tracking/riding/p', trip('ACCEPTED', LONG_AGO + 1)),
    'a point kept while there was no network',
  ),
  mayNot(
    'driver',
    set('tracking/riding/p', { status: 'ACCEPTED', ...here }),
    'a point without time',
  ),
  ...(['ARRIVED', 'STARTED'] as const).map((status) => ({
    ...may('driver', set('tracking/riding/p', trip(status)), `the trail goes on while ${status}`),
    given: { 'bookings/riding/status': status },
  })),
  ...(['REACHED', 'PENDING', 'PAID', 'COMPLETE', 'CANCELLED'] as const).map((status) => ({
    ...mayNot('driver', set('tracking/riding/p', trip(status)), `the trail ends before ${status}`),
    given: { 'bookings/riding/status': status },
  })),
  mayNot('requested', set('tracking/waiting/p', trip('NEW')), 'who is only asked is not followed'),
  {
    ...mayNot(
      'driver',
      { does: 'read', at: 'bookings/waiting' },
      'who is not asked any more does not see the booking',
    ),
    given: { 'bookings/waiting/requestedDrivers': { otherDriver: true } },
  },
  {
    ...mayNot(
      'driver',
      set('chats/riding/m', chatOf('driver', 'driver')),
      'a suspended driver is silent',
    ),
    given: { 'users/driver/approved': false },
  },
  mayNot(
    'rider',
    set('chats/riding/m', { ...chatOf('rider', 'rider'), at: LONG_AGO }),
    'a backdated word',
  ),
  mayNot(
    'rider',
    set('chats/riding/m', { ...chatOf('rider', 'rider'), message: '' }),
    'an empty word',
  ),
  mayNot(
    'rider',
    set('chats/riding/m', { ...chatOf('rider', 'rider'), message: 'x'.repeat(1001) }),
    'a novel',
  ),
  mayNot(
    'rider',
    set('chats/riding/m', { ...chatOf('rider', 'rider'), image: 'x' }),
    'a part a message has not',
  ),
]

const accepted = (driver: string, more: Record<string, Value> = {}) =>
  update({
    'bookings/waiting/revision': 4,
    'bookings/waiting/status': 'ACCEPTED',
    'bookings/waiting/driver': driver,
    'bookings/waiting/requestedDrivers': null,
    [`users/${driver}/queue`]: true,
    ...more,
  })
const bookings: Row[] = [
  may('server', accepted('requested'), 'a free driver gets the booking and is busy'),
  mayNot(
    'server',
    accepted('requested', { 'users/requested/queue': false }),
    'a driver with a booking is busy',
  ),
  mayNot('server', accepted('driver'), 'who is busy gets no second booking'),
  mayNot('requested', accepted('requested'), 'he asks a function'),
  may(
    'server',
    set('bookings/fresh', plain(aBooking('fresh', 'PAYMENT_PENDING', { revision: 1 }))),
    'a delivery begins unpaid',
  ),
  mayNot(
    'server',
    set('bookings/fresh', plain({ ...aBooking('fresh', 'NEW', { revision: 1 }), status: null })),
    'a booking has a status',
  ),
  mayNot(
    'server',
    set('bookings/fresh', plain({ ...aBooking('fresh', 'NEW', { revision: 1 }), extra: 1 })),
    'a booking has no other parts',
  ),
  mayNot(
    'server',
    set('bookings/fresh', plain({ ...aBooking('fresh', 'NEW', { revision: 1 }), otp: 12345 })),
    'the code is kept elsewhere',
  ),
  mayNot(
    'server',
    set(
      'bookings/fresh',
      plain({ ...aBooking('fresh', 'NEW', { revision: 1 }), pickup: { lat: 95, lng: 0, add: '' } }),
    ),
    'a place is on the earth',
  ),
  may(
    'server',
    update({
      'bookings/done/revision': 4,
      'bookings/done/customer_name': '',
      'bookings/done/customer_contact': '',
      'bookings/done/customer_token': null,
      'bookings/done/pickupAddress': '',
    }),
    'a booking is kept without the person',
  ),
  mayNot(
    'server',
    update({ 'bookings/done/revision': 4, 'bookings/done/status': 'NEW' }),
    'what is complete stays complete',
  ),
]

/** A change of a checkout, with the revision that goes with every one. */
const attempt = (fields: Record<string, Value>) => ({
  does: 'update' as const,
  at: 'payments/checkout',
  value: { revision: 2, ...fields },
})
const payments: Row[] = [
  {
    ...mayNot('server', attempt({ status: 'failed' }), 'what is paid is not unpaid'),
    given: { 'payments/checkout/status': 'paid' },
  },
  {
    ...may('server', attempt({ status: 'refunded' }), 'but may be paid back'),
    given: { 'payments/checkout/status': 'paid' },
  },
  may('server', attempt({ ref: 'pi_1' }), 'the provider’s number is kept'),
  {
    ...mayNot('server', attempt({ ref: 'pi_2' }), 'and not exchanged'),
    given: { 'payments/checkout/ref': 'pi_1' },
  },
  may('server', set('withdraws/asked/procesDate', LONG_AGO), 'the day it was paid out'),
  {
    ...mayNot('server', set('withdraws/asked/procesDate', LONG_AGO + 1), 'is one day'),
    given: { 'withdraws/asked/procesDate': LONG_AGO },
  },
  {
    ...mayNot('server', set('withdraws/asked/processed', false), 'what was paid out stays so'),
    given: { 'withdraws/asked/processed': true },
  },
  {
    ...mayNot('server', set('shares/token/revoked', false), 'a withdrawn link stays withdrawn'),
    given: { 'shares/token/revoked': true },
  },
]

const guesses: Row[] = [
  may(
    'server',
    set('otp_attempts/waiting', { tries: 1, locked_until: 0 }),
    'the first wrong guess',
  ),
  mayNot(
    'server',
    set('otp_attempts/waiting', { tries: 3, locked_until: 0 }),
    'a count that begins in the middle',
  ),
  mayNot('server', set('otp_attempts/waiting', { tries: 0 }), 'a count without its lock'),
  {
    ...may(
      'server',
      set('otp_attempts/riding', { tries: 1, locked_until: 0 }),
      'after the lock anew',
    ),
    given: { 'otp_attempts/riding': { tries: 5, locked_until: LONG_AGO } },
  },
  {
    ...mayNot('server', set('otp_attempts/riding', { tries: 1, locked_until: 0 }), 'not during it'),
    given: { 'otp_attempts/riding': { tries: 5, locked_until: 4_000_000_000_000 } },
  },
]

/** What one person may do beside what he may not, where a cell of the table does not tell it. */
export const STORIES: Record<string, Row[]> = {
  'lists are one’s own': lists,
  'who is available': availability,
  'the list of people says what their records say': listed,
  'roles are looked up where their owner cannot write': lookups,
  'money moves once, by exactly what is entered': money,
  'promos are counted': promos,
  'demo mode': demoMode,
  languages,
  'on a trip': trips,
  bookings,
  payments,
  'guesses at the code': guesses,
}
