import type { Random } from '~/domain/testing/random'
import { bodyOf, hostileText, textOf, twist, type Json, wellFormed } from './hostile'
import type { Asked } from './requests'
import type { Spoils } from './spoils'
import { badTokens, type Attacker } from './attackers'
import { PROJECT } from '../localDatabase'

type Made = (spoils: Spoils, random: Random) => { [key: string]: Json }

const place = { lat: -34.9055, lng: -56.1913, add: 'Somewhere' }
const numbered = (random: Random) => String(random.whole(1e8, 1e9 - 1))
const pushKey = (random: Random) => `-O${numbered(random)}${numbered(random)}`

/** An honest-looking input for every callable, about things that are somebody else's. */
const CALLABLES: Readonly<Record<string, Made>> = {
  create_booking: (s, r) => ({
    booking_id: r.pick([pushKey(r), s.booking(r)]),
    ...(r.chance(0.3) && { customer: s.user(r) }),
    pickup: place,
    drop: { ...place, lat: -34.89 },
    ...(r.chance(0.2) && { waypoints: [place, place] }),
    carType: s.carType(r),
    bookLater: r.chance(0.5),
    tripdate: Date.now() + 86_400_000,
    estimateFare: r.whole(0, 1000),
    parcelTypeIndex: r.whole(-1, 3),
    deliveryPerson: hostileText(r),
  }),
  advance_booking: (s, r) => ({
    booking_id: s.booking(r),
    ...r.pick<{ [key: string]: Json }>([
      { event: 'assign', driver: s.user(r) },
      { event: 'accept' },
      { event: 'decline' },
      { event: 'arrive', lat: -34.9, lng: -56.1, at: Date.now() },
      { event: 'start', otp: r.whole(10_000, 99_999), pickup_image: hostileText(r) },
      { event: 'reach', lat: -34.9, lng: -56.1, deliver_image: 'javascript:alert(1)' },
      { event: 'finish' },
      { event: 'collect', at: -1 },
      { event: 'pay', payment_mode: 'wallet', usedWalletMoney: -5 },
      { event: 'pay', payment_mode: 'cash', promo: s.promo(r) },
      { event: 'rate', rating: r.whole(-1, 9) },
      { event: 'cancel', reason: hostileText(r) },
    ]),
  }),
  ensure_profile: () => ({}),
  quote_payment: (s, r) => ({ booking_id: s.booking(r), promo: s.promo(r), usedWalletMoney: 5 }),
  start_payment: (s, r) =>
    r.pick<{ [key: string]: Json }>([
      { booking_id: s.booking(r), payment_mode: 'cash' },
      { booking_id: s.booking(r), payment_mode: 'wallet', usedWalletMoney: -1 },
      { booking_id: s.booking(r), payment_mode: 'card', provider: 'test' },
      { payment_mode: 'topup', provider: r.pick(['test', 'paypal']), amount: r.whole(-5, 50) },
    ]),
  refund_payment: (s, r) => ({ payment_id: s.payment(r), amount: r.whole(-5, 50) }),
  resolve_payment: (s, r) => ({ payment_id: s.payment(r), how: 'credit' }),
  add_to_wallet: (s, r) => ({ credit_id: pushKey(r), uid: s.user(r), amount: 1000 }),
  request_withdraw: (_, r) => ({ withdraw_id: pushKey(r), amount: r.whole(-5, 50) }),
  complete_withdraw: (s, r) => ({ withdraw_id: s.withdraw(r) }),
  save_user: (s, r) => ({
    ...(r.chance(0.7) && { id: s.user(r) }),
    usertype: r.pick(['rider', 'driver', 'fleetadmin', 'admin']),
    firstName: 'Attack',
    lastName: hostileText(r),
    email: `attack${numbered(r)}@example.com`,
    mobile: `+1889${numbered(r).slice(0, 7)}`,
    ...(r.chance(0.5) && { approved: true }),
    fleetadmin: s.user(r),
    carType: s.carType(r),
    profile_image: hostileText(r),
  }),
  // One may delete oneself, and every attacker is still needed.
  delete_user: (s, r) => ({ id: s.other(r) }),
  share_booking: (s, r) => ({
    booking_id: s.booking(r),
    hours: r.whole(-1, 100),
    ...(r.chance(0.5) && { revoke: s.share(r) }),
  }),
  export_bookings: (s, r) => ({ cursor: s.booking(r), limit: r.whole(-1, 900), from: 0 }),
  broadcast_notification: (_, r) => ({
    notification_id: pushKey(r),
    title: hostileText(r),
    body: hostileText(r),
    usertype: 'All',
    devicetype: 'All',
  }),
  setup: (_, r) => ({
    mobile: `+1889${numbered(r).slice(0, 7)}`,
    country: 'Uruguay',
    restrictCountry: 'UY',
    timezone: hostileText(r),
  }),
  run_sweep: () => ({}),
}

