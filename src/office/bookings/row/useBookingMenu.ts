import { useTranslation } from 'react-i18next'
import { useOfficeSession } from '../../useOfficeSession'
import { getAllowedActions } from '../allowedActions'
import { useOpenBookingDialog } from '../BookingDialogs'
import { QUICK_EVENTS, type QuickEvent, useQuickEvents } from '../actions/useQuickEvents'
import type { Booking } from '~/domain/booking/types'
import type { RowAction } from '~/src/ui/table/tableProps'

const ACTION_LABELS = {
  assign: 'assign_driver',
  take: 'take_booking',
  hand_back: 'hand_back_booking',
  amend: 'change_booking',
  keep_waiting: 'keep_waiting_booking',
  release: 'release_booking',
  no_show: 'no_show_booking',
  cancel: 'cancel_booking',
} as const
const ACTIONS = [
  'assign',
  'take',
  'hand_back',
  'keep_waiting',
  'amend',
  'release',
  'step',
  'no_show',
  'cancel',
] as const

/** An action of the office that is possible with a booking now. */
export interface BookingAction extends RowAction {
  name: (typeof ACTIONS)[number]
}

const isQuick = (name: BookingAction['name']): name is QuickEvent =>
  (QUICK_EVENTS as readonly string[]).includes(name)

/** Returns a function that lists what the office may do with a booking now. */
export const useBookingActions = (): ((booking: Booking) => BookingAction[]) => {
  const { t } = useTranslation()
  const { profile, settings } = useOfficeSession()
  const ask = useOpenBookingDialog()
  const send = useQuickEvents()
  return (booking) => {
    const allowed = getAllowedActions(booking, profile, settings)
    return ACTIONS.filter((name) => allowed[name]).map((name) => ({
      name,
      label: t(name === 'step' ? `step_${allowed.step}` : ACTION_LABELS[name]),
      isDangerous: name === 'cancel' || name === 'no_show',
      onAct: () => (isQuick(name) ? send(name, booking) : ask(name, booking.id)),
    }))
  }
}

/** Returns a function that returns the menu of a booking's row. */
export const useBookingMenu = (): ((booking: Booking) => {
  name: string
  actions: RowAction[]
}) => {
  const getActions = useBookingActions()
  return (booking) => ({ name: booking.reference, actions: getActions(booking) })
}
