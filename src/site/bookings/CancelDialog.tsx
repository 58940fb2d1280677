import { useTranslation } from 'react-i18next'
import { calculateCancellationFee, UNPAID_REASON } from '~/domain/booking/payment/cancellation'
import { getNetPayment } from '~/domain/payments/paymentStatement'
import { MINUTE_MS } from '~/domain/language/timeUnits'
import { cancelBooking, hasFixedReason } from '~/src/features/bookings/cancelling'
import { ReasonDialog } from '~/src/features/cancellationReasons/ReasonDialog'
import { liveVehicleTypes } from '~/src/features/vehicleTypes/vehicleTypes'
import { translateReason } from '~/src/i18n/reasonTexts'
import { useAppDispatch } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { Money, useFormat } from '~/src/ui/format/format'
import { useNow } from '~/src/ui/useNow'
import css from './CancelDialog.module.css'
import type { Booking } from '~/domain/booking/types'
import type { CancellationFeeTier, Settings } from '~/domain/catalog/types'

/** Returns when the fee rises next, in ms, and to what amount. */
const getNextFee = (
  booking: Booking,
  slabs: readonly CancellationFeeTier[] | undefined,
  { now, fee }: { now: number; fee: number },
) => {
  const { accepted_at } = booking
  if (accepted_at === undefined) return null
  const next = Object.values(slabs ?? [])
    .map(({ minsDelayed, amount }) => ({ at: accepted_at + minsDelayed * MINUTE_MS, amount }))
    .filter(({ at, amount }) => at > now && amount > fee)
    .sort((x, y) => x.at - y.at)[0]
  return next ?? null
}

/** Shows the fee of a cancellation now, when it rises, and what the wallet gets back. */
const CancellationCosts = ({
  booking,
  settings,
  fee,
  next,
}: {
  booking: Booking
  settings: Settings
  fee: number
  next: ReturnType<typeof getNextFee>
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  const paid = getNetPayment(booking, settings.decimal)
  return (
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
  )
}

/** Asks for the reason and shows the fee before a cancellation. */
export const CancelDialog = ({
  booking,
  settings,
  isRider,
  onClose,
}: {
  booking: Booking
  settings: Settings
  /** True for riders, the only ones who pay a cancellation fee. */
  isRider: boolean
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const format = useFormat()
  const isUnpaid = hasFixedReason(booking)
  const { cars } = useLive(liveVehicleTypes)
  // The server charges the fee at the time of the cancellation.
  const now = useNow(5000)
  const slabs = isRider ? cars.find(({ id }) => id === booking.carTypeId)?.cancelSlab : undefined
  const fee = calculateCancellationFee(booking, slabs, now, settings)
  const next = getNextFee(booking, slabs, { now, fee })
  return (
    <ReasonDialog
      title={t('cancel_title')}
      confirm={fee > 0 ? t('cancel_do_fee', { fee: format.money(fee) }) : t('cancel_do')}
      legend={t('cancel_why')}
      intro={
        <>
          <CancellationCosts {...{ booking, settings, fee, next }} />
          {isUnpaid && <p>{t('cancel_unpaid', { reason: translateReason(UNPAID_REASON, t) })}</p>}
        </>
      }
      fixedReason={isUnpaid ? UNPAID_REASON : null}
      onConfirm={(reason) => dispatch(cancelBooking.quiet({ booking, reason })).unwrap()}
      onClose={onClose}
    />
  )
}
