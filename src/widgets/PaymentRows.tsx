import { useTranslation } from 'react-i18next'
import type { Booking, Settings } from '~/domain/entities'
import { getPaymentRows } from '~/domain/payments/paymentStatement'
import { usePaymentTexts } from '~/src/features/payments/paymentTexts'
import { DateTime, Money } from '~/src/ui/format'
import css from './PaymentRows.module.css'

/** Lists what a customer paid for a booking, what went back, and what is still due. */
export const PaymentRows = ({ booking, settings }: { booking: Booking; settings: Settings }) => {
  usePaymentTexts()
  const { t } = useTranslation()
  return (
    <ul role="list" className={css.rows} aria-label={t('payments_of_booking')}>
      {getPaymentRows(booking, settings, (key) => t(key)).map(({ label, cause, at, amount }) => (
        <li key={`${label} ${cause} ${at} ${amount}`}>
          <span>
            {label}
            {(cause !== undefined || at !== undefined) && (
              <small>
                {cause}
                {cause !== undefined && at !== undefined && ' · '}
                {at !== undefined && <DateTime at={at} />}
              </small>
            )}
          </span>
          <strong>
            <Money amount={amount} />
          </strong>
        </li>
      ))}
    </ul>
  )
}
