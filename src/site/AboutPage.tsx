import { useTranslation } from 'react-i18next'
import { useAppName } from '~/src/features/settings/appName'
import css from './text.module.css'

export const AboutPage = () => {
  const { t } = useTranslation()
  const appName = useAppName()
  return (
    <article className={css.page}>
      <h1>{t('about_title')}</h1>
      <p className={css.lead}>{t('about_lead', { appName })}</p>
      <p>{t('about_p1')}</p>
      <p>{t('about_p2')}</p>
      <p>{t('about_p3', { appName })}</p>
      <h2>{t('about_values_title')}</h2>
      <ul className={css.values}>
        <li>{t('about_value_1')}</li>
        <li>{t('about_value_2')}</li>
        <li>{t('about_value_3')}</li>
      </ul>
    </article>
  )
}
