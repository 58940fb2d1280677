import {
  ACTIVE_STATUSES,
  PAYMENT_MODES,
  STATUSES,
  TRACKED_STATUSES,
  type Booking,
  type ChatMessage,
  type ChoiceOption,
  type EventLogEntry,
  type FareHistoryEntry,
  type FareLine,
  type PaymentPacket,
  type Place,
  type Status,
  type StuckBooking,
  type TrackingPoint,
} from '~/domain/entities'
import { TRANSITIONS, type Transition } from '~/domain/booking/transitions'
import {
  after,
  all,
  any,
  asksAtMost,
  asksOwn,
  bool,
  each,
  isNew,
  isRemoved,
  key,
  list,
  number,
  oneOf,
  onlyTrue,
  optional,
  parts,
  quoted,
  record,
  stays,
  text,
  time,
  unchanged,
  url,
  value,
  whole,
  writableBy,
  type Condition,
  type Fields,
  type FieldsOf,
  type Rule,
} from '../language'
import { admin, member, role, self, server } from '../who'
import { latLng } from './users'

const place = { ...latLng, add: text(0, 500) } satisfies FieldsOf<Place>
const choice = {
  description: text(0, 500),
  amount: number(0, 1e9),
} satisfies FieldsOf<ChoiceOption>
const money = number(-1e9, 1e9)
const seconds = number(0, 1e9)
const clock = text(1, 20)
const phone = text(0, 40)
const name = text(0, 300)
const line = { label: text(1, 100), amount: money } satisfies FieldsOf<FareLine>

/** The revision rises by exactly one: of two changes made from the same state, the second is refused whole. */
const moved = (depth: number): Condition => {
  const up = '.parent()'.repeat(depth)
  return all(
    server,
    `newData${up}.child('revision').val() === data${up}.child('revision').val() + 1`,
  )
}
const changes = moved(1)

// The machine's table as the database sees it: which status may follow which.
const follows = (from: Status): Condition => {
  const next = new Set(
    (Object.values(TRANSITIONS) as Transition[])
      .filter((transition) => transition.from.includes(from))
      .flatMap((transition) => transition.to),
  )
  return [...next]
    .filter((to) => to !== from)
    .map((to) => `newData.val() === ${quoted(to)}`)
    .join(' || ')
}
const legalStatus = any(
  unchanged,
  ...STATUSES.filter((from) => follows(from) !== '').map(
    (from) => `(data.val() === ${quoted(from)} && (${follows(from)}))`,
  ),
)
const firstStatus = any(
  ...TRANSITIONS.create.to.map((to) => `newData.child('status').val() === ${quoted(to)}`),
)

/** Written once, when the booking is made. */
const fixed = {
  id: key,
  booking_id: key,
  customer: key,
  bookingDate: time(),
  booking_type_admin: bool(),
  bookLater: bool(),
}

