import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { settings as liveSettings } from '~/src/features/settings/settings'
import { selectProfile } from '~/src/store/auth'
import { useAppSelector } from '~/src/store/hooks'
import { useLive } from '~/src/store/liveSlice'
import { BookingForm } from './BookingForm'
import { CityArt, CodeArt, LiveArt, PriceArt } from './art'
import css from './HomePage.module.css'

/** The parallax is for wide screens only (specification 9). */
const PARALLAX_FROM = '(min-width: 768px) and (prefers-reduced-motion: no-preference)'

const useParallax = () => {
  const ref = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!window.matchMedia?.(PARALLAX_FROM).matches) return
    let frame = 0
    const move = () => {
      frame = 0
      ref.current?.style.setProperty('--scrolled', String(Math.min(window.scrollY, 900)))
    }
    const onScroll = () => {
      frame ||= requestAnimationFrame(move)
    }
    window.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      cancelAnimationFrame(frame)
      window.removeEventListener('scroll', onScroll)
    }
  }, [])
  return ref
}

const FEATURES = [
  { art: PriceArt, title: 'feature_price_title', text: 'feature_price_text' },
  { art: LiveArt, title: 'feature_live_title', text: 'feature_live_text' },
  { art: CodeArt, title: 'feature_code_title', text: 'feature_code_text' },
]

const Stores = () => {
  const { t } = useTranslation()
  const { settings } = useLive(liveSettings)
  const links = [
    { href: settings?.AppleStoreLink, label: t('store_apple') },
    { href: settings?.PlayStoreLink, label: t('store_google') },
  ].filter(({ href }) => href)
  if (links.length === 0) return null
  return (
    <section className={css.stores}>
      <div>
        <h2>{t('store_title')}</h2>
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

export const HomePage = () => {
  const { t } = useTranslation()
  const profile = useAppSelector(selectProfile)
  const hero = useParallax()
  return (
    <>
      <section className={css.hero} ref={hero}>
        <CityArt className={css.art} />
        <div className={css.inside}>
          <div className={css.words}>
            <h1>{t('hero_title')}</h1>
            <p>{t('hero_text')}</p>
          </div>
          {/* Drivers do not book (specification 2). */}
          {profile?.usertype !== 'driver' && (
            <div className={css.form}>
              <BookingForm />
            </div>
          )}
        </div>
      </section>
      <section className={css.features}>
        {FEATURES.map(({ art: Art, title, text }) => (
          <article key={title}>
            <Art />
            <h2>{t(title)}</h2>
            <p>{t(text)}</p>
          </article>
        ))}
      </section>
      <Stores />
    </>
  )
}
