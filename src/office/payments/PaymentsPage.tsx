import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router-dom'
import type { OpenRefund, PaymentAttempt } from '~/domain/payments/paymentAttempt'
import {
  payments as livePayments,
  refundPayment,
  resolvePayment,
} from '~/src/features/payments/payments'
import { BookingReference } from '~/src/features/bookings/BookingReference'
import { getProviderName } from '~/src/features/payments/ProviderLogo'
import { usePaymentTexts } from '~/src/features/payments/paymentTexts'
import { useAppDispatch } from '~/src/store/hooks'
import { fetchAllRecords } from '~/src/store/allRecords'
import { useLive } from '~/src/store/live/liveSlice'
import { screenPaths } from '~/src/store/screenPaths'
import { Button, Tabs } from '~/src/ui/controls'
import { ConfirmDialog } from '~/src/ui/Dialog'
import { useFormatMoneyIn } from '~/src/ui/moneyIn'
import { createTimeColumn } from '~/src/ui/table/timeColumn'
import { createMoneyColumn } from '~/src/ui/table/moneyColumn'
import { ListPage } from '~/src/office/recordPages/ListPage'
import { useOverlayParam } from '~/src/ui/table/tableState'
import { PersonLink } from '../people/PersonLink'
import { PersonName } from '../people/PersonName'
import { useOfficeSession } from '../useOfficeSession'
import { AttemptStatus } from './PaymentAttempts'
import { PaymentPlaces } from './PaymentPlaces'
import {
  getCreditableMoney,
  getReceivedMoney,
  getRefundableAmount,
  hasPaidAmount,
} from './refundableAmount'
import type { Column } from '~/src/ui/table/tableProps'

/** Maximum number of attempts read, newest first. */
const MAX_PAYMENTS = 500

type PaymentAction = 'credit' | 'dismiss' | 'refund' | 'refunded' | 'not_refunded'
interface ChosenAction {
  action: PaymentAction
  attempt: PaymentAttempt
}

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

/** Lists payment attempts with providers; those that need a decision come first. */
export const PaymentsPage = () => {
  usePaymentTexts()
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { settings, canOrNotify, can, notify } = useOfficeSession()
  const currency = settings?.code
  const money = useFormatMoneyIn(currency)
  const [params, setParams] = useSearchParams()
  const isAll = params.get('show') === 'all'
  const { payments, ...listQuery } = useLive(livePayments, { problems: !isAll, size: MAX_PAYMENTS })
  // Contains 'action~id'.
  const { opened, open, close } = useOverlayParam('do')
  const [actionName, about] = opened?.split('~') ?? []
  const chosen = payments.find(({ id }) => id === about)
  const action = chosen && getPaymentActions(chosen, currency).find((one) => one === actionName)
  const chosenAction = chosen && action && { action, attempt: chosen }

  const columns = useMemo((): Column<PaymentAttempt>[] => {
    const refunding = ({ state, amount }: OpenRefund, currency: string) =>
      t(`payment_refunding_${state}`, { amount: money(amount, currency) })
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
        cell: (row) => getProviderName(row.gateway) ?? t('provider_test'),
        sortValue: (row) => getProviderName(row.gateway) ?? t('provider_test'),
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
  }, [t, money, currency])

  const act = async () => {
    if (!chosenAction) return
    const { action, attempt } = chosenAction
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
  const check = async ({ id: payment_id }: PaymentAttempt) => {
    // The operation itself reports its errors.
    const action = await dispatch(resolvePayment({ payment_id, how: 'check' }))
    if (resolvePayment.fulfilled.match(action)) notify('payment_checked')
  }
  const question = ({ action, attempt }: ChosenAction) => {
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
  const words = {
    credit: t('payment_credit'),
    dismiss: t('payment_dismiss'),
    refund: t('payment_refund'),
    refunded: t('payment_refunded'),
    not_refunded: t('payment_not_refunded'),
  }
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
      actions={(row) => [
        ...getPaymentActions(row, currency).map((what) => (
          <Button
            key={what}
            size="small"
            aria-label={`${words[what]}: ${row.id}`}
            onClick={() => canOrNotify('wallet_credit') && open(`${what}~${row.id}`)}
          >
            {words[what]}
          </Button>
        )),
        canCheckStatus(row) && (
          <Button
            key="check"
            size="small"
            aria-label={`${t('payment_check')}: ${row.id}`}
            onClick={() => canOrNotify('wallet_credit') && void check(row)}
          >
            {t('payment_check')}
          </Button>
        ),
      ]}
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
      {chosenAction && (
        <ConfirmDialog
          title={question(chosenAction)}
          confirm={words[chosenAction.action]}
          onConfirm={act}
          onClose={() => close()}
        >
          {(chosenAction.action === 'refunded' || chosenAction.action === 'not_refunded') && (
            <p>{t('payment_outcome_note')}</p>
          )}
          <p>{t('payment_settle_note')}</p>
        </ConfirmDialog>
      )}
    </ListPage>
  )
}