const changing = {
  status: oneOf(...STATUSES),
  carType: text(1, 100),
  carTypeId: key,
  carImage: optional(url),
  customer_email: text(0, 254),
  customer_name: name,
  customer_contact: phone,
  customer_token: optional(text(0, 4096)),
  customer_image: optional(url),
  pickup: record(place),
  drop: record(place),
  pickupAddress: text(0, 500),
  dropAddress: text(0, 500),
  estimate: number(0, 1e9),
  estimateDistance: number(0, 1e6),
  distance: number(0, 1e6),
  estimateTime: seconds,
  tripdate: time(),
  // Never the number itself, which a driver must be told by the rider.
  otp: bool(),
  coords: list(record(latLng)),
  waypoints: optional(list(record(place))),
  trip_cost: number(0, 1e9),
  convenience_fees: number(0, 1e9),
  driver_share: money,
  paymentPacket: optional(
    record({
      appcat: oneOf('taxi', 'delivery'),
      payment_mode: oneOf(...PAYMENT_MODES),
      customer_paid: number(0, 1e9),
      discount_amount: number(0, 1e9),
      usedWalletMoney: number(0, 1e9),
      cardPaymentAmount: number(0, 1e9),
      cashPaymentAmount: number(0, 1e9),
      payableAmount: number(0, 1e9),
      promo_applied: bool(),
      promo_details: optional(record({ id: key, promo_name: name })),
    } satisfies FieldsOf<PaymentPacket>),
  ),
  requestedDrivers: optional(each('$driver', onlyTrue)),
  askedDrivers: optional(each('$driver', time())),
  driver_name: optional(name),
  driver_image: optional(url),
  driver_contact: optional(phone),
  driver_token: optional(text(0, 4096)),
  vehicle_number: optional(text(0, 30)),
  driverRating: optional(number(0, 5)),
  fleetadmin: optional(key),
  accepted_at: optional(time()),
  driver_arrive_time: optional(time()),
  trip_start_time: optional(clock),
  startTime: optional(time()),
  trip_end_time: optional(clock),
  endTime: optional(time()),
  total_trip_time: optional(seconds),
  pickup_image: optional(url),
  deliver_image: optional(url),
  reason: optional(text(1, 500)),
  cancelledBy: optional(text(1, 128)),
  cancelled_at: optional(time()),
  cancellationFee: optional(number(0, 1e9)),
  discount: optional(number(0, 1e9)),
  discount_amount: optional(number(0, 1e9)),
  customer_paid: optional(number(0, 1e9)),
  cashPaymentAmount: optional(number(0, 1e9)),
  cardPaymentAmount: optional(number(0, 1e9)),
  usedWalletMoney: optional(number(0, 1e9)),
  payableAmount: optional(number(0, 1e9)),
  payment_mode: optional(oneOf(...PAYMENT_MODES)),
  gateway: optional(text(1, 60)),
  prepaid: optional(bool()),
  paid_at: optional(time()),
  rating: optional(whole(1, 5)),
  promo_applied: optional(bool()),
  promo_details: optional(record({ id: key, promo_name: name })),
  deliveryPerson: optional(text(0, 120)),
  deliveryPersonPhone: optional(phone),
  pickUpInstructions: optional(text(0, 1000)),
  deliveryInstructions: optional(text(0, 1000)),
  parcelTypeSelected: optional(record(choice)),
  optionSelected: optional(record(choice)),
}

const withRevision = <F extends Fields>(fields: F): F =>
  Object.fromEntries(
    Object.entries(fields).map(([field, rule]) => [field, writableBy(changes, rule)]),
  ) as F

// A free driver gets the booking in the write that makes him busy, and nobody after him.
const driver = optional({
  ...key,
  write: all(
    changes,
    isNew,
    stays,
    `root.child('users').child(newData.val()).child('queue').val() !== true`,
    `${after(3, 'users')}.child(newData.val()).child('queue').val() === true`,
  ),
})

const booking = {
  ...fixed,
  revision: value(whole(1, 1e9), { create: changes, update: changes }),
  ...withRevision(changing),
  status: writableBy(all(changes, legalStatus), changing.status),
  driver,
  // What a price was, why, and what happened: added to, never rewritten.
  fare_history: each(
    '$entry',
    record(
      {
        kind: oneOf('estimate', 'revision', 'final', 'cancellation'),
        at: time(),
        cause: text(1, 200),
        lines: optional(list(record(line))),
        total: money,
      } satisfies FieldsOf<FareHistoryEntry>,
      { create: moved(2) },
    ),
  ),
  event_log: each(
    '$event',
    record(
      {
        event: text(1, 40),
        by: text(1, 128),
        at: time(),
        received_at: optional(time()),
        status: oneOf(...STATUSES),
        revision: whole(1, 1e9),
        ref: optional(text(1, 300)),
      } satisfies FieldsOf<EventLogEntry>,
      {
        create: all(
          moved(2),
          `newData.child('revision').val() === newData.parent().parent().child('revision').val()`,
        ),
      },
    ),
  ),
} satisfies FieldsOf<Booking>

const party = (uid: string, base: string) => `${base}.child(${quoted(uid)}).val() === auth.uid`
const ofBooking = `root.child('bookings').child($booking)`
/** A party of the booking the path names, by its fields, which no client can write. */
const parties = (...fields: string[]): Condition =>
  all(member, any(...fields.map((field) => party(field, ofBooking))))
const inStatus = (statuses: readonly Status[]): Condition =>
  any(...statuses.map((status) => `${ofBooking}.child('status').val() === ${quoted(status)}`))

// What the sweep found standing still: the office is shown it, until it moves.
export const stuckBookings: Rule = each(
  '$booking',
  record(
    {
      status: oneOf(...ACTIVE_STATUSES),
      since: time(),
      found_at: time(),
    } satisfies FieldsOf<StuckBooking>,
    { read: admin, create: server, update: server, remove: server },
  ),
  { read: all(admin, asksAtMost(1000)), indexOn: ['since'] },
)

