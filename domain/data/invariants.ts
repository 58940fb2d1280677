import { findBonusViolations } from '../bonuses/bonusViolations'
import type { PendingBonus } from '../bonuses/pendingBonus'
import { canBeFollowed } from '../booking/offers/followOn'
import { countOpenByCustomer, isOpenStatus } from '../booking/limits/openBookingLimits'
import { findStopViolations } from '../booking/stops/stopViolations'
import type { HelpCase } from '../help/helpCase'
import { LEGACY_CONTACT_FIELDS } from '../migrations/bookingContacts'
import { MAX_DECIMALS, roundAmount, sumAmounts, toMinorUnits } from '../money/money'
import { getDecimals } from '../payments/currencyUnits'
import { findBookingPaymentViolations } from '../payments/accountViolations'
import {
  findPayerViolations,
  findPaymentViolations,
  type PaymentTree,
} from '../payments/paymentViolations'
import {
  findLeftTexts,
  findLoggedWords,
  findPersonalData,
} from '../accounts/personalDataViolations'
import { getRoles } from '../access/roles'
import {
  createTotalsCounter,
  getCurrencyAt,
  toStatsSettings,
  type StatsSettings,
} from '../money/stats'
import { sumWalletHistory, toSignedAmount } from '../money/wallet'
import { isReviewOpen } from '../booking/events/review/openReview'
import { calculateAverageRating } from '../booking/events/rate/run'
import {
  STATUSES,
  type Booking,
  type BookingContacts,
  type BookingNote,
  type FareReview,
  type OpenBookings,
  type Status,
} from '../booking/types'
import type { AvailableDriver, BusyDriver, NearbyCar } from '../dispatch/types'
import type { ClosedAccount, DirectoryEntry, User } from '../accounts/types'
import type { Currency, EndedCurrencies, Promo, Settings } from '../catalog/types'
import type { Withdrawal } from '../money/types'

/** The parts of the database that the invariants check. */
export interface DatabaseTree {
  settings?: Settings
  currency?: { hold?: number; ended?: EndedCurrencies }
  users?: Record<string, User>
  people?: Record<string, DirectoryEntry>
  roles?: Record<string, string>
  bookings?: Record<string, Booking>
  booking_refs?: Record<string, string>
  booking_contacts?: Record<string, BookingContacts>
  booking_notes?: Record<string, Record<string, BookingNote>>
  'internal/help_cases'?: Record<string, HelpCase>
  'internal/pending_bonuses'?: Record<string, PendingBonus>
  promos?: Record<string, Promo>
  promo_uses?: Record<string, Record<string, string>>
  driver_tasks?: Record<string, Record<string, true>>
  busy_drivers?: Record<string, BusyDriver>
  fare_reviews?: Record<string, FareReview>
  available_drivers?: Record<string, AvailableDriver>
  nearby_cars?: Record<string, NearbyCar>
  open_bookings?: Record<string, Partial<OpenBookings>>
  withdraws?: Record<string, Withdrawal>
  closed_accounts?: Record<string, ClosedAccount>
  stats?: Record<string, unknown>
  internal?: Record<string, unknown>
  payments?: PaymentTree['payments']
  payment_events?: PaymentTree['payment_events']
}

/** Statuses in which a booking keeps its driver busy. */
export const BUSY_STATUSES: readonly Status[] = ['ACCEPTED', 'ARRIVED', 'STARTED', 'REACHED']

type CheckedData = Required<Pick<DatabaseTree, 'users' | 'bookings' | 'promos' | 'promo_uses'>> &
  DatabaseTree & {
    /** Returns the currency at a time (ms). */
    findCurrency: (at: number) => Currency
    /**
     * Returns true when all records of a key are present, because a check may receive only a part
     * of a database.
     */
    hasAllRecords(key: string): boolean
  }

/** Formats an amount and keeps the sign of negative zero, which plain text conversion drops. */
const formatAmount = (amount: number): string => (Object.is(amount, -0) ? '-0' : `${amount}`)

const hasValidDecimals = (amount: number, decimal: number): boolean =>
  Object.is(amount, roundAmount(amount, decimal))

