import {
  STATUSES,
  type Booking,
  type BusyDriver,
  type Promo,
  type Settings,
  type Status,
  type User,
  type Withdraw,
} from './entities'
import { averageRate } from './booking/rating'
import { toMinor } from './money'
import { paymentViolations, type PaymentTree } from './payments/violations'
import { recount } from './stats'
import { balanceOf, signed } from './wallet'

/** The database, as much of it as the invariants are about. */
export interface DatabaseTree {
  settings?: Settings
  users?: Record<string, User>
  bookings?: Record<string, Booking>
  promos?: Record<string, Promo>
  promo_uses?: Record<string, Record<string, string>>
  driver_tasks?: Record<string, Record<string, true>>
  busy_drivers?: Record<string, BusyDriver>
  withdraws?: Record<string, Withdraw>
  stats?: Record<string, unknown>
  payments?: PaymentTree['payments']
  payment_events?: PaymentTree['payment_events']
}

/** The statuses in which a booking keeps its driver busy. */
export const BUSY_STATUSES: readonly Status[] = ['ACCEPTED', 'ARRIVED', 'STARTED', 'REACHED']

type Facts = Required<Pick<DatabaseTree, 'users' | 'bookings' | 'promos' | 'promo_uses'>> &
  DatabaseTree & { decimal: number; timezone: string }

/** Entries are added up as they were written, even if the settings have fewer decimals now. */
const EXACT = 6
/** Equal to the minor unit; the last bits of a float that was incremented often don't count. */
const isSame = (a: number, b: number, decimal: number): boolean => toMinor(a - b, decimal) === 0

const wallets = ({ users, decimal }: Facts): string[] =>
  Object.entries(users).flatMap(([uid, { walletBalance = 0, walletHistory }]) => {
    const history = balanceOf(walletHistory, EXACT)
    return isSame(walletBalance, history, decimal)
      ? []
      : [`users/${uid}: the balance is ${walletBalance}, its history adds up to ${history}`]
  })

/** What a booking, as it is, must have moved in wallets: [uid, key after the booking's id, signed amount]. */
const movedBy = (booking: Booking): [string | undefined, string, number][] => {
  const { customer, driver, status, paymentPacket: packet, cancellationFee = 0 } = booking
  const wallet = packet?.usedWalletMoney ?? 0
  const paidOut = status === 'PAID' || status === 'COMPLETE'
  const cancelled = status === 'CANCELLED'
  return [
    [customer, 'wallet', -wallet],
    [customer, 'refund', cancelled ? wallet + (packet?.cardPaymentAmount ?? 0) : 0],
    [customer, 'cancel-fee', cancelled ? -cancellationFee : 0],
    [driver, 'share', paidOut ? booking.driver_share : 0],
    [driver, 'cash', paidOut ? -(packet?.cashPaymentAmount ?? 0) : 0],
  ]
}

const ledger = ({ users, bookings, decimal }: Facts): string[] =>
  Object.values(bookings).flatMap((booking) =>
    movedBy(booking).flatMap(([uid = '', key, must]) => {
      const user = users[uid]
      // Who has left has no wallet any more.
      if (!user) return []
      const keys = key === 'wallet' ? [key, `rest-${key}`] : [key]
      const entries = keys.flatMap((k) => user.walletHistory?.[`${booking.id}-${k}`] ?? [])
      const moved = entries.reduce((total, entry) => total + signed(entry), 0)
      return isSame(moved, must, decimal)
        ? []
        : [`users/${uid}: ${booking.id}-${key} moved ${moved}, the booking says ${must}`]
    }),
  )

/** What was asked for has left the wallet, and nothing else has. */
const asked = ({ users, withdraws = {}, decimal }: Facts): string[] => [
  ...Object.entries(withdraws).flatMap(([id, { uid, amount }]) => {
    const user = users[uid]
    if (!user) return []
    const entry = user.walletHistory?.[`${id}-withdraw`]
    return entry && isSame(entry.amount, amount, decimal)
      ? []
      : [`withdraws/${id}: ${amount} asked for, ${entry?.amount ?? 0} left users/${uid}`]
  }),
  ...Object.entries(users).flatMap(([uid, { walletHistory = {} }]) =>
    Object.entries(walletHistory)
      .filter(([key, { type }]) => type === 'Withdraw' && !withdraws[key.replace(/-withdraw$/, '')])
      .map(([key]) => `users/${uid}: ${key} left without a request`),
  ),
]

