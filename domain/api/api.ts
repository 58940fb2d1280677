import * as v from 'valibot'
import { STOP_STATES } from '../booking/stops/bookingStops'
import type { CurrencyChangePlan } from '../money/currencyChange'
import { advanceBookingSchema } from '../booking/events/inputs'
import * as input from './endpointSchemas'
import type { HelpCase } from '../help/helpCase'
import type { DomainError } from './errors'
import type { FairnessRow } from '../dispatch/matching/driverMonth'
import type { ShownExplanation } from '../dispatch/matching/explainOffer'
import type { DriverPart } from '../dispatch/matching/missedOffers'
import type { MessageSettings, MessageTotal } from '../messages/messageSettings'
import type { SentMessage } from '../messages/outbox'
import { PAYMENT_STATUSES } from '../payments/paymentAttempt'
import type { UnconfirmedRegistration } from '../accounts/pendingRegistration'
import type { AmendedTrip, SeriesView } from '../recurring/view'
import type { RefusalDay } from '../access/refusals'
import {
  STATUSES,
  type Booking,
  type BookingWithContacts,
  type CallerTrip,
  type PaymentPacket,
} from '../booking/types'
import type { LatLng, Place } from '../geo/types'
import type { ListedPerson, User } from '../accounts/types'

/**
 * The input and the output of every endpoint, described only here. The functions parse requests and
 * build responses by it, the web app and the simulator infer their types from it, and
 * docs/endpoints.md and docs/openapi.json are generated from it.
 */

/** A record that the entities describe. Its title is the entity's name. */
const record = <T extends object>(title: string) =>
  v.pipe(
    v.custom<T>((value) => typeof value === 'object' && value !== null),
    v.title(title),
  )

const id = v.string()
const count = v.pipe(v.number(), v.integer())
const position = record<LatLng>('LatLng')
const noInput = v.strictObject({})
const status = v.pipe(v.picklist(STATUSES), v.title('Status'))
const paymentStatus = v.pipe(v.picklist(PAYMENT_STATUSES), v.title('PaymentStatus'))
const success = v.object({ success: v.literal(true) })
const series = record<SeriesView>('SeriesView')
/** The maps service's reason, in its own words. */
const mapsError = v.object({ error: v.string() })
const revisedBooking = { booking_id: id, status, revision: count }
const changedWallet = { uid: id, amount: v.number(), walletBalance: v.number() }
/** The outcome of each row, in their order; a refused row has the reason and nothing is written. */
const importResult = v.variant('status', [
  v.object({
    status: v.picklist(['added', 'changed', 'unchanged']),
    id,
    /** Of a new booking: the addresses that were found, and its price. */
    booking: v.optional(
      v.object({
        pickup: v.string(),
        stops: v.optional(v.array(v.string())),
        drop: v.string(),
        estimate: v.number(),
      }),
    ),
  }),
  v.object({ status: v.literal('refused'), error: record<DomainError>('DomainError') }),
])
export type ImportResult = v.InferOutput<typeof importResult>
const route = {
  distance_in_km: v.number(),
  time_in_secs: v.number(),
  /** Google's encoding, precision 5. */
  polylinePoints: v.string(),
  coords: v.array(position),
  /** True when it was not measured along streets. */
  approximate: v.boolean(),
}
const step = v.object({
  maneuver: v.string(),
  street: v.string(),
  distance_in_km: v.number(),
  time_in_secs: v.number(),
  at: position,
  exit: v.optional(v.number()),
})

