import { MAX_ROUTE_CHARS } from '~/domain/booking/trip/route'
import { REFERENCE_PATTERN } from '~/domain/booking/search/reference'
import { BOOKING_NOTE_LENGTH, MAX_WORDS_LENGTH } from '~/domain/booking/limits/limits'
import { CONTACT_WINDOW_MS } from '~/domain/booking/contactAccess'
import { BOOKING_EVENTS, isTransitionAllowed, TRANSITIONS } from '~/domain/booking/transitions'
import {
  MIN_MESSAGE_INTERVAL_MS,
  MIN_TRACK_POINT_INTERVAL_MS,
} from '~/domain/access/rateLimitedWrites'
import {
  afterWrite,
  all,
  isAmong,
  any,
  isQueryLimitedTo,
  isPagedQueryOfOwnRows,
  isQueryOfOwnRows,
  beforeWrite,
  booleanRule,
  collectionRule,
  isNextState,
  isNew,
  isRemoved,
  hasParts,
  keyRule,
  valueRule,
  arrayRule,
  isMatching,
  numberRule,
  choiceRule,
  trueRule,
  makeOptional,
  editablePartsRule,
  recordRule,
  isKept,
  textRule,
  timestampRule,
  isUnchanged,
  urlRule,
  writableValueRule,
  integerRule,
  withValidation,
  withWriteCondition,
  type Condition,
  type Fields,
  type FieldsOf,
  type Rule,
} from '../ruleBuilders'
import {
  isAdmin,
  isEditingAllowed,
  arePeopleOpen,
  isMember,
  hasRole,
  isSelf,
  isServer,
} from '../requester'
import { isRevisionRaised, revisionRule } from '../revision'
import { isCurrencyNotHeld, isPlatformCurrency } from './currency'
import { latLngFields } from './users'
import {
  ACTIVE_STATUSES,
  FARE_ENTRY_KINDS,
  PAYMENT_MODES,
  REVIEW_DECISIONS,
  STATUSES,
  TRACKED_STATUSES,
  TRIP_VERDICTS,
  TRIP_VERDICT_REASONS,
  type Booking,
  type BookingContacts,
  type BookingNote,
  type DistanceReview,
  type EventLogEntry,
  type FareHistoryEntry,
  type FareLine,
  type FareReview,
  type PaymentPacket,
  type Status,
  type StuckBooking,
  type TrackingPoint,
} from '~/domain/booking/types'
import { OFFER_ANSWERS, type Offer } from '~/domain/dispatch/types'
import type { Adjustment } from '~/domain/money/types'
import type { ChatMessage } from '~/domain/messages/types'
import type { ChoiceOption } from '~/domain/catalog/types'
import type { Place } from '~/domain/geo/types'

const place = { ...latLngFields, add: textRule(0, 500) } satisfies FieldsOf<Place>
const choice = {
  description: textRule(0, 500),
  amount: numberRule(0, 1e9),
} satisfies FieldsOf<ChoiceOption>
const money = numberRule(-1e9, 1e9)
const seconds = numberRule(0, 1e9)
const clock = textRule(1, 20)
const phone = textRule(0, 40)
const name = textRule(0, 300)
const line = { label: textRule(1, 100), amount: money } satisfies FieldsOf<FareLine>

const isRevisionChanged = isRevisionRaised(1)
// The database's copy of the transition table: the statuses that may follow each status.
const isNextStatus = isNextState(STATUSES, (from) =>
  STATUSES.filter((to) => BOOKING_EVENTS.some((event) => isTransitionAllowed(event, from, to))),
)
const isFirstStatus = isAmong(TRANSITIONS.create.to, `newData.child('status').val()`)

/** Fields written once, when the booking is created. */
const fixedFields = {
  id: keyRule,
  booking_id: keyRule,
  // The index accepts no other symbols, and a value that is not a string has no entry in it.
  reference: valueRule(`${afterWrite(3, 'booking_refs/{newData.val()}')}.val() === $booking`),
  customer: keyRule,
  bookingDate: timestampRule(),
  booking_type_admin: booleanRule(),
  currency: makeOptional(textRule(1, 3, isPlatformCurrency)),
}

// The scheduled job finds its work by the due time, so a booking enters no status without one,
// except those in which nothing is left to do.
const isDueTimeKept: Condition = `newData.parent().hasChild('due_at') !== newData.val().matches(/^(PAI|C)/)`

