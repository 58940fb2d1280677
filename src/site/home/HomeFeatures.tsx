import { useTranslation } from 'react-i18next'
import { useAppName } from '~/src/features/settings/appName'
import { liveSettings } from '~/src/features/settings/settings'
import { useLive } from '~/src/store/live/liveSlice'
import { PrerenderedTexts } from '~/src/ui/PrerenderedTexts'
import { CodeArt, LiveArt, PriceArt } from './FeatureArt'
import css from './HomePage.module.css'

const FEATURES = [
  { art: PriceArt, title: 'feature_price_title', text: 'feature_price_text' },
  { art: LiveArt, title: 'feature_live_title', text: 'feature_live_text' },
  { art: CodeArt, title: 'feature_code_title', text: 'feature_code_text' },
]

const AppStoreLinks = () => {
  const { t } = useTranslation()
  const { settings } = useLive(liveSettings)
  const appName = useAppName()
  const links = [
    { href: settings?.AppleStoreLink, label: t('store_apple') },
    { href: settings?.PlayStoreLink, label: t('store_google') },
  ].filter(({ href }) => href)
  if (links.length === 0) return null
  return (
    <section className={css.stores}>
      <div>
        <h2>{t('store_title', { appName })}</h2>
        <p>{t('store_text')}</p>
      </div>
      <p className={css.storeLinks}>
        {links.map(({ href, label }) => (
          <a key={label} href={href} rel="noreferrer">
            {label}
          </a>
        ))}
      </p>
    </section>
  )
}

const Content = () => {
  const { t } = useTranslation()
  return (
    <>
      <section className={css.features}>
        {FEATURES.map(({ art: Art, title, text }) => (
          <article key={title}>
            <Art />
            <h2>{t(title)}</h2>
            <p>{t(text)}</p>
          </article>
        ))}
      </section>
      <AppStoreLinks />
    </>
  )
}

/** Renders the product features below the form. */
export const HomeFeatures = () => (
  <PrerenderedTexts>
    <Content />
  </PrerenderedTexts>
)
