import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LanguagePicker } from '~/src/features/languages/LanguagePicker'
import { selectProfile } from '~/src/store/auth'
import { useAppSelector } from '~/src/store/hooks'
import { useReachable } from '~/src/store/reachable'
import { screens } from '~/src/store/screens'
import { IconButton } from '~/src/ui/controls'
import { Icon } from '~/src/ui/Icon'
import { OfflineBanner } from '~/src/ui/OfflineBanner'
import { Link, NavLink, usePath } from '~/src/ui/place'
import { SchemeButton } from '~/src/ui/SchemeButton'
import { Logo } from './Logo'
import { useSiteLinks } from './siteLinks'
import css from './SiteShell.module.css'

const InboxBell = lazy(async () => ({
  default: (await import('~/src/features/inbox/InboxBell')).InboxBell,
}))
const AccountBar = lazy(async () => ({ default: (await import('./AccountBar')).AccountBar }))
const Footer = lazy(async () => ({ default: (await import('./Footer')).Footer }))
// One element for good: a new one would make the page throw away the footer it has not taken over yet.
const FOOTER = (
  <Suspense fallback={null}>
    <Footer />
  </Suspense>
)

/** How far the page scrolls before the header changes colour (specification 2). */
const COLOUR_CHANGE_PX = 400

const useScrolledPast = (limit: number) => {
  const [past, setPast] = useState(false)
  useEffect(() => {
    const look = () => setPast(window.scrollY > limit)
    look()
    window.addEventListener('scroll', look, { passive: true })
    return () => window.removeEventListener('scroll', look)
  }, [limit])
  return past
}

const Drawer = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation()
  const links = useSiteLinks()
  useEffect(() => {
    const close = (event: KeyboardEvent) => event.key === 'Escape' && onClose()
    document.addEventListener('keydown', close)
    return () => document.removeEventListener('keydown', close)
  }, [onClose])
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

const Header = ({ overHero }: { overHero: boolean }) => {
  const { t } = useTranslation()
  const profile = useAppSelector(selectProfile)
  const links = useSiteLinks()
  const [drawer, setDrawer] = useState(false)
  const scrolled = useScrolledPast(COLOUR_CHANGE_PX)
  const clear = overHero && !scrolled
  return (
    <>
      <header className={css.header} data-clear={clear || undefined}>
        <div className={css.bar}>
          <Link to={screens.home} className={css.brand} aria-label={t('home_link')}>
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
              <Suspense fallback={null}>{profile && <InboxBell />}</Suspense>
            </span>
            <LanguagePicker />
            <SchemeButton />
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
      {/* Beside the header, whose filter would otherwise hold the drawer inside it. */}
      {drawer && <Drawer onClose={() => setDrawer(false)} />}
    </>
  )
}

/** Header and footer of the public site and the rider's screens. */
export const SiteShell = ({ children }: { children: ReactNode }) => {
  const { t } = useTranslation()
  const path = usePath()
  const profile = useAppSelector(selectProfile)
  const reachable = useReachable()
  const isAccount = /^\/(bookings|profile|wallet)/.test(path)
  return (
    <>
      <a className={css.skip} href="#content">
        {t('skip_to_content')}
      </a>
      <Header overHero={path === screens.home} />
      <OfflineBanner reachable={reachable} />
      <Suspense fallback={null}>{profile && isAccount && <AccountBar uid={profile.id} />}</Suspense>
      <main id="content" tabIndex={-1} className={css.main}>
        {children}
      </main>
      {FOOTER}
    </>
  )
}
