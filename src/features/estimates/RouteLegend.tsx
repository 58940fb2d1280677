import { useTranslation } from 'react-i18next'
import css from './RouteLegend.module.css'

/** Labels the two lines of a map: the planned route and the driven track. */
export const RouteLegend = () => {
  const { t } = useTranslation()
  return (
    <p className={css.legend}>
      <span data-line="planned">{t('route_planned')}</span>
      <span data-line="driven">{t('route_driven')}</span>
    </p>
  )
}
