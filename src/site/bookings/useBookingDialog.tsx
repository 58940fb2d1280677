import { useState } from 'react'
import { getAvailableEvents } from '~/domain/booking/availableEvents'
import { getAmountDue } from '~/domain/booking/payment/paymentPacket'
import type { BookingEvent } from '~/domain/booking/transitions'
import { selectProfile } from '~/src/store/auth'
import { useAppSelector } from '~/src/store/hooks'
import { AmendDialog } from '~/src/widgets/trip/AmendDialog'
import { CancelDialog } from './CancelDialog'
import { PaymentDialog } from './PaymentDialog'
import type { Booking } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'

type Kind = 'cancel' | 'pay' | 'amend'

/** Returns what the signed-in user may do with a booking, and opens the dialog for it. */
export const useBookingDialog = (settings: Settings | null) => {
  const profile = useAppSelector(selectProfile)
  const [opened, setOpened] = useState<{ kind: Kind; booking: Booking } | null>(null)
  const close = () => setOpened(null)
  const may = (booking: Booking, event: BookingEvent): boolean =>
    profile !== null &&
    settings !== null &&
    getAvailableEvents(booking, { uid: profile.id, role: profile.usertype }, settings).includes(
      event,
    )
  /** Renders the open dialog; `live` are the bookings with live updates. */
  const dialogOver = (live: Booking[]) => {
    if (!opened || !settings) return null
    const booking = live.find(({ id }) => id === opened.booking.id) ?? opened.booking
    if (opened.kind === 'amend')
      return <AmendDialog booking={booking} settings={settings} remembersPlaces onClose={close} />
    return opened.kind === 'cancel' ? (
      <CancelDialog
        booking={booking}
        settings={settings}
        isRider={profile?.usertype === 'rider'}
        onClose={close}
      />
    ) : (
      <PaymentDialog
        bookingId={booking.id}
        isAfterTrip={booking.status === 'PENDING'}
        owed={getAmountDue(booking, settings.decimal).due}
        onPaid={close}
        onClose={close}
      />
    )
  }
  return { may, open: (kind: Kind, booking: Booking) => setOpened({ kind, booking }), dialogOver }
}
