import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import type { PaymentAttempt } from '~/domain/payments/paymentAttempt'
import { livePayments, refundPayment, resolvePayment } from '~/src/features/payments/payments'
import { usePaymentTexts } from '~/src/features/payments/paymentTexts'
import { useAppDispatch } from '~/src/store/hooks'
import { fetchAllRecords } from '~/src/store/allRecords'
import { useLive } from '~/src/store/live/liveSlice'
import { Button } from '~/src/ui/controls'
import { ConfirmDialog } from '~/src/ui/dialogs/Dialog'
import { useFormatMoneyIn } from '~/src/ui/format/moneyIn'
import { ListPage } from '~/src/office/recordPages/ListPage'
import { Tabs } from '~/src/ui/navigation/Tabs'
import { useOverlayParam } from '~/src/ui/table/tableState'
import { useOfficeSession } from '../useOfficeSession'
import { createPaymentColumns } from './paymentColumns'
import { getCreditableMoney, getRefundableAmount, hasPaidAmount } from './refundableAmount'

/** Maximum number of attempts read, newest first. */
const MAX_PAYMENTS = 500

type PaymentAction = 'credit' | 'dismiss' | 'refund' | 'refunded' | 'not_refunded'
interface ChosenAction {
  action: PaymentAction
  attempt: PaymentAttempt
}

/** Returns what an admin can decide about an attempt; `currency` is the platform's. */
const getPaymentActions = (
  attempt: PaymentAttempt,
  currency: string | undefined,
): PaymentAction[] => {
  const { problem, refund } = attempt
  const isParked = problem !== undefined && problem !== 'refund_unknown'
  const isUnsettled = refund?.state === 'unknown' || refund?.state === 'pending'
  return [
    ...(isParked && getCreditableMoney(attempt)?.currency === currency
      ? (['credit'] as const)
      : []),
    ...(isParked ? (['dismiss'] as const) : []),
    ...(isUnsettled ? (['refunded', 'not_refunded'] as const) : []),
    ...(getRefundableAmount(attempt) > 0 && !refund ? (['refund'] as const) : []),
  ]
}

/**
 * Returns true when the provider may know more than we do: for a pending payment, or for the
 * refunds of a paid one.
 */
const canCheckStatus = (attempt: PaymentAttempt): boolean =>
  hasPaidAmount(attempt) || attempt.status === 'pending'

/** The texts of the buttons. */
const ACTION_TEXTS = {
  credit: 'payment_credit',
  dismiss: 'payment_dismiss',
  refund: 'payment_refund',
  refunded: 'payment_refunded',
  not_refunded: 'payment_not_refunded',
} as const satisfies Record<PaymentAction, string>

/** Returns the question before an action; it names the money that the action moves. */
const useQuestion = () => {
  const { t } = useTranslation()
  const { settings } = useOfficeSession()
  const money = useFormatMoneyIn(settings?.code)
  return ({ action, attempt }: ChosenAction): string => {
    const { currency, refund } = attempt
    const credit = getCreditableMoney(attempt)
    return {
      refunded: t('payment_refunded_question', { amount: money(refund?.amount ?? 0, currency) }),
      not_refunded: t('payment_not_refunded_question', {
        amount: money(refund?.amount ?? 0, currency),
      }),
      credit: t('payment_credit_question', {
        amount: money(credit?.amount ?? 0, credit?.currency ?? currency),
      }),
      dismiss: t('payment_dismiss_question'),
      refund: t('payment_refund_question', {
        amount: money(getRefundableAmount(attempt), currency),
      }),
    }[action]
  }
}

