import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { UNPAID_REASON } from '~/domain/booking/cancellation'
import type { Booking } from '~/domain/entities'
import { type DomainError, domainError } from '~/domain/errors'
import { cancelBooking, hasFixedReason } from '~/src/features/bookings/cancelling'
import { ReasonChoices } from '~/src/features/cancellationReasons/ReasonChoices'
import { useCancellationReasons } from '~/src/features/cancellationReasons/useCancellationReasons'
import { translateReason } from '~/src/i18n/reasonTexts'
import { useAppDispatch } from '~/src/store/hooks'
import { Button } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/Dialog'
import { FromTo } from '~/src/ui/FromTo'
import { Icon } from '~/src/ui/Icon'
import { useOfficeSession } from '../useOfficeSession'
import css from './bookings.module.css'

/** Cancels a booking with a chosen reason; an unpaid booking has a fixed reason. */
export const CancelDialog = ({ booking, onClose }: { booking: Booking; onClose: () => void }) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { notify } = useOfficeSession()
  const { reasons, loading } = useCancellationReasons()
  const unpaid = hasFixedReason(booking)
  const [reason, setReason] = useState<string | null>(unpaid ? UNPAID_REASON : null)
  const [refused, setRefused] = useState<DomainError | null>(null)
  const [busy, setBusy] = useState(false)
  const cancel = async () => {
    if (reason === null) {
      setRefused(domainError('reason_required'))
      return
    }
    setBusy(true)
    setRefused(null)
    try {
      await dispatch(cancelBooking.quiet({ booking, reason })).unwrap()
      notify('booking_cancelled')
      onClose()
    } catch (error) {
      setRefused(error as DomainError)
      setBusy(false)
    }
  }
  return (
    <Dialog
      title={t('cancel_booking_title')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('keep')}</Button>
          <Button variant="danger" busy={busy} onClick={() => void cancel()}>
            {t('cancel_booking')}
          </Button>
        </>
      }
    >
      <p className={css.muted}>
        <FromTo from={booking.pickupAddress} to={booking.dropAddress} />
      </p>
      {unpaid ? (
        <p>{t('cancel_unpaid', { reason: translateReason(UNPAID_REASON, t) })}</p>
      ) : (
        <ReasonChoices
          legend={t('cancel_why')}
          reasons={reasons}
          loading={loading}
          value={reason}
          onChange={setReason}
        />
      )}
      {refused && (
        <p role="alert" className={css.refused}>
          <Icon name="warning" size={18} />
          {t(refused.key, refused.params ?? {})}
        </p>
      )}
    </Dialog>
  )
}
