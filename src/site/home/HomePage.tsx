import { lazy, Suspense, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { selectProfile } from '~/src/store/auth'
import { useAppSelector } from '~/src/store/hooks'
import { BESIDE_FORM } from './besideForm'
import { BookingForm } from './BookingForm'
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

const CityArt = lazy(async () => ({ default: (await import('./art')).CityArt }))
const BelowForm = lazy(async () => ({ default: (await import('./BelowForm')).BelowForm }))
// One element each for good: a new one would make the page throw away what it has not taken over yet.
const ART = (
  <Suspense fallback={null}>
    <CityArt className={css.art} />
  </Suspense>
)
const BELOW = (
  <Suspense fallback={null}>
    <BelowForm />
  </Suspense>
)

export const HomePage = () => {
  const { t } = useTranslation()
  const profile = useAppSelector(selectProfile)
  const hero = useParallax()
  return (
    <>
      <section className={css.hero} ref={hero}>
        <div className={css.inside}>
          <div className={css.side}>
            <div className={css.words}>
              <h1>{t('hero_title')}</h1>
              <p>{t('hero_text')}</p>
            </div>
            <div id={BESIDE_FORM} className={css.beside} />
          </div>
          {/* Drivers do not book (specification 2). */}
          {profile?.usertype !== 'driver' && (
            <div className={css.form}>
              <BookingForm />
            </div>
          )}
        </div>
        {/* After the form: a page that is drawn while it arrives would otherwise move it down. */}
        {ART}
      </section>
      {BELOW}
    </>
  )
}
