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

/** Shows where the money goes in one cell; the exports have a column for each part. */
const createBankColumn = (t: TFunction): Column<Withdrawal> => ({
  id: 'bank',
  title: t('bank'),
  cell: (row) => row.bankName,
  beneath: ({ bankCode, bankAccount }) =>
    bankAccount ? (
      <bdi dir="ltr">{[bankCode, bankAccount].filter(Boolean).join(' · ')}</bdi>
    ) : (
      t('bank_account_missing')
    ),
})

/** Says until when a payout waits after a change of bank details. */
const PayoutWait = ({ at }: { at: number }) => {
  const { t } = useTranslation()
  const format = useFormat()
  return <small>{t('payout_until', { time: format.dateTime(at) })}</small>
}

/** Returns the text and the tone of what became of a withdrawal. */
const getOutcome = ({ processed, returned_at }: Withdrawal) => {
  if (returned_at !== undefined) return { text: 'withdraw_returned', tone: 'muted' } as const
  return processed
    ? ({ text: 'yes', tone: 'success' } as const)
    : ({ text: 'no', tone: 'warning' } as const)
}

const createProcessedColumn = (t: TFunction, now: number): Column<Withdrawal> => ({
  id: 'processed',
  title: t('processed'),
  cell: (row) => {
    const { text, tone } = getOutcome(row)
    const at = row.returned_at ?? row.procesDate
    return (
      <>
        <StatusChip tone={tone}>{t(text)}</StatusChip>{' '}
        {at !== undefined && <RelativeTime at={at} />}
        {isPayoutWaiting(row, now) && <PayoutWait at={row.payable_at ?? now} />}
      </>
    )
  },
  sortValue: (row) => (row.processed ? 1 : 0),
  exportValue: (row) => t(getOutcome(row).text),
  isOnCard: true,
})

/** Creates the columns of the driver, whose wallet is one step away, and of the amount. */
const createMainColumns = (t: TFunction, currency: string | undefined): Column<Withdrawal>[] => [
  {
    ...createTextColumn('name', t('driver_name'), (row) => row.name),
    cell: (row) => <bdi>{row.name}</bdi>,
    beneath: (row) => (
      <PersonLink id={row.uid} part="wallet" fallback={null}>
        {t('wallet')}
      </PersonLink>
    ),
    isName: true,
    isOnCard: true,
  },
  createMoneyColumn({
    id: 'amount',
    title: t('amount'),
    currency,
    amount: (row) => row.amount,
    isOnCard: true,
  }),
]

/**
 * Creates the columns of the withdrawals, with bank accounts if the platform stores them, and those
 * of their exports.
 */
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
}): { columns: Column<Withdrawal>[]; exported: Column<Withdrawal>[] } => {
  const main = createMainColumns(t, currency)
  const date = createTimeColumn<Withdrawal>({
    id: 'date',
    title: t('request_date'),
    at: (row) => row.date,
    isOnCard: true,
  })
  const processed = createProcessedColumn(t, now)
  const rest = [
    createTimeColumn<Withdrawal>({
      id: 'procesDate',
      title: t('process_date'),
      at: (row) => row.procesDate,
    }),
    createTextColumn('id', t('id'), (row) => row.id),
    ...(showsBank ? createBankColumns(t) : []),
  ]
  return {
    columns: [
      ...main,
      ...(showsBank ? [createBankColumn(t)] : []),
      date,
      processed,
      ...rest.map((column) => ({ ...column, isExtra: true as const })),
    ],
    exported: [date, ...main, processed, ...rest],
  }
}
