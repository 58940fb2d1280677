import type { TFunction } from 'i18next'
import { Link } from 'react-router-dom'
import type { OpenRefund, PaymentAttempt } from '~/domain/payments/paymentAttempt'
import { BookingReference } from '~/src/features/bookings/BookingReference'
import { getProviderName } from '~/src/features/payments/ProviderLogo'
import { screenPaths } from '~/src/store/screenPaths'
import { createTimeColumn } from '~/src/ui/table/timeColumn'
import { createMoneyColumn } from '~/src/ui/table/moneyColumn'
import { PersonLink } from '../people/PersonLink'
import { PersonName } from '../people/PersonName'
import { AttemptStatus } from './PaymentAttempts'
import { PaymentPlaces } from './PaymentPlaces'
import { getReceivedMoney } from './refundableAmount'
import type { useFormatMoneyIn } from '~/src/ui/format/moneyIn'
import type { Column } from '~/src/ui/table/tableProps'

/** Returns the columns of the list of payment attempts; `currency` is the platform's. */
export const createPaymentColumns = (
  t: TFunction,
  money: ReturnType<typeof useFormatMoneyIn>,
  currency: string | undefined,
): Column<PaymentAttempt>[] => {
  const refunding = ({ state, amount }: OpenRefund, paid: string) =>
    t(`payment_refunding_${state}`, { amount: money(amount, paid) })
  // Columns that need a decision come first, because a narrow screen shows the others only after
  // scrolling.
  return [
    createTimeColumn({
      id: 'createdAt',
      title: t('request_date'),
      at: (row) => row.createdAt,
    }),
    createMoneyColumn({
      id: 'amount',
      title: t('amount'),
      currency,
      amount: (row) => row.amount,
      rowCurrency: (row) => row.currency,
      isOnCard: true,
    }),
    createMoneyColumn({
      id: 'parked',
      title: t('payment_arrived'),
      currency,
      amount: (row) => getReceivedMoney(row)?.amount,
      rowCurrency: (row) => getReceivedMoney(row)?.currency,
    }),
    {
      id: 'problem',
      title: t('payment_problem'),
      cell: (row) => row.problem && t(`payment_problem_${row.problem}`),
      sortValue: (row) => (row.problem ? t(`payment_problem_${row.problem}`) : ''),
      isOnCard: true,
    },
    {
      id: 'places',
      title: t('payment_places'),
      cell: (row) => <PaymentPlaces attempt={row} />,
    },
    {
      id: 'refund',
      title: t('payment_refunding'),
      cell: (row) => row.refund && refunding(row.refund, row.currency),
      sortValue: (row) => (row.refund ? refunding(row.refund, row.currency) : ''),
    },
    {
      id: 'status',
      title: t('status'),
      cell: (row) => <AttemptStatus status={row.status} />,
      sortValue: (row) => t(`payment_state_${row.status}`),
      isOnCard: true,
    },
    {
      id: 'for',
      title: t('payment_for'),
      cell: (row) =>
        row.booking ? (
          <Link to={screenPaths.booking(row.booking)}>
            <BookingReference id={row.booking} />
          </Link>
        ) : (
          t('menu_wallet')
        ),
      sortValue: (row) => row.booking ?? t('menu_wallet'),
    },
    {
      id: 'gateway',
      title: t('payment_provider'),
      cell: (row) => getProviderName(row.gateway, t),
      sortValue: (row) => getProviderName(row.gateway, t),
    },
    {
      id: 'uid',
      title: t('payment_payer'),
      cell: (row) => (
        <PersonLink id={row.uid} part="wallet">
          <PersonName id={row.uid} />
        </PersonLink>
      ),
      sortValue: (row) => row.uid,
      exportNamed: {
        getIds: (row) => [row.uid],
        getText: (row, names) => names.get(row.uid) ?? row.uid,
      },
    },
    { id: 'id', title: t('id'), cell: (row) => row.id, sortValue: (row) => row.id },
  ]
}
