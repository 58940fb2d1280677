import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { mayWithdraw } from '~/domain/permissions'
import { TopUp } from '~/src/features/payments/TopUp'
import { usePaymentTexts } from '~/src/features/payments/texts'
import { settings as liveSettings } from '~/src/features/settings/settings'
import { selectProfile } from '~/src/store/auth'
import { useAppSelector } from '~/src/store/hooks'
import { useLive } from '~/src/store/liveSlice'
import { Tabs } from '~/src/ui/controls'
import { Money } from '~/src/ui/format'
import { SkeletonLines } from '~/src/ui/states'
import { useTripTexts } from '../texts'
import { Earnings } from './Earnings'
import { Statement } from './Statement'
import css from './WalletPage.module.css'
import { Withdraw } from './Withdraw'

/** One's own wallet: the balance, what was earned, every movement, and money out. */
export const WalletPage = () => {
  useTripTexts()
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
        <strong data-low={user.walletBalance < 0 || undefined}>
          <Money amount={user.walletBalance} />
        </strong>
        {user.usertype === 'driver' && user.walletBalance < 0 && <p>{t('wallet_below_zero')}</p>}
      </header>
      {tabs.length > 1 && (
        <Tabs
          label={t('menu_wallet')}
          value={tab}
          onChange={(value) => setParams({ tab: value }, { replace: true })}
          tabs={tabs.map((value) => ({ value, label: t(`wallet_tab_${value}`) }))}
        />
      )}
      {tab === 'earnings' && <Earnings driver={user} settings={settings} />}
      {tab === 'statement' && <Statement user={user} settings={settings} />}
      {tab === 'topup' && <TopUp />}
      {tab === 'withdraw' && <Withdraw user={user} settings={settings} />}
    </div>
  )
}
