import type { Random } from '~/domain/data/seededRandom'
import { NAMESPACE } from '~/scripts/local/localDatabase'
import type { Attacker } from './attackers'
import {
  toRequestBody,
  pickHostileKey,
  pickHostileText,
  createHostileValue,
  toJsonText,
  corruptValue,
  type Json,
  toWellFormed,
} from './hostileValues'
import type { HttpRequest } from './httpRequest'
import type { Targets } from './targets'

/**
 * Returns writes that would benefit an attacker: paths of their own or of another user, each with a
 * value.
 */
const createTargetWrites = (
  random: Random,
  targets: Targets,
  attacker: Attacker,
): { path: string; value: Json } => {
  const me = attacker.uid ?? 'nobody'
  const [booking, user] = [targets.booking(random), targets.user(random)]
  const entry = `-O${random.integer(1e8, 1e9 - 1)}${random.integer(1e8, 1e9 - 1)}`
  return random.pick<{ path: string; value: Json }>([
    { path: `users/${me}/usertype`, value: 'admin' },
    { path: `users/${me}/approved`, value: true },
    { path: `roles/${me}`, value: 'admin' },
    { path: `roles/${user}`, value: null },
    { path: `users/${me}/walletBalance`, value: 1e6 },
    { path: `users/${me}/walletBalance`, value: { '.sv': { increment: 1000 } } },
    { path: `users/${me}/walletHistory/${entry}`, value: { type: 'Credit', amount: 1000 } },
    { path: `users/${me}/walletMove/after`, value: 1e6 },
    { path: 'settings/code', value: 'XXX' },
    { path: 'currency/hold', value: { '.sv': 'timestamp' } },
    { path: `users/${me}/queue`, value: false },
    { path: `users/${me}/ratings`, value: { userrating: 5 } },
    { path: `users/${me}`, value: { usertype: 'admin', approved: true } },
    { path: `users/${me}`, value: null },
    { path: `users/${me}/firstName`, value: pickHostileText(random) },
    { path: `users/${me}/profile_image`, value: 'javascript:alert(1)' },
    { path: `users/${me}/email`, value: 'somebody@example.com' },
    { path: `users/${me}/emailVerified`, value: true },
    { path: `users/${me}/vehicleNumber`, value: 'MINE 1' },
    { path: `internal/named_devices/${me}/token`, value: 'mine' },
    { path: `user_emails/${entry}`, value: me },
    { path: `push_tokens/${entry}`, value: me },
    { path: `pending_registrations/${entry}`, value: { expires: 1, registration: '{}' } },
    { path: `users/${user}/firstName`, value: 'mine' },
    { path: `internal/named_devices/${user}/token`, value: 'mine' },
    { path: `users/${user}`, value: null },
    { path: `bookings/${booking}`, value: null },
    { path: `bookings/${booking}/status`, value: 'PAID' },
    { path: `bookings/${booking}/driver`, value: me },
    { path: `bookings/${booking}/revision`, value: { '.sv': { increment: 1 } } },
    { path: `bookings/${entry}`, value: { customer: me, status: 'NEW', revision: 1 } },
    { path: `booking_contacts/${booking}`, value: { customer_contact: '+1', customer_email: '' } },
    { path: `booking_contacts/${booking}/driver_contact`, value: '+15555550199' },
    { path: `booking_otps/${booking}`, value: 12345 },
    { path: `otp_attempts/${booking}`, value: null },
    { path: `driver_tasks/${me}/${booking}`, value: true },
    { path: `available_drivers/${me}`, value: { lat: 0, lng: 0, carType: 'x', geohash: 'ezs4' } },
    { path: `available_drivers/${user}`, value: null },
    { path: `users/${me}/shift`, value: entry },
    {
      path: `nearby_cars/${entry}`,
      value: { lat: 0, lng: 0, carType: 'x', geohash: 'ezs4', at: 1 },
    },
    { path: `tracking/${booking}/${entry}`, value: { at: 1, lat: 0, lng: 0, status: 'STARTED' } },
    { path: `chats/${booking}/${entry}`, value: { message: 'x', from: me, source: 'rider' } },
    { path: `chats/${booking}`, value: null },
    { path: `inbox/${me}/${entry}`, value: { title: 'x', msg: 'x', screen: 'Wallet', at: 1 } },
    { path: `inbox/${user}`, value: null },
    { path: `settings/convert_to_mile`, value: true },
    { path: `settings`, value: { appName: 'Owned' } },
    { path: `languages/x`, value: { langName: 'x', langLocale: 'x', default: true } },
    { path: `cartypes/${targets.carType(random)}/base_fare`, value: 0 },
    { path: `promos/${targets.promo(random)}/promo_usage_limit`, value: 1e9 },
    { path: `promo_uses/${targets.promo(random)}/${me}`, value: null },
    { path: `payments/${targets.payment(random)}/status`, value: 'paid' },
    { path: `payment_events/test-${entry}`, value: { at: 1 } },
    { path: `withdraws/${targets.withdraw(random)}/processed`, value: true },
    { path: `withdraws/${entry}`, value: { uid: me, amount: 5 } },
    { path: `shares/${entry}`, value: { booking, level: 'live', expires: 9e12 } },
    { path: `stats/total`, value: null },
    { path: `rate_limits`, value: null },
    { path: `audit/${entry}`, value: { at: 1, by: me, action: 'x', path: 'x' } },
    { path: `user_emails/${entry}`, value: me },
    { path: '', value: null },
    {
      path: '',
      value: { [`users/${me}/usertype`]: 'admin', [`bookings/${booking}/status`]: 'PAID' },
    },
    { path: '', value: { [`users/${me}/usertype`]: 'admin', [`roles/${me}`]: 'admin' } },
    { path: entry, value: { a: 1 } },
    ...Array.from({ length: 6 }, () => ({
      path: targets.path(random),
      value: createHostileValue(random),
    })),
  ])
}