const POSTED: Readonly<Record<string, Made>> = {
  send_notification: (s, r) => ({
    token: s.pushToken(r),
    title: hostileText(r),
    msg: hostileText(r),
    screen: 'BookedCab',
    params: { [r.pick(['a', 'a/b', '.sv', '__proto__'])]: hostileText(r) },
    booking_id: s.booking(r),
  }),
  validate_referrer: (_, r) => ({ referralId: hostileText(r) }),
  check_user_exists: (_, r) => ({ email: hostileText(r), mobile: hostileText(r) }),
  user_signup: (s, r) => ({
    usertype: r.pick(['rider', 'driver', 'admin', 'fleetadmin']),
    firstName: 'Attack',
    lastName: 'Signup',
    email: `attack${numbered(r)}@example.com`,
    mobile: `+1889${numbered(r).slice(0, 7)}`,
    referralId: hostileText(r),
    approved: true,
    walletBalance: 1000,
    carType: s.carType(r),
  }),
  'googleapis-getaddress': () => ({ latlng: '-34.9,-56.1' }),
  'googleapis-getdirections': (_, r) => ({
    start: '-34.9055,-56.1913',
    dest: r.pick(['-34.8721,-56.1480', '9'.repeat(400) + ',1', '90,180']),
    waypoints: hostileText(r),
  }),
  'googleapis-autocomplete': (_, r) => ({
    searchKeyword: r.pick(['18 de Julio', hostileText(r)]),
    near: '-34.9,-56.1',
    language: hostileText(r),
  }),
  'googleapis-getcoords': (_, r) => ({ place_id: hostileText(r) }),
  'googleapis-getdistancematrix': (_, r) => ({
    start: r.pick(['-34.9,-56.1', '1,1|'.repeat(900)]),
    dest: r.pick(['-34.9,-56.1|-34.8,-56.2', hostileText(r)]),
  }),
}
const MAPS_KEY = `Basic ${btoa('kerbside:maps')}`

const FETCHED = ['get_providers', 'track', 'health'] as const
const PAID = [
  ...['test', 'paypal', 'stripe', 'braintree', 'paytm', 'payulatam', 'flutterwave', 'paystack'],
  ...['securepay', 'payfast', 'liqpay', 'culqi', 'mercadopago'],
]

/** Every door of the functions, by name. */
export const DOORS: readonly string[] = [
  ...Object.keys(CALLABLES),
  ...Object.keys(POSTED),
  ...FETCHED,
  ...PAID.map((provider) => `pay_${provider}`),
  'payment_return',
  'payment_webhook',
]
/** Each process of a function takes a while to start: the small attack leaves out the doors built like others. */
export const FEW_DOORS = DOORS.filter((name) => !/^pay_(?!test$|stripe$)/.test(name))

const formOf = (fields: { [key: string]: Json }): Buffer =>
  Buffer.from(
    new URLSearchParams(
      Object.entries(fields).map(([name, value]): [string, string] => [
        wellFormed(name),
        typeof value === 'string' ? wellFormed(value) : textOf(value),
      ]),
    ).toString(),
  )

const queryOf = (random: Random, fields: { [key: string]: Json }): string =>
  random.chance(0.2)
    ? random.pick([
        '?token[]=a&token[]=b',
        '?token[__proto__][x]=1',
        '?__proto__=1&constructor[prototype]=1',
        '?token=%zz',
        '?token=%00',
        '?' + 'a=1&'.repeat(2000),
        '?token=' + 'x'.repeat(9000),
        '?payment[a]=1',
        '??&&==',
      ])
    : `?${formOf(fields).toString()}`

const TAILS = ['/', '//', '/..', '/%2e%2e', '/%00', '/%zz', '/a/b/c', ';x', '/__proto__', '//[']