const amountsIn = (value: unknown, path: string, found: Map<string, number>) => {
  if (typeof value === 'number') found.set(path, value)
  else if (typeof value === 'object' && value !== null)
    for (const [key, child] of Object.entries(value)) amountsIn(child, `${path}/${key}`, found)
}

const totals = ({ stats = {}, bookings, decimal, timezone }: Facts): string[] => {
  const kept = new Map<string, number>()
  amountsIn(stats, 'stats', kept)
  const counted = recount(Object.values(bookings), timezone)
  const paths = new Set([...kept.keys(), ...Object.keys(counted)])
  return [...paths].flatMap((path) => {
    // The year of a driver's row is a label, not an amount.
    if (path.endsWith('/year')) return []
    const says = kept.get(path) ?? 0
    const is = counted[path] ?? 0
    return isSame(says, is, decimal) ? [] : [`${path} says ${says}, a recount ${is}`]
  })
}

const queues = ({ users, bookings, busy_drivers = {} }: Facts): string[] => {
  const busyWith = new Map<string, string[]>()
  for (const [id, { status, driver }] of Object.entries(bookings))
    if (driver && BUSY_STATUSES.includes(status))
      busyWith.set(driver, [...(busyWith.get(driver) ?? []), id])
  const doubled = [...busyWith]
    .filter(([, ids]) => ids.length > 1)
    .map(([uid, ids]) => `users/${uid} is in ${ids.length} active bookings: ${ids.join(', ')}`)
  const flags = Object.entries(users)
    .filter(([, { usertype }]) => usertype === 'driver')
    .filter(([uid, { queue }]) => (queue === true) !== busyWith.has(uid))
    .map(
      ([uid, { queue }]) =>
        `users/${uid}: queue is ${String(queue)}, active booking: ${busyWith.get(uid)?.[0] ?? 'none'}`,
    )
  const listed = Object.entries(busy_drivers)
    .filter(([uid, { booking }]) => !busyWith.get(uid)?.includes(booking))
    .map(([uid, { booking }]) => `busy_drivers/${uid}: he is not on ${booking}`)
  return [...doubled, ...flags, ...listed]
}

const promoUses = ({ promos, promo_uses, bookings }: Facts): string[] => [
  ...Object.entries(promos).flatMap(([id, { user_avail = 0, promo_usage_limit }]) => {
    const uses = Object.keys(promo_uses[id] ?? {}).length
    return [
      ...(uses === user_avail ? [] : [`promos/${id}: counted ${user_avail}, used ${uses}`]),
      ...(user_avail <= promo_usage_limit ? [] : [`promos/${id}: ${user_avail} over its limit`]),
    ]
  }),
  ...Object.entries(promo_uses).flatMap(([promo, uses]) =>
    Object.entries(uses).flatMap(([uid, id]) => {
      const booking = bookings[id]
      const holds =
        booking?.customer === uid &&
        booking.promo_details?.id === promo &&
        booking.status !== 'CANCELLED'
      return holds ? [] : [`promo_uses/${promo}/${uid}: booking ${id} does not hold it`]
    }),
  ),
]

const ratings = ({ users }: Facts): string[] =>
  Object.entries(users).flatMap(([uid, { ratings: given }]) => {
    if (!given) return []
    const rates = Object.values(given.details ?? {}).map(({ rate }) => rate)
    const count = given.count ?? rates.length
    return given.userrating === averageRate(rates) && count === rates.length
      ? []
      : [
          `users/${uid}: rated ${given.userrating} of ${count}, its ${rates.length} ratings say else`,
        ]
  })

