import { useTranslation } from 'react-i18next'
import { linkTo } from '~/domain/language/links'
import { liveSettings } from '~/src/features/settings/settings'
import { useLive } from '~/src/store/live/liveSlice'

/** Links to the company's terms in a new window, so that the form with the link keeps its state. */
export const TermsLink = () => {
  const { t } = useTranslation()
  const { settings } = useLive(liveSettings)
  const terms = linkTo(settings?.CompanyTerms)
  return terms === null ? null : (
    <a href={terms} target="_blank" rel="noopener noreferrer">
      {t('terms')}
    </a>
  )
}
