import * as v from 'valibot'
import { LEGS } from '../../recurring/occurrences'
import { isDay } from '../../language/zonedTime'
import {
  addressesConfirmed,
  deliveryFields,
  idSchema,
  index,
  place,
  pushKey,
  stops,
} from '../inputFields'

/** A day of the calendar, yyyy-mm-dd. */
const day = v.pipe(v.string(), v.check(isDay))
/** A time of the day in the settings' time zone, HH:MM. */
const timeOfDay = v.pipe(v.string(), v.regex(/^([01]\d|2[0-3]):[0-5]\d$/))
const weekdays = v.pipe(
  v.array(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(7))),
  v.minLength(1),
  v.check((days) => new Set(days).size === days.length),
)

export const saveRecurringSchema = v.strictObject({
  /** A push key that the client created. A repeat of the request saves nothing more. */
  series_id: pushKey,
  /** The rider. Admins only. */
  customer: v.optional(idSchema),
  pickup: place,
  drop: place,
  waypoints: v.optional(stops),
  addressesConfirmed,
  /** The vehicle type's id. */
  carType: idSchema,
  parcelTypeIndex: v.optional(index),
  optionIndex: v.optional(index),
  ...deliveryFields,
  /** Days of the week, 1 for Monday to 7 for Sunday. */
  days: weekdays,
  /** Pickup time of the outbound trip. */
  time: timeOfDay,
  /** Pickup time of the return trip; on the next day when it is earlier than `time`. */
  back: v.optional(timeOfDay),
  from: day,
  until: v.optional(day),
  /** How to pay for a parcel before its trip. */
  payment: v.optional(v.picklist(['cash', 'wallet'])),
})
export type SaveRecurringInput = v.InferOutput<typeof saveRecurringSchema>

const seriesRef = {
  series_id: idSchema,
  /** The rider. Admins only. */
  customer: v.optional(idSchema),
}
const occurrenceFields = { date: day, leg: v.picklist(LEGS) }
export const changeRecurringSchema = v.variant('action', [
  v.strictObject({ ...seriesRef, action: v.literal('skip'), ...occurrenceFields }),
  v.strictObject({ ...seriesRef, action: v.literal('unskip'), ...occurrenceFields }),
  v.strictObject({ ...seriesRef, action: v.literal('pause'), from: day, to: v.optional(day) }),
  v.strictObject({ ...seriesRef, action: v.literal('resume') }),
  v.strictObject({ ...seriesRef, action: v.literal('end') }),
  v.strictObject({
    ...seriesRef,
    action: v.literal('edit'),
    /** The revision of the series that the caller saw. A later edit refuses this one. */
    revision: v.pipe(v.number(), v.integer(), v.minValue(0)),
    pickup: v.optional(place),
    drop: v.optional(place),
    /** All stops, in their order; an empty list removes them. */
    waypoints: v.optional(stops),
    addressesConfirmed,
    /** The vehicle type's id. */
    carType: v.optional(idSchema),
    ...deliveryFields,
    days: v.optional(weekdays),
    time: v.optional(timeOfDay),
    /** The first day; a new one is today or later. */
    from: v.optional(day),
    /** Null removes the return trip. */
    back: v.optional(v.nullable(timeOfDay)),
    /** Null lets the series go on. */
    until: v.optional(v.nullable(day)),
    payment: v.optional(v.picklist(['cash', 'wallet'])),
    /** The choice for upcoming bookings that exist already; they stay by default. */
    booked: v.optional(v.picklist(['keep', 'amend'])),
  }),
])
export type EditRecurringInput = Extract<
  v.InferOutput<typeof changeRecurringSchema>,
  { action: 'edit' }
>
export type ChangeRecurringInput = v.InferOutput<typeof changeRecurringSchema>

export const listRecurringSchema = v.strictObject({
  /** One rider's series. Admins only; without it an admin gets all riders' series. */
  customer: v.optional(idSchema),
  /** The `next` of the previous response. */
  cursor: v.optional(v.pipe(v.string(), v.regex(/^\d{1,16}\.[A-Za-z0-9_-]{1,128}$/))),
})
export type ListRecurringInput = v.InferOutput<typeof listRecurringSchema>
