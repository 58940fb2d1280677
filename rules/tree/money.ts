import { STATUSES, type StatsTotals } from '~/domain/entities'
import {
  NEXT_STATUS,
  PAYMENT_PROBLEMS,
  PAYMENT_STATUSES,
  type PaymentAttempt,
  type PaymentStatus,
} from '~/domain/payments/attempt'
import {
  all,
  any,
  anything,
  asksAtMost,
  asksOwn,
  bool,
  each,
  isNew,
  isRemoved,
  key,
  matching,
  number,
  oneOf,
  optional,
  parts,
  quoted,
  record,
  text,
  time,
  unchanged,
  whole,
  writableBy,
  type FieldsOf,
  type Rule,
} from '../language'
import { admin, member, role, self, server } from '../who'

const money = number(-1e12, 1e12)
const amount = number(0, 1e9)

// Asked for and paid out by functions, which hold the amount back from the wallet; what was paid stays paid.
export const withdraws: Rule = each(
  '$withdraw',
  parts(
    {
      id: key,
      uid: key,
      name: writableBy(server, text(0, 300)),
      amount: number(0, 1e9, 'newData.val() > 0'),
      date: time(),
      bankName: writableBy(server, optional(text(0, 100))),
      bankCode: writableBy(server, optional(text(0, 60))),
      bankAccount: writableBy(server, optional(text(0, 60))),
      processed: writableBy(all(server, 'data.val() !== true'), bool()),
      procesDate: writableBy(all(server, isNew), optional(time())),
    },
    {
      read: any(all(`data.child('uid').val() === auth.uid`, member), admin),
      create: server,
    },
  ),
  {
    read: any(all(asksOwn('uid'), member), all(admin, asksAtMost(1000))),
    indexOn: ['uid', 'processed', 'date'],
  },
)

// One use of a promo by one rider: the second is refused until the first is given back.
export const promoUses: Rule = each(
  '$promo',
  each('$uid', { ...optional(key), write: all(server, any(isNew, isRemoved)) }),
)

/** As a booking's: of two changes made from the same state, the second is refused whole. */
const attemptChanges = all(
  server,
  `newData.parent().child('revision').val() === data.parent().child('revision').val() + 1`,
)
const follows = (from: PaymentStatus): string =>
  NEXT_STATUS[from].map((to) => `newData.val() === ${quoted(to)}`).join(' || ')
const legalStatus = any(
  unchanged,
  ...PAYMENT_STATUSES.filter((from) => NEXT_STATUS[from].length > 0).map(
    (from) => `(data.val() === ${quoted(from)} && (${follows(from)}))`,
  ),
)
const first = all(
  server,
  `newData.child('revision').val() === 1`,
  `newData.child('status').val() === 'created'`,
)
const once = all(attemptChanges, any(isNew, unchanged))

const paymentFields = {
  id: key,
  /** Who pays. */
  uid: key,
  /** What it pays for. */
  kind: oneOf('booking', 'wallet'),
  booking: optional(key),
  gateway: text(1, 60),
  amount: number(0, 1e9, 'newData.val() > 0'),
  currency: text(3, 3),
  createdAt: time(),
  promo: optional(key),
  revision: writableBy(attemptChanges, whole(1, 1e9)),
  status: writableBy(all(attemptChanges, legalStatus), oneOf(...PAYMENT_STATUSES)),
  updatedAt: writableBy(attemptChanges, optional(time())),
  /** The provider's own numbers for the checkout and for the payment. */
  checkout_ref: writableBy(attemptChanges, optional(text(1, 300))),
  ref: writableBy(once, optional(text(1, 300))),
  applied_to: writableBy(once, optional(oneOf('booking', 'wallet'))),
  applied_because: writableBy(once, optional(text(1, 60))),
  refunded: writableBy(
    all(attemptChanges, any(isNew, 'newData.val() >= data.val()')),
    optional(number(0, 1e9, `newData.val() <= newData.parent().child('amount').val()`)),
  ),
  problem: writableBy(attemptChanges, optional(oneOf(...PAYMENT_PROBLEMS))),
  parked: writableBy(
    attemptChanges,
    optional(
      record({ amount: number(0, 1e9), currency: text(3, 3), ref: text(1, 300), at: time() }),
    ),
  ),
  details: writableBy(server, optional(anything)),
} satisfies FieldsOf<PaymentAttempt>
// One try to pay by a provider. Whose, for what and how much is fixed when it begins.
export const payments: Rule = each(
  '$payment',
  parts(paymentFields, {
    read: any(all(`data.child('uid').val() === auth.uid`, member), admin),
    create: first,
  }),
  {
    read: any(all(asksOwn('uid'), member), all(admin, asksAtMost(1000))),
    indexOn: ['uid', 'booking', 'status', 'createdAt', 'problem'],
  },
)

