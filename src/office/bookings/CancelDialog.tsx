import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Booking } from '~/domain/entities'
import { type Refusal, refusal } from '~/domain/errors'
import { advanceBooking } from '~/src/features/bookings/bookings'
import { useReasons } from '~/src/features/cancelReasons/useReasons'
import { useAppDispatch } from '~/src/store/hooks'
import { Button } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/Dialog'
import { FromTo } from '~/src/ui/FromTo'
import { Icon } from '~/src/ui/Icon'
import { SkeletonLines } from '~/src/ui/states'
import { useOffice } from '../useOffice'
import css from './bookings.module.css'

/** Why a booking that nobody paid is cancelled; the sweep writes the same. */
const INCOMPLETE = 'incomplete_booking'
/** A payment that is just arriving gets this long (specification 9). */
const INCOMPLETE_AFTER_MS = 1500
const wait = (ms: number) => new Promise((done) => setTimeout(done, ms))

/** Cancels with a reason to be chosen; an unpaid booking has a fixed one. */
export const CancelDialog = ({ booking, onClose }: { booking: Booking; onClose: () => void }) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { say } = useOffice()
  const { reasons, loading } = useReasons()
  const unpaid = booking.status === 'PAYMENT_PENDING'
  const [reason, setReason] = useState<string | null>(unpaid ? INCOMPLETE : null)
  const [refused, setRefused] = useState<Refusal | null>(null)
  const [busy, setBusy] = useState(false)
  const cancel = async () => {
    if (reason === null) {
      setRefused(refusal('reason_required'))
      return
    }
    setBusy(true)
    setRefused(null)
    try {
      if (unpaid) await wait(INCOMPLETE_AFTER_MS)
      await dispatch(
        advanceBooking({ booking_id: booking.id, event: 'cancel', reason, quiet: true }),
      ).unwrap()
      say('booking_cancelled')
      onClose()
    } catch (error) {
      setRefused(error as Refusal)
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
          <Button look="danger" busy={busy} onClick={() => void cancel()}>
            {t('cancel_booking')}
          </Button>
        </>
      }
    >
      <p className={css.muted}>
        <FromTo from={booking.pickupAddress} to={booking.dropAddress} />
      </p>
      {unpaid ? (
        <p>{t('cancel_unpaid', { reason: t(INCOMPLETE) })}</p>
      ) : loading ? (
        <SkeletonLines lines={3} height="2.5rem" />
      ) : (
        <fieldset className={css.reasons}>
          <legend>{t('cancel_why')}</legend>
          {reasons.map((label) => (
            <label key={label}>
              <input
                type="radio"
                name="reason"
                checked={reason === label}
                onChange={() => setReason(label)}
              />
              <span>{label}</span>
            </label>
          ))}
        </fieldset>
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
