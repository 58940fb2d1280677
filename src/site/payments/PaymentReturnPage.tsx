import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import type { PaymentAttempt } from '~/domain/payments/attempt'
import { payment as livePayment } from '~/src/features/payments/payments'
import { ProviderLogo, providerName } from '~/src/features/payments/ProviderLogo'
import { usePaymentTexts } from '~/src/features/payments/texts'
import { selectProfile, selectSessionKnown } from '~/src/store/auth'
import { useAppSelector } from '~/src/store/hooks'
import { useLive } from '~/src/store/liveSlice'
import { screens } from '~/src/store/screens'
import { ButtonLink } from '~/src/ui/controls'
import { useFormat } from '~/src/ui/format'
import { Icon } from '~/src/ui/Icon'
import { SkeletonLines } from '~/src/ui/states'
import css from './PaymentReturnPage.module.css'

type Stage =
  | 'waiting'
  | 'paid_booking'
  | 'paid_wallet'
  | 'moved'
  | 'failed'
  | 'cancelled'
  | 'parked'
  | 'settled'
  | 'refunded'

/** What the attempt means to its payer. `left` is only what the address says, so that anything the server knows wins. */
const stageOf = (attempt: PaymentAttempt, left: boolean): Stage => {
  const { status, problem, applied_to, applied_because } = attempt
  if (status === 'refunded' || status === 'partially_refunded') return 'refunded'
  if (status === 'paid')
    return applied_because ? 'moved' : applied_to === 'booking' ? 'paid_booking' : 'paid_wallet'
  if (problem) return 'parked'
  if (status === 'failed') return 'failed'
  // What came did not match, and the office has decided about it.
  if (status === 'cancelled' && attempt.parked) return 'settled'
  if (status === 'cancelled' || (status === 'created' && left)) return 'cancelled'
  return 'waiting'
}
const GOOD: readonly Stage[] = ['paid_booking', 'paid_wallet', 'moved']
const AGAIN: readonly Stage[] = ['failed', 'cancelled']

const Told = ({ attempt, left }: { attempt: PaymentAttempt; left: boolean }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const stage = stageOf(attempt, left)
  const { booking, gateway, amount, parked, refunded } = attempt
  const provider = providerName(gateway) ?? t('provider_test')
  const shown = stage === 'refunded' ? (refunded ?? amount) : (parked?.amount ?? amount)
  const says = { provider, amount: format.money(shown) }
  const isGood = GOOD.includes(stage)
  return (
    <section className={css.card} data-tone={isGood ? 'good' : undefined} aria-live="polite">
      <ProviderLogo name={gateway} size={48} />
      {isGood && <Icon name="check" size={32} />}
      <h1>{t(`payment_${stage}_title`, says)}</h1>
      <p>{t(`payment_${stage}_text`, says)}</p>
      {stage === 'waiting' && <span className={css.moving} aria-hidden="true" />}
      <div className={css.ways}>
        {booking && (
          <ButtonLink
            to={screens.booking(booking)}
            look={stage === 'moved' ? 'outline' : 'primary'}
          >
            {t(AGAIN.includes(stage) ? 'payment_again' : 'payment_to_booking')}
          </ButtonLink>
        )}
        {(!booking || stage === 'moved') && (
          <ButtonLink
            to={AGAIN.includes(stage) ? `${screens.wallet}?tab=topup` : screens.wallet}
            look="primary"
          >
            {t(AGAIN.includes(stage) ? 'payment_again' : 'payment_to_wallet')}
          </ButtonLink>
        )}
      </div>
    </section>
  )
}

const Nothing = ({ isVisitor }: { isVisitor: boolean }) => {
  const { t } = useTranslation()
  return (
    <section className={css.card}>
      <h1>{t(isVisitor ? 'payment_visitor_title' : 'payment_unknown_title')}</h1>
      <p>{t(isVisitor ? 'payment_visitor_text' : 'payment_unknown_text')}</p>
      <div className={css.ways}>
        <ButtonLink to={isVisitor ? screens.login : screens.bookings} look="primary">
          {t(isVisitor ? 'payment_sign_in' : 'payment_to_bookings')}
        </ButtonLink>
      </div>
    </section>
  )
}

/** Where a provider sends the payer back to. It believes nothing but payments/{id}, which the server writes, and waits for it. */
export const PaymentReturnPage = () => {
  usePaymentTexts()
  const [params] = useSearchParams()
  const profile = useAppSelector(selectProfile)
  const isKnown = useAppSelector(selectSessionKnown)
  const id = params.get('payment') ?? ''
  const { payment, loading } = useLive(livePayment, id)
  if (payment)
    return (
      <div className={css.page}>
        <Told attempt={{ ...payment, id }} left={params.get('hint') === 'cancelled'} />
      </div>
    )
  return (
    <div className={css.page}>
      {!isKnown || (profile && loading) ? (
        <SkeletonLines lines={2} height="6rem" />
      ) : (
        <Nothing isVisitor={!profile} />
      )}
    </div>
  )
}
