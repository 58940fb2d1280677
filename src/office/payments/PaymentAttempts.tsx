import { useTranslation } from 'react-i18next'
import type { PaymentAttempt, PaymentStatus } from '~/domain/payments/paymentAttempt'
import { bookingPayments } from '~/src/features/payments/payments'
import { getProviderName } from '~/src/features/payments/ProviderLogo'
import { usePaymentTexts } from '~/src/features/payments/paymentTexts'
import { useLive } from '~/src/store/live/liveSlice'
import { StatusChip } from '~/src/ui/feedback/StatusChip'
import { useFormatMoneyIn } from '~/src/ui/format/moneyIn'
import { RelativeTime } from '~/src/ui/table/RelativeTime'
import { useOfficeSession } from '../useOfficeSession'
import { PaymentPlaces } from './PaymentPlaces'
import css from './payments.module.css'

const STATUS_TONES: Record<PaymentStatus, 'success' | 'warning' | 'danger' | 'news' | 'muted'> = {
  created: 'muted',
  pending: 'news',
  paid: 'success',
  partially_refunded: 'warning',
  refunded: 'warning',
  failed: 'danger',
  cancelled: 'muted',
}

/** Shows the status of a payment attempt. */
export const AttemptStatus = ({ status }: { status: PaymentStatus }) => {
  const { t } = useTranslation()
  return <StatusChip tone={STATUS_TONES[status]}>{t(`payment_state_${status}`)}</StatusChip>
}

const AttemptRow = ({ attempt }: { attempt: PaymentAttempt }) => {
  const { t } = useTranslation()
  const money = useFormatMoneyIn(useOfficeSession().settings?.code)
  const { gateway, amount, currency, status, createdAt, problem, refund } = attempt
  return (
    <li>
      <strong>{getProviderName(gateway, t)}</strong>
      <AttemptStatus status={status} />
      <span>{money(amount, currency)}</span>
      <small>
        <RelativeTime at={createdAt} />
        {problem && ` · ${t(`payment_problem_${problem}`)}`}
        {refund &&
          ` · ${t('payment_refunding')}: ${t(`payment_refunding_${refund.state}`, {
            amount: money(refund.amount, currency),
          })}`}
      </small>
      <small>
        <PaymentPlaces attempt={attempt} />
      </small>
    </li>
  )
}

/**
 * Lists a booking's payment attempts with a provider; renders nothing without any. Only admins may
 * read them.
 */
export const PaymentAttempts = ({ booking: bookingId }: { booking: string }) => {
  usePaymentTexts()
  const { attempts } = useLive(bookingPayments, bookingId)
  if (attempts.length === 0) return null
  return (
    <ul role="list" className={css.attempts}>
      {attempts.map((attempt) => (
        <AttemptRow key={attempt.id} attempt={attempt} />
      ))}
    </ul>
  )
}
