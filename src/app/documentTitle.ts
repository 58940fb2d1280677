import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useAppName } from '~/src/features/settings/appName'

/** The title of the home page, which names the site itself. */
export const HOME_TITLE_KEY = 'site_title'

/**
 * Sets the document title while the page is shown; without a key, another component sets it.
 * Without the settings every page is called "Setup".
 */
export const useDocumentTitle = (key: string | undefined, isWithoutSettings = false) => {
  const { t } = useTranslation()
  const appName = useAppName()
  const setupTitle = isWithoutSettings ? t('setup_title') : ''
  const words = key ? t(key, { appName }) : ''
  useEffect(() => {
    // Before the texts load, the prerendered title stays.
    if (setupTitle) document.title = setupTitle
    else if (words) document.title = key === HOME_TITLE_KEY ? words : `${words} · ${appName}`
  }, [key, words, appName, setupTitle])
}