// A trip that ends passes its next booking on.
const isNextKept: Condition = any(
  `!newData.parent().hasChild('next')`,
  `newData.val().matches(/^(STARTED|REACHED)$/)`,
)

const changingFields = {
  status: choiceRule(...STATUSES),
  due_at: makeOptional(timestampRule()),
  carType: textRule(1, 100),
  carTypeId: keyRule,
  carImage: makeOptional(urlRule),
  customer_name: name,
  customer_image: makeOptional(urlRule),
  pickup: recordRule(place),
  drop: recordRule(place),
  pickupAddress: textRule(0, 500),
  dropAddress: textRule(0, 500),
  estimate: numberRule(0, 1e9),
  estimateDistance: numberRule(0, 1e6),
  distance: numberRule(0, 1e6),
  estimateTime: seconds,
  tripdate: timestampRule(),
  bookLater: booleanRule(),
  // Only says that a code exists; the rider must tell the code to the driver.
  otp: booleanRule(),
  coords: arrayRule(recordRule(latLngFields)),
  waypoints: makeOptional(arrayRule(recordRule(place))),
  route: makeOptional(textRule(2, MAX_ROUTE_CHARS)),
  trip_cost: numberRule(0, 1e9),
  convenience_fees: numberRule(0, 1e9),
  driver_share: money,
  paymentPacket: makeOptional(
    recordRule({
      appcat: choiceRule('taxi', 'delivery'),
      payment_mode: choiceRule(...PAYMENT_MODES),
      customer_paid: numberRule(0, 1e9),
      discount_amount: numberRule(0, 1e9),
      usedWalletMoney: numberRule(0, 1e9),
      cardPaymentAmount: numberRule(0, 1e9),
      cashPaymentAmount: numberRule(0, 1e9),
      payableAmount: numberRule(0, 1e9),
      promo_applied: booleanRule(),
      promo_details: makeOptional(recordRule({ id: keyRule, promo_name: name })),
    } satisfies FieldsOf<PaymentPacket>),
  ),
  requestedDrivers: makeOptional(collectionRule('$driver', trueRule)),
  askedDrivers: makeOptional(collectionRule('$driver', timestampRule())),
  requeued_at: makeOptional(timestampRule()),
  offers_from: makeOptional(timestampRule()),
  taken_by: makeOptional(keyRule),
  wait_until: makeOptional(timestampRule()),
  driver_name: makeOptional(name),
  driver_image: makeOptional(urlRule),
  vehicle_number: makeOptional(textRule(0, 30)),
  driverRating: makeOptional(numberRule(0, 5)),
  fleetadmin: makeOptional(keyRule),
  accepted_at: makeOptional(timestampRule()),
  next: makeOptional(keyRule),
  follows: makeOptional(keyRule),
  expected_at: makeOptional(timestampRule()),
  driver_arrive_time: makeOptional(timestampRule()),
  trip_start_time: makeOptional(clock),
  startTime: makeOptional(timestampRule()),
  trip_end_time: makeOptional(clock),
  endTime: makeOptional(timestampRule()),
  total_trip_time: makeOptional(seconds),
  pickup_image: makeOptional(urlRule),
  deliver_image: makeOptional(urlRule),
  driven_distance: makeOptional(numberRule(0, 1e6)),
  distance_review: makeOptional(
    recordRule({
      verdict: choiceRule(...TRIP_VERDICTS),
      reasons: makeOptional(arrayRule(choiceRule(...TRIP_VERDICT_REASONS))),
      dropped_points: integerRule(0, 1e6),
      charged_time: seconds,
      decision: makeOptional(choiceRule(...REVIEW_DECISIONS)),
      decided_by: makeOptional(keyRule),
      decided_at: makeOptional(timestampRule()),
      credited: makeOptional(numberRule(0, 1e9)),
    } satisfies FieldsOf<DistanceReview>),
  ),
  reason: makeOptional(textRule(1, 500)),
  cancelledBy: makeOptional(textRule(1, 128)),
  cancelled_at: makeOptional(timestampRule()),
  cancellationFee: makeOptional(numberRule(0, 1e9)),
  discount: makeOptional(numberRule(0, 1e9)),
  discount_amount: makeOptional(numberRule(0, 1e9)),
  customer_paid: makeOptional(numberRule(0, 1e9)),
  cashPaymentAmount: makeOptional(numberRule(0, 1e9)),
  cardPaymentAmount: makeOptional(numberRule(0, 1e9)),
  usedWalletMoney: makeOptional(numberRule(0, 1e9)),
  payableAmount: makeOptional(numberRule(0, 1e9)),
  payment_mode: makeOptional(choiceRule(...PAYMENT_MODES)),
  gateway: makeOptional(textRule(1, 60)),
  prepaid: makeOptional(booleanRule()),
  paid_at: makeOptional(timestampRule()),
  refunded: makeOptional(numberRule(0, 1e9)),
  rating: makeOptional(integerRule(1, 5)),
  promo_applied: makeOptional(booleanRule()),
  promo_details: makeOptional(recordRule({ id: keyRule, promo_name: name })),
  deliveryPerson: makeOptional(textRule(0, 120)),
  parcelTypeSelected: makeOptional(recordRule(choice)),
  optionSelected: makeOptional(recordRule(choice)),
  // Apart from the log, which only grows, so that the deletion of an account can remove them.
  words: makeOptional(collectionRule('$event', textRule(0, MAX_WORDS_LENGTH))),
}

