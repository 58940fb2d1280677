import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { eventsFor } from '~/domain/booking/eventsFor'
import type { Booking, Settings, User } from '~/domain/entities'
import { refusal } from '~/domain/errors'
import { actionRefused } from '~/domain/permissions'
import { booking as liveBooking } from '~/src/features/bookings/bookings'
import { useLive } from '~/src/store/liveSlice'
import { Dialog } from '~/src/ui/Dialog'
import { useOpened } from '~/src/ui/office/tableState'
import { EmptyState, ErrorState } from '~/src/ui/states'
import { useOffice } from '../useOffice'
import { AssignDialog } from './AssignDialog'
import { CancelDialog } from './CancelDialog'

type Deed = 'assign' | 'cancel'
const TITLES = { assign: 'assign_title', cancel: 'cancel_booking_title' } as const
const isDeed = (value: string): value is Deed => value in TITLES

/** Asks for the dialog of a deed by the address, unless demo mode refuses it. */
export const useBookingDialog = () => {
  const { allowed } = useOffice()
  const { open } = useOpened('do')
  return (deed: Deed, id: string) => {
    if (allowed(`booking_${deed}`)) open(`${deed}~${id}`)
  }
}

const Asked = ({
  deed,
  booking,
  profile,
  settings,
  onClose,
}: {
  deed: Deed
  booking: Booking
  profile: User
  settings: Settings
  onClose: () => void
}) => {
  const { t } = useTranslation()
  // As it was when the dialog was opened: afterwards its own deed may be what made it impossible.
  const [refused] = useState(() => {
    const events = eventsFor(booking, { uid: profile.id, role: 'admin' }, settings)
    return (
      actionRefused(`booking_${deed}`, profile.usertype, settings) ??
      (events.includes(deed) ? undefined : refusal('event_not_possible'))
    )
  })
  if (refused)
    return (
      <Dialog title={t(TITLES[deed])} onClose={onClose}>
        <p role="alert">{t(refused.key, refused.params ?? {})}</p>
      </Dialog>
    )
  return deed === 'assign' ? (
    <AssignDialog booking={booking} settings={settings} onClose={onClose} />
  ) : (
    <CancelDialog booking={booking} onClose={onClose} />
  )
}

const Loading = ({ deed, id, onClose }: { deed: Deed; id: string; onClose: () => void }) => {
  const { t } = useTranslation()
  const { profile, settings } = useOffice()
  const { booking, loading, error, retry } = useLive(liveBooking, id)
  if (booking && profile && settings)
    return <Asked {...{ deed, booking, profile, settings, onClose }} />
  // A dialog that is another one a moment later would lose the focus, and whoever is about to press in it.
  if (loading || !settings) return null
  return (
    <Dialog title={t(TITLES[deed])} onClose={onClose}>
      {error.flag ? (
        <ErrorState onRetry={retry}>{t(error.msg ?? '')}</ErrorState>
      ) : (
        <EmptyState title={t('not_found')} />
      )}
    </Dialog>
  )
}

/** What the address asks to be done to one booking: `?do=assign~{id}` or `?do=cancel~{id}`. */
export const BookingDialogs = () => {
  const { opened, close } = useOpened('do')
  const [deed = '', id = ''] = opened?.split('~') ?? []
  if (!isDeed(deed) || !id) return null
  return <Loading key={opened} deed={deed} id={id} onClose={() => close()} />
}
