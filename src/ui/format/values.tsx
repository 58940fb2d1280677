import { useTranslation } from 'react-i18next'
import { useFormat } from './format'

export const Distance = ({ value }: { value: number }) => <bdi>{useFormat().distance(value)}</bdi>

/** Shows an instant as text, with the exact time on hover. */
export const DateTime = ({ at, only }: { at: number; only?: 'date' | 'time' }) => {
  const format = useFormat()
  const text =
    only === 'date' ? format.date(at) : only === 'time' ? format.time(at) : format.dateTime(at)
  return (
    <time dateTime={new Date(at).toISOString()} title={format.dateTime(at)}>
      {text}
    </time>
  )
}

/** Shows stars out of five as a star and a number. */
export const Rating = ({ value }: { value: number }) => {
  const { t } = useTranslation()
  const rating = useFormat().number(value)
  return (
    <bdi>
      <span aria-hidden="true">★ {rating}</span>
      <span className="visually-hidden">{t('rating_of_five', { rating })}</span>
    </bdi>
  )
}
