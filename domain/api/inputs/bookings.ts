import * as v from 'valibot'
import * as fields from '../../forms/fieldSchemas'
import { BOOKING_NOTE_LENGTH } from '../../booking/limits/limits'
import { HELP_TOPICS, MAX_HELP_LENGTH } from '../../help/helpCase'
import { guestForm } from '../../forms/userForms'
import {
  addressesConfirmed,
  amount,
  bookingRef,
  deliveryFields,
  idSchema,
  index,
  place,
  pushKey,
  required,
  stops,
  time,
  tripTime,
} from '../inputFields'
import { STATUSES } from '../../booking/types'

export const createBookingSchema = v.strictObject({
  /**
   * A push key that the client created. A repeat of the request gets the first response; a
   * different request with the same key is refused.
   */
  booking_id: pushKey,
  /** The rider. Admins only. */
  customer: v.optional(idSchema),
  /** A caller without an account, instead of `customer`. Admins only. */
  guest: v.optional(guestForm),
  pickup: place,
  drop: place,
  waypoints: v.optional(stops),
  addressesConfirmed,
  /** The vehicle type's id. */
  carType: idSchema,
  bookLater: v.boolean(),
  /** Milliseconds. */
  tripdate: v.optional(tripTime),
  /** The grand total shown to the rider. */
  estimateFare: amount,
  parcelTypeIndex: v.optional(index),
  optionIndex: v.optional(index),
  /**
   * The customer waits for the next free driver when none is in reach. Riders only while
   * `settings.allowWaiting` is on; not for a booking for later, which always waits.
   */
  wait: v.optional(v.literal(true)),
  ...deliveryFields,
})
export type CreateBookingInput = v.InferOutput<typeof createBookingSchema>

/** `note_id` is a push key from the client: the same key again adds nothing more. */
export const addBookingNoteSchema = v.strictObject({
  booking_id: idSchema,
  note_id: pushKey,
  text: required(BOOKING_NOTE_LENGTH),
})
export type AddBookingNoteInput = v.InferInput<typeof addBookingNoteSchema>
/** `request_id` is a push key from the client: the same key again sends nothing more. */
export const sendReceiptSchema = v.strictObject({ booking_id: idSchema, request_id: pushKey })
export type SendReceiptInput = v.InferInput<typeof sendReceiptSchema>
export const explainOfferSchema = v.strictObject({
  booking_id: idSchema,
  /** The number of the offer; the caller's latest one by default. */
  offer: v.optional(v.pipe(v.string(), v.regex(/^\d{1,6}$/))),
})
export type ExplainOfferInput = v.InferInput<typeof explainOfferSchema>

const helpText = required(MAX_HELP_LENGTH)
export const askHelpSchema = v.strictObject({
  ...bookingRef,
  request_id: pushKey,
  topic: v.picklist(HELP_TOPICS),
  text: helpText,
})
export type AskHelpInput = v.InferInput<typeof askHelpSchema>
export const answerHelpSchema = v.strictObject({
  ...bookingRef,
  request_id: pushKey,
  text: helpText,
  /** The revision of the case that the caller saw. */
  revision: v.pipe(v.number(), v.integer(), v.minValue(1)),
})
export type AnswerHelpInput = v.InferInput<typeof answerHelpSchema>
export const readHelpSchema = v.strictObject(bookingRef)
export const listHelpSchema = v.strictObject({
  /** The `next` of the page before. */
  after: v.optional(bookingRef.booking_id),
})

export const SHARE_LEVELS = ['status', 'live'] as const
export const shareBookingSchema = v.strictObject({
  booking_id: idSchema,
  level: v.optional(v.picklist(SHARE_LEVELS), 'live'),
  hours: v.optional(v.pipe(v.number(), v.minValue(1), v.maxValue(72)), 24),
  /** The token to revoke. */
  revoke: v.optional(idSchema),
})

export const trackSchema = v.strictObject({ token: idSchema })

/** `cursor` is the `next` of the previous response. */
export const findBookings = v.strictObject({
  words: fields.searchedText(200),
  cursor: v.optional(idSchema),
})

export const exportBookingsSchema = v.strictObject({
  /**
   * The previous page's `next`: a booking id, preceded by its date when results are sorted by date.
   */
  cursor: v.optional(v.pipe(v.string(), v.regex(/^(\d{1,16}\.)?[A-Za-z0-9_-]{1,128}$/))),
  limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(500)), 200),
  /** Booking dates, ms. */
  from: v.optional(time),
  to: v.optional(time),
  status: v.optional(v.picklist(STATUSES)),
  customer: v.optional(idSchema),
  driver: v.optional(idSchema),
  carTypeId: v.optional(idSchema),
})
