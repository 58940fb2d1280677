import { useTranslation } from 'react-i18next'
import { useFormat } from '~/src/ui/format/format'

/** Says how far a driver's income per hour is above or below the mean, in whole percent. */
export const IncomeShare = ({ aboveMean }: { aboveMean: number }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const percent = Math.round(aboveMean * 100)
  if (percent === 0) return t('income_mean')
  return t(percent < 0 ? 'income_below' : 'income_above', {
    percent: format.number(Math.abs(percent)),
  })
}
