import '~/src/ui/base.css'
import { hasOwner } from '~/src/services/storageOwner'
import { restoreColorScheme } from '~/src/ui/theme/colorScheme'
import { rememberEarlyAction } from '~/src/ui/navigation/earlyActions'
import { loadWithRetry } from '~/src/ui/loading/loadWithRetry'
import { loadChosenLocale, loadSavedLanguage } from '~/src/ui/format/savedLanguage'
import { BUILT_LOCALE, type PageData, readPageData } from './pageData'
import { isTourWindow } from './tour/isTourWindow'

// Every page loads this small file first. It starts the app, which a page of text needs only once
// a visitor acts.

let started: Promise<unknown> | undefined
/** Starts the app once. */
const startApp = () => (started ??= loadWithRetry(() => import('./main')))

/**
 * Starts the app when a person is about to use a link or a button, or once the page is known to be
 * out of date.
 */
const startWithIntent = (data: PageData) => {
  const startAtControl = ({ target }: Event) => {
    if (target instanceof Element && target.closest('a, button')) void startApp()
  }
  for (const sign of ['pointerover', 'focusin'])
    document.addEventListener(sign, startAtControl, { passive: true })
  const startIfChanged = async () => {
    const isUnchanged = await import('./platformCheck').then(
      ({ isPlatformUnchanged }) => isPlatformUnchanged(data),
      () => false,
    )
    if (!isUnchanged) await startApp()
  }
  if (document.readyState === 'complete') void startIfChanged()
  else window.addEventListener('load', () => void startIfChanged())
}

const start = async () => {
  // The window's own storage comes before anything reads it.
  if (import.meta.env.KERBSIDE_TOUR === 'yes' && isTourWindow())
    await (await import('./tour/tourWindow')).startTourWindow()
  restoreColorScheme()
  const data = readPageData()
  if (data) rememberEarlyAction()
  const hasOtherLanguage = [loadChosenLocale(), loadSavedLanguage()?.langLocale].some(
    (locale) => locale && locale !== BUILT_LOCALE,
  )
  // An address with parameters may have a referral code, which the app saves.
  const hasParameters = window.location.search !== ''
  if (data?.isText && data.settings && !hasOtherLanguage && !hasParameters && !hasOwner())
    startWithIntent(data)
  else void startApp()
}
void start()

// Registers after `load`, so that caching the shell does not slow down the first visit.
if (import.meta.env.PROD && 'serviceWorker' in navigator)
  window.addEventListener('load', () => {
    navigator.serviceWorker.register('/sw.js').catch(() => undefined)
  })
