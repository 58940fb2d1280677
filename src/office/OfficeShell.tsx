import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router-dom'
import { InboxButton } from '~/src/widgets/InboxButton'
import { useOfficeLimits } from './useOfficeLimits'
import { LanguageButton } from '~/src/features/languages/LanguageButton'
import { useInboxTexts } from '~/src/features/inbox/inboxTexts'
import { useAppName } from '~/src/features/settings/appName'
import officeTexts from '~/src/i18n/locales/en/office.json'
import { useAddedTexts } from '~/src/i18n/useAddedTexts'
import { liveSettings } from '~/src/features/settings/settings'
import { selectProfile } from '~/src/store/auth'
import { useAppSelector } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { hasPendingCalls } from '~/src/store/pendingCalls'
import { useConnectionProblem } from '~/src/store/connectionProblem'
import { screenPaths } from '~/src/store/screenPaths'
import { IconButton } from '~/src/ui/controls'
import { Icon } from '~/src/ui/Icon'
import { OfflineBanner } from '~/src/ui/feedback/OfflineBanner'
import { StatusChip } from '~/src/ui/feedback/StatusChip'
import { useShownTabCount } from '~/src/ui/navigation/tabCount'
import { OfficeIcon } from '~/src/ui/table/OfficeIcon'
import { OfficeTheme } from '~/src/ui/table/OfficeTheme'
import { ColorSchemeButton } from '~/src/ui/theme/ColorSchemeButton'
import { readPreference, savePreference } from '~/src/ui/preferences'
import { useDocumentKeys } from '~/src/ui/navigation/useDocumentKeys'
import { OfficeAlerts } from './alerts/OfficeAlerts'
import { IncomingCalls } from './calls/IncomingCalls'
import css from './layout/layout.module.css'
import { getBreadcrumbs } from './layout/menu'
import { KeyboardShortcuts } from './layout/KeyboardShortcuts'
import { SideMenu } from './layout/SideMenu'

const MENU_STORAGE_KEY = 'kerbside.office.menu'

const useMenuNarrowState = (): [boolean, (narrow: boolean) => void] => {
  const [narrow, setNarrow] = useState(() => readPreference(MENU_STORAGE_KEY) === 'narrow')
  return [
    narrow,
    (next) => {
      savePreference(MENU_STORAGE_KEY, next ? 'narrow' : 'wide')
      setNarrow(next)
    },
  ]
}

const Breadcrumbs = ({ crumbs }: { crumbs: string[] }) => {
  const { t } = useTranslation()
  return (
    <nav aria-label={t('breadcrumbs')} className={css.crumbs}>
      <ol>
        <li>
          <Link to={screenPaths.dashboard}>{t('back_office')}</Link>
        </li>
        {crumbs.map((key, index) => (
          <li key={key} aria-current={index === crumbs.length - 1 ? 'page' : undefined}>
            {t(key)}
          </li>
        ))}
      </ol>
    </nav>
  )
}

/** Shows the page and the number of what waits in the title of the tab. */
const useTabTitle = (title: string | undefined) => {
  const { t } = useTranslation()
  const appName = useAppName()
  const count = useShownTabCount()
  useEffect(() => {
    const name = title ? `${t(title)} · ${appName}` : appName
    document.title = count > 0 ? `(${count}) ${name}` : name
  }, [title, appName, count, t])
}

/** Asks before the page closes while requests run. */
const usePendingCallsPrompt = () =>
  useEffect(() => {
    // The browser may drop the request when the page closes, and its outcome would stay unknown.
    const onUnload = (event: BeforeUnloadEvent) => hasPendingCalls() && event.preventDefault()
    window.addEventListener('beforeunload', onUnload)
    return () => window.removeEventListener('beforeunload', onUnload)
  }, [])

/** The drawer of the menu, and the width of the menu beside the page. */
interface MenuState {
  isDrawer: boolean
  setDrawer: (isOpen: boolean) => void
  isNarrow: boolean
  setNarrow: (isNarrow: boolean) => void
}