export const API = {
  // Bookings
  create_booking: {
    input: input.createBookingSchema,
    output: v.object({
      ...revisedBooking,
      reference: v.string(),
      /** The grand total that the server computed. */
      estimate: v.number(),
    }),
  },
  advance_booking: { input: advanceBookingSchema, output: v.object(revisedBooking) },
  share_booking: {
    input: input.shareBookingSchema,
    output: v.union([
      v.object({ token: v.string(), expires: v.number() }),
      v.object({ token: v.string(), revoked: v.literal(true) }),
    ]),
  },
  export_bookings: {
    input: input.exportBookingsSchema,
    output: v.object({
      rows: v.array(record<BookingWithContacts>('BookingWithContacts')),
      /** The cursor of the next page; null on the last. */
      next: v.nullable(v.string()),
    }),
  },
  find_bookings: {
    input: input.findBookings,
    output: v.object({
      rows: v.array(record<Booking>('Booking')),
      /** Number of bookings that this page searched. */
      looked: count,
      next: v.nullable(v.string()),
    }),
  },
  explain_offer: {
    input: input.explainOfferSchema,
    /** Null for offers without a record. */
    output: v.object({ explanation: v.nullable(record<ShownExplanation>('OfferExplanation')) }),
  },
  fairness_report: {
    input: input.fairnessReportSchema,
    output: v.object({
      rows: v.array(record<FairnessRow>('FairnessRow')),
      /** The cursor of the next page; null on the last. */
      next: v.nullable(v.string()),
    }),
  },
  driver_parts: {
    input: input.driverPartsSchema,
    output: v.object({
      rows: v.array(record<DriverPart>('DriverPart')),
      /** The `before` of the next page; null on the last. */
      next: v.nullable(v.number()),
    }),
  },
  save_recurring: {
    input: input.saveRecurringSchema,
    output: v.object({ series }),
  },
  change_recurring: {
    input: input.changeRecurringSchema,
    output: v.object({
      /** Null when the series has ended. */
      series: v.nullable(series),
      /** The upcoming bookings after an edit with `booked: amend`, and why some stay as is. */
      amended: v.optional(v.array(record<AmendedTrip>('AmendedTrip'))),
    }),
  },
  list_recurring: {
    input: input.listRecurringSchema,
    output: v.object({ series: v.array(series), next: v.nullable(v.string()) }),
  },
  track: {
    input: input.trackSchema,
    output: v.object({
      status,
      carType: v.string(),
      /** The vehicle type's names in other languages, by locale. */
      carTypeNames: v.optional(v.record(v.string(), v.string())),
      /** Present until the booking ends. */
      pickup: v.optional(record<Place>('Place')),
      drop: v.optional(record<Place>('Place')),
      /** The stops between them in their order; missing when there are none. */
      stops: v.optional(
        v.array(
          v.object({
            lat: v.number(),
            lng: v.number(),
            add: v.string(),
            state: v.picklist(STOP_STATES),
          }),
        ),
      ),
      level: v.picklist(input.SHARE_LEVELS),
      expires: v.number(),
      /** The planned route as an encoded polyline, while the booking is in progress. */
      route: v.optional(v.string()),
      /** Planned seconds of that route. */
      routeSeconds: v.optional(v.number()),
      driver: v.optional(
        v.object({ name: v.string(), vehicle: v.string(), image: v.optional(v.string()) }),
      ),
      location: v.optional(v.object({ lat: v.number(), lng: v.number(), at: v.number() })),
    }),
  },

  // People
  ensure_profile: {
    input: noInput,
    output: v.intersect([
      record<User>('User'),
      v.object({
        pendingRegistration: v.optional(record<UnconfirmedRegistration>('PendingRegistration')),
      }),
    ]),
  },
  discard_registration: { input: noInput, output: success },
  user_signup: {
    input: input.userSignupSchema,
    output: v.object({
      success: v.literal(true),
      /** Null until the phone number is verified, because no account exists yet. */
      uid: v.nullable(id),
      approved: v.boolean(),
      pending: v.optional(v.literal(true)),
    }),
  },
  save_user: { input: input.saveUserSchema, output: v.object({ id, approved: v.boolean() }) },
  import_people: {
    input: input.importPeopleSchema,
    output: v.object({ results: v.array(importResult) }),
  },
  import_bookings: {
    input: input.importBookingsSchema,
    output: v.object({ results: v.array(importResult) }),
  },
  delete_user: {
    input: input.deleteUserSchema,
    /** `bookings` is the number of anonymized bookings. */
    output: v.object({ id, bookings: count }),
  },
  check_user_exists: {
    input: input.checkUserExistsSchema,
    /** One empty object for each user. */
    output: v.object({ users: v.array(v.object({})), error: v.null() }),
  },
  validate_referrer: {
    input: input.validateReferrerSchema,
    output: v.object({ valid: v.boolean() }),
  },
  register_push_token: {
    input: input.registerPushTokenSchema,
    output: v.object({ registered: v.boolean() }),
  },
  end_sessions: {
    input: input.endSessionsSchema,
    output: v.object({
      uid: id,
      /** Sign-ins before this time have ended, ms. */
      sessionsEnd: v.number(),
    }),
  },

  // Money
  add_to_wallet: { input: input.addToWalletSchema, output: v.object(changedWallet) },
  take_from_wallet: { input: input.takeFromWallet, output: v.object(changedWallet) },
  request_withdraw: {
    input: input.requestWithdrawSchema,
    output: v.object({ withdraw_id: id, amount: v.number(), walletBalance: v.number() }),
  },
  complete_withdraw: {
    input: input.completeWithdrawSchema,
    output: v.object({ withdraw_id: id, processed: v.literal(true), procesDate: v.number() }),
  },
  quote_payment: {
    input: input.quotePaymentSchema,
    output: v.object({
      packet: record<PaymentPacket>('PaymentPacket'),
      /** The remaining amount to pay, in the settings' currency. */
      due: v.number(),
      walletBalance: v.number(),
    }),
  },
  start_payment: {
    input: input.startPaymentSchema,
    output: v.union([
      v.object(revisedBooking),
      v.object({
        payment_id: id,
        /** The URL that the form posts to. */
        url: v.string(),
        amount: v.number(),
        currency: v.string(),
      }),
    ]),
  },
  refund_payment: {
    input: input.refundPaymentSchema,
    output: v.object({
      payment_id: id,
      status: paymentStatus,
      /** The total refunded so far. */
      refunded: v.number(),
      refund: v.picklist(['confirmed', 'pending', 'unknown']),
    }),
  },
  resolve_payment: {
    input: input.resolvePaymentSchema,
    output: v.object({ payment_id: id, status: paymentStatus }),
  },
  get_providers: {
    input: noInput,
    output: v.array(
      v.object({
        name: v.string(),
        link: v.string(),
        /** The provider charges multiples of this amount, in the settings' currency. */
        step: v.number(),
        /** The smallest amount that the provider charges. */
        minimum: v.number(),
      }),
    ),
  },

  // Messages and calls
  send_notification: { input: input.sendNotificationSchema, output: success },
  broadcast_notification: {
    input: input.broadcastNotificationSchema,
    output: v.object({
      notification_id: id,
      /** Number of intended recipients so far. */
      matched: count,
      /** Number of recipients that this call reached. */
      sent: count,
      /** False while the scheduled job has to do the rest. */
      done: v.boolean(),
    }),
  },
  message_settings: {
    input: input.messageSettingsSchema,
    output: v.object({
      settings: record<MessageSettings>('MessageSettings'),
      /** As YYYY-MM, in the platform's time zone. */
      month: v.string(),
      total: record<MessageTotal>('MessageTotal'),
    }),
  },
  save_message_settings: {
    input: input.saveMessageSettingsSchema,
    output: v.object({ revision: count }),
  },
  booking_messages: {
    input: input.bookingMessagesSchema,
    output: v.object({
      rows: v.array(record<SentMessage>('SentMessage')),
      next: v.nullable(v.string()),
    }),
  },
  /** `at` is the time, ms, of the first request. */
  send_receipt: { input: input.sendReceiptSchema, output: v.object({ at: v.number() }) },
  message_preferences: {
    input: input.messagePreferencesSchema,
    /** The optional messages that the caller has turned off. */
    output: v.object({ off: v.array(v.string()) }),
  },
  caller: { input: input.callerSchema, output: success },
  raise_panic: {
    input: input.raisePanicSchema,
    /** The time, ms, at which the office got the alert. */
    output: v.object({ at: v.number() }),
  },
  /** `first` is false when a colleague was faster. */
  answer_panic: { input: input.answerPanicSchema, output: v.object({ first: v.boolean() }) },
  /** `first` is false when a colleague was faster. */
  answer_call: { input: input.answerCallSchema, output: v.object({ first: v.boolean() }) },
  find_caller: {
    input: input.findCallerSchema,
    output: v.object({
      person: v.nullable(
        record<Pick<User, 'id' | 'usertype' | 'firstName' | 'lastName' | 'mobile'>>('Person'),
      ),
      trips: v.array(record<CallerTrip>('CallerTrip')),
      open: v.array(
        record<Pick<Booking, 'id' | 'reference' | 'status' | 'tripdate' | 'dropAddress'>>(
          'OpenBooking',
        ),
      ),
      note: v.object({ text: v.string(), revision: count }),
    }),
  },
  list_people: {
    input: input.listPeopleSchema,
    output: v.object({ rows: v.array(record<ListedPerson>('ListedPerson')) }),
  },
  ask_help: {
    input: input.askHelpSchema,
    output: v.object({ case: record<HelpCase>('HelpCase') }),
  },
  answer_help: {
    input: input.answerHelpSchema,
    output: v.object({ case: record<HelpCase>('HelpCase') }),
  },
  read_help: {
    input: input.readHelpSchema,
    output: v.object({ case: v.nullable(record<HelpCase>('HelpCase')) }),
  },
  list_help: {
    input: input.listHelpSchema,
    output: v.object({
      cases: v.array(record<HelpCase>('HelpCase')),
      /** The `after` of the next page; null on the last. */
      next: v.nullable(v.string()),
    }),
  },
  list_refusals: {
    input: input.listRefusalsSchema,
    output: v.object({ days: v.array(record<RefusalDay>('RefusalDay')) }),
  },
  save_place: { input: input.savePlaceSchema, output: success },
  save_note: { input: input.saveNoteSchema, output: v.object({ revision: count }) },
  /** `at` is the time, ms, at which the note was added. */
  add_booking_note: {
    input: input.addBookingNoteSchema,
    output: v.object({ note_id: id, at: v.number() }),
  },

  // Operation
  setup: { input: input.setupSchema, output: v.object({ success: v.literal(true), admin: id }) },
  change_currency: {
    input: input.changeCurrencySchema,
    output: v.object({
      code: v.string(),
      decimal: count,
      symbol: v.string(),
      changed: v.boolean(),
      /** The amounts left in the old currency; null when the currency stays. */
      plan: v.nullable(record<CurrencyChangePlan>('CurrencyChangePlan')),
    }),
  },
  run_sweep: {
    input: input.runSweepSchema,
    output: v.object({
      /** Ids of bookings. */
      expired: v.array(id),
      dispatched: v.array(id),
      reminded: v.array(id),
      stuck: v.array(id),
      /** Ids of settled payment attempts. */
      payments: v.array(id),
    }),
  },
  health: { input: noInput, output: v.object({ ok: v.literal(true), set_up: v.boolean() }) },

  // Maps
  'googleapis-getaddress': {
    input: input.getAddressSchema,
    output: v.union([v.object({ address: v.string() }), mapsError]),
  },
  'googleapis-getdirections': {
    input: input.getDirectionsSchema,
    output: v.union([v.object({ ...route, steps: v.array(step) }), mapsError]),
  },
  'googleapis-autocomplete': {
    input: input.autocompleteSchema,
    output: v.union([
      v.object({
        searchResults: v.array(
          v.object({
            description: v.string(),
            place_id: v.string(),
            mainText: v.string(),
            secondaryText: v.string(),
            kind: v.string(),
            coords: v.optional(position),
          }),
        ),
      }),
      mapsError,
    ]),
  },
  'googleapis-getcoords': {
    input: input.getCoordsSchema,
    output: v.union([
      v.object({
        coords: v.object({
          lat: v.number(),
          lng: v.number(),
          description: v.optional(v.string()),
        }),
      }),
      mapsError,
    ]),
  },
  'googleapis-getdistancematrix': {
    input: input.getDistanceMatrixSchema,
    output: v.union([
      v.object({
        data: v.array(
          v.array(
            v.object({
              found: v.boolean(),
              distance_in_km: v.number(),
              time_in_secs: v.number(),
              approximate: v.boolean(),
            }),
          ),
        ),
      }),
      mapsError,
    ]),
  },
} as const satisfies Record<string, { input: v.GenericSchema; output: v.GenericSchema }>

export type EndpointName = keyof typeof API
/** The input as a client sends it. */
export type EndpointInput<Name extends EndpointName> = v.InferInput<(typeof API)[Name]['input']>
/** The parsed input as a handler receives it. */
export type ParsedInput<Name extends EndpointName> = v.InferOutput<(typeof API)[Name]['input']>
/** The response of an endpoint. */
export type EndpointOutput<Name extends EndpointName> = v.InferOutput<(typeof API)[Name]['output']>

/** A checkout at a payment provider that start_payment opened. */
export type StartedCheckout = Extract<EndpointOutput<'start_payment'>, { payment_id: string }>

/** Returns true when start_payment opened a checkout, and false when it paid at once. */
export const isStartedCheckout = (
  response: EndpointOutput<'start_payment'>,
): response is StartedCheckout => 'payment_id' in response
