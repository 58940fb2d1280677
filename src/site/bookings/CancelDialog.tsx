import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { cancelFee } from '~/domain/booking/cancelling'
import type { Booking, CancelSlab, Settings } from '~/domain/entities'
import { sum } from '~/domain/money'
import { advanceBooking } from '~/src/features/bookings/bookings'
import { cancelReasons } from '~/src/features/cancelReasons/cancelReasons'
import { carTypes } from '~/src/features/carTypes/carTypes'
import { useAppDispatch } from '~/src/store/hooks'
import { useLive } from '~/src/store/liveSlice'
import { ConfirmDialog } from '~/src/ui/Dialog'
import { Money, useFormat } from '~/src/ui/format'
import { SkeletonLines } from '~/src/ui/states'
import { useNow } from '~/src/ui/useNow'
import css from './CancelDialog.module.css'

const MINUTE = 60_000

/** When the fee rises next, ms, and to what. */
const nextSlab = (
  booking: Booking,
  slabs: readonly CancelSlab[] | undefined,
  { now, fee }: { now: number; fee: number },
) => {
  const { accepted_at } = booking
  if (accepted_at === undefined) return null
  const next = Object.values(slabs ?? [])
    .map(({ minsDelayed, amount }) => ({ at: accepted_at + minsDelayed * MINUTE, amount }))
    .filter(({ at, amount }) => at > now && amount > fee)
    .sort((x, y) => x.at - y.at)[0]
  return next ?? null
}

/** Why, and what it costs, before anything is cancelled. */
export const CancelDialog = ({
  booking,
  settings,
  isRider,
  onClose,
}: {
  booking: Booking
  settings: Settings
  /** Only a rider's own change of mind costs. */
  isRider: boolean
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const format = useFormat()
  const { complex, loading } = useLive(cancelReasons)
  // An office that gives no reasons keeps nobody from cancelling.
  const reasons = complex.length > 0 ? complex.map(({ label }) => label) : [t('reason_other')]
  const { cars } = useLive(carTypes)
  const [chosen, setChosen] = useState<string | null>(null)
  // The server charges the fee of the moment in which it cancels.
  const now = useNow(5000)
  const slabs = isRider ? cars.find(({ id }) => id === booking.carTypeId)?.cancelSlab : undefined
  const fee = cancelFee(booking, slabs, now, settings)
  const next = nextSlab(booking, slabs, { now, fee })
  const { usedWalletMoney = 0, cardPaymentAmount = 0 } = booking.paymentPacket ?? {}
  const paid = sum([usedWalletMoney, cardPaymentAmount], settings.decimal)
  const reason = chosen ?? reasons[0] ?? ''
  return (
    <ConfirmDialog
      danger
      title={t('cancel_title')}
      confirm={fee > 0 ? t('cancel_do_fee', { fee: format.money(fee) }) : t('cancel_do')}
      waiting={loading}
      onClose={onClose}
      onConfirm={() =>
        dispatch(advanceBooking({ booking_id: booking.id, event: 'cancel', reason })).unwrap()
      }
    >
      <div className={css.costs} aria-live="polite">
        <p>
          <strong>
            {fee > 0 ? t('cancel_fee_note', { fee: format.money(fee) }) : t('cancel_free_note')}
          </strong>
        </p>
        {next && (
          <p>
            {t('cancel_fee_next', { fee: format.money(next.amount), time: format.time(next.at) })}
          </p>
        )}
        {(paid > 0 || fee > 0) && (
          <dl>
            {paid > 0 && (
              <div>
                <dt>{t('cancel_refund')}</dt>
                <dd>
                  <Money amount={paid} />
                </dd>
              </div>
            )}
            {fee > 0 && (
              <div>
                <dt>{t('cancellation_fee')}</dt>
                <dd>
                  <Money amount={-fee} />
                </dd>
              </div>
            )}
            <div>
              <dt>{t('cancel_wallet_change')}</dt>
              <dd>
                <strong>
                  <Money amount={paid - fee} />
                </strong>
              </dd>
            </div>
          </dl>
        )}
      </div>
      <fieldset className={css.reasons}>
        <legend>{t('cancel_why')}</legend>
        {loading ? (
          <SkeletonLines lines={4} height="2.75rem" />
        ) : (
          reasons.map((label) => (
            <label key={label}>
              <input
                type="radio"
                name="reason"
                checked={label === reason}
                onChange={() => setChosen(label)}
              />
              {label}
            </label>
          ))
        )}
      </fieldset>
    </ConfirmDialog>
  )
}
