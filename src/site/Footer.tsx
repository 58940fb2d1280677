import { useTranslation } from 'react-i18next'
import { settings as liveSettings } from '~/src/features/settings/settings'
import { useLive } from '~/src/store/liveSlice'
import { AsBuilt } from '~/src/ui/AsBuilt'
import { Link } from '~/src/ui/place'
import { Logo } from './Logo'
import css from './SiteShell.module.css'
import { useSiteLinks } from './siteLinks'

const Content = () => {
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
      {/* The year it was built in may be over. */}
      <p className={css.rights} suppressHydrationWarning>
        {t('footer_rights', {
          year: new Date().getFullYear(),
          company: settings?.CompanyName ?? 'Kerbside',
        })}
      </p>
    </footer>
  )
}

export const Footer = () => (
  <AsBuilt>
    <Content />
  </AsBuilt>
)
