import { useLive } from '~/src/store/live/liveSlice'
import { tripCode } from './bookings'
import type { Booking } from '~/domain/booking/types'

/** Shows the code of a booking to its rider and to admins, the only ones who may read it. */
export const TripCode = ({ booking }: { booking: Booking }) => {
  const { code } = useLive(tripCode, booking.otp === true ? booking.id : null)
  const shownCode = code ?? (typeof booking.otp === 'number' ? booking.otp : null)
  return shownCode === null ? null : <bdi>{shownCode}</bdi>
}
