import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { offeredAmounts } from '~/domain/money/offeredAmounts'
import { mayWithdraw } from '~/domain/access/permissions'
import { isBalanceNegative } from '~/domain/money/wallet'
import { TopUpForm } from '~/src/features/payments/TopUpForm'
import { usePaymentTexts } from '~/src/features/payments/paymentTexts'
import { InvitePanel } from '~/src/features/referral/InvitePanel'
import { liveSettings } from '~/src/features/settings/settings'
import { selectProfile } from '~/src/store/auth'
import { useAppSelector } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { Money } from '~/src/ui/format/format'
import { SkeletonLines } from '~/src/ui/feedback/states'
import { Tabs } from '~/src/ui/navigation/Tabs'
import { useDriverTexts } from '../driverTexts'
import { Earnings } from './Earnings'
import { Statement } from './Statement'
import css from './WalletPage.module.css'
import { WithdrawalPanel } from './WithdrawalPanel'

/** Renders the user's own wallet: balance, earnings, every entry and withdrawals. */
export const WalletPage = () => {
  useDriverTexts()
  usePaymentTexts()
  const { t } = useTranslation()
  const user = useAppSelector(selectProfile)
  const { settings } = useLive(liveSettings)
  const [params, setParams] = useSearchParams()
  if (!user || !settings)
    return (
      <div className={css.page}>
        <SkeletonLines lines={3} height="7rem" />
      </div>
    )
  const owes = isBalanceNegative(user.walletBalance, settings)
  const tabs = [
    ...(user.usertype === 'driver' ? ['earnings'] : []),
    'statement',
    ...(user.usertype === 'rider' || user.usertype === 'driver' ? ['topup'] : []),
    ...(mayWithdraw(user.usertype, settings) ? ['withdraw'] : []),
  ]
  const tab = tabs.find((name) => name === params.get('tab')) ?? tabs[0] ?? 'statement'
  return (
    <div className={css.page}>
      <header className={css.balance}>
        <h1>{t('wallet_balance')}</h1>
        <strong data-low={owes || undefined}>
          <Money amount={user.walletBalance} />
        </strong>
        {user.usertype === 'driver' && owes && <p>{t('wallet_below_zero')}</p>}
      </header>
      {tabs.length > 1 && (
        <Tabs
          label={t('menu_wallet')}
          value={tab}
          onChange={(value) => setParams({ tab: value }, { replace: true })}
          tabs={tabs.map((value) => ({ value, label: t(`wallet_tab_${value}`) }))}
        />
      )}
      {tab === 'earnings' && <Earnings settings={settings} />}
      {tab === 'statement' && <Statement settings={settings} />}
      {tab === 'topup' && (
        <TopUpForm offered={offeredAmounts(settings.walletMoneyField, settings.decimal)} />
      )}
      {tab === 'withdraw' && <WithdrawalPanel user={user} settings={settings} />}
      <InvitePanel user={user} settings={settings} />
    </div>
  )
}
