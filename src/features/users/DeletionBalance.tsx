import { useTranslation } from 'react-i18next'
import { Checkbox } from '~/src/ui/controls'
import { useFormat } from '~/src/ui/format/format'
import { Icon } from '~/src/ui/Icon'

/**
 * Returns true when the account can be deleted: without a debt, and without money that the user did
 * not give up.
 */
export const canDeleteAccount = (balance: number, isWaived: boolean): boolean =>
  balance === 0 || (balance > 0 && isWaived)

/**
 * Shows the debt that prevents a deletion, or requests consent to give up the money in the wallet.
 */
export const DeletionBalance = ({
  balance,
  label,
  isWaived,
  isMissing,
  onWaived,
  className,
}: {
  balance: number
  /** The translation key of the checkbox. */
  label: 'waive_balance' | 'waive_for_owner'
  isWaived: boolean
  /** True after an attempt without the checkbox or with a debt. */
  isMissing: boolean
  onWaived: (isWaived: boolean) => void
  className?: string | undefined
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  if (balance === 0) return null
  const amount = format.money(Math.abs(balance))
  return (
    <>
      <p className={className} {...(isMissing && { role: 'alert' })}>
        <Icon name="warning" />
        {t(balance < 0 ? 'balance_owed' : 'balance_left', { amount })}
      </p>
      {balance > 0 && (
        <Checkbox
          label={t(label, { amount })}
          checked={isWaived}
          aria-invalid={isMissing || undefined}
          onChange={({ target }) => onWaived(target.checked)}
        />
      )}
    </>
  )
}