const checkWalletBalances = ({ users, findCurrency }: CheckedData): string[] =>
  Object.entries(users).flatMap(([uid, { walletBalance = 0, walletHistory = {} }]) => {
    const history = sumWalletHistory(walletHistory)
    return [
      ...(Object.is(walletBalance, history)
        ? []
        : [
            `users/${uid}: the balance is ${formatAmount(walletBalance)}, its history adds up to ${history}`,
          ]),
      ...(hasValidDecimals(walletBalance, findCurrency(Infinity).decimal)
        ? []
        : [`users/${uid}: the balance ${formatAmount(walletBalance)} has too many digits`]),
      ...Object.entries(walletHistory)
        .filter(([, { amount, date }]) => !hasValidDecimals(amount, findCurrency(date).decimal))
        .map(
          ([key, { amount }]) => `users/${uid}: ${key} is ${formatAmount(amount)}, too many digits`,
        ),
    ]
  })

/**
 * Checks that the last write to each wallet, as recorded, is in the history and led to the balance.
 */
const checkLastWalletWrites = ({ users }: CheckedData): string[] =>
  Object.entries(users).flatMap(([uid, { walletBalance = 0, walletHistory = {}, walletMove }]) => {
    if (!walletMove) return []
    const { scale, before, after, slots } = walletMove
    const entries = Object.values(slots)
    const moved = entries.reduce((total, { units }) => total + units, before)
    const entered = entries.every(({ entry, units }) => {
      const found = walletHistory[entry]
      return found !== undefined && toSignedAmount(found) === units / scale
    })
    return after / scale === walletBalance && moved === after && entered
      ? []
      : [`users/${uid}: the last write to the wallet is not what its balance and history say`]
  })

/**
 * Checks that the scheduled job finds every booking that needs it. A stuck booking that is listed
 * needs it no more, but one without a payment or a driver always does.
 */
const checkDueTimes = ({ bookings }: CheckedData): string[] =>
  Object.entries(bookings).flatMap(([id, { status, due_at }]) => {
    if (!isOpenStatus(status))
      return due_at === undefined ? [] : [`bookings/${id}: it is ${status} and has a due time`]
    const isAlwaysDue = status === 'PAYMENT_PENDING' || status === 'NEW'
    return isAlwaysDue && due_at === undefined
      ? [`bookings/${id}: it is ${status} and has no due time`]
      : []
  })

/** Fields of a booking that are amounts. */
const AMOUNT_FIELDS = [
  'estimate',
  'trip_cost',
  'convenience_fees',
  'driver_share',
  'cancellationFee',
  'discount',
  'discount_amount',
  'customer_paid',
  'cashPaymentAmount',
  'cardPaymentAmount',
  'usedWalletMoney',
  'payableAmount',
] as const satisfies (keyof Booking)[]

const checkDecimals = ({
  bookings,
  withdraws = {},
  payments = {},
  findCurrency,
}: CheckedData): string[] => [
  ...Object.entries(bookings).flatMap(([id, booking]) => {
    const { decimal } = findCurrency(booking.bookingDate)
    return AMOUNT_FIELDS.filter((field) => !hasValidDecimals(booking[field] ?? 0, decimal)).map(
      (field) => `bookings/${id}: ${field} is ${booking[field]}, too many digits`,
    )
  }),
  ...Object.entries(bookings).flatMap(([id, { adjustments = {} }]) =>
    Object.values(adjustments).flatMap(({ at, rider = 0, driver = 0 }) =>
      [rider, driver]
        .filter((amount) => !hasValidDecimals(amount, findCurrency(at).decimal))
        .map((amount) => `bookings/${id}: an adjustment is ${amount}, too many digits`),
    ),
  ),
  ...Object.entries(withdraws)
    .filter(([, { amount, date }]) => !hasValidDecimals(amount, findCurrency(date).decimal))
    .map(([id, { amount }]) => `withdraws/${id}: ${amount} has too many digits`),
  ...Object.entries(payments).flatMap(([id, { amount, refunded = 0, currency: code }]) =>
    [amount, refunded]
      .filter((one) => !hasValidDecimals(one, getDecimals(code)))
      .map((one) => `payments/${id}: ${one} has too many digits`),
  ),
]

