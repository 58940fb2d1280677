import { type ComponentType, type ReactElement, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getTextDirection } from '~/domain/locales'
import { loadUnsentMessages } from '~/src/features/chats/unsentMessages'
import { languageTexts } from '~/src/features/languages/languages'
import { settings as liveSettings } from '~/src/features/settings/settings'
import { setLanguage } from '~/src/i18n/locale'
import { HomePage } from '~/src/site/home/HomePage'
import { SiteShell } from '~/src/site/SiteShell'
import { selectProfile } from '~/src/store/auth'
import { useAppDispatch, useAppSelector } from '~/src/store/hooks'
import { useLive } from '~/src/store/liveSlice'
import { noticeDismissed, selectNotices } from '~/src/store/notices'
import { screenPaths } from '~/src/store/screenPaths'
import { forgetUndo, undo } from '~/src/store/undoActions'
import { ErrorBoundary } from '~/src/ui/ErrorBoundary'
import { FormatProvider } from '~/src/ui/format'
import { saveLanguage } from '~/src/ui/savedLanguage'
import { useChosenLocale } from '~/src/ui/useChosenLocale'
import { lazyWithRetry } from '~/src/ui/lazyWithRetry'
import { loadWithRetry } from '~/src/ui/loadWithRetry'
import { PrerenderedTexts } from '~/src/ui/PrerenderedTexts'
import { navigate, usePath } from '~/src/ui/router'
import { Toasts } from '~/src/ui/Toasts'
import { useDocumentTitle } from './documentTitle'
import { PageSkeletonWithBanner } from './PageSkeleton'

/** Applies the person's language, or the platform's default language, from the database. */
const useLanguage = () => {
  const { i18n } = useTranslation()
  const profile = useAppSelector(selectProfile)
  const chosen = useChosenLocale()
  const wanted = chosen ?? profile?.lang?.langLocale ?? null
  // Language texts are large. When the person's language is the default, which is already loaded,
  // we do not fetch it again.
  const [defaultLocale, setDefaultLocale] = useState<string | null>(null)
  const requestedLocale = wanted === defaultLocale ? null : wanted
  const { found } = useLive(languageTexts, requestedLocale)
  const language = found[0]
  if (requestedLocale === null && language && language.langLocale !== defaultLocale)
    setDefaultLocale(language.langLocale)
  useEffect(() => {
    if (!language) return
    const { langLocale, dateLocale, keyValuePairs } = language
    void setLanguage(i18n, langLocale, keyValuePairs)
    saveLanguage({ langLocale, dateLocale, keyValuePairs })
  }, [language, i18n])
  useEffect(() => {
    document.documentElement.lang = i18n.language
    document.documentElement.dir = getTextDirection(i18n.language)
  }, [i18n.language])
  return language?.dateLocale ?? profile?.lang?.dateLocale ?? i18n.language
}

const NoticeToasts = () => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const notices = useAppSelector(selectNotices)
  return (
    <Toasts
      toasts={notices.map(
        ({ id, tone, text, isTranslated, params, to, undoId: back, isLasting }) => ({
          id,
          tone,
          to,
          isLasting,
          text: isTranslated ? text : t(text, params ?? {}),
          action: back === undefined ? undefined : { label: t('undo'), run: () => undo(back) },
        }),
      )}
      onDismiss={(id) => {
        const back = notices.find((notice) => notice.id === id)?.undoId
        if (back !== undefined) forgetUndo(back)
        dispatch(noticeDismissed(id))
      }}
    />
  )
}

const AboutPage = lazyWithRetry(async () => (await import('~/src/site/AboutPage')).AboutPage)
const PrivacyPage = lazyWithRetry(async () => (await import('~/src/site/PrivacyPage')).PrivacyPage)
/** All routes except the public pages, with their guards and shells. */
const AppRoutes = lazyWithRetry(async () => (await import('./AppRoutes')).AppRoutes)

// Each element is created once: a new element would make React discard markup that it has not
// hydrated yet.
const renderPublicPage = (route: string, Page: ComponentType) => (
  <ErrorBoundary key={route}>
    <Suspense fallback={null}>
      <PrerenderedTexts>
        <Page />
      </PrerenderedTexts>
    </Suspense>
  </ErrorBoundary>
)
const PUBLIC_PAGES: Record<string, ReactElement> = {
  [screenPaths.home]: renderPublicPage(screenPaths.home, HomePage),
  [screenPaths.about]: renderPublicPage(screenPaths.about, AboutPage),
  [screenPaths.privacy]: renderPublicPage(screenPaths.privacy, PrivacyPage),
}

/** Only a build for this machine contains it. */
const DemoTour =
  import.meta.env.KERBSIDE_TOUR === 'yes'
    ? lazyWithRetry(async () => (await import('./tour/DemoTour')).DemoTour)
    : null

/** Redirects every page to the setup page while the platform has no settings. */
const useSetupRedirect = (isMissing: boolean) => {
  const path = usePath()
  useEffect(() => {
    if (isMissing && path !== screenPaths.setup) navigate(screenPaths.setup, { replace: true })
  }, [isMissing, path])
}

/** Sends the chat messages that an earlier page of this device has not sent. */
const useUnsentMessages = () => {
  const dispatch = useAppDispatch()
  const uid = useAppSelector(selectProfile)?.id
  useEffect(() => {
    if (uid && loadUnsentMessages(uid).length > 0)
      void loadWithRetry(
        async () => (await import('~/src/features/chats/chats')).resumeMessages,
      ).then((resumeMessages) => dispatch(resumeMessages(uid)))
  }, [uid, dispatch])
}

/** Scrolls to the top when the page changes. */
const useScrollToTop = () => {
  const path = usePath()
  useEffect(() => {
    // Some browsers return a promise here, which must not become the effect's cleanup function.
    window.scrollTo(0, 0)
  }, [path])
}

export const App = () => {
  const { settings, loading, error } = useLive(liveSettings)
  useSetupRedirect(!settings && !loading && !error.flag)
  const dateLocale = useLanguage()
  useUnsentMessages()
  useScrollToTop()
  const path = usePath()
  const route = path.replace(/(.)\/+$/, '$1')
  const page = PUBLIC_PAGES[route]
  useDocumentTitle(page ? route : null)
  return (
    <FormatProvider
      dateLocale={dateLocale}
      symbol={settings?.symbol ?? ''}
      symbolAfter={settings?.swipe_symbol ?? false}
      decimal={settings?.decimal ?? 2}
      miles={settings?.convert_to_mile ?? false}
      timezone={settings?.timezone}
      isDeferred={page !== undefined}
    >
      {page ? (
        <SiteShell>{page}</SiteShell>
      ) : (
        <Suspense fallback={<PageSkeletonWithBanner />}>
          <AppRoutes />
        </Suspense>
      )}
      <NoticeToasts />
      <Suspense fallback={null}>{DemoTour && <DemoTour />}</Suspense>
    </FormatProvider>
  )
}
