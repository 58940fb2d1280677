import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Withdrawal } from '~/domain/entities'
import { domainError } from '~/domain/errors'
import { shouldShowBankFields } from '~/domain/permissions'
import {
  completeWithdrawal,
  pendingWithdrawals,
  withdrawals as liveWithdraws,
} from '~/src/features/withdrawals/withdrawals'
import { useAppDispatch } from '~/src/store/hooks'
import { fetchAllRecords } from '~/src/store/allRecords'
import { useLive } from '~/src/store/liveSlice'
import { Button, StatusChip } from '~/src/ui/controls'
import { ConfirmDialog } from '~/src/ui/Dialog'
import { useFormat } from '~/src/ui/format'
import { RelativeTime } from '~/src/ui/table/RelativeTime'
import { createTimeColumn } from '~/src/ui/table/timeColumn'
import { BulkDialog, useBulkSelection } from '~/src/office/recordPages/BulkDialog'
import type { Column } from '~/src/ui/table/DataTable'
import { createMoneyColumn } from '~/src/ui/table/moneyColumn'
import { DescriptionList } from '~/src/ui/DescriptionList'
import { ListPage } from '~/src/office/recordPages/ListPage'
import { useOptimisticRows } from '~/src/ui/table/optimisticRows'
import { useOverlayParam } from '~/src/ui/table/tableState'
import { PersonLink } from '../people/PersonLink'
import { useOfficeSession } from '../useOfficeSession'

/** Maximum number of requests read from either query; more would make the page slow. */
const MAX_NEWEST = 350
const MAX_WAITING = 150
const BULK_ACTIONS = ['process'] as const

/** Returns the newest requests, plus all unpaid ones regardless of age. */
const useWithdrawals = () => {
  const { withdraws: newest, ...listQuery } = useLive(liveWithdraws, MAX_NEWEST)
  const { waiting, ...pendingQuery } = useLive(pendingWithdrawals, MAX_WAITING)
  const withdraws = useMemo(() => {
    const known = new Set(newest.map(({ id }) => id))
    return [...newest, ...waiting.filter(({ id }) => !known.has(id))]
  }, [newest, waiting])
  return {
    withdraws,
    loading: listQuery.loading || pendingQuery.loading,
    error: listQuery.error.flag ? listQuery.error : pendingQuery.error,
    retry: () => {
      listQuery.retry()
      pendingQuery.retry()
    },
  }
}

/** Lists the withdrawals that users requested from their wallets, and shows which are paid. */
export const WithdrawalsPage = () => {
  const { t } = useTranslation()
  const format = useFormat()
  const dispatch = useAppDispatch()
  const { settings, canOrNotify, can, notify } = useOfficeSession()
  const { withdraws, ...listQuery } = useWithdrawals()
  const [rows, showAtOnce] = useOptimisticRows(withdraws)
  const { opened, open, linkTo, close } = useOverlayParam('do')
  const paying = withdraws.find(({ id }) => id === opened)
  const { selected, onSelected, ask, bulk, end } = useBulkSelection(rows, BULK_ACTIONS)
  const currency = settings?.code
  const showsBank = settings !== null && shouldShowBankFields(settings)

  const columns = useMemo((): Column<Withdrawal>[] => {
    const text = (
      id: string,
      title: string,
      value: (row: Withdrawal) => string | undefined,
    ): Column<Withdrawal> => ({ id, title, cell: value, sortValue: (row) => value(row) ?? '' })
    return [
      createTimeColumn({
        id: 'date',
        title: t('request_date'),
        at: (row) => row.date,
        isOnCard: true,
      }),
      {
        ...text('name', t('driver_name'), (row) => row.name),
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
      {
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
      },
      {
        ...createTimeColumn<Withdrawal>({
          id: 'procesDate',
          title: t('process_date'),
          at: (row) => row.procesDate,
        }),
        isExtra: true,
      },
      { ...text('id', t('id'), (row) => row.id), isExtra: true },
      ...(showsBank
        ? [
            text('bankName', t('bank_name'), (row) => row.bankName),
            text('bankCode', t('bank_code'), (row) => row.bankCode),
            text('bankAccount', t('bank_account'), (row) => row.bankAccount),
          ]
        : []),
    ]
  }, [t, showsBank, currency])

  /** Returns the amount, and its bank account if the platform stores one. */
  const describePayment = ({ amount, bankName, bankCode, bankAccount }: Withdrawal) => {
    const account = bankAccount
      ? [bankName, bankCode, bankAccount]
      : [`${t('bank_account')}: ${t('bank_account_missing')}`]
    const parts = [format.money(amount), ...(showsBank ? account : [])]
    return parts.filter(Boolean).join(' · ')
  }
  const complete = (row: Withdrawal, isQuiet: boolean) =>
    showAtOnce(row.id, { processed: true }, () =>
      dispatch((isQuiet ? completeWithdrawal.quiet : completeWithdrawal)(row)).unwrap(),
    )
  return (
    <ListPage
      id="withdraws"
      title={t('menu_withdraws')}
      query={listQuery}
      empty={t('no_data_available')}
      rows={rows}
      isPartial={withdraws.length >= MAX_NEWEST}
      columns={columns}
      toSearchText={(row) => `${row.name} ${row.id}`}
      // A paid withdrawal has no dialog, because no action is left.
      linkTo={(row) => (row.processed ? null : linkTo(row.id))}
      onOpen={(row) => canOrNotify('withdraw_complete') && open(row.id)}
      selection={{
        selected,
        onSelected,
        name: (row) => `${row.name} ${format.money(row.amount)}`,
        bar: (
          <Button size="small" onClick={() => canOrNotify('withdraw_complete') && ask('process')}>
            {t('bulk_process')}
          </Button>
        ),
      }}
      actions={(row) => (
        <Button
          size="small"
          disabled={row.processed}
          aria-label={t('process_of', { name: row.name })}
          onClick={() => canOrNotify('withdraw_complete') && open(row.id)}
        >
          {t('process')}
        </Button>
      )}
      {...(can('table_export') && {
        exportAs: {
          name: 'withdraws',
          rows: async (onProgress) =>
            (await dispatch(
              fetchAllRecords({ path: 'withdraws', onProgress }),
            ).unwrap()) as Withdrawal[],
        },
      })}
    >
      {paying && !paying.processed && (
        <ConfirmDialog
          title={t('process_question', {
            amount: format.money(paying.amount),
            name: paying.name,
          })}
          confirm={t('process')}
          onConfirm={async () => {
            await complete(paying, false)
            notify('withdraw_done')
          }}
          onClose={() => close()}
        >
          <p>{t('process_note')}</p>
          {showsBank && (
            <DescriptionList
              facts={[
                [t('bank_name'), paying.bankName],
                [t('bank_code'), paying.bankCode && <bdi key="code">{paying.bankCode}</bdi>],
                [
                  t('bank_account'),
                  paying.bankAccount ? (
                    <bdi key="account">{paying.bankAccount}</bdi>
                  ) : (
                    t('bank_account_missing')
                  ),
                ],
              ]}
            />
          )}
        </ConfirmDialog>
      )}
      {bulk && (
        <BulkDialog
          title={t('bulk_process')}
          rows={bulk.rows}
          describe={(row) => ({ name: row.name, note: describePayment(row) })}
          act={async (row) => {
            if (row.processed) throw domainError('already_processed')
            await complete(row, true)
          }}
          done={t('withdraw_done')}
          onClose={end}
        >
          {() => <p>{t('process_note')}</p>}
        </BulkDialog>
      )}
    </ListPage>
  )
}
