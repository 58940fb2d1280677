import { useTranslation } from 'react-i18next'
import { UNPAID_REASON } from '~/domain/booking/payment/cancellation'
import { cancelBooking, hasFixedReason } from '~/src/features/bookings/cancelling'
import { ReasonDialog } from '~/src/features/cancellationReasons/ReasonDialog'
import { translateReason } from '~/src/i18n/reasonTexts'
import { useAppDispatch } from '~/src/store/hooks'
import { TripEnds } from '~/src/ui/PlaceMark'
import { useOfficeSession } from '../../useOfficeSession'
import type { Booking } from '~/domain/booking/types'

/** Cancels a booking with a chosen reason; an unpaid booking has a fixed reason. */
export const CancelDialog = ({ booking, onClose }: { booking: Booking; onClose: () => void }) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { notify } = useOfficeSession()
  const unpaid = hasFixedReason(booking)
  return (
    <ReasonDialog
      title={t('cancel_booking_title')}
      confirm={t('cancel_booking')}
      legend={t('cancel_why')}
      intro={
        <>
          <TripEnds from={booking.pickupAddress} to={booking.dropAddress} />
          {unpaid && <p>{t('cancel_unpaid', { reason: translateReason(UNPAID_REASON, t) })}</p>}
        </>
      }
      fixedReason={unpaid ? UNPAID_REASON : null}
      onConfirm={async (reason) => {
        await dispatch(cancelBooking.quiet({ booking, reason })).unwrap()
        notify('booking_cancelled')
      }}
      onClose={onClose}
    />
  )
}