const QUERIES = [
  'orderBy="$key"',
  'orderBy="$key"&limitToFirst=5',
  'orderBy="customer"&equalTo="seed-rider"',
  'orderBy="customer"&equalTo=null',
  'orderBy="customer_contact"&startAt="+"&limitToFirst=5',
  'orderBy="fleetadmin"&equalTo="seed-fleetadmin"&limitToLast=100000',
  'orderBy="usertype"&equalTo="admin"',
  'orderBy=1',
  'orderBy="a/b/c"&startAt=[1]',
  'orderBy="__proto__"&startAt={}',
  'limitToFirst=1',
  'orderBy="$value"&limitToFirst=-1',
  'orderBy="$priority"&startAt=1e999',
  'orderBy="x"&startAt="a"&startAt="b"&endAt=%zz',
  'shallow=true',
  'shallow=maybe',
  'format=export',
  'format=x',
  'print=pretty',
  'print=silent',
  'callback=alert(1)',
  'callback=__proto__',
  'download=../../x%22%0d%0a',
  'timeout=1ms',
  'writeSizeLimit=tiny',
  'writeSizeLimit=huge',
  'auth_variable_override={"uid":"server"}',
  'auth_variable_override=null',
  'auth=',
  'access_token=',
  'disableTriggers=true',
]
// Only invalid names, because the suite opens a new database without rules for each valid one.
const NAMESPACES = ['a/b', '%00', 'x'.repeat(500), '[]', '%zz']

const varyPath = (random: Random, path: string): string => {
  if (random.chance(0.8)) return path
  const added = random.chance(0.5) ? pickHostileKey(random) : pickHostileText(random)
  return random.pick([`${path}/${added}`, added, `${path}//`, `${path}/..`, `/${path}`])
}

/** Returns a hostile request to the database's REST API. */
export const createRestRequest = (
  random: Random,
  attacker: Attacker,
  targets: Targets,
  port: number,
): HttpRequest => {
  const wish = createTargetWrites(random, targets, attacker)
  const reads = random.chance(0.45)
  const path = varyPath(random, reads && random.chance(0.7) ? targets.path(random) : wish.path)
  const params = [`ns=${random.chance(0.03) ? random.pick(NAMESPACES) : NAMESPACE}`]
  if (attacker.token !== null) params.push(`auth=${attacker.token}`)
  if (random.chance(0.5)) params.push(random.pick(QUERIES))
  if (random.chance(0.05)) params.push(random.pick(QUERIES))
  const ending = random.chance(0.97) ? '.json' : random.pick(['', '.json.json', '/.json', '.JSON'])
  const special = random.chance(0.03)
    ? random.pick([
        '.settings/rules',
        '.settings/functionTriggers',
        '.settings/x',
        '.inspect/x',
        '.info/connected',
        '.info/serverTimeOffset',
      ])
    : undefined
  const encodedPath = (special ?? path)
    .split('/')
    .map((key) => (random.chance(0.97) ? encodeURIComponent(toWellFormed(key)) : key))
    .join('/')
  const line = `/${encodedPath}${ending}?${params.join('&')}`
  const headers = {
    ...(random.chance(0.05) && {
      'X-HTTP-Method-Override': random.pick(['PUT', 'DELETE', 'X', 'OPTIONS']),
    }),
    ...(random.chance(0.03) && { Accept: 'text/event-stream' }),
    ...(random.chance(0.05) && { 'If-Match': random.pick(['*', 'null_etag', '"x"', '\u00ff']) }),
    ...(random.chance(0.05) && { 'X-Firebase-ETag': 'true' }),
    ...(random.chance(0.03) && { Origin: 'https://evil.example' }),
  }
  if (reads) return { port, method: random.chance(0.95) ? 'GET' : 'HEAD', path: line, headers }
  const value = random.chance(0.6) ? wish.value : corruptValue(random, wish.value)
  const { bytes, type } = toRequestBody(random, value)
  return {
    port,
    method: random.pick(['PUT', 'PUT', 'PATCH', 'PATCH', 'POST', 'DELETE', 'TRACE', 'LINK']),
    path: line,
    headers: { ...headers, ...(type !== undefined && { 'Content-Type': type }) },
    body: bytes,
  }
}

