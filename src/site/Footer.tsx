import { useTranslation } from 'react-i18next'
import { getHost, linkTo, type SocialSetting, socialLinkTo } from '~/domain/language/links'
import { useAppName } from '~/src/features/settings/appName'
import { liveSettings } from '~/src/features/settings/settings'
import { useLive } from '~/src/store/live/liveSlice'
import { PrerenderedTexts } from '~/src/ui/PrerenderedTexts'
import { Link } from '~/src/ui/navigation/router'
import { Logo } from './Logo'
import { TermsLink } from './TermsLink'
import css from './SiteShell.module.css'
import { useSiteLinks } from './siteLinks'

const THIS_YEAR = new Date().getFullYear()
const SOCIAL: [SocialSetting, string][] = [
  ['FacebookHandle', 'facebook_handle'],
  ['TwitterHandle', 'twitter_handle'],
  ['InstagramHandle', 'instagram_handle'],
]

const Content = () => {
  const { t } = useTranslation()
  const links = useSiteLinks()
  const { settings } = useLive(liveSettings)
  const appName = useAppName()
  const website = linkTo(settings?.CompanyWebsite)
  const social = SOCIAL.flatMap(([setting, label]) => {
    const href = socialLinkTo(setting, settings?.[setting])
    return href === null ? [] : [{ href, label }]
  })
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
          <TermsLink />
        </nav>
        {(settings?.contact_email || website) && (
          <div className={css.footerLinks}>
            <h2>{t('footer_contact')}</h2>
            {settings?.contact_email && (
              <a href={`mailto:${settings.contact_email}`}>{settings.contact_email}</a>
            )}
            {website && (
              <a href={website} target="_blank" rel="noopener noreferrer">
                <bdi dir="ltr">{getHost(website)}</bdi>
              </a>
            )}
          </div>
        )}
        {social.length > 0 && (
          <nav aria-label={t('footer_social')}>
            <h2>{t('footer_social')}</h2>
            {social.map(({ href, label }) => (
              <a key={label} href={href} target="_blank" rel="noopener noreferrer">
                {t(label)}
              </a>
            ))}
          </nav>
        )}
      </div>
      {/* The prerendered year may be outdated. */}
      <p className={css.rights} suppressHydrationWarning>
        {t('footer_rights', {
          year: THIS_YEAR,
          company: settings?.CompanyName ?? appName,
        })}
      </p>
    </footer>
  )
}

export const Footer = () => (
  <PrerenderedTexts>
    <Content />
  </PrerenderedTexts>
)