/** Asks before an action that moves money, and runs it. */
const ActionDialog = ({
  chosenAction,
  onClose,
}: {
  chosenAction: ChosenAction
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { notify } = useOfficeSession()
  const getQuestion = useQuestion()
  const { action, attempt } = chosenAction
  const act = async () => {
    const payment_id = attempt.id
    if (action !== 'refund') {
      await dispatch(resolvePayment({ payment_id, how: action })).unwrap()
      notify('payment_settled')
      return
    }
    const { refund } = await dispatch(
      refundPayment({ payment_id, amount: getRefundableAmount(attempt) }),
    ).unwrap()
    notify(refund === 'confirmed' ? 'payment_settled' : `payment_refund_${refund}`)
  }
  return (
    <ConfirmDialog
      title={getQuestion(chosenAction)}
      confirm={t(ACTION_TEXTS[action])}
      onConfirm={act}
      onClose={onClose}
    >
      {(action === 'refunded' || action === 'not_refunded') && <p>{t('payment_outcome_note')}</p>}
      <p>{t('payment_settle_note')}</p>
    </ConfirmDialog>
  )
}

/** Returns the buttons of a row; `onChoose` opens the question before an action. */
const useActionButtons = (onChoose: (action: PaymentAction, id: string) => void) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { settings, canOrNotify, notify } = useOfficeSession()
  const check = async (payment_id: string) => {
    // The operation itself reports its errors.
    const checked = await dispatch(resolvePayment({ payment_id, how: 'check' }))
    if (resolvePayment.fulfilled.match(checked)) notify('payment_checked')
  }
  const renderButton = (key: string, text: string, id: string, onClick: () => void) => (
    <Button
      key={key}
      size="small"
      aria-label={`${text}: ${id}`}
      onClick={() => canOrNotify('wallet_credit') && onClick()}
    >
      {text}
    </Button>
  )
  return (row: PaymentAttempt) => [
    ...getPaymentActions(row, settings?.code).map((action) =>
      renderButton(action, t(ACTION_TEXTS[action]), row.id, () => onChoose(action, row.id)),
    ),
    canCheckStatus(row) &&
      renderButton('check', t('payment_check'), row.id, () => void check(row.id)),
  ]
}

/** Lists payment attempts with providers; those that need a decision come first. */
export const PaymentsPage = () => {
  usePaymentTexts()
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { settings, can } = useOfficeSession()
  const currency = settings?.code
  const money = useFormatMoneyIn(currency)
  const [params, setParams] = useSearchParams()
  const isAll = params.get('show') === 'all'
  const { payments, ...listQuery } = useLive(livePayments, { problems: !isAll, size: MAX_PAYMENTS })
  // Contains 'action~id'.
  const { opened, open, close } = useOverlayParam('do')
  const [actionName, about] = opened?.split('~') ?? []
  const attempt = payments.find(({ id }) => id === about)
  const action = attempt && getPaymentActions(attempt, currency).find((one) => one === actionName)
  const columns = useMemo(() => createPaymentColumns(t, money, currency), [t, money, currency])
  const getButtons = useActionButtons((pressedAction, id) => open(`${pressedAction}~${id}`))
  return (
    <ListPage
      id="payments"
      title={t('menu_payments')}
      query={listQuery}
      empty={t(isAll ? 'no_data_available' : 'payments_no_problems')}
      lead={
        <Tabs
          label={t('menu_payments')}
          value={isAll ? 'all' : 'problems'}
          onChange={(show) => setParams(show === 'all' ? { show } : {}, { replace: true })}
          tabs={[
            { value: 'problems', label: t('payments_problems') },
            { value: 'all', label: t('payments_all') },
          ]}
        />
      }
      rows={payments}
      isPartial={payments.length >= MAX_PAYMENTS}
      columns={columns}
      toSearchText={(row) =>
        `${row.id} ${row.uid} ${row.booking ?? ''} ${row.ref ?? ''} ${row.gateway}`
      }
      actions={getButtons}
      {...(can('table_export') && {
        exportAs: {
          name: 'payments',
          // Attempts with a problem are few, so the list contains all of them.
          ...(isAll && {
            rows: async (onProgress: (count: number) => void) =>
              (await dispatch(
                fetchAllRecords({ path: 'payments', onProgress }),
              ).unwrap()) as PaymentAttempt[],
          }),
        },
      })}
    >
      {attempt && action && (
        <ActionDialog chosenAction={{ action, attempt }} onClose={() => close()} />
      )}
    </ListPage>
  )
}
