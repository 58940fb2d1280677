import '~/src/ui/base.css'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { firstI18n } from '~/src/i18n/firstI18n'
import { speak } from '~/src/i18n/speak'
import { firebaseServices } from '~/src/services/firebaseServices'
import { makeStore } from '~/src/store/makeStore'
import type { AppState } from '~/src/store/reducer'
import { rememberedLanguage } from '~/src/ui/language'
import { restoreScheme } from '~/src/ui/scheme'
import { Root } from './Root'

restoreScheme()
const store = makeStore(firebaseServices())

/** i18next with every text, speaking what was spoken last. */
const fullI18n = async () => {
  const { makeI18n } = await import('~/src/i18n/i18n')
  const i18n = makeI18n()
  const spoken = rememberedLanguage()
  if (spoken) await speak(i18n, spoken.langLocale, spoken.keyValuePairs)
  return i18n
}

const afterPaint = (run: () => unknown) => requestAnimationFrame(() => setTimeout(run))

const place = document.getElementById('root') as HTMLElement
const texts = document.getElementById('texts')?.textContent
const spoken = rememberedLanguage()
const speaksOther = spoken !== null && spoken.langLocale !== 'en'
// The markup made at build time is English, and each file is one page's: only there can it be taken over.
if (texts && place.dataset.page === window.location.pathname && !speaksOther) {
  const first = firstI18n(JSON.parse(texts) as Record<string, string>)
  const built = store.getState() as AppState
  hydrateRoot(place, <Root store={store} i18n={first} fullI18n={fullI18n} built={built} />)
} else {
  // Asked for at once rather than when the first of them is drawn; what fails is tried again then.
  import('./Screens').catch(() => undefined)
  void fullI18n().then((i18n) => {
    place.replaceChildren()
    createRoot(place).render(<Root store={store} i18n={i18n} />)
  })
}

// Firebase comes after the first paint: nothing on it needs a session.
afterPaint(async () => {
  const { startSession } = await import('~/src/features/auth/session')
  store.dispatch(startSession())
})

// The first visit is not slowed down by keeping the shell for the next one.
if (import.meta.env.PROD && 'serviceWorker' in navigator)
  window.addEventListener('load', () => {
    navigator.serviceWorker.register('/sw.js').catch(() => undefined)
  })
