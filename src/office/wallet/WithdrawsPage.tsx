import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Withdraw } from '~/domain/entities'
import { showsBankFields } from '~/domain/permissions'
import { completeWithdraw, withdraws as liveWithdraws } from '~/src/features/withdraws/withdraws'
import { useAppDispatch } from '~/src/store/hooks'
import { useLive } from '~/src/store/liveSlice'
import { Button, StatusChip } from '~/src/ui/controls'
import { ConfirmDialog } from '~/src/ui/Dialog'
import { DateTime, useFormat } from '~/src/ui/format'
import { type Column, DataTable } from '~/src/ui/office/DataTable'
import pages from '~/src/ui/office/pages.module.css'
import { EmptyState } from '~/src/ui/states'
import { useOffice } from '../useOffice'

const KEPT = 500

/** Money that was asked for out of wallets, and whether it has been paid. */
export const WithdrawsPage = () => {
  const { t } = useTranslation()
  const format = useFormat()
  const dispatch = useAppDispatch()
  const { settings, allowed, may, say } = useOffice()
  const { withdraws, loading, error } = useLive(liveWithdraws, KEPT)
  const [paying, setPaying] = useState<Withdraw | null>(null)
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
        cell: (row) => <DateTime at={row.date} />,
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
        cell: (row) => (row.procesDate ? <DateTime at={row.procesDate} /> : null),
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

  const pay = async () => {
    if (!paying) return
    await dispatch(completeWithdraw(paying)).unwrap()
    say('withdraw_done')
  }
  return (
    <div className={pages.page}>
      <h1>{t('menu_withdraws')}</h1>
      <DataTable
        id="withdraws"
        label={t('menu_withdraws')}
        rows={withdraws}
        columns={columns}
        loading={loading}
        error={error.flag ? t(error.msg ?? '') : null}
        search={(row) => `${row.name} ${row.id}`}
        actions={(row) => (
          <Button
            size="small"
            disabled={row.processed}
            aria-label={t('process_of', { name: row.name })}
            onClick={() => allowed('withdraw_complete') && setPaying(row)}
          >
            {t('process')}
          </Button>
        )}
        {...(may('table_export') && { exportAs: { name: 'withdraws' } })}
        empty={<EmptyState title={t('no_data_available')} />}
      />
      {paying && (
        <ConfirmDialog
          title={t('process_question', {
            amount: format.money(paying.amount),
            name: paying.name,
          })}
          confirm={t('process')}
          onConfirm={pay}
          onClose={() => setPaying(null)}
        >
          <p>{t('process_note')}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}
