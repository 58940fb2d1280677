import { advanceBooking } from '~/src/features/bookings/bookings'
import { useAppDispatch } from '~/src/store/hooks'
import { noticeRaised } from '~/src/store/notices'
import { registerUndo } from '~/src/store/undoActions'
import { useOfficeSession } from '../useOfficeSession'
import type { BoardDriver } from './boardDrivers'
import { useSingleRun } from '~/src/ui/useSingleRun'
import type { Booking } from '~/domain/booking/types'

/**
 * Returns a function that offers a booking to a driver and shows a notice whose Undo withdraws the
 * offer. It resolves to false when the server refused; the refusal is shown as a notice.
 */
export const useAssign = () => {
  const dispatch = useAppDispatch()
  const { canOrNotify } = useOfficeSession()
  const { run } = useSingleRun()
  return async (booking: Pick<Booking, 'id'>, driver: Pick<BoardDriver, 'id' | 'name'>) => {
    if (!canOrNotify('booking_assign')) return false
    const offer = { booking_id: booking.id, driver: driver.id }
    const result = await run(() => dispatch(advanceBooking({ ...offer, event: 'assign' })))
    if (!result || !advanceBooking.fulfilled.match(result)) return false
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
