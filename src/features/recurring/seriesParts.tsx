import { useTranslation } from 'react-i18next'
import type { DomainError } from '~/domain/api/errors'
import { translateError } from '~/src/i18n/errorTexts'
import { SegmentedControl } from '~/src/ui/controls'
import { Icon } from '~/src/ui/Icon'
import css from './recurring.module.css'

/** Asks how the trips of a series are paid. */
export const PaymentChoice = ({
  value,
  onChange,
}: {
  value: 'cash' | 'wallet'
  onChange: (payment: 'cash' | 'wallet') => void
}) => {
  const { t } = useTranslation()
  return (
    <SegmentedControl
      legend={t('repeat_payment')}
      value={value}
      onChange={onChange}
      options={[
        { value: 'cash', label: t('repeat_cash') },
        { value: 'wallet', label: t('repeat_wallet') },
      ]}
    />
  )
}

/** Shows the server's refusal of a series. */
export const SeriesRefusal = ({ refused }: { refused: DomainError }) => {
  const { t } = useTranslation()
  return (
    <p className={css.problem} role="alert">
      <Icon name="warning" size={18} />
      {translateError(refused, t)}
    </p>
  )
}
