import { createRoot, hydrateRoot } from 'react-dom/client'
import { liveSettings } from '~/src/features/settings/settings'
import { type InitialI18n, makeInitialI18n } from '~/src/i18n/initialI18n'
import { addShippedTexts, setLanguage } from '~/src/i18n/locale'
import { makeFirebaseServices } from '~/src/services/firebaseServices'
import { makeStore } from '~/src/store/makeStore'
import { loadSavedLanguage } from '~/src/ui/format/savedLanguage'
import { loadWithRetry } from '~/src/ui/loading/loadWithRetry'
import { BUILT_LOCALE, readPageData } from './pageData'
import { Root } from './Root'

/** Milliseconds after which the session starts although the page was not painted. */
const LONGEST_PAINT_MS = 2000

/** Keeps a referral code that the page's address has. */
const saveReferral = async (search: string) => {
  if (search === '') return
  const { saveReferralCode } = await loadWithRetry(
    () => import('~/src/features/referral/referralCode'),
  )
  saveReferralCode(search)
}
void saveReferral(window.location.search)
const store = makeStore(makeFirebaseServices())

const loadFullI18n = async () => {
  const { makeI18n } = await loadWithRetry(() => import('~/src/i18n/i18n'))
  const i18n = makeI18n()
  const savedLanguage = loadSavedLanguage()
  if (savedLanguage) {
    const { langLocale, keyValuePairs } = savedLanguage
    // Without a connection the page shows in English until the texts arrive.
    await addShippedTexts(i18n, langLocale).catch(() => undefined)
    await setLanguage(i18n, langLocale, keyValuePairs)
  }
  return i18n
}
let fullI18n: ReturnType<typeof loadFullI18n> | undefined
/** Loads i18next with all texts, in the language used last. Further calls share the first load. */
const getFullI18n = () => (fullI18n ??= loadFullI18n())

/** Runs after the first paint. A page in a background tab is not painted, and does not wait. */
const runAfterPaint = (run: () => unknown) => {
  let hasRun = false
  const runOnce = () => {
    if (hasRun) return
    hasRun = true
    run()
  }
  requestAnimationFrame(() => setTimeout(runOnce))
  setTimeout(runOnce, LONGEST_PAINT_MS)
}

const container = document.getElementById('root') as HTMLElement
const saved = loadSavedLanguage()
const hasOtherLanguage = saved !== null && saved.langLocale !== BUILT_LOCALE
const pageData = readPageData()
let initialI18n: InitialI18n | undefined
if (pageData && !hasOtherLanguage) {
  initialI18n = makeInitialI18n(pageData.texts)
  if (pageData.settings) store.dispatch(liveSettings.restored(undefined, pageData.settings))
  hydrateRoot(
    container,
    <Root store={store} i18n={initialI18n} fullI18n={getFullI18n} built={store.getState()} />,
  )
} else {
  // Starts the import before the first render; a failed import is retried then.
  import('./AppRoutes').catch(() => undefined)
  void getFullI18n().then((i18n) => {
    container.replaceChildren()
    createRoot(container).render(<Root store={store} i18n={i18n} />)
  })
}

// Firebase starts after the first paint, which needs no session.
runAfterPaint(async () => {
  const [{ startSession }, full] = await Promise.all([
    loadWithRetry(() => import('~/src/features/auth/session')),
    getFullI18n(),
  ])
  // Live data may require texts that the prerendered page does not contain.
  initialI18n?.completeWith(full)
  store.dispatch(startSession())
})
