import { useTranslation } from 'react-i18next'
import { getDriverRows } from '~/domain/payments/driverStatement'
import { getOfficeRows, getPaymentRows } from '~/domain/payments/paymentStatement'
import { usePaymentTexts } from '~/src/features/payments/paymentTexts'
import { Money } from '~/src/ui/format/format'
import { DateTime } from '~/src/ui/format/values'
import css from './PaymentRows.module.css'
import type { Booking } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'

const ROWS_BY_VIEWER = { rider: getPaymentRows, driver: getDriverRows, office: getOfficeRows }

/**
 * Lists what a customer paid for a booking, what went back, and what is still due; for drivers what
 * moved in their own wallet, for the office both.
 */
export const PaymentRows = ({
  booking,
  settings,
  viewer,
}: {
  booking: Booking
  settings: Settings
  viewer: keyof typeof ROWS_BY_VIEWER
}) => {
  usePaymentTexts()
  const { t } = useTranslation()
  const rows = ROWS_BY_VIEWER[viewer](booking, settings, (key) => t(key))
  if (rows.length === 0) return null
  return (
    <ul role="list" className={css.rows} aria-label={t('payments_of_booking')}>
      {rows.map(({ label, cause, at, amount }) => (
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