const requireRevision = <F extends Fields>(fields: F): F =>
  Object.fromEntries(
    Object.entries(fields).map(([field, rule]) => [
      field,
      withWriteCondition(isRevisionChanged, rule),
    ]),
  ) as F

// The write that assigns the booking also makes the free driver busy, so no other booking can
// follow, except the one next booking that the driver's trip names.
const isDriverAssigned = all(
  isNew,
  isKept,
  any(
    `${beforeWrite('users/{newData.val()}/queue')}.val() !== true`,
    `${afterWrite(2, "{newData.parent().child('follows').val()}/next")}.val() === $booking`,
  ),
  `${afterWrite(3, 'users/{newData.val()}/queue')}.val() === true`,
)

// A booking loses its driver only in the write that makes it NEW, which also frees the driver.
const isDriverReleased = all(
  isRemoved,
  `newData.parent().child('status').val() === 'NEW'`,
  `${afterWrite(3, 'busy_drivers/{data.val()}/booking')}.val() !== $booking`,
)

const driver = makeOptional({
  ...keyRule,
  write: all(isRevisionChanged, any(isDriverAssigned, isDriverReleased)),
})

const booking = {
  ...fixedFields,
  revision: revisionRule,
  ...requireRevision(changingFields),
  status: withValidation(
    all(isDueTimeKept, isNextKept),
    withWriteCondition(all(isRevisionChanged, isNextStatus), changingFields.status),
  ),
  driver,
  // Fares with their causes and results: entries can be added but not changed.
  fare_history: collectionRule(
    '$entry',
    recordRule(
      {
        kind: choiceRule(...FARE_ENTRY_KINDS),
        at: timestampRule(),
        cause: textRule(1, 200),
        lines: makeOptional(arrayRule(recordRule(line))),
        total: money,
      } satisfies FieldsOf<FareHistoryEntry>,
      { create: isRevisionRaised(2) },
    ),
  ),
  // Only the functions create one, with the reason and the amounts of a wallet entry.
  adjustments: makeOptional(
    collectionRule(
      '$request',
      recordRule(
        {
          at: timestampRule(),
          reason: textRule(1, 200),
          rider: makeOptional(money),
          driver: makeOptional(money),
        } satisfies FieldsOf<Adjustment>,
        { create: isServer },
      ),
    ),
  ),
  event_log: collectionRule(
    '$event',
    recordRule(
      {
        event: textRule(1, 40),
        by: textRule(1, 128),
        at: timestampRule(),
        received_at: makeOptional(timestampRule()),
        status: choiceRule(...STATUSES),
        revision: integerRule(1, 1e9),
        ref: makeOptional(textRule(1, 300)),
        reason: makeOptional(textRule(1, 300)),
      } satisfies FieldsOf<EventLogEntry>,
      {
        create: all(
          isRevisionRaised(2),
          `newData.child('revision').val() === newData.parent().parent().child('revision').val()`,
        ),
      },
    ),
  ),
} satisfies FieldsOf<Booking>

/** Returns a field of the booking in the path, as it was before the write. */
const getBookingField = (field: string) => `${beforeWrite(`bookings/$booking/${field}`)}.val()`
/** Holds for a party of the booking in the path, by fields that no client can write. */
const isPartyIn = (...fields: string[]): Condition =>
  all(isMember, any(...fields.map((field) => `${getBookingField(field)} === auth.uid`)))
const hasStatus = (statuses: readonly Status[]): Condition =>
  isAmong(statuses, getBookingField('status'))

