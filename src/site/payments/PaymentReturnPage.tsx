import { useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import type { PaymentAttempt } from '~/domain/payments/paymentAttempt'
import { liveBooking } from '~/src/features/bookings/bookings'
import { livePayment } from '~/src/features/payments/payments'
import { ProviderLogo, getProviderName } from '~/src/features/payments/ProviderLogo'
import { usePaymentTexts } from '~/src/features/payments/paymentTexts'
import { selectProfile, selectIsSessionKnown } from '~/src/store/auth'
import { useAppDispatch, useAppSelector } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { screenPaths } from '~/src/store/screenPaths'
import { ButtonLink } from '~/src/ui/controls'
import { useFormat } from '~/src/ui/format/format'
import { Icon } from '~/src/ui/Icon'
import { SkeletonLines } from '~/src/ui/feedback/states'
import { showBooked } from '../bookings/showBooked'
import css from './PaymentReturnPage.module.css'
import type { Status } from '~/domain/booking/types'

type PaymentStage =
  | 'waiting'
  | 'paid_booking'
  | 'paid_wallet'
  | 'moved'
  | 'failed'
  | 'cancelled'
  | 'parked'
  | 'settled'
  | 'refunded'

/**
 * Returns the stage that the payer sees. `left` comes only from the URL, so anything the server
 * knows wins.
 */
const getPaymentStage = (attempt: PaymentAttempt, left: boolean): PaymentStage => {
  const { status, problem, applied_to, applied_because } = attempt
  if (status === 'refunded' || status === 'partially_refunded') return 'refunded'
  if (status === 'paid')
    return applied_because ? 'moved' : applied_to === 'booking' ? 'paid_booking' : 'paid_wallet'
  if (problem) return 'parked'
  if (status === 'failed') return 'failed'
  // The amount did not match, and the back office has decided the case.
  if (status === 'cancelled' && attempt.parked) return 'settled'
  if (status === 'cancelled' || (status === 'created' && left)) return 'cancelled'
  return 'waiting'
}
const SUCCESSFUL_STAGES: readonly PaymentStage[] = ['paid_booking', 'paid_wallet', 'moved']
const RETRYABLE_STAGES: readonly PaymentStage[] = ['failed', 'cancelled']

/** The states of a booking that a payment has just completed; later, it settles a driven trip. */
const BOOKED_STATUSES: readonly Status[] = ['NEW', 'ACCEPTED']

/** Opens the page of the booking that was just paid, unless the payment settles a trip. */
const PaidBooking = ({ id }: { id: string }) => {
  const dispatch = useAppDispatch()
  const { booking } = useLive(liveBooking, id)
  const isBooked = booking !== null && BOOKED_STATUSES.includes(booking.status)
  const show = useEffectEvent(() => {
    if (booking) dispatch(showBooked(booking, { replace: true }))
  })
  useEffect(() => {
    if (isBooked) show()
  }, [isBooked])
  return null
}

const PaymentResult = ({ attempt, left }: { attempt: PaymentAttempt; left: boolean }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const stage = getPaymentStage(attempt, left)
  const { booking, gateway, amount, parked, refunded } = attempt
  const provider = getProviderName(gateway, t)
  const shownAmount = stage === 'refunded' ? (refunded ?? amount) : (parked?.amount ?? amount)
  const values = { provider, amount: format.money(shownAmount) }
  const isGood = SUCCESSFUL_STAGES.includes(stage)
  return (
    <section className={css.card} data-tone={isGood ? 'good' : undefined} aria-live="polite">
      <ProviderLogo name={gateway} size={48} />
      {isGood && <Icon name="check" size={32} />}
      <h1>{t(`payment_${stage}_title`, values)}</h1>
      <p>{t(`payment_${stage}_text`, values)}</p>
      {stage === 'paid_booking' && booking && <PaidBooking id={booking} />}
      {stage === 'waiting' && <span className={css.moving} aria-hidden="true" />}
      <div className={css.ways}>
        {booking && (
          <ButtonLink
            to={screenPaths.booking(booking)}
            variant={stage === 'moved' ? 'outline' : 'primary'}
          >
            {t(RETRYABLE_STAGES.includes(stage) ? 'payment_again' : 'payment_to_booking')}
          </ButtonLink>
        )}
        {(!booking || stage === 'moved') && (
          <ButtonLink
            to={
              RETRYABLE_STAGES.includes(stage)
                ? `${screenPaths.wallet}?tab=topup`
                : screenPaths.wallet
            }
            variant="primary"
          >
            {t(RETRYABLE_STAGES.includes(stage) ? 'payment_again' : 'payment_to_wallet')}
          </ButtonLink>
        )}
      </div>
    </section>
  )
}

const PaymentNotFound = ({ isVisitor }: { isVisitor: boolean }) => {
  const { t } = useTranslation()
  return (
    <section className={css.card}>
      <h1>{t(isVisitor ? 'payment_visitor_title' : 'payment_unknown_title')}</h1>
      <p>{t(isVisitor ? 'payment_visitor_text' : 'payment_unknown_text')}</p>
      <div className={css.ways}>
        <ButtonLink to={isVisitor ? screenPaths.login : screenPaths.bookings} variant="primary">
          {t(isVisitor ? 'payment_sign_in' : 'payment_to_bookings')}
        </ButtonLink>
      </div>
    </section>
  )
}

/**
 * Renders the page that providers return the payer to. It trusts only payments/{id}, which the
 * server writes, and waits for it.
 */
export const PaymentReturnPage = () => {
  usePaymentTexts()
  const [params] = useSearchParams()
  const profile = useAppSelector(selectProfile)
  const isKnown = useAppSelector(selectIsSessionKnown)
  const id = params.get('payment') ?? ''
  const { payment, loading } = useLive(livePayment, id)
  if (payment)
    return (
      <div className={css.page}>
        <PaymentResult attempt={{ ...payment, id }} left={params.get('hint') === 'cancelled'} />
      </div>
    )
  return (
    <div className={css.page}>
      {!isKnown || (profile && loading) ? (
        <SkeletonLines lines={2} height="6rem" />
      ) : (
        <PaymentNotFound isVisitor={!profile} />
      )}
    </div>
  )
}
