import { type ComponentProps, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { domainError } from '~/domain/api/errors'
import { shouldShowBankFields } from '~/domain/access/permissions'
import { MINUTE_MS } from '~/domain/language/timeUnits'
import { isPayoutWaiting } from '~/domain/money/withdrawals'
import {
  completeWithdrawal,
  pendingWithdrawals,
  returnWithdrawal,
  liveWithdrawals,
} from '~/src/features/withdrawals/withdrawals'
import { useAppDispatch } from '~/src/store/hooks'
import { fetchAllRecords } from '~/src/store/allRecords'
import { useLive } from '~/src/store/live/liveSlice'
import { Button } from '~/src/ui/controls'
import { ConfirmDialog } from '~/src/ui/dialogs/Dialog'
import { useFormat } from '~/src/ui/format/format'
import { BulkDialog, useBulkSelection } from '~/src/office/recordPages/BulkDialog'
import { DescriptionList } from '~/src/ui/DescriptionList'
import { ListPage } from '~/src/office/recordPages/ListPage'
import { useNow } from '~/src/ui/useNow'
import { useOptimisticRows } from '~/src/ui/table/optimisticRows'
import { useOverlayParam } from '~/src/ui/table/tableState'
import { useOfficeSession } from '../useOfficeSession'
import { ReturnWithdrawalDialog } from './ReturnWithdrawalDialog'
import { createWithdrawalColumns } from './withdrawalColumns'
import type { Withdrawal } from '~/domain/money/types'

/** Maximum number of requests read from either query; more would make the page slow. */
const MAX_NEWEST = 350
const MAX_WAITING = 150
const BULK_ACTIONS = ['process'] as const

/** Returns the newest requests, plus all unpaid ones regardless of age. */
const useWithdrawals = () => {
  const { withdraws: newest, ...listQuery } = useLive(liveWithdrawals, MAX_NEWEST)
  const { waiting, ...pendingQuery } = useLive(pendingWithdrawals, MAX_WAITING)
  const withdraws = useMemo(() => {
    const newestIds = new Set(newest.map(({ id }) => id))
    return [...newest, ...waiting.filter(({ id }) => !newestIds.has(id))]
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

/** Shows where the money of a withdrawal goes, and marks it as paid. */
const PaymentDialog = ({
  withdrawal: { amount, name, bankName, bankCode, bankAccount },
  showsBank,
  onConfirm,
  onClose,
}: {
  withdrawal: Withdrawal
  showsBank: boolean
  onConfirm: () => Promise<unknown>
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <ConfirmDialog
      title={t('process_question', { amount: format.money(amount), name })}
      confirm={t('process')}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>{t('process_note')}</p>
      {showsBank && (
        <DescriptionList
          facts={[
            [t('bank_name'), bankName],
            [t('bank_code'), bankCode && <bdi key="code">{bankCode}</bdi>],
            [
              t('bank_account'),
              bankAccount ? <bdi key="account">{bankAccount}</bdi> : t('bank_account_missing'),
            ],
          ]}
        />
      )}
    </ConfirmDialog>
  )
}

/** Marks several withdrawals as paid, one after the other. */
const BulkPaymentDialog = ({
  rows,
  showsBank,
  now,
  onPay,
  onClose,
}: {
  rows: Withdrawal[]
  showsBank: boolean
  now: number
  onPay: (row: Withdrawal) => Promise<unknown>
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  /** Returns the amount, and its bank account if the platform stores one. */
  const describePayment = ({ amount, bankName, bankCode, bankAccount }: Withdrawal) => {
    const account = bankAccount
      ? [bankName, bankCode, bankAccount]
      : [`${t('bank_account')}: ${t('bank_account_missing')}`]
    const parts = [format.money(amount), ...(showsBank ? account : [])]
    return parts.filter(Boolean).join(' · ')
  }
  return (
    <BulkDialog
      title={t('bulk_process')}
      rows={rows}
      describe={(row) => ({ name: row.name, note: describePayment(row) })}
      act={async (row) => {
        if (row.processed) throw domainError('already_processed')
        if (isPayoutWaiting(row, now)) throw domainError('payout_waits')
        await onPay(row)
      }}
      doneText={t('withdraw_done')}
      onClose={onClose}
    >
      {() => <p>{t('process_note')}</p>}
    </BulkDialog>
  )
}

/** Returns the selection of rows with its button, and the dialog that pays them. */
const useBulkPayment = ({
  rows,
  ...payment
}: Pick<ComponentProps<typeof BulkPaymentDialog>, 'rows' | 'showsBank' | 'now' | 'onPay'>) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { canOrNotify } = useOfficeSession()
  const { selected, onSelected, ask, bulk, end } = useBulkSelection(rows, BULK_ACTIONS)
  const selection = {
    selected,
    onSelected,
    name: (row: Withdrawal) => `${row.name} ${format.money(row.amount)}`,
    bar: (
      <Button size="small" onClick={() => canOrNotify('withdraw_complete') && ask('process')}>
        {t('bulk_process')}
      </Button>
    ),
  }
  const dialog = bulk && <BulkPaymentDialog {...payment} rows={bulk.rows} onClose={end} />
  return { selection, dialog }
}

/** Lists the withdrawals that users requested from their wallets, and shows which are paid. */
export const WithdrawalsPage = () => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { settings, canOrNotify, can, notify } = useOfficeSession()
  const { withdraws, ...listQuery } = useWithdrawals()
  const [rows, showAtOnce] = useOptimisticRows(withdraws)
  const { opened, open, linkTo, close } = useOverlayParam('do')
  const paying = withdraws.find(({ id }) => id === opened)
  const returnParam = useOverlayParam('return')
  const returned = withdraws.find(({ id }) => id === returnParam.opened)
  const currency = settings?.code
  const now = useNow(MINUTE_MS)
  const showsBank = settings !== null && shouldShowBankFields(settings)

  const { columns, exported } = useMemo(
    () => createWithdrawalColumns({ t, currency, showsBank, now }),
    [t, showsBank, currency, now],
  )

  const complete = (row: Withdrawal, isQuiet: boolean) =>
    showAtOnce(row.id, { processed: true }, () =>
      dispatch((isQuiet ? completeWithdrawal.quiet : completeWithdrawal)(row)).unwrap(),
    )
  const { selection, dialog } = useBulkPayment({
    rows,
    showsBank,
    now,
    onPay: (row) => complete(row, true),
  })
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
      // A paid or waiting withdrawal has no dialog, because no action is possible.
      linkTo={(row) => (row.processed || isPayoutWaiting(row, now) ? null : linkTo(row.id))}
      onOpen={(row) => canOrNotify('withdraw_complete') && open(row.id)}
      selection={selection}
      actions={(row) => (
        <Button
          size="small"
          disabled={row.processed || isPayoutWaiting(row, now)}
          aria-label={t('process_of', { name: row.name })}
          onClick={() => canOrNotify('withdraw_complete') && open(row.id)}
        >
          {t('process')}
        </Button>
      )}
      menu={(row) => ({
        name: row.name,
        actions: row.processed
          ? []
          : [
              {
                label: t('withdraw_return'),
                onAct: () => canOrNotify('withdraw_return') && returnParam.open(row.id),
              },
            ],
      })}
      {...(can('table_export') && {
        exportAs: {
          name: 'withdraws',
          columns: exported,
          rows: async (onProgress) =>
            (await dispatch(
              fetchAllRecords({ path: 'withdraws', onProgress }),
            ).unwrap()) as Withdrawal[],
        },
      })}
    >
      {paying && !paying.processed && !isPayoutWaiting(paying, now) && (
        <PaymentDialog
          withdrawal={paying}
          showsBank={showsBank}
          onConfirm={async () => {
            await complete(paying, false)
            notify('withdraw_done')
          }}
          onClose={() => close()}
        />
      )}
      {returned && !returned.processed && (
        <ReturnWithdrawalDialog
          withdrawal={returned}
          onReturn={async (note) => {
            await dispatch(returnWithdrawal.quiet({ withdraw_id: returned.id, note })).unwrap()
            notify('withdraw_returned')
          }}
          onClose={() => returnParam.close()}
        />
      )}
      {dialog}
    </ListPage>
  )
}
