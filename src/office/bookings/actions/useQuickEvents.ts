import { advanceBooking } from '~/src/features/bookings/bookings'
import { useAppDispatch } from '~/src/store/hooks'
import { useOfficeSession } from '../../useOfficeSession'
import type { Booking } from '~/domain/booking/types'

/** The events of the office that need no dialog. */
export const QUICK_EVENTS = ['take', 'hand_back', 'keep_waiting'] as const
export type QuickEvent = (typeof QUICK_EVENTS)[number]

/** Returns a function that sends an event of a booking at once, and says what it has done. */
export const useQuickEvents = () => {
  const dispatch = useAppDispatch()
  const { canOrNotify, notify } = useOfficeSession()
  const send = async (event: QuickEvent, { id: booking_id, wait_until = 0 }: Booking) => {
    const result = await dispatch(
      advanceBooking(
        event === 'keep_waiting'
          ? { booking_id, event, asked_at: wait_until }
          : { booking_id, event },
      ),
    )
    if (advanceBooking.fulfilled.match(result)) notify(`${event}_done`)
  }
  return (event: QuickEvent, booking: Booking) => {
    if (event !== 'take' || canOrNotify('booking_take')) void send(event, booking)
  }
}
