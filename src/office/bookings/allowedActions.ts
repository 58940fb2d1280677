import { getAvailableEvents } from '~/domain/booking/availableEvents'
import {
  type BookingEvent,
  getDefinition,
  isTripStep,
  type TripStep,
} from '~/domain/booking/transitions'
import type { Booking } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'
import type { User } from '~/domain/accounts/types'

/** The actions of the office that are possible with a booking now. */
export interface AllowedActions {
  assign: boolean
  take: boolean
  hand_back: boolean
  keep_waiting: boolean
  amend: boolean
  release: boolean
  no_show: boolean
  cancel: boolean
  compensate: boolean
  /** The step of the driver that the office can record, if any. */
  step: TripStep | undefined
}

/** Returns the actions that the table and the details offer to this user for this booking. */
export const getAllowedActions = (
  booking: Booking,
  profile: User | null,
  settings: Settings | null,
): AllowedActions => {
  const events =
    profile?.usertype === 'admin' && settings
      ? getAvailableEvents(booking, { uid: profile.id, role: 'admin' }, settings)
      : []
  const isAllowed = (event: BookingEvent) =>
    events.includes(event) && (getDefinition(event).officeFrom?.includes(booking.status) ?? true)
  return {
    assign: isAllowed('assign'),
    take: isAllowed('take'),
    hand_back: isAllowed('hand_back'),
    keep_waiting: isAllowed('keep_waiting'),
    amend: isAllowed('amend'),
    release: isAllowed('release'),
    compensate: isAllowed('compensate'),
    no_show: isAllowed('no_show'),
    cancel: isAllowed('cancel'),
    step: events.find(isTripStep),
  }
}
