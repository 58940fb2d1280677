import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LanguageButton } from '~/src/features/languages/LanguageButton'
import { useAppName } from '~/src/features/settings/appName'
import { selectProfile, selectPendingRegistration } from '~/src/store/auth'
import { useAppSelector } from '~/src/store/hooks'
import { useConnectionProblem } from '~/src/store/connectionProblem'
import { screenPaths } from '~/src/store/screenPaths'
import { IconButton } from '~/src/ui/controls'
import { markReady } from '~/src/ui/navigation/earlyActions'
import { Icon } from '~/src/ui/Icon'
import { lazyWithRetry } from '~/src/ui/loading/lazyWithRetry'
import { OfflineBanner } from '~/src/ui/feedback/OfflineBanner'
import { Link, NavLink, usePath } from '~/src/ui/navigation/router'
import { useDocumentKeys } from '~/src/ui/navigation/useDocumentKeys'
import { ColorSchemeButton } from '~/src/ui/theme/ColorSchemeButton'
import { Logo } from './Logo'
import { useSiteLinks } from './siteLinks'
import css from './SiteShell.module.css'

const InboxButton = lazyWithRetry(
  async () => (await import('~/src/widgets/InboxButton')).InboxButton,
)
const PendingSignUp = lazyWithRetry(
  async () => (await import('./login/PendingSignUp')).PendingSignUp,
)
const AccountBar = lazyWithRetry(async () => (await import('./AccountBar')).AccountBar)
const Footer = lazyWithRetry(async () => (await import('./Footer')).Footer)
// Created once: a new element would make React discard the footer that it has not hydrated yet.
const FOOTER = (
  <Suspense fallback={null}>
    <Footer />
  </Suspense>
)

/** Pixels of scrolling before the header changes color. */
const COLOR_CHANGE_PX = 400

const useIsScrolledPast = (limit: number) => {
  const [past, setPast] = useState(false)
  useEffect(() => {
    const updateIsPast = () => setPast(window.scrollY > limit)
    updateIsPast()
    window.addEventListener('scroll', updateIsPast, { passive: true })
    return () => window.removeEventListener('scroll', updateIsPast)
  }, [limit])
  return past
}

const Drawer = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation()
  const links = useSiteLinks()
  useDocumentKeys(({ key }) => key === 'Escape' && onClose())
  return (
    <div className={css.veil} onClick={onClose}>
      <nav
        id="site-drawer"
        className={css.drawer}
        aria-label={t('site_navigation')}
        onClick={(event) => event.stopPropagation()}
      >
        <IconButton label={t('close')} onClick={onClose} autoFocus>
          <Icon name="close" />
        </IconButton>
        {links.map(({ to, label }) => (
          <NavLink key={to} to={to} end={to === '/'} onClick={onClose}>
            {label}
          </NavLink>
        ))}
      </nav>
    </div>
  )
}

const Header = ({ overHero: isOverHero }: { overHero: boolean }) => {
  const { t } = useTranslation()
  const profile = useAppSelector(selectProfile)
  const appName = useAppName()
  const links = useSiteLinks()
  const [drawer, setDrawer] = useState(false)
  const scrolled = useIsScrolledPast(COLOR_CHANGE_PX)
  const isTransparent = isOverHero && !scrolled
  return (
    <>
      <header ref={markReady} className={css.header} data-clear={isTransparent || undefined}>
        <div className={css.bar}>
          <Link
            to={screenPaths.home}
            className={css.brand}
            aria-label={t('home_link', { appName })}
          >
            <Logo />
          </Link>
          <nav className={css.links} aria-label={t('site_navigation')}>
            {links.map(({ to, label }) => (
              <NavLink key={to} to={to} end={to === '/'}>
                {label}
              </NavLink>
            ))}
          </nav>
          <div className={css.tools}>
            <span className={css.bell}>
              <Suspense fallback={null}>{profile && <InboxButton />}</Suspense>
            </span>
            <LanguageButton />
            <ColorSchemeButton />
            <span className={css.menuButton}>
              <IconButton
                label={t('menu')}
                aria-expanded={drawer}
                aria-controls="site-drawer"
                onClick={() => setDrawer(true)}
              >
                <Icon name="menu" size={24} />
              </IconButton>
            </span>
          </div>
        </div>
      </header>
      {/* Outside the header, because its CSS filter would confine the drawer to it. */}
      {drawer && <Drawer onClose={() => setDrawer(false)} />}
    </>
  )
}

/** Renders the header and footer of the public site and the rider's screens. */
export const SiteShell = ({ children }: { children: ReactNode }) => {
  const { t } = useTranslation()
  const path = usePath()
  const profile = useAppSelector(selectProfile)
  const waiting = useAppSelector(selectPendingRegistration)
  const connectionProblem = useConnectionProblem()
  const isAccount = /^\/(bookings|recurring|profile|wallet)/.test(path)
  return (
    <>
      <a className={css.skip} href="#content">
        {t('skip_to_content')}
      </a>
      <Header overHero={path === screenPaths.home && connectionProblem.problem === null} />
      <OfflineBanner {...connectionProblem} />
      <Suspense fallback={null}>{profile && isAccount && <AccountBar uid={profile.id} />}</Suspense>
      <main
        id="content"
        tabIndex={-1}
        className={css.main}
        data-account={(profile !== null && isAccount) || undefined}
      >
        {children}
      </main>
      {FOOTER}
      <Suspense fallback={null}>
        {profile && waiting && <PendingSignUp profile={profile} registration={waiting} />}
      </Suspense>
    </>
  )
}