// Stuck bookings found by the scheduled job. The back office sees each one until it progresses.
export const stuckBookings: Rule = collectionRule(
  '$booking',
  recordRule(
    {
      status: choiceRule(...ACTIVE_STATUSES),
      since: timestampRule(),
      found_at: timestampRule(),
    } satisfies FieldsOf<StuckBooking>,
    { create: isServer, update: isServer, remove: isServer },
  ),
  { read: all(isAdmin, isQueryLimitedTo(1000)), indexOn: ['since'] },
)

// Flagged trips that wait for the back office's decision. They are written in the same update as
// their booking.
export const fareReviews: Rule = collectionRule(
  '$booking',
  recordRule({ at: timestampRule(), driver: keyRule } satisfies FieldsOf<FareReview>, {
    create: isServer,
    update: isServer,
    remove: isServer,
  }),
  { read: all(isAdmin, isQueryLimitedTo(1000)), indexOn: ['at', 'driver'] },
)

// Clients never write a booking. They call a function, whose write these rules check.
export const bookings: Rule = collectionRule(
  '$booking',
  editablePartsRule(booking, {
    read: any(
      all(
        isMember,
        any(
          `data.child('customer').val() === auth.uid`,
          `data.child('driver').val() === auth.uid`,
          `data.child('fleetadmin').val() === auth.uid`,
          `data.child('requestedDrivers/' + auth.uid).val() === true`,
        ),
      ),
      isAdmin,
    ),
    create: all(
      isServer,
      `newData.child('revision').val() === 1`,
      isFirstStatus,
      isCurrencyNotHeld,
    ),
  }),
  {
    read: any(
      isQueryOfOwnRows('customer', isMember),
      isQueryOfOwnRows('driver', hasRole('driver')),
      isPagedQueryOfOwnRows('fleetadmin', hasRole('fleetadmin')),
      all(isAdmin, isQueryLimitedTo(1000)),
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
      'due_at',
    ],
  },
)

/**
 * Holds from ACCEPTED until one hour after the end, like `isContactOpen`. An inactive booking
 * without an end time is closed.
 */
const tripEnd = `(${getBookingField('cancelled_at')} !== null ? ${getBookingField('cancelled_at')} : ${getBookingField('endTime')})`
const isInContactWindow = `${tripEnd} + ${CONTACT_WINDOW_MS} > now`
const isContactOpen: Condition = any(hasStatus(TRACKED_STATUSES), isInContactWindow)

const isRequesterIn = (field: string) => `${getBookingField(field)} === auth.uid`
const withReaders = <R extends Rule>(rule: R, ...readers: Condition[]): R => ({
  ...rule,
  read: all(isMember, any(...readers)),
})
const isOnTheWay = all(
  any(isRequesterIn('customer'), isRequesterIn('driver')),
  hasStatus(TRACKED_STATUSES),
)
// The fleet, and rider and driver also in the hour after the end. A booking without an end fails
// here, so this comes last.
const addressReaders = [
  all(isRequesterIn('fleetadmin'), isEditingAllowed),
  isOnTheWay,
  all(any(isRequesterIn('customer'), isRequesterIn('driver')), isInContactWindow),
]
/** The contacts that customers can still read after they can no longer reach the driver. */
const makeReadableByCustomer = <R extends Rule>(rule: R): R =>
  withReaders(rule, isRequesterIn('customer'), ...addressReaders)
// They may have door codes, so of drivers only the one on the way reads them.
const instructions = withReaders(
  makeOptional(textRule(0, 1000)),
  isRequesterIn('customer'),
  isOnTheWay,
  isAdmin,
)

const contactFields = {
  customer_contact: makeReadableByCustomer(phone),
  customer_email: makeReadableByCustomer(textRule(0, 254)),
  deliveryPersonPhone: makeReadableByCustomer(makeOptional(phone)),
  driver_contact: withReaders(makeOptional(phone), ...addressReaders),
  pickUpInstructions: instructions,
  deliveryInstructions: instructions,
} satisfies FieldsOf<BookingContacts>

/**
 * Holds when the write changes the booking's revision, so that the second of two changes is
 * refused.
 */
const isBookingRevised = all(
  isServer,
  `${afterWrite(2, 'bookings/$booking/revision')}.val() !== ${getBookingField('revision')}`,
)

