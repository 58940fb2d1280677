import { USER_TYPES } from '~/domain/access/types'
import { EXPORTED_LISTS } from '~/domain/office/exportedLists'
import type { Random } from '~/domain/data/seededRandom'
import { DAY_MS } from '~/domain/language/timeUnits'
import type { callables, httpPost, mapsProxies } from '~/functions/src/endpoints/registry'
import { pickHostileText, type Json } from './hostileValues'
import type { Targets } from './targets'

export type InputFactory = (targets: Targets, random: Random) => { [key: string]: Json }

const examplePlace = { lat: -34.9055, lng: -56.1913, add: 'Somewhere' }
const createDigits = (random: Random) => String(random.integer(1e8, 1e9 - 1))
const createPushKey = (random: Random) => `-O${createDigits(random)}${createDigits(random)}`

/** A plausible input for every callable, mostly about other users' data. */
export const CALLABLE_INPUTS: Readonly<Record<keyof typeof callables, InputFactory>> = {
  create_booking: (s, r) => ({
    booking_id: r.pick([createPushKey(r), s.booking(r)]),
    ...(r.chance(0.3) && { customer: s.user(r) }),
    pickup: examplePlace,
    drop: { ...examplePlace, lat: -34.89 },
    ...(r.chance(0.2) && { waypoints: [examplePlace, examplePlace] }),
    carType: s.carType(r),
    bookLater: r.chance(0.5),
    tripdate: Date.now() + DAY_MS,
    estimateFare: r.integer(0, 1000),
    parcelTypeIndex: r.integer(-1, 3),
    deliveryPerson: pickHostileText(r),
    ...(r.chance(0.5) && { wait: true }),
  }),
  advance_booking: (s, r) => ({
    booking_id: s.booking(r),
    ...r.pick<{ [key: string]: Json }>([
      { event: 'assign', driver: s.user(r) },
      { event: 'assign', driver: s.user(r), override: true },
      { event: r.pick(['take', 'hand_back', 'no_show']) },
      { event: 'keep_waiting', asked_at: r.integer(0, Date.now()) },
      {
        event: r.pick(['arrive', 'start', 'reach', 'finish', 'collect']),
        reason: pickHostileText(r),
      },
      { event: 'accept' },
      { event: 'decline' },
      { event: 'arrive', lat: -34.9, lng: -56.1, at: Date.now() },
      { event: 'start', otp: r.integer(10_000, 99_999), pickup_image: pickHostileText(r) },
      { event: 'reach', lat: -34.9, lng: -56.1, deliver_image: 'javascript:alert(1)' },
      { event: 'finish' },
      { event: 'collect', at: -1 },
      { event: 'pay', payment_mode: 'wallet', usedWalletMoney: -5 },
      { event: 'pay', payment_mode: 'cash', promo: s.promo(r) },
      { event: 'rate', rating: r.integer(-1, 9) },
      { event: 'cancel', reason: pickHostileText(r) },
      {
        event: 'compensate',
        request_id: createPushKey(r),
        reason: r.pick(['goodwill', pickHostileText(r)]),
        rider: r.integer(-1, 99),
      },
      { event: 'amend', drop: { ...examplePlace, lng: -56.15 }, estimateFare: r.integer(-1, 99) },
    ]),
  }),
  ensure_profile: () => ({}),
  discard_registration: () => ({}),
  register_push_token: (s, r) => ({
    token: r.pick([null, `attack-${createDigits(r)}`, pickHostileText(r), s.pushToken(r)]),
    platform: r.pick(['WEB', 'IOS', pickHostileText(r)]),
  }),
  end_sessions: (s, r) => ({ uid: s.user(r) }),
  quote_payment: (s, r) => ({ booking_id: s.booking(r), promo: s.promo(r), usedWalletMoney: 5 }),
  start_payment: (s, r) =>
    r.pick<{ [key: string]: Json }>([
      { booking_id: s.booking(r), payment_mode: 'cash' },
      { booking_id: s.booking(r), payment_mode: 'wallet', usedWalletMoney: -1 },
      { booking_id: s.booking(r), payment_mode: 'card', provider: 'test' },
      { payment_mode: 'topup', provider: r.pick(['test', 'paypal']), amount: r.integer(-5, 50) },
    ]),
  refund_payment: (s, r) => ({ payment_id: s.payment(r), amount: r.integer(-5, 50) }),
  resolve_payment: (s, r) => ({ payment_id: s.payment(r), how: 'credit' }),
  add_to_wallet: (s, r) => ({ credit_id: createPushKey(r), uid: s.user(r), amount: 1000 }),
  take_from_wallet: (s, r) => ({
    debit_id: createPushKey(r),
    uid: s.user(r),
    amount: r.integer(-5, 1000),
    note: pickHostileText(r),
  }),
  request_withdraw: (_, r) => ({ withdraw_id: createPushKey(r), amount: r.integer(-5, 50) }),
  complete_withdraw: (s, r) => ({ withdraw_id: s.withdraw(r) }),
  return_withdraw: (s, r) => ({ withdraw_id: s.withdraw(r), note: pickHostileText(r) }),
  import_people: (_, r) => ({
    usertype: r.pick(['rider', 'driver', 'admin']),
    rows: [
      {
        firstName: 'Attack',
        lastName: pickHostileText(r),
        email: `attack${createDigits(r)}@example.com`,
        mobile: `+1889${createDigits(r).slice(0, 7)}`,
        ...(r.chance(0.3) && { approved: true }),
      },
    ],
  }),
  import_bookings: (_, r) => ({
    rows: [
      {
        key: pickHostileText(r),
        name: pickHostileText(r),
        mobile: `+1889${createDigits(r).slice(0, 7)}`,
        pickup: pickHostileText(r),
        drop: pickHostileText(r),
        tripdate: r.integer(-1, 9_999_999_999_999),
        carType: r.pick(['courier', pickHostileText(r)]),
      },
    ],
  }),
  save_user: (s, r) => ({
    ...(r.chance(0.7) && { id: s.user(r) }),
    usertype: r.pick(['rider', 'driver', 'fleetadmin', 'admin']),
    firstName: 'Attack',
    lastName: pickHostileText(r),
    email: `attack${createDigits(r)}@example.com`,
    mobile: `+1889${createDigits(r).slice(0, 7)}`,
    ...(r.chance(0.5) && { approved: true }),
    fleetadmin: s.user(r),
    carType: s.carType(r),
    profile_image: pickHostileText(r),
  }),
  // Users may delete themselves, but every attacker is still needed.
  delete_user: (s, r) => ({ id: s.other(r), ...(r.chance(0.5) && { waive_balance: true }) }),
  share_booking: (s, r) => ({
    booking_id: s.booking(r),
    hours: r.integer(-1, 100),
    ...(r.chance(0.5) && { revoke: s.share(r) }),
  }),
  export_bookings: (s, r) => ({ cursor: s.booking(r), limit: r.integer(-1, 900), from: 0 }),
  find_bookings: (s, r) => ({ words: pickHostileText(r), cursor: s.booking(r) }),
  change_currency: (_, r) => ({ code: r.pick(['UYU', 'JPY', 'XXX']), dry_run: true }),
  broadcast_notification: (_, r) => ({
    notification_id: createPushKey(r),
    title: pickHostileText(r),
    body: pickHostileText(r),
    usertype: 'All',
    devicetype: 'All',
  }),
  setup: (_, r) => ({
    mobile: `+1889${createDigits(r).slice(0, 7)}`,
    country: 'Uruguay',
    restrictCountry: 'UY',
    timezone: pickHostileText(r),
  }),
  run_sweep: () => ({}),
  find_caller: (s, r) =>
    r.pick<{ [key: string]: Json }>([{ mobile: `+1889${createDigits(r)}` }, { uid: s.user(r) }]),
  save_note: (s, r) => ({ uid: s.user(r), text: pickHostileText(r), revision: r.integer(0, 2) }),
  send_office_message: (s, r) => ({
    ...(r.chance(0.5) && { driver: s.user(r) }),
    text: pickHostileText(r),
    ...(r.chance(0.5) && { message_id: createPushKey(r) }),
  }),
  add_booking_note: (s, r) => ({
    booking_id: s.booking(r),
    note_id: createPushKey(r),
    text: pickHostileText(r),
  }),
  send_receipt: (s, r) => ({ booking_id: s.booking(r), request_id: createPushKey(r) }),
  answer_call: (_, r) => ({ call_id: r.pick([createPushKey(r), pickHostileText(r)]) }),
  raise_panic: (s, r) => ({
    panic_id: r.pick([createPushKey(r), pickHostileText(r)]),
    booking_id: s.booking(r),
    ...(r.chance(0.5) && { position: { lat: r.integer(-99, 99), lng: -56.1 } }),
  }),
  answer_panic: (s, r) => ({
    booking_id: s.booking(r),
    uid: s.user(r),
    how: r.pick(['take', 'close', pickHostileText(r)]),
    revision: r.integer(0, 3),
  }),
  explain_offer: (s, r) => ({ booking_id: s.booking(r), offer: r.pick(['1', '999999']) }),
  driver_parts: (s, r) => ({
    driver: s.user(r),
    ...(r.chance(0.5) && { booking_id: s.booking(r) }),
    before: r.integer(-1, 9_999_999_999_999),
  }),
  fairness_report: (s, r) => ({
    month: r.pick(['2026-11', '2026-13', pickHostileText(r)]),
    cursor: r.pick([`2026-11_${s.user(r)}`, s.path(r)]),
  }),
  message_settings: () => ({}),
  save_message_settings: (_, r) => ({
    settings: { operatorName: pickHostileText(r), quietStart: '22:00', quietEnd: '07:30', on: {} },
    revision: r.integer(0, 2),
  }),
  booking_messages: (s, r) => ({ booking_id: s.booking(r), cursor: s.path(r) }),
  message_preferences: (_, r) => ({ key: pickHostileText(r), on: r.chance(0.5) }),
  ask_help: (s, r) => ({
    booking_id: s.booking(r),
    request_id: createPushKey(r),
    topic: 'other',
    text: pickHostileText(r),
  }),
  answer_help: (s, r) => ({
    booking_id: s.booking(r),
    request_id: createPushKey(r),
    text: pickHostileText(r),
    revision: 1,
  }),
  read_help: (s, r) => ({ booking_id: s.booking(r) }),
  list_help: (s, r) => ({ ...(r.chance(0.3) && { after: s.booking(r) }) }),
  begin_export: (_, r) => ({ list: r.pick(EXPORTED_LISTS) }),
  list_refusals: () => ({}),
  save_place: (_, r) => ({ name: 'home', ...(r.chance(0.8) && { place: examplePlace }) }),
  save_recurring: (s, r) => ({
    series_id: createPushKey(r),
    ...(r.chance(0.5) && { customer: s.user(r) }),
    pickup: examplePlace,
    drop: { ...examplePlace, lat: -34.89 },
    carType: s.carType(r),
    days: [r.integer(0, 8)],
    time: r.pick(['07:30', '99:99']),
    from: r.pick(['2030-01-01', pickHostileText(r)]),
  }),
  change_recurring: (s, r) => ({
    series_id: r.pick([createPushKey(r), pickHostileText(r)]),
    customer: s.user(r),
    action: r.pick(['skip', 'pause', 'resume', 'end']),
    date: '2030-01-01',
    leg: 'out',
    from: '2030-01-01',
  }),
  list_people: (_, r) => r.pick<{ [key: string]: Json }>([{}, { usertype: r.pick(USER_TYPES) }]),
  list_recurring: (s, r) => ({ customer: s.user(r), cursor: `1.${s.path(r)}` }),
}