// Clients never write a booking: they ask a function, whose write is checked here.
export const bookings: Rule = each(
  '$booking',
  parts(booking, {
    read: any(
      all(
        member,
        any(
          party('customer', 'data'),
          party('driver', 'data'),
          party('fleetadmin', 'data'),
          `data.child('requestedDrivers').child(auth.uid).val() === true`,
        ),
      ),
      admin,
    ),
    create: all(server, `newData.child('revision').val() === 1`, firstStatus),
  }),
  {
    read: any(
      all(asksOwn('customer'), member),
      all(asksOwn('driver'), role('driver')),
      all(asksOwn('fleetadmin'), role('fleetadmin')),
      all(admin, asksAtMost(1000)),
    ),
    indexOn: [
      'customer',
      'driver',
      'fleetadmin',
      'status',
      'tripdate',
      'bookingDate',
      'carTypeId',
      'accepted_at',
      'paid_at',
    ],
  },
)

// The rider tells his code to the driver; a driver who could read it would not need the rider.
export const bookingOtps: Rule = each(
  '$booking',
  value(whole(10_000, 99_999), {
    read: any(parties('customer'), admin),
    create: server,
    remove: server,
  }),
)

const isOver = inStatus(['PAID', 'COMPLETE', 'CANCELLED'])

// Counted one by one: of two guesses made at once the second is refused and counted after the first.
export const otpAttempts: Rule = each(
  '$booking',
  record(
    { tries: whole(0, 1000), locked_until: time() },
    {
      create: all(server, `newData.child('tries').val() <= 1`),
      update: all(
        server,
        any(
          `newData.child('tries').val() === data.child('tries').val() + 1`,
          all(`newData.child('tries').val() <= 1`, `data.child('locked_until').val() <= now`),
        ),
      ),
      remove: server,
    },
  ),
)

// Bookings a driver is asked to take.
export const driverTasks: Rule = each(
  '$driver',
  each('$booking', writableBy(server, optional(onlyTrue)), {
    read: all(self('$driver'), role('driver')),
    write: all(server, isRemoved),
  }),
)

// Between two transitions the driver himself says where he is, in the status the booking really has.
export const tracking: Rule = each(
  '$booking',
  each(
    '$point',
    record(
      {
        ...latLng,
        id: optional(key),
        at: time(),
        status: oneOf(...STATUSES),
      } satisfies FieldsOf<TrackingPoint>,
      {
        create: any(
          server,
          all(
            role('driver'),
            party('driver', ofBooking),
            inStatus(TRACKED_STATUSES),
            `newData.child('status').val() === ${ofBooking}.child('status').val()`,
            // Points kept while offline come late, but none is from before he had the booking.
            any(
              `!${ofBooking}.child('accepted_at').exists()`,
              `newData.child('at').val() >= ${ofBooking}.child('accepted_at').val()`,
            ),
            // A phone's clock may be a minute fast.
            `newData.child('at').val() <= now + 60000`,
          ),
        ),
      },
    ),
    {
      read: any(parties('customer', 'driver', 'fleetadmin'), admin),
      // Where a customer was taken leaves with him, once the trip is over.
      write: all(server, isRemoved, isOver),
      indexOn: ['at'],
    },
  ),
)

// The two who ride together may write to each other as long as the booking lasts.
export const chats: Rule = each(
  '$booking',
  each(
    '$message',
    record(
      {
        message: text(1, 1000),
        from: key,
        type: oneOf('msg'),
        msgDate: text(1, 40),
        msgTime: text(1, 40),
        source: oneOf('rider', 'driver'),
        at: time(),
      } satisfies FieldsOf<ChatMessage>,
      {
        create: all(
          inStatus(ACTIVE_STATUSES),
          `${ofBooking}.child('driver').exists()`,
          `newData.child('from').val() === auth.uid`,
          `newData.child('at').val() === now`,
          any(
            all(parties('customer'), `newData.child('source').val() === 'rider'`),
            all(parties('driver'), `newData.child('source').val() === 'driver'`),
          ),
        ),
      },
    ),
    {
      read: any(parties('customer', 'driver'), admin),
      // Whoever has his account deleted takes his words with him, once the trip is over.
      write: all(server, isRemoved, isOver),
      indexOn: ['at'],
    },
  ),
)