const sumAdjustments = (
  { adjustments = {} }: Booking,
  side: 'rider' | 'driver',
  isTip: boolean,
): number =>
  sumAmounts(
    Object.values(adjustments)
      .filter(({ reason }) => (reason === 'tip') === isTip)
      .map((one) => one[side] ?? 0),
    MAX_DECIMALS,
  )

/**
 * Returns the wallet entries that a booking must have made: [uid, key after the booking's id,
 * signed amount].
 */
const getExpectedEntries = (booking: Booking): [string | undefined, string, number][] => {
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
    [driver, 'review', booking.distance_review?.credited ?? 0],
    [customer, 'compensation', sumAdjustments(booking, 'rider', false)],
    [driver, 'compensation', sumAdjustments(booking, 'driver', false)],
    [customer, 'tip', sumAdjustments(booking, 'rider', true)],
    [driver, 'tip', sumAdjustments(booking, 'driver', true)],
  ]
}

/**
 * Endings of the keys, after the booking's id, of entries that pay for a booking from the wallet or
 * return money to it.
 */
const WALLET_PART = /^((rest-|amend_\d+-)?wallet|amend_\d+-returned)$/

/** Kinds of entries of which a booking may have several, and the endings of their keys. */
const REPEATED_ENTRIES: Readonly<Record<string, RegExp>> = {
  wallet: WALLET_PART,
  compensation: /^-[\w-]{19}-compensation$/,
  tip: /^-[\w-]{19}-tip$/,
}

/** Returns a booking's entries of one kind. */
const getBookingEntries = (history: User['walletHistory'] = {}, id: string, kind: string) => {
  const repeated = REPEATED_ENTRIES[kind]
  const entry = history[`${id}-${kind}`]
  if (!repeated) return entry ? [entry] : []
  return Object.keys(history)
    .filter((key) => key.startsWith(id) && repeated.test(key.slice(id.length + 1)))
    .flatMap((key) => history[key] ?? [])
}

const checkBookingEntries = ({ users, bookings }: CheckedData): string[] =>
  Object.values(bookings).flatMap((booking) =>
    getExpectedEntries(booking).flatMap(([uid = '', key, must]) => {
      const user = users[uid]
      // A deleted account has no wallet.
      if (!user) return []
      const entries = getBookingEntries(user.walletHistory, booking.id, key)
      const moved = sumAmounts(entries.map(toSignedAmount), MAX_DECIMALS)
      return moved === roundAmount(must, MAX_DECIMALS)
        ? []
        : [`users/${uid}: ${booking.id}-${key} moved ${moved}, the booking says ${must}`]
    }),
  )

/** Checks that every requested withdrawal left its wallet, and that no other did. */
const checkWithdrawals = ({ users, withdraws = {} }: CheckedData): string[] => [
  ...Object.entries(withdraws).flatMap(([id, { uid, amount }]) => {
    const user = users[uid]
    if (!user) return []
    const entry = user.walletHistory?.[`${id}-withdraw`]
    return entry?.amount === amount
      ? []
      : [`withdraws/${id}: ${amount} asked for, ${entry?.amount ?? 0} left users/${uid}`]
  }),
  ...Object.entries(users).flatMap(([uid, { walletHistory = {} }]) =>
    Object.entries(walletHistory)
      .filter(
        ([key, { type }]) =>
          type === 'Withdraw' && withdraws[key.replace(/-withdraw$/, '')]?.uid !== uid,
      )
      .map(([key]) => `users/${uid}: ${key} left without a request`),
  ),
]

const checkRoles = ({ users, roles: kept = {} }: CheckedData): string[] => {
  const due = getRoles(users)
  return [...new Set([...Object.keys(due), ...Object.keys(kept)])].flatMap((uid) =>
    kept[uid] === due[uid]
      ? []
      : [`roles/${uid} is ${kept[uid] ?? 'missing'}, its record says ${due[uid] ?? 'none'}`],
  )
}

/**
 * Checks that the directory lists every person. Names in it may be older than in the record,
 * because the rules let people change those alone.
 */
const checkDirectory = ({ users, people = {} }: CheckedData): string[] => [
  ...Object.entries(users).flatMap(([uid, { usertype }]) =>
    people[uid]?.usertype === usertype
      ? []
      : [`people/${uid} is ${people[uid]?.usertype ?? 'missing'}, users/${uid} ${usertype}`],
  ),
  ...Object.keys(people)
    .filter((uid) => !users[uid])
    .map((uid) => `people/${uid} has no record`),
]

