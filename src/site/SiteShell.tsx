import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, NavLink, useLocation } from 'react-router-dom'
import { signOut } from '~/src/features/auth/operations'
import { settings as liveSettings } from '~/src/features/settings/settings'
import { selectProfile } from '~/src/store/auth'
import { useAppDispatch, useAppSelector } from '~/src/store/hooks'
import { useLive } from '~/src/store/liveSlice'
import { screens } from '~/src/store/screens'
import { Button, IconButton } from '~/src/ui/controls'
import { Icon } from '~/src/ui/Icon'
import { chooseScheme, useScheme } from '~/src/ui/scheme'
import { LanguagePicker } from './LanguagePicker'
import { Logo } from './Logo'
import { OfflineBanner } from './OfflineBanner'
import css from './SiteShell.module.css'

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

const useSiteLinks = () => {
  const { t } = useTranslation()
  const profile = useAppSelector(selectProfile)
  return [
    { to: screens.home, label: t('menu_home') },
    { to: screens.bookings, label: t(profile ? 'my_account' : 'login_or_sign_up') },
    { to: screens.about, label: t('about_us') },
    { to: screens.privacy, label: t('privacy_policy') },
  ]
}

const SchemeButton = () => {
  const { t } = useTranslation()
  const scheme = useScheme()
  const other = scheme === 'dark' ? 'light' : 'dark'
  return (
    <IconButton
      label={t(other === 'dark' ? 'dark_mode' : 'light_mode')}
      onClick={() => chooseScheme(other)}
    >
      <Icon name={other === 'dark' ? 'moon' : 'sun'} />
    </IconButton>
  )
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

/** The signed-in person's own screens, one tap apart. */
const AccountBar = () => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  return (
    <div className={css.account}>
      <nav aria-label={t('my_account')}>
        <NavLink to={screens.bookings}>{t('menu_bookings')}</NavLink>
        <NavLink to={screens.profile}>{t('menu_profile')}</NavLink>
      </nav>
      <Button look="quiet" size="small" onClick={() => void dispatch(signOut())}>
        <Icon name="out" size={18} />
        {t('logout')}
      </Button>
    </div>
  )
}

const Footer = () => {
  const { t } = useTranslation()
  const links = useSiteLinks()
  const { settings } = useLive(liveSettings)
  return (
    <footer className={css.footer}>
      <div className={css.kerb} aria-hidden="true" />
      <div className={css.footerInside}>
        <div>
          <Logo />
          <p>{t('footer_tagline')}</p>
        </div>
        <nav aria-label={t('footer_site')}>
          <h2>{t('footer_site')}</h2>
          {links.map(({ to, label }) => (
            <Link key={to} to={to}>
              {label}
            </Link>
          ))}
        </nav>
        {settings?.contact_email && (
          <div>
            <h2>{t('footer_contact')}</h2>
            <a href={`mailto:${settings.contact_email}`}>{settings.contact_email}</a>
          </div>
        )}
      </div>
      <p className={css.rights}>
        {t('footer_rights', {
          year: new Date().getFullYear(),
          company: settings?.CompanyName ?? 'Kerbside',
        })}
      </p>
    </footer>
  )
}

/** Header and footer of the public site and the rider's screens. */
export const SiteShell = ({ children }: { children: ReactNode }) => {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const profile = useAppSelector(selectProfile)
  const isAccount = profile !== null && /^\/(bookings|profile|wallet)/.test(pathname)
  return (
    <>
      <a className={css.skip} href="#content">
        {t('skip_to_content')}
      </a>
      <Header overHero={pathname === screens.home} />
      <OfflineBanner />
      {isAccount && <AccountBar />}
      <main id="content" tabIndex={-1} className={css.main}>
        {children}
      </main>
      <Footer />
    </>
  )
}
