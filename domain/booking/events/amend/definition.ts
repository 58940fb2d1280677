import * as v from 'valibot'
import {
  addressesConfirmed,
  amount,
  deliveryFields,
  idSchema,
  place,
  stops,
  tripTime,
} from '../../../api/inputFields'
import { defineEvent, neverRepeats } from '../defineEvent'

/** The fields of a booking that `amend` changes. An absent field stays as it is. */
const amendableFields = {
  pickup: v.optional(place),
  drop: v.optional(place),
  /** All stops, in their order; an empty list removes them. */
  waypoints: v.optional(stops),
  tripdate: v.optional(tripTime),
  /** The vehicle type's id. */
  carType: v.optional(idSchema),
  ...deliveryFields,
}
export type AmendableField = keyof typeof amendableFields
export const AMENDABLE_FIELDS = Object.keys(amendableFields) as AmendableField[]

/**
 * The drop-off and the stops change until the driver reaches the drop-off, the rest until the
 * start.
 */
export const amend = defineEvent({
  from: ['PAYMENT_PENDING', 'NEW', 'ACCEPTED', 'ARRIVED', 'STARTED'],
  to: ['PAYMENT_PENDING', 'NEW', 'ACCEPTED', 'ARRIVED', 'STARTED'],
  by: ['rider', 'admin'],
  logKey: 'perRevision',
  isStatusKept: true,
  startsDispatch: () => true,
  input: {
    ...amendableFields,
    addressesConfirmed,
    /** The grand total that the caller agreed to. Without it, the price must not rise. */
    estimateFare: v.optional(amount),
    /** The booking's revision that the caller saw. A later amendment refuses this one. */
    revision: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  },
  needs: [
    'carType',
    'customer',
    'promo',
    'route',
    'misplacedAddress',
    'isDriverNearby',
    'roadSoFar',
    'amendmentQuote',
    'tracking',
    'roadResults',
    'driver',
    'cardPayments',
    'contacts',
    'offers',
    'next',
    'freeActions',
    'amendmentNotice',
    'sharedRecipientLink',
  ],
  errors: [
    'demo_mode',
    'changed_meanwhile',
    'estimate_changed',
    'promo_min_order',
    'too_many_changes',
    'refund_open',
    'select_proper',
    'address_too_long',
    'too_many_stops',
    'same_place',
    'stop_passed',
    'place_to_coords_error',
    'address_elsewhere',
    'not_allowed',
    'past_booking_error',
    'too_far_ahead',
    'no_driver_found_alert_messege',
    'deliveryDetailMissing',
  ],
  // An amendment compares the requested details with the stored ones.
  findRepeat: neverRepeats,
})
