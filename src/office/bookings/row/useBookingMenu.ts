import { useTranslation } from 'react-i18next'
import { useOfficeSession } from '../../useOfficeSession'
import { getAllowedActions } from '../allowedActions'
import { useOpenBookingDialog } from '../BookingDialogs'
import type { Booking } from '~/domain/booking/types'
import type { RowAction } from '~/src/ui/table/tableProps'

const ACTION_LABELS = {
  assign: 'assign_driver',
  amend: 'change_booking',
  release: 'release_booking',
  no_show: 'no_show_booking',
  cancel: 'cancel_booking',
} as const
const ACTIONS = ['assign', 'amend', 'release', 'step', 'no_show', 'cancel'] as const

/** Returns a function that lists what the office may do with a booking now. */
export const useBookingMenu = (): ((booking: Booking) => {
  name: string
  actions: RowAction[]
}) => {
  const { t } = useTranslation()
  const { profile, settings } = useOfficeSession()
  const ask = useOpenBookingDialog()
  return (booking) => {
    const allowed = getAllowedActions(booking, profile, settings)
    const actions = ACTIONS.filter((action) => allowed[action]).map((action) => ({
      label: t(action === 'step' ? `step_${allowed.step}` : ACTION_LABELS[action]),
      isDangerous: action === 'cancel' || action === 'no_show',
      onAct: () => ask(action, booking.id),
    }))
    return { name: booking.reference, actions }
  }
}
