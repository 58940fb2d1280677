import { useTranslation } from 'react-i18next'
import { SegmentedControl } from '~/src/ui/controls'

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
