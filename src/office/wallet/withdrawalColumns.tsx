import type { TFunction } from 'i18next'
import type { Withdrawal } from '~/domain/entities'
import { StatusChip } from '~/src/ui/controls'
import type { Column } from '~/src/ui/table/DataTable'
import { createMoneyColumn } from '~/src/ui/table/moneyColumn'
import { RelativeTime } from '~/src/ui/table/RelativeTime'
import { createTimeColumn } from '~/src/ui/table/timeColumn'
import { PersonLink } from '../people/PersonLink'

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

const createProcessedColumn = (t: TFunction): Column<Withdrawal> => ({
  id: 'processed',
  title: t('processed'),
  cell: (row) => (
    <>
      <StatusChip tone={row.processed ? 'success' : 'warning'}>
        {t(row.processed ? 'yes' : 'no')}
      </StatusChip>{' '}
      {row.procesDate !== undefined && <RelativeTime at={row.procesDate} />}
    </>
  ),
  sortValue: (row) => (row.processed ? 1 : 0),
  isOnCard: true,
})

/** Creates the columns of the withdrawals, with bank accounts if the platform stores them. */
export const createWithdrawalColumns = ({
  t,
  currency,
  showsBank,
}: {
  t: TFunction
  currency: string | undefined
  showsBank: boolean
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
  createProcessedColumn(t),
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
