import {
  type ComponentType,
  type ReactElement,
  type ReactNode,
  Suspense,
  useEffect,
  useState,
} from 'react'
import { useTranslation } from 'react-i18next'
import { getTextDirection } from '~/domain/language/locales'
import { languageTexts } from '~/src/features/languages/languageTexts'
import { liveSettings } from '~/src/features/settings/settings'
import { addShippedTexts, setLanguage } from '~/src/i18n/locale'
import { HomePage } from '~/src/site/home/HomePage'
import { SiteShell } from '~/src/site/SiteShell'
import { selectProfile } from '~/src/store/auth'
import { useConnectionProblem } from '~/src/store/connectionProblem'
import { useAppDispatch, useAppSelector } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { noticeDismissed, pageLeft, selectNotices } from '~/src/store/notices'
import { screenPaths } from '~/src/store/screenPaths'
import { forgetUndo, undo } from '~/src/store/undoActions'
import { ErrorBoundary } from '~/src/ui/feedback/ErrorBoundary'
import { repeatEarlyAction } from '~/src/ui/navigation/earlyActions'
import { FormatProvider } from '~/src/ui/format/format'
import { saveLanguage } from '~/src/ui/format/savedLanguage'
import { useChosenLocale } from '~/src/ui/format/useChosenLocale'
import { lazyWithRetry } from '~/src/ui/loading/lazyWithRetry'
import { loadWithRetry } from '~/src/ui/loading/loadWithRetry'
import { PrerenderedTexts } from '~/src/ui/PrerenderedTexts'
import { navigate, usePath } from '~/src/ui/navigation/router'
import { Toasts } from '~/src/ui/feedback/Toasts'
import { HOME_TITLE_KEY, useDocumentTitle } from './documentTitle'
import { PageSkeletonWithBanner } from './PageSkeleton'

/** Applies the person's language, or the platform's default language, from the database. */
const useLanguage = () => {
  const { i18n } = useTranslation()
  const profile = useAppSelector(selectProfile)
  const chosenLocale = useChosenLocale()
  const preferredLocale = chosenLocale ?? profile?.lang?.langLocale ?? null
  // Language texts are large. When the person's language is the default, which is already loaded,
  // we do not fetch it again.
  const [defaultLocale, setDefaultLocale] = useState<string | null>(null)
  const requestedLocale = preferredLocale === defaultLocale ? null : preferredLocale
  const { found } = useLive(languageTexts, requestedLocale)
  const language = found[0]
  if (requestedLocale === null && language && language.langLocale !== defaultLocale)
    setDefaultLocale(language.langLocale)
  useEffect(() => {
    if (!language) return
    const { langLocale, dateLocale, keyValuePairs } = language
    let isCurrent = true
    void loadWithRetry(() => addShippedTexts(i18n, langLocale)).then(() => {
      if (!isCurrent) return
      void setLanguage(i18n, langLocale, keyValuePairs)
      saveLanguage({ langLocale, dateLocale, keyValuePairs })
    })
    return () => {
      isCurrent = false
    }
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
  const path = usePath()
  useEffect(() => void dispatch(pageLeft()), [path, dispatch])
  return (
    <Toasts
      toasts={notices.map(({ id, tone, title, text, params, to, undoId: back, isLasting }) => ({
        id,
        tone,
        to,
        isLasting,
        title,
        text: title === undefined ? t(text, params ?? {}) : text,
        action: back === undefined ? undefined : { label: t('undo'), run: () => undo(back) },
      }))}
      onDismiss={(id) => {
        const back = notices.find((notice) => notice.id === id)?.undoId
        if (back !== undefined) forgetUndo(back)
        dispatch(noticeDismissed(id))
      }}
    />
  )
}

const AboutPage = lazyWithRetry(async () => (await import('~/src/site/AboutPage')).AboutPage)
const LoginScreen = lazyWithRetry(async () => (await import('./LoginScreen')).LoginScreen)
const PrivacyPage = lazyWithRetry(async () => (await import('~/src/site/PrivacyPage')).PrivacyPage)
/** All routes except the public pages, with their guards and shells. */
const AppRoutes = lazyWithRetry(async () => (await import('./AppRoutes')).AppRoutes)

/** Marks a public page that can react to people, because what is before it has been hydrated. */
const ReadyMark = () => {
  useEffect(() => {
    // After the fields have rendered what was typed before.
    setTimeout(repeatEarlyAction)
  }, [])
  return null
}

/**
 * Keeps a replaced translator from waiting for the part below to hydrate: React lets a new context
 * value wait for markup that it has not hydrated yet, unless a component directly above that markup
 * uses the context. The part takes the new translator from `PrerenderedTexts`.
 */
const TranslatorUser = ({ children }: { children: ReactNode }) => {
  useTranslation()
  return children
}

// Each element is created once: a new element would make React discard markup that it has not
// hydrated yet.
const renderPublicPage = (route: string, Page: ComponentType) => (
  <ErrorBoundary key={route}>
    <TranslatorUser>
      <Suspense fallback={null}>
        <PrerenderedTexts>
          <Page />
          <ReadyMark />
        </PrerenderedTexts>
      </Suspense>
    </TranslatorUser>
  </ErrorBoundary>
)
/** The element and the title's translation key of each public page, by route. */
const PUBLIC_PAGES: Record<string, [page: ReactElement, titleKey: string]> = {
  [screenPaths.home]: [renderPublicPage(screenPaths.home, HomePage), HOME_TITLE_KEY],
  [screenPaths.about]: [renderPublicPage(screenPaths.about, AboutPage), 'about_title'],
  [screenPaths.privacy]: [renderPublicPage(screenPaths.privacy, PrivacyPage), 'privacy_title'],
  [screenPaths.login]: [renderPublicPage(screenPaths.login, LoginScreen), 'login_title'],
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
    if (!uid) return
    const resume = async () => {
      const { loadUnsentMessages } = await import('~/src/features/chats/unsentMessages')
      if (loadUnsentMessages(uid).length === 0) return
      const { resumeMessages } = await import('~/src/features/chats/chats')
      await dispatch(resumeMessages(uid))
    }
    void loadWithRetry(resume)
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
  const [page, titleKey] = PUBLIC_PAGES[route] ?? []
  const { problem } = useConnectionProblem()
  useDocumentTitle(titleKey, !settings && (error.flag || problem !== null))
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
