import type { EndpointOutput } from '~/domain/api/api'
import { UNPAID_REASON } from '~/domain/booking/payment/cancellation'
import { whilePending } from '~/src/store/pendingCalls'
import { createServiceThunk } from '~/src/store/serviceThunk'
import type { Booking } from '~/domain/booking/types'
import type { Milliseconds } from '~/domain/language/units'

/** Milliseconds in which an arriving payment can still complete. */
const INCOMPLETE_AFTER_MS = 1500
const wait = (ms: Milliseconds) => new Promise((resolve) => setTimeout(resolve, ms))

/** Returns true for a booking that is canceled without asking why. */
export const hasFixedReason = ({ status }: Pick<Booking, 'status'>): boolean =>
  status === 'PAYMENT_PENDING'

/**
 * Cancels a booking. One that has not been paid gets the fixed reason, after a pause in which its
 * payment can still arrive; the server then refuses, and the booking goes on.
 */
export const cancelBooking = createServiceThunk<
  { booking: Pick<Booking, 'id' | 'status'>; reason: string },
  EndpointOutput<'advance_booking'>
>('bookingdata/cancelBooking', async ({ booking, reason }, { functions }) => {
  const isFixed = hasFixedReason(booking)
  if (isFixed) await whilePending(wait(INCOMPLETE_AFTER_MS))
  return functions.call('advance_booking', {
    booking_id: booking.id,
    event: 'cancel',
    reason: isFixed ? UNPAID_REASON : reason,
  })
})