const checkBusyDrivers = ({ users, bookings, busy_drivers = {} }: CheckedData): string[] => {
  const busyWith = new Map<string, string[]>()
  for (const [id, { status, driver, follows }] of Object.entries(bookings))
    if (driver && follows === undefined && BUSY_STATUSES.includes(status))
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
  const ending = Object.entries(busy_drivers)
    .filter(([, { ends_at }]) => ends_at !== undefined)
    .flatMap(([uid, { booking: id }]) => {
      const booking = bookings[id]
      return booking && canBeFollowed(booking, uid)
        ? []
        : [`busy_drivers/${uid}: ${id} cannot have a next booking`]
    })
  return [...doubled, ...flags, ...listed, ...ending, ...checkNextBookings(bookings)]
}

/** Checks that a trip and the next booking of its driver name each other. */
const checkNextBookings = (bookings: CheckedData['bookings']): string[] =>
  Object.entries(bookings).flatMap(([id, { status, driver, next, follows }]) => {
    const following = next === undefined ? undefined : bookings[next]
    const current = follows === undefined ? undefined : bookings[follows]
    const isNextSound =
      next === undefined ||
      ((status === 'STARTED' || status === 'REACHED') &&
        following?.follows === id &&
        following.driver === driver)
    const isSound =
      follows === undefined ||
      (status === 'ACCEPTED' && current?.next === id && current.driver === driver)
    return [
      ...(isNextSound ? [] : [`bookings/${id}: ${next} is not its next booking`]),
      ...(isSound ? [] : [`bookings/${id} does not follow ${follows}`]),
    ]
  })

/** Compares the counters of open bookings with a recount. A deleted rider has none. */
const checkOpenBookingCounters = ({
  users,
  bookings,
  open_bookings = {},
  hasAllRecords,
}: CheckedData): string[] => {
  const counted = countOpenByCustomer(Object.values(bookings))
  const uids = new Set([...Object.keys(open_bookings), ...Object.keys(counted)])
  return [...uids].filter(hasAllRecords).flatMap((uid) => {
    if (!users[uid] && !open_bookings[uid]) return []
    const { open = 0, unpaid = 0 } = open_bookings[uid] ?? {}
    const is = counted[uid] ?? { open: 0, unpaid: 0 }
    return open === is.open && unpaid === is.unpaid
      ? []
      : [
          `open_bookings/${uid} says ${open} open, ${unpaid} unpaid; a recount ${is.open} and ${is.unpaid}`,
        ]
  })
}

