import { useTranslation } from 'react-i18next'
import {
  type RowCount,
  type CurrencyChangePlan,
  checkCurrencyChange,
} from '~/domain/money/currencyChange'
import { ConfirmDialog, Dialog } from '~/src/ui/dialogs/Dialog'
import { DescriptionList } from '~/src/ui/DescriptionList'
import { useFormat } from '~/src/ui/format/format'
import css from './settings.module.css'

/**
 * Lists the amounts left in the current currency; with none left, offers the change and shows its
 * effects.
 */
export const CurrencyDialog = ({
  plan,
  onChange,
  onClose,
}: {
  plan: CurrencyChangePlan
  onChange: () => Promise<unknown>
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  const names = { from: plan.from.code, to: plan.to.code }
  const title = t('currency_title', names)
  const counted = ({ count, more }: RowCount) => {
    const number = format.number(count)
    return more ? t('currency_at_least', { number }) : number
  }
  if (!checkCurrencyChange(plan))
    return (
      <ConfirmDialog
        danger
        title={title}
        confirm={t('currency_change', names)}
        onConfirm={onChange}
        onClose={onClose}
      >
        <p>{t('currency_free', { ...names, decimals: format.number(plan.to.decimal) })}</p>
        <p>{t('currency_prices')}</p>
        <p>{t('currency_reports', names)}</p>
      </ConfirmDialog>
    )
  const { wallets, bookings, payments, withdraws } = plan
  const isLeft = ({ count, more }: RowCount) => count > 0 || more
  return (
    <Dialog title={title} onClose={onClose}>
      <p role="alert">{t('currency_blocked')}</p>
      <h3>{t('currency_left', names)}</h3>
      <DescriptionList
        className={css.facts}
        facts={[
          [t('currency_wallets'), isLeft(wallets) && counted(wallets)],
          [t('currency_held'), wallets.held > 0 && format.money(wallets.held)],
          [t('currency_owed'), wallets.owed > 0 && format.money(wallets.owed)],
          [t('currency_bookings'), isLeft(bookings) && counted(bookings)],
          [t('currency_payments'), isLeft(payments) && counted(payments)],
          [t('currency_withdraws'), isLeft(withdraws) && counted(withdraws)],
        ]}
      />
    </Dialog>
  )
}