// Phone numbers, email addresses and instructions have fewer readers than their booking, and a time
// limit. People read them field by field.
export const bookingContacts: Rule = collectionRule(
  '$booking',
  recordRule(contactFields, {
    read: all(isAdmin, arePeopleOpen),
    create: isBookingRevised,
    update: isBookingRevised,
    remove: isBookingRevised,
  }),
  // The back office searches by the phone number of a caller.
  {
    read: all(isAdmin, arePeopleOpen, isQueryLimitedTo(1000)),
    indexOn: ['customer_contact', 'deliveryPersonPhone', 'driver_contact'],
  },
)

// Written in the update that creates the booking. A reference stays with its booking, so of two
// bookings that want the same one, the second write is refused and retried with the next reference.
export const bookingRefs: Rule = collectionRule('$reference', {
  ...writableValueRule(
    valueRule(
      all(
        isMatching(REFERENCE_PATTERN, '$reference'),
        `${afterWrite(2, 'bookings/{newData.val()}/reference')}.val() === $reference`,
      ),
    ),
    { create: isServer },
  ),
  read: any(
    isAdmin,
    all(
      hasRole('fleetadmin'),
      `${beforeWrite('bookings/{data.val()}/fleetadmin')}.val() === auth.uid`,
    ),
  ),
})

// The rider tells their code to the driver. If the driver could read it, they would not need the
// rider.
export const bookingOtps: Rule = collectionRule(
  '$booking',
  writableValueRule(integerRule(10_000, 99_999), {
    read: any(isPartyIn('customer'), isAdmin),
    create: isServer,
    remove: isServer,
  }),
)

const isOver = hasStatus(['PAID', 'COMPLETE', 'CANCELLED'])

// Guesses are counted one by one: of two simultaneous guesses, the second is refused and counted
// after the first.
export const otpAttempts: Rule = collectionRule(
  '$booking',
  recordRule(
    { tries: integerRule(0, 1000), locked_until: timestampRule() },
    {
      create: all(isServer, `newData.child('tries').val() <= 1`),
      update: all(
        isServer,
        any(
          `newData.child('tries').val() === data.child('tries').val() + 1`,
          all(`newData.child('tries').val() <= 1`, `data.child('locked_until').val() <= now`),
        ),
      ),
      remove: isServer,
    },
  ),
)

const answerRule = <R extends Rule>(rule: R): R => ({
  ...rule,
  write: all(isServer, 'data.parent().exists()', isNew),
})
const anyNumber = valueRule('newData.isNumber()')

// The drivers who were asked to take a booking, written in the same update as the request. Nothing
// changes or removes an offer; its answer is added once.
export const offers: Rule = collectionRule(
  '$booking',
  collectionRule(
    '$offer',
    {
      read: all(
        isMember,
        any(
          `data.child('driver').val() === auth.uid`,
          `${beforeWrite(`users/{data.child('driver').val()}/fleetadmin`)}.val() === auth.uid`,
        ),
      ),
      write: all(
        isServer,
        isNew,
        // Also proves that the offer names a driver.
        `${afterWrite(3, `driver_tasks/{newData.child('driver').val()}/$booking`)}.exists()`,
        hasParts(['at', 'expires', 'eta_s', 'by']),
      ),
      children: {
        driver: valueRule('newData.isString()'),
        at: anyNumber,
        expires: anyNumber,
        eta_s: anyNumber,
        by: choiceRule('system', 'admin'),
        answer: makeOptional(answerRule(choiceRule(...OFFER_ANSWERS))),
        answeredAt: makeOptional(answerRule(anyNumber)),
        cost: makeOptional(anyNumber),
        rank: makeOptional(anyNumber),
        $other: { validate: 'false' },
      } satisfies FieldsOf<Offer> & Record<'$other', Rule>,
    },
    { read: isAdmin, indexOn: ['answer'] },
  ),
)

const driverAfter = (field: string) => `${afterWrite(3, `users/$driver/${field}`)}.val()`

// Bookings offered to a driver. A driver who is off duty or busy gets none: otherwise a request
// made at the moment of their accept would remain. The exception is a trip whose end is known.
export const driverTasks: Rule = collectionRule(
  '$driver',
  collectionRule(
    '$booking',
    withWriteCondition(
      all(
        isServer,
        any(
          isRemoved,
          isUnchanged,
          all(
            any(
              `!data.parent().exists()`,
              `${beforeWrite('settings/dispatchMode')}.val() === 'broadcast'`,
            ),
            any(
              `${driverAfter('queue')} !== true`,
              `${beforeWrite('busy_drivers/$driver/ends_at')}.exists()`,
            ),
            `${driverAfter('driverActiveStatus')} === true`,
          ),
        ),
      ),
      makeOptional(trueRule),
    ),
    {
      read: all(isSelf('$driver'), hasRole('driver')),
      write: all(isServer, isRemoved),
    },
  ),
)

