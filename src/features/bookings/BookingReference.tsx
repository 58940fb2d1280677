import { useLive } from '~/src/store/live/liveSlice'
import { liveBooking } from './bookings'

/** Shows the reference of a booking by its ID; a dash when the booking is gone or not readable. */
export const BookingReference = ({ id }: { id: string }) => {
  const { booking, loading } = useLive(liveBooking, id)
  return (
    <bdi dir="ltr" title={booking ? undefined : id}>
      {booking?.reference ?? (loading ? '…' : '—')}
    </bdi>
  )
}