const credentials = (
  random: Random,
  name: string,
  { kind, uid, token }: Attacker,
): { Authorization?: string } => {
  if (name.startsWith('googleapis-') && random.chance(0.6)) return { Authorization: MAPS_KEY }
  // The emulator lets a callable's token through unread, so bad ones are for the plain endpoints only.
  if (kind === 'visitor' && name in POSTED && random.chance(0.3))
    return { Authorization: `Bearer ${random.pick(badTokens(uid ?? 'seed-admin'))}` }
  if (random.chance(0.01))
    return { Authorization: random.pick(['Basic x', 'Bearer', 'bearer ', 'x'.repeat(7000)]) }
  return token === null ? {} : { Authorization: `Bearer ${token}` }
}

/** One hostile request to a door of the functions. */
export const atDoor = (
  random: Random,
  name: string,
  attacker: Attacker,
  spoils: Spoils,
  port: number,
): Asked => {
  const address = () => random.whole(1, 254)
  const headers: Record<string, string> = {
    // Another address each time, or the limits would be all that is tested.
    'X-Forwarded-For': `10.${address()}.${address()}.${address()}`,
    ...credentials(random, name, attacker),
    ...(random.chance(0.05) && { Origin: random.pick(['https://evil.example', 'null', '*']) }),
  }
  let path = `/${PROJECT}/us-central1/${name}`
  if (random.chance(0.03)) path += random.pick(TAILS)
  const wrong = random.chance(0.04)
    ? random.pick(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD', 'PROPFIND'])
    : undefined
  if ((FETCHED as readonly string[]).includes(name)) {
    const fields = twist(random, {
      token: random.pick([spoils.share(random), hostileText(random)]),
    })
    return { port, method: wrong ?? 'GET', path: path + queryOf(random, asFields(fields)), headers }
  }
  const callable = CALLABLES[name]
  if (callable) {
    const data = callable(spoils, random)
    let twisted = random.chance(0.25) ? data : twist(random, data)
    // Without an id, deleting would be deleting himself.
    if (name === 'delete_user' && !('id' in asFields(twisted))) twisted = data
    const whole: Json = { data: twisted }
    const sent = random.chance(0.05) && name !== 'delete_user' ? twist(random, whole) : whole
    const { bytes, type } = bodyOf(random, sent)
    return { port, method: wrong ?? 'POST', path, headers: typed(headers, type), body: bytes }
  }
  const posted = POSTED[name]
  if (posted) {
    const data = posted(spoils, random)
    const { bytes, type } = bodyOf(random, random.chance(0.25) ? data : twist(random, data))
    return { port, method: wrong ?? 'POST', path, headers: typed(headers, type), body: bytes }
  }
  return atPayment(random, name, { path, headers, port, ...(wrong && { method: wrong }) }, spoils)
}

const typed = (headers: Record<string, string>, type: string | undefined) =>
  type === undefined ? headers : { ...headers, 'Content-Type': type }
const asFields = (value: Json): { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : { value }

const atPayment = (
  random: Random,
  name: string,
  begun: Omit<Asked, 'method'> & { method?: string },
  spoils: Spoils,
): Asked => {
  const { method = 'POST' } = begun
  if (name === 'payment_return') {
    const query = queryOf(random, {
      payment: random.pick([spoils.payment(random), hostileText(random)]),
      hint: hostileText(random),
      next: 'https://evil.example/',
    })
    const path = `${begun.path}/${random.pick(['test', 'paypal', '__proto__', 'constructor'])}${query}`
    return { ...begun, path, method: random.chance(0.5) ? 'GET' : method }
  }
  if (name === 'payment_webhook') {
    const path = `${begun.path}/${random.pick([...PAID, '__proto__', '..'])}`
    const { bytes, type } = bodyOf(
      random,
      twist(random, { payment: spoils.payment(random), status: 'paid', amount: 1, ref: 'x' }),
    )
    const headers = typed({ ...begun.headers, 'X-Signature': hostileText(random) }, type)
    return { ...begun, path, method, headers, body: bytes }
  }
  const form = twist(random, {
    order_id: random.pick([spoils.payment(random), spoils.booking(random), hostileText(random)]),
    // Who knows both the order and its payer may open its page, so he knows only one of them.
    cust_id: spoils.attacker(random),
    amount: '0.01',
    step: random.pick(['card', 'code', hostileText(random)]),
    choice: random.pick(['pay', 'decline', '__proto__']),
  })
  const headers = typed(begun.headers ?? {}, 'application/x-www-form-urlencoded')
  return { ...begun, method, headers, body: formOf(asFields(form)) }
}
