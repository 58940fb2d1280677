import * as v from 'valibot'
import { STOP_STATES } from '../../booking/stops/bookingStops'
import { advanceBookingSchema } from '../../booking/events/inputs'
import type { FairnessRow } from '../../dispatch/matching/driverMonth'
import type { ShownExplanation } from '../../dispatch/matching/explainOffer'
import type { DriverPart } from '../../dispatch/matching/missedOffers'
import type { AmendedTrip } from '../../recurring/view'
import type { Booking, BookingWithContacts } from '../../booking/types'
import type { Place } from '../../geo/types'
import {
  SHARE_LEVELS,
  createBookingSchema,
  explainOfferSchema,
  exportBookingsSchema,
  findBookings,
  shareBookingSchema,
  trackSchema,
} from '../inputs/bookings'
import { driverPartsSchema, fairnessReportSchema } from '../inputs/office'
import {
  changeRecurringSchema,
  listRecurringSchema,
  saveRecurringSchema,
} from '../inputs/recurring'
import { record, count, status, series, revisedBooking } from '../outputFields'

export const BOOKING_ENDPOINTS = {
  create_booking: {
    input: createBookingSchema,
    output: v.object({
      ...revisedBooking,
      reference: v.string(),
      /** The grand total that the server computed. */
      estimate: v.number(),
    }),
  },
  advance_booking: { input: advanceBookingSchema, output: v.object(revisedBooking) },
  share_booking: {
    input: shareBookingSchema,
    output: v.union([
      v.object({ token: v.string(), expires: v.number() }),
      v.object({ token: v.string(), revoked: v.literal(true) }),
    ]),
  },
  export_bookings: {
    input: exportBookingsSchema,
    output: v.object({
      rows: v.array(record<BookingWithContacts>('BookingWithContacts')),
      /** The cursor of the next page; null on the last. */
      next: v.nullable(v.string()),
    }),
  },
  find_bookings: {
    input: findBookings,
    output: v.object({
      rows: v.array(record<Booking>('Booking')),
      /** Number of bookings that this page searched. */
      looked: count,
      next: v.nullable(v.string()),
    }),
  },
  explain_offer: {
    input: explainOfferSchema,
    /** Null for offers without a record. */
    output: v.object({ explanation: v.nullable(record<ShownExplanation>('OfferExplanation')) }),
  },
  fairness_report: {
    input: fairnessReportSchema,
    output: v.object({
      rows: v.array(record<FairnessRow>('FairnessRow')),
      /** The cursor of the next page; null on the last. */
      next: v.nullable(v.string()),
    }),
  },
  driver_parts: {
    input: driverPartsSchema,
    output: v.object({
      rows: v.array(record<DriverPart>('DriverPart')),
      /** The `before` of the next page; null on the last. */
      next: v.nullable(v.number()),
    }),
  },
  save_recurring: {
    input: saveRecurringSchema,
    output: v.object({ series }),
  },
  change_recurring: {
    input: changeRecurringSchema,
    output: v.object({
      /** Null when the series has ended. */
      series: v.nullable(series),
      /** The upcoming bookings after an edit with `booked: amend`, and why some stay as is. */
      amended: v.optional(v.array(record<AmendedTrip>('AmendedTrip'))),
    }),
  },
  list_recurring: {
    input: listRecurringSchema,
    output: v.object({ series: v.array(series), next: v.nullable(v.string()) }),
  },
  track: {
    input: trackSchema,
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
      level: v.picklist(SHARE_LEVELS),
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
} as const
