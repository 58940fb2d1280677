import { advanceBooking } from '~/src/features/bookings/bookings'
import { useAppDispatch } from '~/src/store/hooks'
import { useOfficeSession } from '../../useOfficeSession'

/** Returns a function that takes a booking out of automatic dispatch, or hands it back. */
export const useTakeBooking = () => {
  const dispatch = useAppDispatch()
  const { canOrNotify, notify } = useOfficeSession()
  const send = async (event: 'take' | 'hand_back', booking_id: string) => {
    const result = await dispatch(advanceBooking({ booking_id, event }))
    if (advanceBooking.fulfilled.match(result)) notify(`${event}_done`)
  }
  return (event: 'take' | 'hand_back', booking_id: string) => {
    if (canOrNotify('booking_take')) void send(event, booking_id)
  }
}
