import { type ReactNode, use, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router-dom'
import { InboxBell } from '~/src/features/inbox/InboxBell'
import { LanguagePicker } from '~/src/features/languages/LanguagePicker'
import { settings as liveSettings } from '~/src/features/settings/settings'
import { selectProfile } from '~/src/store/auth'
import { useAppSelector } from '~/src/store/hooks'
import { useLive } from '~/src/store/liveSlice'
import { useReachable } from '~/src/store/reachable'
import { screens } from '~/src/store/screens'
import { IconButton, StatusChip } from '~/src/ui/controls'
import { Icon } from '~/src/ui/Icon'
import { OfflineBanner } from '~/src/ui/OfflineBanner'
import { OfficeIcon } from '~/src/ui/office/OfficeIcon'
import { OfficeTheme } from '~/src/ui/office/OfficeTheme'
import { SchemeButton } from '~/src/ui/SchemeButton'
import css from './frame/frame.module.css'
import { crumbsOf } from './frame/menu'
import { Shortcuts } from './frame/Palette'
import { SideMenu } from './frame/SideMenu'
import { textsOf } from './texts'

const KEY = 'kerbside.office.menu'

const useNarrowMenu = (): [boolean, (narrow: boolean) => void] => {
  const [narrow, setNarrow] = useState(() => localStorage.getItem(KEY) === 'narrow')
  return [
    narrow,
    (next) => {
      localStorage.setItem(KEY, next ? 'narrow' : 'wide')
      setNarrow(next)
    },
  ]
}

const Crumbs = ({ crumbs }: { crumbs: string[] }) => {
  const { t } = useTranslation()
  return (
    <nav aria-label={t('breadcrumbs')} className={css.crumbs}>
      <ol>
        <li>
          <Link to={screens.dashboard}>{t('back_office')}</Link>
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

/** The frame of the back office: the side menu by role, where one is, and the page. */
export const OfficeShell = ({ children }: { children: ReactNode }) => {
  const { t, i18n } = useTranslation()
  use(textsOf(i18n, 'office'))
  const profile = useAppSelector(selectProfile)
  const { settings } = useLive(liveSettings)
  const reachable = useReachable()
  const { pathname } = useLocation()
  const [narrow, setNarrow] = useNarrowMenu()
  // Open on this page only: following a link closes it.
  const [drawerOn, setDrawerOn] = useState<string | null>(null)
  const drawer = drawerOn === pathname
  const setDrawer = (open: boolean) => setDrawerOn(open ? pathname : null)
  const usertype = profile?.usertype ?? 'rider'
  const crumbs = crumbsOf(pathname, usertype)
  const title = crumbs.at(-1)
  const appName = settings?.appName ?? 'Kerbside'

  useEffect(() => {
    document.title = title ? `${t(title)} · ${appName}` : appName
  }, [title, appName, t])
  useEffect(() => {
    if (!drawer) return
    const close = (event: KeyboardEvent) => event.key === 'Escape' && setDrawerOn(null)
    document.addEventListener('keydown', close)
    return () => document.removeEventListener('keydown', close)
  }, [drawer])

  return (
    <OfficeTheme>
      <Shortcuts usertype={usertype} />
      <a className={css.skip} href="#content">
        {t('skip_to_content')}
      </a>
      <div className={css.frame} data-narrow={narrow || undefined}>
        {drawer && <div className={css.veil} onClick={() => setDrawer(false)} />}
        <aside
          id="office-menu"
          aria-label={t('menu')}
          className={css.side}
          data-open={drawer || undefined}
        >
          <div className={css.brand}>
            <Link to={screens.dashboard} aria-label={appName}>
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
              <IconButton label={t('close')} onClick={() => setDrawer(false)}>
                <Icon name="close" />
              </IconButton>
            </span>
          </div>
          <SideMenu usertype={usertype} narrow={narrow && !drawer} />
        </aside>
        <div className={css.main}>
          <header className={css.bar}>
            <span className={css.opener}>
              <IconButton
                label={t('menu')}
                aria-expanded={drawer}
                aria-controls="office-menu"
                onClick={() => setDrawer(true)}
              >
                <Icon name="menu" size={24} />
              </IconButton>
            </span>
            <span className={css.collapser}>
              <IconButton
                label={t(narrow ? 'menu_widen' : 'menu_narrow')}
                aria-pressed={narrow}
                onClick={() => setNarrow(!narrow)}
              >
                <OfficeIcon name="collapse" />
              </IconButton>
            </span>
            <Crumbs crumbs={crumbs} />
            <div className={css.tools}>
              {settings?.AllowCriticalEditsAdmin === false && (
                <StatusChip tone="warning">{t('demo_chip')}</StatusChip>
              )}
              <InboxBell />
              <LanguagePicker />
              <SchemeButton />
              <Link to={screens.profile} className={css.me}>
                <span aria-hidden="true">
                  {(profile?.firstName[0] ?? '') + (profile?.lastName[0] ?? '')}
                </span>
                <span className="visually-hidden">{t('menu_profile')}</span>
              </Link>
            </div>
          </header>
          <OfflineBanner reachable={reachable} />
          <main id="content" tabIndex={-1} className={css.content}>
            {children}
          </main>
        </div>
      </div>
    </OfficeTheme>
  )
}
