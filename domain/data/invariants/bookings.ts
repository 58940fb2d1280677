import { isReviewOpen } from '../../booking/events/review/openReview'
import { countOpenByCustomer, isOpenStatus } from '../../booking/limits/openBookingLimits'
import { findStopViolations } from '../../booking/stops/stopViolations'
import { STATUSES, type Booking, type Status } from '../../booking/types'
import { LEGACY_CONTACT_FIELDS } from '../../migrations/bookingContacts'
import { MAX_DECIMALS, toMinorUnits } from '../../money/money'
import { byOwnKey, type Check, type CheckedData } from './check'

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
const checkReferences = ({ bookings, booking_refs = {} }: CheckedData): string[] => [
  ...Object.entries(bookings).flatMap(([id, { reference }]) => {
    if ((reference as string | undefined) === undefined) return [`bookings/${id} has no reference`]
    return booking_refs[reference] === id ? [] : [`booking_refs/${reference} is not bookings/${id}`]
  }),
  ...Object.entries(booking_refs)
    .filter(([reference, id]) => bookings[id]?.reference !== reference)
    .map(([reference, id]) => `booking_refs/${reference} is not the reference of bookings/${id}`),
]

export const BOOKING_CHECKS: Record<string, Check> = {
  dueTimes: { groupingKeys: { bookings: byOwnKey }, find: checkDueTimes },
  promos: {
    groupingKeys: {
      promos: byOwnKey,
      promo_uses: byOwnKey,
      bookings: ({ promo_details }) => [promo_details?.id],
    },
    find: checkPromoUses,
  },
  references: {
    groupingKeys: { bookings: byOwnKey, booking_refs: (id) => [id] },
    find: checkReferences,
  },
  contacts: {
    groupingKeys: { bookings: byOwnKey, booking_contacts: byOwnKey },
    find: checkBookingContacts,
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
}
