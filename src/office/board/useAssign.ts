import { useRef } from 'react'
import type { Booking } from '~/domain/entities'
import { advanceBooking } from '~/src/features/bookings/bookings'
import { useAppDispatch } from '~/src/store/hooks'
import { noticeRaised } from '~/src/store/notices'
import { registerUndo } from '~/src/store/undoActions'
import { useOfficeSession } from '../useOfficeSession'
import type { BoardDriver } from './boardDrivers'

/**
 * Returns a function that offers a booking to a driver and shows a notice whose Undo withdraws the
 * offer. It resolves to false when the server refused; the refusal is shown as a notice.
 */
export const useAssign = () => {
  const dispatch = useAppDispatch()
  const { canOrNotify } = useOfficeSession()
  // A second press of Enter during the call would offer the booking twice.
  const isCalling = useRef(false)
  return async (booking: Pick<Booking, 'id'>, driver: Pick<BoardDriver, 'id' | 'name'>) => {
    if (isCalling.current || !canOrNotify('booking_assign')) return false
    isCalling.current = true
    const offer = { booking_id: booking.id, driver: driver.id }
    const done = await dispatch(advanceBooking({ ...offer, event: 'assign' }))
    isCalling.current = false
    if (!advanceBooking.fulfilled.match(done)) return false
    dispatch(
      noticeRaised({
        tone: 'success',
        text: 'board_assigned',
        params: { name: driver.name || driver.id },
        undoId: registerUndo(() => dispatch(advanceBooking({ ...offer, event: 'withdraw' }))),
      }),
    )
    return true
  }
}
