import { useTranslation } from 'react-i18next'
import { advanceBooking } from '~/src/features/bookings/bookings'
import { useAppDispatch } from '~/src/store/hooks'
import { useSubmission } from '~/src/store/useSubmission'
import { Button } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/dialogs/Dialog'
import { Refusal } from '~/src/ui/forms/Refusal'
import { useFormat } from '~/src/ui/format/format'
import { TripEnds } from '~/src/ui/PlaceMark'
import { useOfficeSession } from '../../useOfficeSession'
import type { Booking } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'

/** Ends a booking whose customer has not come to the pickup. */
export const NoShowDialog = ({
  booking,
  settings,
  onClose,
}: {
  booking: Booking
  settings: Settings
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  const dispatch = useAppDispatch()
  const { notify } = useOfficeSession()
  const { busy, refused, submit } = useSubmission()
  const end = async () => {
    await dispatch(advanceBooking.quiet({ booking_id: booking.id, event: 'no_show' })).unwrap()
    notify('no_show_done')
  }
  return (
    <Dialog
      title={t('no_show_title')}
      onClose={onClose}
      problem={<Refusal error={refused} />}
      actions={
        <>
          <Button onClick={onClose}>{t('keep')}</Button>
          <Button
            variant="danger"
            busy={busy}
            onClick={() => void submit(end).then((isDone) => isDone && onClose())}
          >
            {t('no_show_booking')}
          </Button>
        </>
      }
    >
      <TripEnds from={booking.pickupAddress} to={booking.dropAddress} />
      <p>
        {t('no_show_text')}
        {settings.noShowFee
          ? ` ${t('no_show_with_fee', { amount: format.money(settings.noShowFee) })}`
          : ''}
      </p>
    </Dialog>
  )
}