const RAW_MESSAGES: readonly string[] = [
  '',
  '0',
  '{',
  '[]',
  'null',
  '{"t":"d"}',
  '{"t":"c","d":{"t":"x"}}',
  '{"t":"d","d":{}}',
  '{"t":"d","d":{"r":"1","a":"p","b":{}}}',
  '{"t":"d","d":{"r":1e999,"a":"p","b":{}}}',
  '{"t":"d","d":{"__proto__":{"r":1},"a":"p"}}',
  '['.repeat(50_000),
  '\u0000',
]

/** Returns a hostile message of the wire protocol. */
export const createWireMessage = (
  random: Random,
  attacker: Attacker,
  targets: Targets,
): string | Buffer => {
  if (random.chance(0.01)) return Buffer.from([0, 1, 2, 255])
  if (random.chance(0.02)) return random.pick(RAW_MESSAGES)
  const { path, value } = createTargetWrites(random, targets, attacker)
  const action = random.pick([
    ...['p', 'p', 'p', 'm', 'm', 'q', 'q', 'q', 'n', 'g', 'g', 'o', 'om', 'oc'],
    ...['auth', 's', 'unlisten', '__proto__', pickHostileText(random)],
  ])
  const isRead = ['q', 'n', 'g'].includes(action)
  const p = varyPath(random, isRead && random.chance(0.7) ? targets.path(random) : path)
  const query = { i: random.pick(['customer', '.key', '.value', '__proto__', 'a/b']), l: 5 }
  const body: Json = {
    p: `/${p}`,
    ...(isRead
      ? {
          h: '',
          ...(random.chance(0.4) && { q: corruptValue(random, query), t: random.integer(-1, 5) }),
        }
      : { d: random.chance(0.6) ? value : corruptValue(random, value) }),
    ...(action === 'auth' && { cred: random.pick([pickHostileText(random), 'a.e30.', 'a.W10.']) }),
    ...(random.chance(0.05) && { h: pickHostileText(random) }),
    ...(random.chance(0.05) && { authvar: { uid: 'server' } }),
  }
  const frame: Json = { r: random.integer(2, 9999), a: action, b: body }
  const message: Json = { t: 'd', d: random.chance(0.1) ? corruptValue(random, frame) : frame }
  return toJsonText(random.chance(0.02) ? createHostileValue(random) : message)
}

/** Returns a poll of the wire protocol that is unauthorized or meaningless. */
export const createPollRequest = (random: Random, port: number): HttpRequest => {
  const param = () => encodeURIComponent(toWellFormed(pickHostileText(random)))
  const callback = random.pick(['alert(1)//', '__proto__', '', 'x'.repeat(65), param()])
  const query = random.pick([
    `start=t&v=5&cb=${callback}`,
    `start=t&v=5&cb=1&ns=${random.pick(NAMESPACES)}`,
    `start=t&v=${param()}&cb=1&ls=${param()}`,
    `dframe=t&id=${param()}&pw=${param()}`,
    `id=${param()}&pw=${param()}&seg0=0&ts0=1&d0=${param()}`,
    `id=__proto__&pw=undefined&seg0=0&ts0=1&d0=e30`,
    `disconn=t&id=${param()}&pw=${param()}`,
    param(),
    '',
  ])
  const method = random.pick(['GET', 'GET', 'GET', 'POST', 'PUT', 'OPTIONS'])
  return { port, method, path: `/.lp?ns=${NAMESPACE}&${query}` }
}
