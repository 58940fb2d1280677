import { noticeRaised } from '~/src/store/notices'
import { screenPaths } from '~/src/store/screenPaths'
import type { AppDispatch } from '~/src/store/storeTypes'
import { navigate } from '~/src/ui/navigation/router'

/**
 * Thunk: opens the page of a booking that was just made, and says its reference. With `replace` the
 * page before it is not in the history.
 */
export const showBooked =
  ({ id, reference }: { id: string; reference: string }, { replace = false } = {}) =>
  (dispatch: AppDispatch) => {
    navigate(screenPaths.booking(id), { replace })
    dispatch(noticeRaised({ tone: 'success', text: 'booking_success', params: { id: reference } }))
  }
