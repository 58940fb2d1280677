import * as v from 'valibot'
import type { DomainError } from './errors'
import { PAYMENT_STATUSES } from '../payments/paymentAttempt'
import type { SeriesView } from '../recurring/view'
import { STATUSES } from '../booking/types'
import type { LatLng } from '../geo/types'

/** A record that the entities describe. Its title is the entity's name. */
export const record = <T extends object>(title: string) =>
  v.pipe(
    v.custom<T>((value) => typeof value === 'object' && value !== null),
    v.title(title),
  )
export const id = v.string()
export const count = v.pipe(v.number(), v.integer())
export const position = record<LatLng>('LatLng')
export const noInput = v.strictObject({})
export const status = v.pipe(v.picklist(STATUSES), v.title('Status'))
export const paymentStatus = v.pipe(v.picklist(PAYMENT_STATUSES), v.title('PaymentStatus'))
export const success = v.object({ success: v.literal(true) })
export const series = record<SeriesView>('SeriesView')
/** The maps service's reason, in its own words. */
export const mapsError = v.object({ error: v.string() })
export const revisedBooking = { booking_id: id, status, revision: count }
export const changedWallet = { uid: id, amount: v.number(), walletBalance: v.number() }
/** The outcome of each row, in their order; a refused row has the reason and nothing is written. */
export const importResult = v.variant('status', [
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
export const route = {
  distance_in_km: v.number(),
  time_in_secs: v.number(),
  /** Google's encoding, precision 5. */
  polylinePoints: v.string(),
  coords: v.array(position),
  /** True when it was not measured along streets. */
  approximate: v.boolean(),
}
export const routeStep = v.object({
  maneuver: v.string(),
  street: v.string(),
  distance_in_km: v.number(),
  time_in_secs: v.number(),
  at: position,
  exit: v.optional(v.number()),
})
