import { useTranslation } from 'react-i18next'
import { liveSettings } from '~/src/features/settings/settings'
import { useLive } from '~/src/store/live/liveSlice'
import css from './text.module.css'

export const PrivacyPage = () => {
  const { t } = useTranslation()
  const { settings } = useLive(liveSettings)
  const email = settings?.contact_email
  return (
    <article className={css.page}>
      <h1>{t('privacy_title')}</h1>
      <p className={css.lead}>{t('privacy_lead')}</p>
      <h2>{t('privacy_what_title')}</h2>
      <p>{t('privacy_what')}</p>
      <h2>{t('privacy_why_title')}</h2>
      <p>{t('privacy_why')}</p>
      <h2>{t('privacy_who_title')}</h2>
      <p>{t('privacy_who')}</p>
      <h2>{t('privacy_location_title')}</h2>
      <p>{t('privacy_location')}</p>
      <h2>{t('privacy_deletion_title')}</h2>
      <p>{t('privacy_deletion')}</p>
      <h2>{t('privacy_contact_title')}</h2>
      <p>
        {email ? (
          <>
            {t('privacy_contact')} <a href={`mailto:${email}`}>{email}</a>
          </>
        ) : (
          t('privacy_no_contact')
        )}
      </p>
    </article>
  )
}
