import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getAvailableEvents } from '~/domain/booking/availableEvents'
import { isTripStep } from '~/domain/booking/transitions'
import { domainError } from '~/domain/api/errors'
import { checkAction, type OfficeAction, shouldHideContacts } from '~/domain/access/permissions'
import { liveBooking } from '~/src/features/bookings/bookings'
import { translateError } from '~/src/i18n/errorTexts'
import { useLive } from '~/src/store/live/liveSlice'
import { Dialog } from '~/src/ui/dialogs/Dialog'
import { useOverlayParam } from '~/src/ui/table/tableState'
import { ErrorState } from '~/src/ui/feedback/ErrorState'
import { EmptyState } from '~/src/ui/feedback/states'
import { AmendDialog } from '~/src/widgets/trip/AmendDialog'
import { useOfficeSession } from '../useOfficeSession'
import { AssignDriverDialog } from './actions/AssignDriverDialog'
import { CancelDialog } from './actions/CancelDialog'
import { FareReviewDialog } from './FareReviewDialog'
import { NoShowDialog } from './actions/NoShowDialog'
import { ReleaseDialog } from './actions/ReleaseDialog'
import { StepDialog } from './actions/StepDialog'
import type { Booking } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'
import type { User } from '~/domain/accounts/types'

type BookingAction = 'assign' | 'amend' | 'release' | 'step' | 'no_show' | 'cancel' | 'review'
const DIALOG_TITLES = {
  assign: 'assign_title',
  amend: 'change_booking',
  release: 'release_booking_title',
  step: 'step_title',
  no_show: 'no_show_title',
  cancel: 'cancel_booking_title',
  review: 'fare_review_title',
} as const
const REQUIRED_PERMISSIONS = {
  assign: 'booking_assign',
  amend: 'booking_amend',
  release: 'booking_release',
  step: 'booking_step',
  no_show: 'booking_no_show',
  cancel: 'booking_cancel',
  review: 'fare_review',
} as const satisfies Record<BookingAction, OfficeAction>
const isBookingAction = (value: string): value is BookingAction => value in DIALOG_TITLES

/**
 * Returns a function that opens the dialog of an action through the URL, unless demo mode refuses
 * the action.
 */
export const useOpenBookingDialog = () => {
  const { canOrNotify } = useOfficeSession()
  const { open } = useOverlayParam('do')
  return (action: BookingAction, id: string) => {
    if (canOrNotify(REQUIRED_PERMISSIONS[action])) open(`${action}~${id}`)
  }
}

const BookingActionDialog = ({
  action,
  booking,
  profile,
  settings,
  onClose,
}: {
  action: BookingAction
  booking: Booking
  profile: User
  settings: Settings
  onClose: () => void
}) => {
  const { t } = useTranslation()
  // The state when the dialog opened: later, the action itself may have made the action impossible.
  const [{ refused, tripStep }] = useState(() => {
    const events = getAvailableEvents(booking, { uid: profile.id, role: 'admin' }, settings)
    const nextStep = events.find(isTripStep)
    const isPossible = action === 'step' ? nextStep !== undefined : events.includes(action)
    return {
      refused:
        checkAction(REQUIRED_PERMISSIONS[action], profile.usertype, settings) ??
        (isPossible ? undefined : domainError('event_not_possible')),
      tripStep: nextStep,
    }
  })
  if (refused)
    return (
      <Dialog title={t(DIALOG_TITLES[action])} onClose={onClose}>
        <p role="alert">{translateError(refused, t)}</p>
      </Dialog>
    )
  const dialogProps = { booking, settings, onClose }
  if (action === 'assign') return <AssignDriverDialog {...dialogProps} />
  if (action === 'amend')
    return (
      <AmendDialog
        {...dialogProps}
        isPhoneHidden={shouldHideContacts(settings)}
        addressConfirmation={t('address_confirm_save')}
        remembersPlaces={false}
      />
    )
  if (action === 'release') return <ReleaseDialog {...dialogProps} />
  if (action === 'step' && tripStep)
    return <StepDialog booking={booking} event={tripStep} onClose={onClose} />
  if (action === 'no_show') return <NoShowDialog {...dialogProps} />
  return action === 'review' ? (
    <FareReviewDialog {...dialogProps} />
  ) : (
    <CancelDialog {...dialogProps} />
  )
}

const BookingDialogLoader = ({
  action,
  id,
  onClose,
}: {
  action: BookingAction
  id: string
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const { profile, settings } = useOfficeSession()
  const { booking, loading, error, retry } = useLive(liveBooking, id)
  if (booking && profile && settings)
    return <BookingActionDialog {...{ action, booking, profile, settings, onClose }} />
  // Waits for the data: a dialog that is replaced a moment later would lose the focus and the click
  // of a fast user.
  if (loading || !settings) return null
  return (
    <Dialog title={t(DIALOG_TITLES[action])} onClose={onClose}>
      {error.flag ? (
        <ErrorState onRetry={retry}>{t(error.msg ?? '')}</ErrorState>
      ) : (
        <EmptyState title={t('not_found')} />
      )}
    </Dialog>
  )
}

/**
 * Opens the dialog that the URL names: `?do=assign~{id}`, `amend~{id}`, `release~{id}`,
 * `step~{id}`, `no_show~{id}`, `cancel~{id}` or `review~{id}`.
 */
export const BookingDialogs = () => {
  const { opened, close } = useOverlayParam('do')
  const [action = '', id = ''] = opened?.split('~') ?? []
  if (!isBookingAction(action) || !id) return null
  return <BookingDialogLoader key={opened} action={action} id={id} onClose={() => close()} />
}
