import { Suspense, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { selectProfile } from '~/src/store/auth'
import { useAppSelector } from '~/src/store/hooks'
import { lazyWithRetry } from '~/src/ui/loading/lazyWithRetry'
import { PREVIEW_CONTAINER_ID } from './previewContainer'
import { BookingForm } from './BookingForm'
import css from './HomePage.module.css'

/** Houses drift from 768 px on; docs/product.md. */
const PARALLAX_QUERY = '(min-width: 768px) and (prefers-reduced-motion: no-preference)'

const useParallax = () => {
  const ref = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!window.matchMedia?.(PARALLAX_QUERY).matches) return
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

const CityArt = lazyWithRetry(async () => (await import('./CityArt')).CityArt)
const HomeFeatures = lazyWithRetry(async () => (await import('./HomeFeatures')).HomeFeatures)
// Created once: a new element would make React discard markup that it has not hydrated yet.
const CITY_ART = (
  <Suspense fallback={null}>
    <CityArt className={css.art} />
  </Suspense>
)
const HOME_FEATURES = (
  <Suspense fallback={null}>
    <HomeFeatures />
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
            <div id={PREVIEW_CONTAINER_ID} className={css.beside} />
          </div>
          {/* Drivers do not book. */}
          {profile?.usertype !== 'driver' && (
            <div className={css.form}>
              <BookingForm />
            </div>
          )}
          <span className={css.end} hidden />
        </div>
        {/* After the form, so that it does not move the form when the markup arrives late. */}
        {CITY_ART}
      </section>
      {HOME_FEATURES}
    </>
  )
}