const Brand = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation()
  const appName = useAppName()
  return (
    <div className={css.brand}>
      <Link to={screenPaths.dashboard} aria-label={appName}>
        <svg viewBox="0 0 28 32" width="28" height="32" fill="none" aria-hidden="true">
          <path
            d="M4 27h10a8 8 0 0 0 8-8V5"
            stroke="var(--accent)"
            strokeWidth="5"
            strokeLinecap="round"
            strokeDasharray="7 6.2"
          />
          <circle cx="9" cy="11" r="4.5" fill="var(--primary)" />
        </svg>
        <span>{appName}</span>
      </Link>
      <span className={css.closer}>
        <IconButton label={t('close')} onClick={onClose}>
          <Icon name="close" />
        </IconButton>
      </span>
    </div>
  )
}

/** Renders the buttons of the menu, the breadcrumbs, and the tools of every page. */
const TopBar = ({
  menu: { isDrawer, setDrawer, isNarrow, setNarrow },
  crumbs,
}: {
  menu: MenuState
  crumbs: ReturnType<typeof getBreadcrumbs>
}) => {
  const { t } = useTranslation()
  const { settings } = useLive(liveSettings)
  return (
    <header className={css.bar}>
      <span className={css.opener}>
        <IconButton
          label={t('menu')}
          aria-expanded={isDrawer}
          aria-controls="office-menu"
          onClick={() => setDrawer(true)}
        >
          <Icon name="menu" size={24} />
        </IconButton>
      </span>
      <span className={css.collapser}>
        <IconButton
          label={t(isNarrow ? 'menu_widen' : 'menu_narrow')}
          aria-pressed={isNarrow}
          onClick={() => setNarrow(!isNarrow)}
        >
          <OfficeIcon name="collapse" />
        </IconButton>
      </span>
      <Breadcrumbs crumbs={crumbs} />
      <div className={css.tools}>
        {settings?.AllowCriticalEditsAdmin === false && (
          <StatusChip tone="warning">{t('demo_chip')}</StatusChip>
        )}
        <InboxButton />
        <LanguageButton />
        <ColorSchemeButton />
      </div>
    </header>
  )
}

/** Renders the frame of the back office: the side menu by role, the breadcrumbs, and the page. */
export const OfficeShell = ({ children }: { children: ReactNode }) => {
  const { t } = useTranslation()
  useInboxTexts()
  useAddedTexts(officeTexts)
  const profile = useAppSelector(selectProfile)
  const { settings } = useLive(liveSettings)
  useOfficeLimits(settings)
  const connectionProblem = useConnectionProblem()
  const { pathname } = useLocation()
  const [isNarrow, setNarrow] = useMenuNarrowState()
  // Applies to this page only: following a link closes the drawer.
  const [drawerOn, setDrawerOn] = useState<string | null>(null)
  const isDrawer = drawerOn === pathname
  const setDrawer = (isOpen: boolean) => setDrawerOn(isOpen ? pathname : null)
  const usertype = profile?.usertype ?? 'rider'
  const crumbs = getBreadcrumbs(pathname, usertype)
  useTabTitle(crumbs.at(-1))
  usePendingCallsPrompt()
  useDocumentKeys(({ key }) => key === 'Escape' && setDrawerOn(null))
  const closeDrawer = () => setDrawer(false)
  return (
    <OfficeTheme>
      <KeyboardShortcuts usertype={usertype} />
      <a className={css.skip} href="#content">
        {t('skip_to_content')}
      </a>
      <div className={css.frame} data-narrow={isNarrow || undefined}>
        {isDrawer && <div className={css.veil} onClick={closeDrawer} />}
        <aside
          id="office-menu"
          aria-label={t('menu')}
          className={css.side}
          data-open={isDrawer || undefined}
        >
          <Brand onClose={closeDrawer} />
          {profile && <SideMenu profile={profile} narrow={isNarrow && !isDrawer} />}
        </aside>
        <div className={css.main}>
          <TopBar menu={{ isDrawer, setDrawer, isNarrow, setNarrow }} crumbs={crumbs} />
          <OfflineBanner {...connectionProblem} />
          <OfficeAlerts />
          <IncomingCalls />
          <main id="content" tabIndex={-1} className={css.content}>
            {children}
          </main>
        </div>
      </div>
    </OfficeTheme>
  )
}
