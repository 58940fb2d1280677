import { type ComponentType, lazy, type ReactElement, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { languageTexts } from '~/src/features/languages/languages'
import { settings as liveSettings } from '~/src/features/settings/settings'
import { directionOf, speak } from '~/src/i18n/speak'
import { HomePage } from '~/src/site/home/HomePage'
import { SiteShell } from '~/src/site/SiteShell'
import { selectProfile } from '~/src/store/auth'
import { useAppDispatch, useAppSelector } from '~/src/store/hooks'
import { useLive } from '~/src/store/liveSlice'
import { noticeDismissed, selectNotices } from '~/src/store/notices'
import { screens } from '~/src/store/screens'
import { forgetUndo, undo } from '~/src/store/undo'
import { ErrorBoundary } from '~/src/ui/ErrorBoundary'
import { FormatProvider } from '~/src/ui/format'
import { rememberLanguage, useChosenLocale } from '~/src/ui/language'
import { go, usePath } from '~/src/ui/place'
import { Toasts } from '~/src/ui/Toasts'
import { useTitle } from './titles'
import { Waiting } from './Waiting'

/** Speaks the person's language, or the platform's default one, from the database. */
const useLanguage = () => {
  const { i18n } = useTranslation()
  const profile = useAppSelector(selectProfile)
  const chosen = useChosenLocale()
  const wanted = chosen ?? profile?.lang?.langLocale ?? null
  // The texts are large: whoever wants the default language, which was asked for before he was known, has it already.
  const [standard, setStandard] = useState<string | null>(null)
  const asked = wanted === standard ? null : wanted
  const { found } = useLive(languageTexts, asked)
  const language = found[0]
  if (asked === null && language && language.langLocale !== standard)
    setStandard(language.langLocale)
  useEffect(() => {
    if (!language) return
    const { langLocale, dateLocale, keyValuePairs } = language
    void speak(i18n, langLocale, keyValuePairs)
    rememberLanguage({ langLocale, dateLocale, keyValuePairs })
  }, [language, i18n])
  useEffect(() => {
    document.documentElement.lang = i18n.language
    document.documentElement.dir = directionOf(i18n.language)
  }, [i18n.language])
  return language?.dateLocale ?? profile?.lang?.dateLocale ?? i18n.language
}

const Messages = () => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const notices = useAppSelector(selectNotices)
  return (
    <Toasts
      toasts={notices.map(({ id, tone, text, isWords, params, to, undo: back }) => ({
        id,
        tone,
        to,
        text: isWords ? text : t(text, params ?? {}),
        action: back === undefined ? undefined : { label: t('undo'), run: () => undo(back) },
      }))}
      onDismiss={(id) => {
        const back = notices.find((notice) => notice.id === id)?.undo
        if (back !== undefined) forgetUndo(back)
        dispatch(noticeDismissed(id))
      }}
    />
  )
}

const AboutPage = lazy(async () => ({ default: (await import('~/src/site/AboutPage')).AboutPage }))
const PrivacyPage = lazy(async () => ({
  default: (await import('~/src/site/PrivacyPage')).PrivacyPage,
}))
/** All but the public pages, with their guard and their frames. */
const Screens = lazy(async () => ({ default: (await import('./Screens')).Screens }))

// One element each for good: a new one would make the page throw away what it has not taken over yet.
const publicPage = (route: string, Page: ComponentType) => (
  <ErrorBoundary key={route}>
    <Suspense fallback={null}>
      <Page />
    </Suspense>
  </ErrorBoundary>
)
const PUBLIC: Record<string, ReactElement> = {
  [screens.home]: publicPage(screens.home, HomePage),
  [screens.about]: publicPage(screens.about, AboutPage),
  [screens.privacy]: publicPage(screens.privacy, PrivacyPage),
}

/** A platform without settings has one page: the one that sets it up. */
const useSetup = (isMissing: boolean) => {
  const path = usePath()
  useEffect(() => {
    if (isMissing && path !== screens.setup) go(screens.setup, { replace: true })
  }, [isMissing, path])
}

/** A new page starts at its top. */
const useTopOfPage = () => {
  const path = usePath()
  useEffect(() => {
    // Some browsers answer with a promise, which must not become the effect's clean-up.
    window.scrollTo(0, 0)
  }, [path])
}

export const App = () => {
  const { settings, loading, error } = useLive(liveSettings)
  useSetup(!settings && !loading && !error.flag)
  const dateLocale = useLanguage()
  useTopOfPage()
  const path = usePath()
  const route = path.replace(/(.)\/+$/, '$1')
  const page = PUBLIC[route]
  useTitle(page ? route : null)
  return (
    <FormatProvider
      dateLocale={dateLocale}
      symbol={settings?.symbol ?? ''}
      symbolAfter={settings?.swipe_symbol ?? false}
      decimal={settings?.decimal ?? 2}
      miles={settings?.convert_to_mile ?? false}
      timezone={settings?.timezone}
    >
      {page ? (
        <SiteShell>{page}</SiteShell>
      ) : (
        <Suspense fallback={<Waiting />}>
          <Screens />
        </Suspense>
      )}
      <Messages />
    </FormatProvider>
  )
}
