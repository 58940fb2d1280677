import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Withdraw } from '~/domain/entities'
import { refusal } from '~/domain/errors'
import { showsBankFields } from '~/domain/permissions'
import {
  completeWithdraw,
  waitingWithdraws,
  withdraws as liveWithdraws,
} from '~/src/features/withdraws/withdraws'
import { useAppDispatch } from '~/src/store/hooks'
import { fetchWhole } from '~/src/store/fetchWhole'
import { useLive } from '~/src/store/liveSlice'
import { Button, StatusChip } from '~/src/ui/controls'
import { ConfirmDialog } from '~/src/ui/Dialog'
import { useFormat } from '~/src/ui/format'
import { Ago } from '~/src/ui/office/Ago'
import { BulkDialog, useBulk } from '~/src/ui/office/BulkDialog'
import type { Column } from '~/src/ui/office/DataTable'
import { ListPage } from '~/src/ui/office/ListPage'
import { useOptimistic } from '~/src/ui/office/optimistic'
import { useOpened } from '~/src/ui/office/tableState'
import { useOffice } from '../useOffice'

/** So many are read of either: with more the page would be slow to come. */
const NEWEST = 350
const WAITING = 150
const DEEDS = ['process'] as const

/** The newest requests, and those that wait to be paid however old they are. */
const useWithdraws = () => {
  const { withdraws: newest, ...look } = useLive(liveWithdraws, NEWEST)
  const { waiting, ...waitingLook } = useLive(waitingWithdraws, WAITING)
  const withdraws = useMemo(() => {
    const known = new Set(newest.map(({ id }) => id))
    return [...newest, ...waiting.filter(({ id }) => !known.has(id))]
  }, [newest, waiting])
  return {
    withdraws,
    loading: look.loading || waitingLook.loading,
    error: look.error.flag ? look.error : waitingLook.error,
    retry: () => {
      look.retry()
      waitingLook.retry()
    },
  }
}

/** Money that was asked for out of wallets, and whether it has been paid. */
export const WithdrawsPage = () => {
  const { t } = useTranslation()
  const format = useFormat()
  const dispatch = useAppDispatch()
  const { settings, allowed, may, say } = useOffice()
  const { withdraws, ...look } = useWithdraws()
  const [rows, hoping] = useOptimistic(withdraws)
  const { opened, open, close } = useOpened('do')
  const paying = withdraws.find(({ id }) => id === opened)
  const { selected, onSelected, ask, bulk, end } = useBulk(rows, DEEDS)
  const showsBank = settings !== null && showsBankFields(settings)

  const columns = useMemo((): Column<Withdraw>[] => {
    const text = (
      id: string,
      title: string,
      value: (row: Withdraw) => string | undefined,
    ): Column<Withdraw> => ({ id, title, cell: value, sort: (row) => value(row) ?? '' })
    return [
      text('id', t('id'), (row) => row.id),
      {
        id: 'date',
        title: t('request_date'),
        cell: (row) => <Ago at={row.date} />,
        sort: (row) => row.date,
        text: (row) => new Date(row.date).toISOString(),
      },
      text('name', t('driver_name'), (row) => row.name),
      {
        id: 'amount',
        title: t('amount'),
        align: 'end',
        cell: (row) => format.money(row.amount),
        sort: (row) => row.amount,
      },
      {
        id: 'processed',
        title: t('processed'),
        cell: (row) => (
          <StatusChip tone={row.processed ? 'success' : 'warning'}>
            {t(row.processed ? 'yes' : 'no')}
          </StatusChip>
        ),
        sort: (row) => (row.processed ? 1 : 0),
      },
      {
        id: 'procesDate',
        title: t('process_date'),
        cell: (row) => (row.procesDate ? <Ago at={row.procesDate} /> : null),
        sort: (row) => row.procesDate ?? 0,
        text: (row) => (row.procesDate ? new Date(row.procesDate).toISOString() : ''),
      },
      ...(showsBank
        ? [
            text('bankName', t('bank_name'), (row) => row.bankName),
            text('bankCode', t('bank_code'), (row) => row.bankCode),
            text('bankAccount', t('bank_account'), (row) => row.bankAccount),
          ]
        : []),
    ]
  }, [t, format, showsBank])

  const complete = (row: Withdraw, quiet: boolean) =>
    hoping(row.id, { processed: true }, () =>
      dispatch(completeWithdraw({ ...row, quiet })).unwrap(),
    )
  return (
    <ListPage
      id="withdraws"
      title={t('menu_withdraws')}
      look={look}
      empty={t('no_data_available')}
      rows={rows}
      columns={columns}
      search={(row) => `${row.name} ${row.id}`}
      selection={{
        selected,
        onSelected,
        name: (row) => `${row.name} ${format.money(row.amount)}`,
        bar: (
          <Button size="small" onClick={() => allowed('withdraw_complete') && ask('process')}>
            {t('bulk_process')}
          </Button>
        ),
      }}
      actions={(row) => (
        <Button
          size="small"
          disabled={row.processed}
          aria-label={t('process_of', { name: row.name })}
          onClick={() => allowed('withdraw_complete') && open(row.id)}
        >
          {t('process')}
        </Button>
      )}
      {...(may('table_export') && {
        exportAs: {
          name: 'withdraws',
          rows: async (onProgress) =>
            (await dispatch(fetchWhole({ path: 'withdraws', onProgress })).unwrap()) as Withdraw[],
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
            say('withdraw_done')
          }}
          onClose={() => close()}
        >
          <p>{t('process_note')}</p>
        </ConfirmDialog>
      )}
      {bulk && (
        <BulkDialog
          title={t('bulk_process')}
          rows={bulk.rows}
          describe={(row) => ({ name: row.name, note: format.money(row.amount) })}
          act={async (row) => {
            if (row.processed) throw refusal('already_processed')
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