// Nothing changes a note. The deletion of a party's account removes all notes of the booking.
export const bookingNotes: Rule = collectionRule(
  '$booking',
  collectionRule(
    '$note',
    recordRule(
      {
        text: textRule(1, BOOKING_NOTE_LENGTH),
        by: keyRule,
        at: timestampRule(),
      } satisfies FieldsOf<BookingNote>,
      { create: isServer },
    ),
    { read: isAdmin, write: all(isServer, isRemoved) },
  ),
)

// Between two transitions, the driver's app sends their position under the actual status of the
// booking.
export const tracking: Rule = collectionRule(
  '$booking',
  collectionRule(
    '$point',
    recordRule(
      {
        ...latLngFields,
        id: makeOptional(keyRule),
        at: timestampRule(),
        // A driver writes the status of the booking, and functions write no other word, so the file
        // spends no bytes on the list of statuses.
        status: keyRule,
      } satisfies FieldsOf<TrackingPoint>,
      {
        create: any(
          isServer,
          all(
            hasRole('driver'),
            `${getBookingField('driver')} === auth.uid`,
            hasStatus(TRACKED_STATUSES),
            `newData.child('status').val() === ${getBookingField('status')}`,
            // Points recorded offline arrive late, but never from before the driver got the
            // booking.
            `newData.child('at').val() >= ${getBookingField('accepted_at')}`,
            // A phone's clock may be one minute fast.
            `newData.child('at').val() <= now + 60000`,
            `${afterWrite(3, 'newest/tracking/$booking/{auth.uid}')}.val() === $point`,
          ),
        ),
      },
    ),
    {
      // Rider and driver follow the trip, and the office decides about it afterwards.
      read: any(all(isMember, any(isRequesterIn('fleetadmin'), isOnTheWay)), isAdmin),
      // Deleting the customer's account removes the track once the trip is over.
      write: all(isServer, isRemoved, isOver),
      indexOn: ['at'],
    },
  ),
)

// Rider and driver can write to each other until one hour after the end.
export const chats: Rule = collectionRule(
  '$booking',
  collectionRule(
    '$message',
    recordRule(
      {
        message: textRule(1, 1000),
        from: keyRule,
        type: choiceRule('msg'),
        msgDate: textRule(1, 40),
        msgTime: textRule(1, 40),
        source: choiceRule('rider', 'driver'),
        at: timestampRule(),
      } satisfies FieldsOf<ChatMessage>,
      {
        create: all(
          `${getBookingField('driver')} !== null`,
          isContactOpen,
          `newData.child('from').val() === auth.uid`,
          `newData.child('at').val() === now`,
          `${afterWrite(3, 'newest/chats/$booking/{auth.uid}')}.val() === $message`,
          isMember,
          any(
            all(isRequesterIn('customer'), `newData.child('source').val() === 'rider'`),
            all(isRequesterIn('driver'), `newData.child('source').val() === 'driver'`),
          ),
        ),
      },
    ),
    {
      read: any(isPartyIn('customer', 'driver'), isAdmin),
      // Deleting the account of a party removes their messages once the trip is over.
      write: all(isServer, isRemoved, isOver),
      indexOn: ['at'],
    },
  ),
)

const newestEntryPath = '$list/$booking/{newData.val()}'
const minIntervalMs = Math.max(MIN_MESSAGE_INTERVAL_MS, MIN_TRACK_POINT_INTERVAL_MS)
// The rules accept a message or point only as its sender's newest entry, which refers to it. An
// update therefore adds one, and their timestamps are at least a second apart. A message has the
// server's time. A point has the driver's time, so a device that was offline sends its track in a
// burst with at most one point per second since the booking was accepted.
export const newest: Rule = collectionRule(
  '$list',
  collectionRule(
    '$booking',
    collectionRule('$uid', {
      write: any(
        isServer,
        all(
          isSelf('$uid'),
          `!${beforeWrite(newestEntryPath)}.exists()`,
          `${afterWrite(4, `${newestEntryPath}/at`)}.val() >= (data.exists() ? ${beforeWrite('$list/$booking/{data.val()}/at')}.val() + ${minIntervalMs} : 1)`,
        ),
      ),
      validate: isMatching('^-[A-Za-z0-9_-]{19}$'),
    }),
  ),
)
