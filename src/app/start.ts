import '~/src/ui/base.css'
import { saveReferralCode } from '~/src/features/referral/referralCode'
import { hasOwner } from '~/src/services/browserStorage'
import { restoreColorScheme } from '~/src/ui/colorScheme'
import { loadWithRetry } from '~/src/ui/loadWithRetry'
import { loadChosenLocale, loadSavedLanguage } from '~/src/ui/savedLanguage'
import { isPlatformUnchanged } from './platformCheck'
import { BUILT_LOCALE, type PageData, readPageData } from './pageData'
import { isTourWindow } from './tour/tourRole'

// Every page loads this small file first. It starts the app, which a page of text needs only once
// somebody acts.

if (import.meta.env.KERBSIDE_TOUR === 'yes' && isTourWindow())
  await (await import('./tour/tourWindow')).startTourWindow()
restoreColorScheme()
saveReferralCode(window.location.search)

const startApp = () => loadWithRetry(() => import('./main'))

const CONTROLS = 'a, button'
const findControl = ({ target }: Event, selector: string) =>
  target instanceof Element ? target.closest<HTMLElement>(selector) : null

/**
 * Starts the app when a person is about to use a link or a button, or once the page is known to be
 * out of date, and then presses the button that was pressed meanwhile.
 */
const startWithIntent = (data: PageData) => {
  let pressed: HTMLElement | null = null
  let isStarted = false
  const start = async () => {
    if (isStarted) return
    isStarted = true
    await startApp()
    document.removeEventListener('click', rememberButton)
    pressed?.click()
  }
  const startAtControl = (event: Event) => {
    if (findControl(event, CONTROLS)) void start()
  }
  const rememberButton = (event: Event) => {
    pressed = findControl(event, 'button') ?? pressed
  }
  for (const sign of ['pointerover', 'pointerdown', 'focusin'])
    document.addEventListener(sign, startAtControl, { passive: true })
  document.addEventListener('click', rememberButton)
  const startIfChanged = async () => {
    if (!(await isPlatformUnchanged(data))) await start()
  }
  if (document.readyState === 'complete') void startIfChanged()
  else window.addEventListener('load', () => void startIfChanged())
}

const data = readPageData()
const hasOtherLanguage = [loadChosenLocale(), loadSavedLanguage()?.langLocale].some(
  (locale) => locale && locale !== BUILT_LOCALE,
)
if (data?.isText && data.settings && !hasOtherLanguage && !hasOwner()) startWithIntent(data)
else void startApp()

// Registers after `load`, so that caching the shell does not slow down the first visit.
if (import.meta.env.PROD && 'serviceWorker' in navigator)
  window.addEventListener('load', () => {
    navigator.serviceWorker.register('/sw.js').catch(() => undefined)
  })