// One accepted callback under one key, so a provider that repeats itself pays once.
export const paymentEvents: Rule = each(
  '$event',
  record(
    {
      payment: key,
      gateway: text(1, 60),
      amount,
      currency: text(3, 3),
      at: time(),
      ref: optional(text(1, 300)),
      status: optional(text(1, 60)),
    },
    { read: admin, create: server },
  ),
  { read: all(admin, asksAtMost(1000)), indexOn: ['payment', 'at'] },
)

const TOTALS = {
  created: true,
  completed: true,
  cancelled: true,
  accepted: true,
  waited: true,
  total_rides: true,
  tripCost: true,
  rideCost: true,
  convenienceFee: true,
  cancellationFee: true,
  discountAmount: true,
  driverShare: true,
  customerPaid: true,
} satisfies Record<keyof StatsTotals, true>

const total = writableBy(server, money)
const totals = parts(Object.fromEntries(Object.keys(TOTALS).map((name) => [name, total])))
const day = matching('^[0-9]{4}-[0-9]{2}-[0-9]{2}$').replace('newData.val()', '$date')
const month = matching('^[0-9]{4}-[0-9]{2}$').replace('newData.val()', '$month')
const days = each('$date', { ...totals, validate: day })
const months = each('$month', { ...totals, validate: month })
const driverMonth: Rule = {
  ...parts({
    year: writableBy(server, whole(2000, 9999)),
    monthsName: writableBy(server, text(1, 20)),
    driverName: writableBy(server, text(0, 300)),
    driverVehicleNo: writableBy(server, text(0, 30)),
    total_rides: total,
    driverShare: total,
  }),
  validate: month,
}

// Running totals, moved in the write they count; there is no other way to move them.
export const stats: Rule = {
  children: {
    days: { ...days, read: admin },
    earnings: { ...months, read: admin },
    total: { ...totals, read: admin },
    cartypes: each('$month', { ...each('$carType', total), validate: month }, { read: admin }),
    status: {
      read: admin,
      children: {
        ...Object.fromEntries(STATUSES.map((status) => [status, total])),
        $other: { validate: 'false' },
      },
    },
    driver_earnings: each(
      '$driver',
      each('$month', driverMonth, {
        read: any(
          all(self('$driver'), role('driver')),
          admin,
          all(
            `root.child('users').child($driver).child('fleetadmin').val() === auth.uid`,
            role('fleetadmin'),
          ),
        ),
      }),
      { read: all(admin, asksAtMost(1000)) },
    ),
    fleet_days: each('$fleetadmin', {
      ...days,
      read: any(all(self('$fleetadmin'), role('fleetadmin')), admin),
    }),
    fleet_earnings: each('$fleetadmin', {
      ...months,
      read: any(all(self('$fleetadmin'), role('fleetadmin')), admin),
    }),
    fleet_total: each('$fleetadmin', {
      ...totals,
      read: any(all(self('$fleetadmin'), role('fleetadmin')), admin),
    }),
    fleet_driver_earnings: each(
      '$fleetadmin',
      each('$driver', each('$month', driverMonth), {
        read: any(all(self('$fleetadmin'), role('fleetadmin')), admin),
      }),
    ),
    $other: { validate: 'false' },
  },
}

// Links to a trip for whoever holds one: opened by a function, so that it can look at the time and the level.
export const shares: Rule = each(
  '$token',
  parts(
    {
      booking: key,
      by: key,
      level: text(1, 40),
      at: time(),
      expires: writableBy(server, time()),
      revoked: writableBy(all(server, 'data.val() !== true'), optional(bool())),
    },
    { create: server, remove: server },
  ),
)

// How often who asked: the functions' own book.
export const rateLimits: Rule = each(
  '$endpoint',
  each('$caller', {
    ...each('$field', number()),
    write: server,
  }),
)
