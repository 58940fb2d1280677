import type { TripDetail } from '../booking/tripDetails'
import * as v from 'valibot'
import {
  MAX_ADDRESS_LENGTH,
  MAX_INSTRUCTIONS_LENGTH,
  MAX_RECIPIENT_LENGTH,
  MAX_RECIPIENT_PHONE_LENGTH,
  MAX_STOPS,
} from '../booking/limits/limits'
import type { ErrorKey } from './errorKeys'
import * as fields from '../forms/fieldSchemas'
import { MAX_TIMESTAMP } from '../language/zonedTime'
import { COMPLAINT_REASONS, NOTE_LENGTH } from '../money/types'

/** Fields of the inputs of endpoints and events. */

/** Returns true for a name that every object has, such as `constructor`. */
export const isInherited = (name: string): boolean => name in Object.prototype
/** An id is a key of records, and an inherited name would find something in each of them. */
export const idSchema = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z0-9_-]{1,128}$/),
  v.check((id) => !isInherited(id)),
)
export const text = fields.optionalText
export const required = fields.requiredText
/** A key of another system, which no person reads. */
export const opaque = (max: number) => v.pipe(v.string(), v.maxLength(max), v.regex(/^[!-~]+$/))
export const latitude = v.pipe(v.number(), v.finite(), v.minValue(-90), v.maxValue(90))
export const longitude = v.pipe(v.number(), v.finite(), v.minValue(-180), v.maxValue(180))
/** Limits that people can exceed in a form have their own error, which `parse` reads from here. */
export const place = v.strictObject({
  lat: latitude,
  lng: longitude,
  add: required(MAX_ADDRESS_LENGTH, 'name', 'address_too_long'),
})
/** True when the office knows that the addresses are right. Admins only. */
export const addressesConfirmed = v.optional(v.literal(true))
export const time = v.pipe(v.number(), v.integer(), v.minValue(0))
export const index = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1000))
export const stops = v.pipe(
  v.array(place),
  v.maxLength(MAX_STOPS, 'too_many_stops' satisfies ErrorKey),
)
export const amount = v.pipe(v.number(), v.finite(), v.minValue(0))
export const money = v.pipe(v.number(), v.finite(), v.gtValue(0), v.maxValue(1e9))
export const tripTime = v.pipe(time, v.maxValue(MAX_TIMESTAMP))
export const bookingRef = { booking_id: idSchema }
/** The recipient and the notes of a booking. */
export const deliveryFields = {
  deliveryPerson: v.optional(text(MAX_RECIPIENT_LENGTH, 'name')),
  deliveryPersonPhone: v.optional(text(MAX_RECIPIENT_PHONE_LENGTH, 'name')),
  pickUpInstructions: v.optional(text(MAX_INSTRUCTIONS_LENGTH)),
  deliveryInstructions: v.optional(text(MAX_INSTRUCTIONS_LENGTH)),
} satisfies Record<TripDetail, unknown>
/**
 * A web address with no scheme that a browser executes, in the ASCII form of links to downloads.
 * The functions also require a file of the sender in our bucket.
 */
export const imageUrl = v.pipe(
  v.string(),
  v.maxLength(2000),
  v.regex(/^https?:\/\/[!-~]+$/),
  v.url(),
)

/** A key created by the client in the SDKs' format: 20 characters that sort by time. */
export const pushKey = v.pipe(v.string(), v.regex(/^-[A-Za-z0-9_-]{19}$/))

/** Why the office moves money after a trip. The rider and the driver can read both. */
export const complaintFields = {
  reason: v.picklist(COMPLAINT_REASONS),
  /** The office's own words. */
  text: v.optional(text(NOTE_LENGTH)),
}
export const complaintSchema = v.strictObject(complaintFields)
export type Complaint = v.InferOutput<typeof complaintSchema>

/**
 * A field that mobile apps send and the server does not use. All other unknown fields are refused,
 * so that a misspelled one is not ignored.
 */
const ignored = v.optional(v.pipe(v.unknown(), v.description('ignored')))
/** Returns the schemas of ignored fields. */
export const ignoreFields = <Name extends string>(...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, ignored])) as Record<Name, typeof ignored>
/** Returns an input without its ignored fields, so that no handler can store them. */
export const dropFields = <Input extends object, Name extends string>(
  input: Input,
  names: Readonly<Record<Name, unknown>>,
) =>
  Object.fromEntries(Object.entries(input).filter(([name]) => !Object.hasOwn(names, name))) as Omit<
    Input,
    Name
  >