const checkPromoUses = ({ promos, promo_uses, bookings }: CheckedData): string[] => [
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

const checkRatings = ({ users }: CheckedData): string[] =>
  Object.entries(users).flatMap(([uid, { ratings: given }]) => {
    if (!given) return []
    const rates = Object.values(given.details ?? {}).map(({ rate }) => rate)
    const count = given.count ?? rates.length
    return given.userrating === calculateAverageRating(rates) && count === rates.length
      ? []
      : [
          `users/${uid}: rated ${given.userrating} of ${count}, its ${rates.length} ratings say else`,
        ]
  })

const checkOffers = ({ driver_tasks = {}, bookings, hasAllRecords }: CheckedData): string[] => {
  const listed = Object.entries(driver_tasks).flatMap(([uid, ids]) =>
    Object.keys(ids).map((id) => `${uid}/${id}`),
  )
  const requested = Object.entries(bookings).flatMap(([id, { requestedDrivers = {} }]) =>
    Object.keys(requestedDrivers)
      .filter(hasAllRecords)
      .map((uid) => `${uid}/${id}`),
  )
  const requestedIds = new Set(requested)
  const listedIds = new Set(listed)
  return [
    ...listed
      .filter((one) => !requestedIds.has(one))
      .map((one) => `driver_tasks/${one}: not requested`),
    ...requested
      .filter((one) => !listedIds.has(one))
      .map((one) => `driver_tasks/${one} is missing`),
  ]
}

/** Checks that the review list contains exactly the flagged trips without a decision. */
const checkFareReviews = ({ bookings, fare_reviews = {} }: CheckedData): string[] => {
  return [
    ...Object.values(bookings)
      .filter((booking) => isReviewOpen(booking) && !fare_reviews[booking.id])
      .map(({ id }) => `bookings/${id} is flagged and not among the fare reviews`),
    ...Object.keys(fare_reviews)
      .filter((id) => !bookings[id] || !isReviewOpen(bookings[id]))
      .map((id) => `fare_reviews/${id} waits for nothing`),
  ]
}

const PAID_FIELDS = ['paid_at', 'customer_paid', 'payment_mode', 'paymentPacket'] as const
/** Fields that a booking must have in each status. */
const REQUIRED_FIELDS: Record<Status, readonly (keyof Booking)[]> = {
  PAYMENT_PENDING: [],
  NEW: [],
  ACCEPTED: ['driver', 'accepted_at'],
  ARRIVED: ['driver', 'accepted_at', 'driver_arrive_time'],
  STARTED: ['driver', 'driver_arrive_time', 'startTime', 'trip_start_time'],
  REACHED: ['driver', 'startTime', 'endTime', 'trip_end_time', 'total_trip_time'],
  PENDING: ['driver', 'startTime', 'endTime', 'total_trip_time'],
  PAID: ['driver', 'endTime', ...PAID_FIELDS],
  COMPLETE: ['driver', 'endTime', 'rating', ...PAID_FIELDS],
  CANCELLED: ['reason', 'cancelledBy', 'cancelled_at'],
}

const checkPaymentPacket = ({ id, trip_cost, paymentPacket: p }: Booking): string[] => {
  if (!p) return []
  const minor = (amount: number) => toMinorUnits(amount, MAX_DECIMALS)
  const sources = minor(p.usedWalletMoney) + minor(p.cardPaymentAmount) + minor(p.cashPaymentAmount)
  const adds =
    minor(trip_cost) === minor(p.customer_paid) + minor(p.discount_amount) &&
    minor(p.customer_paid) === sources
  return adds ? [] : [`bookings/${id}: the payment packet does not add up`]
}

const checkBookings = ({ bookings }: CheckedData): string[] =>
  Object.entries(bookings).flatMap(([id, booking]) => {
    if (!STATUSES.includes(booking.status)) return [`bookings/${id}: status ${booking.status}`]
    const missing = REQUIRED_FIELDS[booking.status].filter((field) => booking[field] === undefined)
    const logged = Object.values(booking.event_log ?? {}).map(({ revision }) => revision)
    const hasNoRequests = booking.status === 'NEW' || !booking.requestedDrivers
    return [
      ...missing.map((field) => `bookings/${id} is ${booking.status} without ${field}`),
      ...(hasNoRequests ? [] : [`bookings/${id} is ${booking.status} and still asks drivers`]),
      ...(booking.revision >= Math.max(logged.length, ...logged)
        ? []
        : [`bookings/${id}: revision ${booking.revision}, ${logged.length} events`]),
      ...(new Set(logged).size === logged.length
        ? []
        : [`bookings/${id}: two events of one revision`]),
      ...checkPaymentPacket(booking),
      ...findStopViolations(booking),
    ]
  })

const NEARBY_CAR_FIELDS = [
  'carType',
  'geohash',
  'lat',
  'lng',
  'at',
] as const satisfies (keyof NearbyCar)[]
const toNearbyCarKey = (car: NearbyCar | AvailableDriver): string =>
  NEARBY_CAR_FIELDS.map((field) => car[field]).join()

/** Checks that riders and the back office see the same free cars. */
const checkNearbyCars = ({ available_drivers = {}, nearby_cars = {} }: CheckedData): string[] => {
  const forRiders = new Set(Object.values(nearby_cars).map(toNearbyCarKey))
  const forOffice = new Set(Object.values(available_drivers).map(toNearbyCarKey))
  return [
    ...Object.entries(available_drivers)
      .filter(([, car]) => !forRiders.has(toNearbyCarKey(car)))
      .map(([uid]) => `users/${uid}: riders and the office are shown different cars`),
    ...Object.entries(nearby_cars)
      .filter(([, car]) => !forOffice.has(toNearbyCarKey(car)))
      .map(([shift]) => `nearby_cars/${shift} is a car that the office is not shown`),
  ]
}

/** Checks that each free car on the riders' map has the key of one driver. */
const checkNearbyCarKeys = ({ users, nearby_cars = {}, hasAllRecords }: CheckedData): string[] => {
  const owners = Object.entries(users).flatMap(([uid, { shift }]): [string, string][] =>
    shift === undefined || !hasAllRecords(shift) ? [] : [[shift, uid]],
  )
  const ownersByKey = new Map(owners)
  return [
    ...owners
      .filter(([shift]) => !nearby_cars[shift])
      .map(([, uid]) => `users/${uid}: their key names no car`),
    ...Object.keys(nearby_cars)
      .filter((shift) => !ownersByKey.has(shift))
      .map((shift) => `nearby_cars/${shift} is nobody's`),
  ]
}

/** Checks that contacts exist for exactly the bookings whose customer is still known. */
const checkBookingContacts = ({ bookings, booking_contacts = {} }: CheckedData): string[] => [
  ...Object.entries(bookings).flatMap(([id, booking]) => [
    ...LEGACY_CONTACT_FIELDS.filter((field) => field in booking).map(
      (field) => `bookings/${id} still holds ${field}`,
    ),
    ...(booking.customer_name === '' || booking_contacts[id]
      ? []
      : [`booking_contacts/${id} is missing`]),
  ]),
  ...Object.keys(booking_contacts)
    .filter((id) => !bookings[id])
    .map((id) => `booking_contacts/${id} has no booking`),
]

/** Checks that every booking has a reference and that the index lists exactly these references. */
const references = ({ bookings, booking_refs = {} }: CheckedData): string[] => [
  ...Object.entries(bookings).flatMap(([id, { reference }]) => {
    if ((reference as string | undefined) === undefined) return [`bookings/${id} has no reference`]
    return booking_refs[reference] === id ? [] : [`booking_refs/${reference} is not bookings/${id}`]
  }),
  ...Object.entries(booking_refs)
    .filter(([reference, id]) => bookings[id]?.reference !== reference)
    .map(([reference, id]) => `booking_refs/${reference} is not the reference of bookings/${id}`),
]

/**
 * Finds totals that contradict a recount of bookings, closed accounts and stored values, which are
 * added one by one.
 */
export const createTotalsCheck = (zone: StatsSettings) => {
  const count = createTotalsCounter(zone)
  const addStoredTotal = new Map<string, number>()
  return {
    addBooking: count.addBooking,
    addClosedAccount: count.addClosedAccount,
    /** Adds a stored value below `stats`, with its path. */
    kept: (path: string, value: unknown): void => {
      // The year in a driver's row is a label, not an amount.
      if (typeof value === 'number' && !path.endsWith('/year')) addStoredTotal.set(path, value)
    },
    *listMismatches(): Generator<string> {
      for (const [path, is] of count.listAmounts()) {
        const says = addStoredTotal.get(path) ?? 0
        addStoredTotal.delete(path)
        if (says !== is) yield `${path} says ${says}, a recount ${is}`
      }
      for (const [path, says] of addStoredTotal)
        if (says !== 0) yield `${path} says ${says}, a recount 0`
    },
  }
}

function* listLeaves(value: unknown, path: string): Generator<[path: string, value: unknown]> {
  if (typeof value !== 'object' || value === null) yield [path, value]
  else for (const [key, child] of Object.entries(value)) yield* listLeaves(child, `${path}/${key}`)
}

type CollectionName = Exclude<keyof DatabaseTree, 'settings' | 'currency' | 'stats' | 'internal'>
type RecordIn<Name extends CollectionName> = NonNullable<DatabaseTree[Name]>[string]

/** A check of records that belong together. */
interface Check {
  /**
   * By collection, the keys that a record belongs to. The check receives all records that share a
   * key together, possibly with others, and must need nothing else to judge them.
   */
  groupingKeys: {
    [Name in CollectionName]?: (
      record: RecordIn<Name>,
      key: string,
    ) => readonly (string | undefined)[]
  }
  find(facts: CheckedData): string[]
}

const byOwnKey = (_: unknown, key: string): readonly string[] => [key]

/** All checks except the totals, which `createTotalsCheck` counts. */
const CHECKS: Record<string, Check> = {
  wallets: { groupingKeys: { users: byOwnKey }, find: checkWalletBalances },
  walletMoves: { groupingKeys: { users: byOwnKey }, find: checkLastWalletWrites },
  digits: {
    groupingKeys: { bookings: byOwnKey, withdraws: byOwnKey, payments: byOwnKey },
    find: checkDecimals,
  },
  dueTimes: { groupingKeys: { bookings: byOwnKey }, find: checkDueTimes },
  ledger: {
    groupingKeys: { users: byOwnKey, bookings: ({ customer, driver }) => [customer, driver] },
    find: checkBookingEntries,
  },
  withdraws: {
    groupingKeys: { users: byOwnKey, withdraws: ({ uid }) => [uid] },
    find: checkWithdrawals,
  },
  directory: { groupingKeys: { users: byOwnKey, people: byOwnKey }, find: checkDirectory },
  roles: { groupingKeys: { users: byOwnKey, roles: byOwnKey }, find: checkRoles },
  queues: {
    groupingKeys: {
      users: byOwnKey,
      bookings: ({ driver, status }) => (BUSY_STATUSES.includes(status) ? [driver] : []),
      busy_drivers: byOwnKey,
    },
    find: checkBusyDrivers,
  },
  promos: {
    groupingKeys: {
      promos: byOwnKey,
      promo_uses: byOwnKey,
      bookings: ({ promo_details }) => [promo_details?.id],
    },
    find: checkPromoUses,
  },
  ratings: { groupingKeys: { users: byOwnKey }, find: checkRatings },
  tasks: {
    groupingKeys: {
      driver_tasks: byOwnKey,
      bookings: ({ requestedDrivers = {} }) => Object.keys(requestedDrivers),
    },
    find: checkOffers,
  },
  references: {
    groupingKeys: { bookings: byOwnKey, booking_refs: (id) => [id] },
    find: references,
  },
  contacts: {
    groupingKeys: { bookings: byOwnKey, booking_contacts: byOwnKey },
    find: checkBookingContacts,
  },
  cars: {
    groupingKeys: {
      available_drivers: (car) => [toNearbyCarKey(car)],
      nearby_cars: (car) => [toNearbyCarKey(car)],
    },
    find: checkNearbyCars,
  },
  shifts: {
    groupingKeys: { users: ({ shift }) => [shift], nearby_cars: byOwnKey },
    find: checkNearbyCarKeys,
  },
  reviews: { groupingKeys: { fare_reviews: byOwnKey, bookings: byOwnKey }, find: checkFareReviews },
  openBookings: {
    groupingKeys: {
      users: byOwnKey,
      open_bookings: byOwnKey,
      bookings: ({ customer }) => [customer],
    },
    find: checkOpenBookingCounters,
  },
  bookings: { groupingKeys: { bookings: byOwnKey }, find: checkBookings },
  loggedWords: { groupingKeys: { bookings: byOwnKey }, find: findLoggedWords },
  personalData: {
    groupingKeys: {
      bookings: ({ customer, driver }) => [customer, driver],
      closed_accounts: byOwnKey,
    },
    find: findPersonalData,
  },
  texts: {
    groupingKeys: {
      bookings: byOwnKey,
      booking_notes: byOwnKey,
      'internal/help_cases': byOwnKey,
    },
    find: findLeftTexts,
  },
  bonuses: {
    groupingKeys: {
      'internal/pending_bonuses': ({ uid, referred, booking }) => [uid, referred, booking],
      users: byOwnKey,
      bookings: byOwnKey,
    },
    find: findBonusViolations,
  },
  payers: {
    groupingKeys: { payments: ({ uid }) => [uid], users: byOwnKey },
    find: findPayerViolations,
  },
  payments: {
    groupingKeys: {
      payments: byOwnKey,
      bookings: ({ event_log = {} }) => Object.values(event_log).map(({ ref }) => ref),
      payment_events: ({ payment }) => [payment],
    },
    find: findPaymentViolations,
  },
  bookingPayments: {
    groupingKeys: { payments: ({ booking }) => [booking], bookings: byOwnKey },
    find: findBookingPaymentViolations,
  },
}

/** Names of the checked collections, besides `settings` and `stats`. */
export const CHECKED_COLLECTIONS: readonly string[] = [
  ...new Set([
    'closed_accounts',
    ...Object.values(CHECKS).flatMap(({ groupingKeys }) => Object.keys(groupingKeys)),
  ]),
]

/** Fields that no check reads and that make up most of a record's size. */
const UNCHECKED_FIELDS: Readonly<Record<string, readonly string[]>> = {
  bookings: [
    'coords',
    'waypoints',
    'route',
    'fare_history',
    'pickup',
    'drop',
    'dropAddress',
    'customer_image',
    'driver_image',
    'carImage',
    'pickup_image',
    'deliver_image',
  ] satisfies (keyof Booking)[],
}

/** Returns a record without the fields that no check reads. */
export const removeUncheckedFields = (collection: string, record: object): object => {
  const bulk = UNCHECKED_FIELDS[collection]
  return bulk
    ? Object.fromEntries(Object.entries(record).filter(([field]) => !bulk.includes(field)))
    : record
}

/** Returns the checks of a record, with the keys it belongs to in each. */
export const getChecksOfRecord = (
  collection: string,
  record: unknown,
  key: string,
): Map<string, string[]> => {
  const found = new Map<string, string[]>()
  for (const [name, { groupingKeys }] of Object.entries(CHECKS)) {
    const route = groupingKeys[collection as CollectionName] as
      ((record: unknown, key: string) => readonly (string | undefined)[]) | undefined
    for (const one of new Set(route?.(record, key)))
      if (one !== undefined) found.set(one, [...(found.get(one) ?? []), name])
  }
  return found
}

const toCheckedData = (tree: DatabaseTree, has: (key: string) => boolean): CheckedData => ({
  ...tree,
  findCurrency: (at) => getCurrencyAt(toStatsSettings(tree), at),
  users: tree.users ?? {},
  bookings: tree.bookings ?? {},
  promos: tree.promos ?? {},
  promo_uses: tree.promo_uses ?? {},
  hasAllRecords: has,
})

/**
 * Runs one check on a part of a database: all records that belong to keys for which `has` is true
 * (see `getChecksOfRecord`). All parts together give the same violations as the whole.
 */
export const runCheck = (
  check: string,
  part: DatabaseTree,
  has: (key: string) => boolean,
): string[] => CHECKS[check]?.find(toCheckedData(part, has)) ?? []

/**
 * Returns a sentence for each inconsistency of a database; an empty list when it is sound.
 *
 * - Money: each balance is the exact sum of its history, no amount has more digits than its
 *   currency, each booking moved exactly the money it says, each withdrawal left its wallet, each
 *   paid payment moved its money once and returned no more than it brought, by card, wallet and
 *   bank; no booking has more card money than its payments, payment packets add up; a bonus that
 *   waits is earned and not paid yet.
 * - People: roles match the records, no driver is in two active bookings, and the queue flag and
 *   the list of busy drivers agree; a driver's rating is the mean of their ratings.
 * - Bookings: each status has the fields it requires, driver tasks match the requests, revisions
 *   cover the logged events, each booking and its reference name each other, contacts are stored
 *   apart from their bookings, fare reviews are the flagged trips without a decision.
 * - Privacy: nothing is left of a deleted account, and no log has a person's words.
 * - Derived data: totals equal a recount, promo counts equal their uses, riders and the office see
 *   the same free cars.
 *
 * Needs the whole database in memory; scripts/database/dataVerification.ts checks larger ones.
 */
export const findViolations = (tree: DatabaseTree): string[] => {
  const totals = createTotalsCheck(toStatsSettings(tree))
  for (const booking of Object.values(tree.bookings ?? {})) totals.addBooking(booking)
  for (const account of Object.values(tree.closed_accounts ?? {})) totals.addClosedAccount(account)
  for (const [path, value] of listLeaves(tree.stats ?? {}, 'stats')) totals.kept(path, value)
  const { internal, ...records } = tree
  const listed: DatabaseTree = { ...records }
  for (const [kind, list] of Object.entries(internal ?? {}))
    Object.assign(listed, { [`internal/${kind}`]: list })
  const found = Object.keys(CHECKS).flatMap((name) => runCheck(name, listed, () => true))
  return [...new Set([...found, ...totals.listMismatches()])]
}
