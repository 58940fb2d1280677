import { useTranslation } from 'react-i18next'
import css from './MissingPosition.module.css'

/** Says on a map that the vehicle of a running booking has not sent a position. */
export const MissingPosition = () => {
  const { t } = useTranslation()
  return (
    <p className={css.missing} role="status">
      {t('location_fetch_error')}
    </p>
  )
}
