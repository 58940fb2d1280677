import type { Booking } from '~/domain/entities'
import { useLive } from '~/src/store/liveSlice'
import { bookingCode } from './bookings'

/** The code of a booking that has one, for its rider and for admins: others may not read it. */
export const TripCode = ({ booking }: { booking: Booking }) => {
  const { code } = useLive(bookingCode, booking.otp === true ? booking.id : null)
  const shown = code ?? (typeof booking.otp === 'number' ? booking.otp : null)
  return shown === null ? null : <bdi>{shown}</bdi>
}
