import '~/src/ui/base.css'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router-dom'
import { startSession } from '~/src/features/auth/session'
import { makeI18n, speak } from '~/src/i18n/i18n'
import { firebaseServices } from '~/src/services/firebaseServices'
import { makeStore } from '~/src/store/makeStore'
import { rememberedLanguage } from '~/src/ui/language'
import { restoreScheme } from '~/src/ui/scheme'
import { Root } from './Root'

restoreScheme()
const store = makeStore(firebaseServices())
const i18n = makeI18n()
// Without transitions a page that is still loading shows its skeleton, and a field whose value is in the address keeps
// up with the typing.
const root = (
  <Root
    store={store}
    i18n={i18n}
    router={(children) => <BrowserRouter useTransitions={false}>{children}</BrowserRouter>}
  />
)

const place = document.getElementById('root') as HTMLElement
const spoken = rememberedLanguage()
const speaksOther = spoken !== null && spoken.langLocale !== 'en'
if (spoken) void speak(i18n, spoken.langLocale, spoken.keyValuePairs)
// The markup made at build time is English, and each file is one page's: only there can it be taken over.
if (place.dataset.page === window.location.pathname && !speaksOther) hydrateRoot(place, root)
else {
  place.replaceChildren()
  createRoot(place).render(root)
}

// Firebase comes after the first paint: nothing on it needs a session.
requestAnimationFrame(() => setTimeout(() => store.dispatch(startSession())))