const tasks = ({ driver_tasks = {}, bookings }: Facts): string[] => {
  const listed = Object.entries(driver_tasks).flatMap(([uid, ids]) =>
    Object.keys(ids).map((id) => `${uid}/${id}`),
  )
  const requested = Object.entries(bookings).flatMap(([id, { requestedDrivers = {} }]) =>
    Object.keys(requestedDrivers).map((uid) => `${uid}/${id}`),
  )
  const asked = new Set(requested)
  const told = new Set(listed)
  return [
    ...listed.filter((one) => !asked.has(one)).map((one) => `driver_tasks/${one}: not requested`),
    ...requested.filter((one) => !told.has(one)).map((one) => `driver_tasks/${one} is missing`),
  ]
}

const paid = ['paid_at', 'customer_paid', 'payment_mode', 'paymentPacket'] as const
/** What a booking must have, once it is in a status. */
const REQUIRED: Record<Status, readonly (keyof Booking)[]> = {
  PAYMENT_PENDING: [],
  NEW: [],
  ACCEPTED: ['driver', 'accepted_at'],
  ARRIVED: ['driver', 'accepted_at', 'driver_arrive_time'],
  STARTED: ['driver', 'driver_arrive_time', 'startTime', 'trip_start_time'],
  REACHED: ['driver', 'startTime', 'endTime', 'trip_end_time', 'total_trip_time'],
  PENDING: ['driver', 'startTime', 'endTime', 'total_trip_time'],
  PAID: ['driver', 'endTime', ...paid],
  COMPLETE: ['driver', 'endTime', 'rating', ...paid],
  CANCELLED: ['reason', 'cancelledBy', 'cancelled_at'],
}

const packets = ({ id, trip_cost, paymentPacket: p }: Booking, decimal: number): string[] => {
  if (!p) return []
  const minor = (amount: number) => toMinor(amount, decimal)
  const sources = minor(p.usedWalletMoney) + minor(p.cardPaymentAmount) + minor(p.cashPaymentAmount)
  const adds =
    minor(trip_cost) === minor(p.customer_paid) + minor(p.discount_amount) &&
    minor(p.customer_paid) === sources
  return adds ? [] : [`bookings/${id}: the payment packet does not add up`]
}

const bookingFacts = ({ bookings, decimal }: Facts): string[] =>
  Object.entries(bookings).flatMap(([id, booking]) => {
    if (!STATUSES.includes(booking.status)) return [`bookings/${id}: status ${booking.status}`]
    const missing = REQUIRED[booking.status].filter((field) => booking[field] === undefined)
    const logged = Object.values(booking.event_log ?? {}).map(({ revision }) => revision)
    const asksNobody = booking.status === 'NEW' || !booking.requestedDrivers
    return [
      ...missing.map((field) => `bookings/${id} is ${booking.status} without ${field}`),
      ...(asksNobody ? [] : [`bookings/${id} is ${booking.status} and still asks drivers`]),
      ...(booking.revision >= Math.max(logged.length, ...logged)
        ? []
        : [`bookings/${id}: revision ${booking.revision}, ${logged.length} events`]),
      ...(new Set(logged).size === logged.length
        ? []
        : [`bookings/${id}: two events of one revision`]),
      ...packets(booking, decimal),
    ]
  })

/**
 * What is wrong in a database, in sentences; none when it is sound: every balance is the sum of its history, every booking
 * moved exactly the money it says, every withdraw left its wallet, totals equal a
 * recount, no driver is in two active bookings and his queue flag and the list of busy drivers say so, promo
 * counts are their uses, a driver's rating is the mean of his ratings, driver tasks are the requests, revisions cover the logged events, payment packets add up, each status has what it requires,
 * each paid payment moved its money once.
 */
export const violations = (tree: DatabaseTree): string[] => {
  const facts: Facts = {
    ...tree,
    users: tree.users ?? {},
    bookings: tree.bookings ?? {},
    promos: tree.promos ?? {},
    promo_uses: tree.promo_uses ?? {},
    decimal: tree.settings?.decimal ?? 2,
    timezone: tree.settings?.timezone ?? 'UTC',
  }
  return [
    ...[wallets, ledger, asked, totals, queues, promoUses, ratings, tasks, bookingFacts].flatMap(
      (check) => check(facts),
    ),
    ...paymentViolations(tree),
  ]
}
