import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { isPayoutWaiting } from '~/domain/money/withdrawals'
import { StatusChip } from '~/src/ui/feedback/StatusChip'
import { useFormat } from '~/src/ui/format/format'
import { createMoneyColumn } from '~/src/ui/table/moneyColumn'
import { RelativeTime } from '~/src/ui/table/RelativeTime'
import { createTimeColumn } from '~/src/ui/table/timeColumn'
import { PersonLink } from '../people/PersonLink'
import type { Column } from '~/src/ui/table/tableProps'
import type { Withdrawal } from '~/domain/money/types'

const createTextColumn = (
  id: string,
  title: string,
  value: (row: Withdrawal) => string | undefined,
): Column<Withdrawal> => ({ id, title, cell: value, sortValue: (row) => value(row) ?? '' })

const createBankColumns = (t: TFunction): Column<Withdrawal>[] => [
  createTextColumn('bankName', t('bank_name'), (row) => row.bankName),
  createTextColumn('bankCode', t('bank_code'), (row) => row.bankCode),
  createTextColumn('bankAccount', t('bank_account'), (row) => row.bankAccount),
]

/** Says until when a payout waits after a change of bank details. */
const PayoutWait = ({ at }: { at: number }) => {
  const { t } = useTranslation()
  const format = useFormat()
  return <small>{t('payout_until', { time: format.dateTime(at) })}</small>
}

const createProcessedColumn = (t: TFunction, now: number): Column<Withdrawal> => ({
  id: 'processed',
  title: t('processed'),
  cell: (row) => (
    <>
      <StatusChip tone={row.processed ? 'success' : 'warning'}>
        {t(row.processed ? 'yes' : 'no')}
      </StatusChip>{' '}
      {row.procesDate !== undefined && <RelativeTime at={row.procesDate} />}
      {isPayoutWaiting(row, now) && <PayoutWait at={row.payable_at ?? now} />}
    </>
  ),
  sortValue: (row) => (row.processed ? 1 : 0),
  exportValue: (row) => t(row.processed ? 'yes' : 'no'),
  isOnCard: true,
})

/** Creates the columns of the withdrawals, with bank accounts if the platform stores them. */
export const createWithdrawalColumns = ({
  t,
  currency,
  showsBank,
  now,
}: {
  t: TFunction
  currency: string | undefined
  showsBank: boolean
  /** ms */
  now: number
}): Column<Withdrawal>[] => [
  createTimeColumn({
    id: 'date',
    title: t('request_date'),
    at: (row) => row.date,
    isOnCard: true,
  }),
  {
    ...createTextColumn('name', t('driver_name'), (row) => row.name),
    cell: (row) => (
      <PersonLink id={row.uid} part="wallet">
        {row.name}
      </PersonLink>
    ),
    isOnCard: true,
  },
  createMoneyColumn({
    id: 'amount',
    title: t('amount'),
    currency,
    amount: (row) => row.amount,
    isOnCard: true,
  }),
  createProcessedColumn(t, now),
  {
    ...createTimeColumn<Withdrawal>({
      id: 'procesDate',
      title: t('process_date'),
      at: (row) => row.procesDate,
    }),
    isExtra: true,
  },
  { ...createTextColumn('id', t('id'), (row) => row.id), isExtra: true },
  ...(showsBank ? createBankColumns(t) : []),
]
