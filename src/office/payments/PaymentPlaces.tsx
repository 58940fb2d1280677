import { useTranslation } from 'react-i18next'
import { getAttemptAccount } from '~/domain/payments/attemptAccount'
import { fromCurrencyMinorUnits } from '~/domain/payments/currencyUnits'
import type { PaymentAttempt } from '~/domain/payments/paymentAttempt'
import { useFormatMoneyIn } from '~/src/ui/format/moneyIn'
import { useOfficeSession } from '../useOfficeSession'

const PLACES = ['refunded', 'returned', 'chargedBack', 'wonBack'] as const

/** Shows where the money of a payment went back to; renders nothing while all of it is here. */
export const PaymentPlaces = ({ attempt }: { attempt: PaymentAttempt }) => {
  const { t } = useTranslation()
  const money = useFormatMoneyIn(useOfficeSession().settings?.code)
  const { currency } = attempt
  const account = getAttemptAccount(attempt)
  return PLACES.filter((place) => account[place] > 0)
    .map((place) =>
      t(`payment_place_${place}`, {
        amount: money(fromCurrencyMinorUnits(account[place], currency), currency),
      }),
    )
    .join(' · ')
}
