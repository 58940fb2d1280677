import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router-dom'
import type { PaymentAttempt } from '~/domain/payments/attempt'
import {
  payments as livePayments,
  refundPayment,
  resolvePayment,
} from '~/src/features/payments/payments'
import { providerName } from '~/src/features/payments/ProviderLogo'
import { usePaymentTexts } from '~/src/features/payments/texts'
import { useAppDispatch } from '~/src/store/hooks'
import { fetchWhole } from '~/src/store/fetchWhole'
import { useLive } from '~/src/store/liveSlice'
import { screens } from '~/src/store/screens'
import { Button, Tabs } from '~/src/ui/controls'
import { ConfirmDialog } from '~/src/ui/Dialog'
import { Ago } from '~/src/ui/office/Ago'
import type { Column } from '~/src/ui/office/DataTable'
import { ListPage } from '~/src/ui/office/ListPage'
import { useOpened } from '~/src/ui/office/tableState'
import { useOffice } from '../useOffice'
import { AttemptStatus, useAttemptMoney } from './Attempts'

/** So many of the newest are read. */
const KEPT = 500

type Deed = 'credit' | 'dismiss' | 'refund'
interface AskedDeed {
  what: Deed
  attempt: PaymentAttempt
}

const deedsFor = (
  { problem, parked, status }: PaymentAttempt,
  currency: string | undefined,
): Deed[] => [
  ...(problem && parked?.currency === currency ? (['credit'] as const) : []),
  ...(problem ? (['dismiss'] as const) : []),
  ...(status === 'paid' || status === 'partially_refunded' ? (['refund'] as const) : []),
]

/** Attempts to pay by a provider: first those whose money somebody has to decide about. */
export const PaymentsPage = () => {
  usePaymentTexts()
  const { t } = useTranslation()
  const money = useAttemptMoney()
  const dispatch = useAppDispatch()
  const { settings, allowed, may, say } = useOffice()
  const [params, setParams] = useSearchParams()
  const isAll = params.get('show') === 'all'
  const { payments, ...look } = useLive(livePayments, { problems: !isAll, size: KEPT })
  // 'deed~id'
  const { opened, open, close } = useOpened('do')
  const [asked, about] = opened?.split('~') ?? []
  const chosen = payments.find(({ id }) => id === about)
  const what = chosen && deedsFor(chosen, settings?.code).find((one) => one === asked)
  const deed = chosen && what && { what, attempt: chosen }

  const columns = useMemo((): Column<PaymentAttempt>[] => {
    // What has to be decided comes first: on a narrow screen the rest is reached by scrolling.
    return [
      {
        id: 'createdAt',
        title: t('request_date'),
        cell: (row) => <Ago at={row.createdAt} />,
        sort: (row) => row.createdAt,
        text: (row) => new Date(row.createdAt).toISOString(),
      },
      {
        id: 'amount',
        title: t('amount'),
        align: 'end',
        cell: (row) => money(row.amount, row.currency),
        sort: (row) => row.amount,
        main: true,
      },
      {
        id: 'parked',
        title: t('payment_arrived'),
        align: 'end',
        cell: (row) => row.parked && money(row.parked.amount, row.parked.currency),
        sort: (row) => row.parked?.amount ?? 0,
      },
      {
        id: 'problem',
        title: t('payment_problem'),
        cell: (row) => row.problem && t(`payment_problem_${row.problem}`),
        sort: (row) => row.problem ?? '',
        main: true,
      },
      {
        id: 'status',
        title: t('status'),
        cell: (row) => <AttemptStatus status={row.status} />,
        sort: (row) => row.status,
        main: true,
      },
      {
        id: 'for',
        title: t('payment_for'),
        cell: (row) =>
          row.booking ? (
            <Link to={screens.booking(row.booking)}>{t('booking')}</Link>
          ) : (
            t('menu_wallet')
          ),
        sort: (row) => row.booking ?? '',
      },
      {
        id: 'gateway',
        title: t('payment_provider'),
        cell: (row) => providerName(row.gateway) ?? t('provider_test'),
        sort: (row) => row.gateway,
      },
      { id: 'uid', title: t('payment_payer'), cell: (row) => row.uid, sort: (row) => row.uid },
      { id: 'id', title: t('id'), cell: (row) => row.id, sort: (row) => row.id },
    ]
  }, [t, money])

  const act = async () => {
    if (!deed) return
    const { what, attempt } = deed
    const payment_id = attempt.id
    await dispatch(
      what === 'refund' ? refundPayment({ payment_id }) : resolvePayment({ payment_id, how: what }),
    ).unwrap()
    say('payment_settled')
  }
  const question = ({ what, attempt: { amount, currency, refunded = 0, parked } }: AskedDeed) =>
    ({
      credit: t('payment_credit_question', {
        amount: money(parked?.amount ?? 0, parked?.currency ?? currency),
      }),
      dismiss: t('payment_dismiss_question'),
      refund: t('payment_refund_question', { amount: money(amount - refunded, currency) }),
    })[what]
  const words = {
    credit: t('payment_credit'),
    dismiss: t('payment_dismiss'),
    refund: t('payment_refund'),
  }
  return (
    <ListPage
      id="payments"
      title={t('menu_payments')}
      look={look}
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
      columns={columns}
      search={(row) => `${row.id} ${row.uid} ${row.booking ?? ''} ${row.ref ?? ''} ${row.gateway}`}
      actions={(row) =>
        deedsFor(row, settings?.code).map((what) => (
          <Button
            key={what}
            size="small"
            aria-label={`${words[what]}: ${row.id}`}
            onClick={() => allowed('wallet_credit') && open(`${what}~${row.id}`)}
          >
            {words[what]}
          </Button>
        ))
      }
      {...(may('table_export') && {
        exportAs: {
          name: 'payments',
          // Those with a problem are few, and all here.
          ...(isAll && {
            rows: async (onProgress: (count: number) => void) =>
              (await dispatch(
                fetchWhole({ path: 'payments', onProgress }),
              ).unwrap()) as PaymentAttempt[],
          }),
        },
      })}
    >
      {deed && (
        <ConfirmDialog
          title={question(deed)}
          confirm={words[deed.what]}
          onConfirm={act}
          onClose={() => close()}
        >
          <p>{t('payment_settle_note')}</p>
        </ConfirmDialog>
      )}
    </ListPage>
  )
}