type PostName = keyof typeof httpPost | `googleapis-${keyof typeof mapsProxies}`
/** A plausible input for every endpoint that takes a POST. */
export const POST_INPUTS: Readonly<Record<PostName, InputFactory>> = {
  caller: (_, r) => ({
    number: r.pick([`+1889${createDigits(r)}`, pickHostileText(r)]),
    extension: pickHostileText(r),
  }),
  send_notification: (s, r) => ({
    token: s.pushToken(r),
    title: pickHostileText(r),
    msg: pickHostileText(r),
    screen: 'BookedCab',
    params: { [r.pick(['a', 'a/b', '.sv', '__proto__'])]: pickHostileText(r) },
    booking_id: s.booking(r),
  }),
  validate_referrer: (_, r) => ({ referralId: pickHostileText(r) }),
  check_user_exists: (_, r) => ({ email: pickHostileText(r), mobile: pickHostileText(r) }),
  user_signup: (s, r) => ({
    usertype: r.pick(['rider', 'driver', 'admin', 'fleetadmin']),
    firstName: 'Attack',
    lastName: 'Signup',
    email: `attack${createDigits(r)}@example.com`,
    mobile: `+1889${createDigits(r).slice(0, 7)}`,
    referralId: pickHostileText(r),
    ...(r.chance(0.3) && { approved: true, walletBalance: 1000 }),
    carType: s.carType(r),
  }),
  'googleapis-getaddress': () => ({ latlng: '-34.9,-56.1' }),
  'googleapis-getdirections': (_, r) => ({
    start: '-34.9055,-56.1913',
    dest: r.pick(['-34.8721,-56.1480', '9'.repeat(400) + ',1', '90,180']),
    waypoints: pickHostileText(r),
  }),
  'googleapis-autocomplete': (_, r) => ({
    searchKeyword: r.pick(['18 de Julio', pickHostileText(r)]),
    near: '-34.9,-56.1',
    language: pickHostileText(r),
  }),
  'googleapis-getcoords': (_, r) => ({ place_id: pickHostileText(r) }),
  'googleapis-getdistancematrix': (_, r) => ({
    start: r.pick(['-34.9,-56.1', '1,1|'.repeat(900)]),
    dest: r.pick(['-34.9,-56.1|-34.8,-56.2', pickHostileText(r)]),
  }),
}
