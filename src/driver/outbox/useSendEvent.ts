import { useAppDispatch, useAppSelector } from '~/src/store/hooks'
import { ENDED_BY_PAGE_CHANGE, noticeRaised } from '~/src/store/notices'
import { getServerNow } from '../serverTime'
import { applyDriverEvent } from './optimisticBooking'
import { enqueueEvent, selectOutbox } from './outbox'
import type { DriverEventInput, PhotoField } from './outboxItem'
import type { Booking } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'
import type { User } from '~/domain/accounts/types'

/** Returns a function that sends the driver's events of a booking, or stores them until it can. */
export const useSendEvent = (booking: Booking, driver: User, settings: Settings) => {
  const dispatch = useAppDispatch()
  const { isOnline, isOptimistic } = useAppSelector(selectOutbox)
  return (input: DriverEventInput, photo?: { field: PhotoField; url: string }) => {
    if (!isOnline || isOptimistic) {
      // Without a connection, the domain's event table decides whether the event is allowed.
      const now = getServerNow()
      const after = applyDriverEvent(booking, { driver, settings, input, photo: photo?.field, now })
      if (!after.ok) {
        dispatch(
          noticeRaised({ tone: 'problem', text: after.error.key, endedBy: ENDED_BY_PAGE_CHANGE }),
        )
        return
      }
    }
    dispatch(enqueueEvent(input, photo))
  }
}
