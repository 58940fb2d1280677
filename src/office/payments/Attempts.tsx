import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import type { PaymentAttempt, PaymentStatus } from '~/domain/payments/attempt'
import { bookingPayments } from '~/src/features/payments/payments'
import { providerName } from '~/src/features/payments/ProviderLogo'
import { usePaymentTexts } from '~/src/features/payments/texts'
import { useLive } from '~/src/store/liveSlice'
import { StatusChip } from '~/src/ui/controls'
import { useFormat } from '~/src/ui/format'
import { Ago } from '~/src/ui/office/Ago'
import { useOffice } from '../useOffice'
import css from './payments.module.css'

const TONE: Record<PaymentStatus, 'success' | 'warning' | 'danger' | 'news' | 'muted'> = {
  created: 'muted',
  pending: 'news',
  paid: 'success',
  partially_refunded: 'warning',
  refunded: 'warning',
  failed: 'danger',
  cancelled: 'muted',
}

/** Where an attempt to pay stands. */
export const AttemptStatus = ({ status }: { status: PaymentStatus }) => {
  const { t } = useTranslation()
  return <StatusChip tone={TONE[status]}>{t(`payment_state_${status}`)}</StatusChip>
}

/** Money as the settings write it; that of another currency with its code: the symbol would lie. */
export const useAttemptMoney = () => {
  const format = useFormat()
  const code = useOffice().settings?.code
  return useCallback(
    (amount: number, currency: string) =>
      currency === code ? format.money(amount) : `${format.number(amount)} ${currency}`,
    [format, code],
  )
}

const Attempt = ({ attempt }: { attempt: PaymentAttempt }) => {
  const { t } = useTranslation()
  const money = useAttemptMoney()
  const { gateway, amount, currency, status, createdAt, problem } = attempt
  return (
    <li>
      <strong>{providerName(gateway) ?? t('provider_test')}</strong>
      <AttemptStatus status={status} />
      <span>{money(amount, currency)}</span>
      <small>
        <Ago at={createdAt} />
        {problem && ` · ${t(`payment_problem_${problem}`)}`}
      </small>
    </li>
  )
}

/** The attempts to pay a booking by a provider; nothing where there were none. Only admins may read them. */
export const Attempts = ({ booking }: { booking: string }) => {
  usePaymentTexts()
  const { attempts } = useLive(bookingPayments, booking)
  if (attempts.length === 0) return null
  return (
    <ul role="list" className={css.attempts}>
      {attempts.map((attempt) => (
        <Attempt key={attempt.id} attempt={attempt} />
      ))}
    </ul>
  )
}
