import { lazy, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router-dom'
import type { Refusal } from '~/domain/errors'
import { BookingStatus } from '~/src/features/bookings/BookingStatus'
import { fetchShared, type SharedView } from '~/src/features/bookings/sharing'
import { usePlacesOnMap } from '~/src/features/places/placesOnMap'
import { useAppDispatch } from '~/src/store/hooks'
import { screens } from '~/src/store/screens'
import { ButtonLink } from '~/src/ui/controls'
import { DateTime } from '~/src/ui/format'
import { Icon } from '~/src/ui/Icon'
import { EmptyState, ErrorState, SkeletonLines } from '~/src/ui/states'
import css from './TrackPage.module.css'

const MapView = lazy(async () => ({ default: (await import('~/src/ui/map/MapView')).MapView }))

const LOOK_AGAIN_MS = 8000

const useShared = (token: string) => {
  const dispatch = useAppDispatch()
  const [view, setView] = useState<SharedView | null>(null)
  const [refused, setRefused] = useState<Refusal | null>(null)
  const [tries, setTries] = useState(0)
  const isOver = refused?.key === 'not_found'
  useEffect(() => {
    if (isOver) return
    let wanted = true
    const look = () => {
      // Nobody looks: nothing is asked.
      if (document.visibilityState === 'hidden') return
      dispatch(fetchShared({ token, quiet: true }))
        .unwrap()
        .then(
          (arrived) => {
            if (!wanted) return
            setView(arrived)
            setRefused(null)
          },
          (error: Refusal) => wanted && setRefused(error),
        )
    }
    look()
    const timer = setInterval(look, LOOK_AGAIN_MS)
    return () => {
      wanted = false
      clearInterval(timer)
    }
  }, [token, dispatch, isOver, tries])
  return { view, refused, isOver, retry: () => setTries((count) => count + 1) }
}

/** What somebody sees who was sent a link to a booking. */
export const TrackPage = () => {
  const { t } = useTranslation()
  const placesOnMap = usePlacesOnMap()
  const { token = '' } = useParams()
  const { view, refused, isOver, retry } = useShared(token)
  if (isOver)
    return (
      <EmptyState
        level="h1"
        title={t('track_over')}
        action={<ButtonLink to={screens.home}>{t('home_link')}</ButtonLink>}
      >
        {t('track_over_text')}
      </EmptyState>
    )
  if (!view)
    return refused ? (
      <ErrorState onRetry={retry}>{t(refused.key, refused.params ?? {})}</ErrorState>
    ) : (
      <div className={css.page}>
        <SkeletonLines lines={3} height="7rem" />
      </div>
    )
  const { status, carType, pickup, drop, driver, location, level, expires } = view
  return (
    <div className={css.page}>
      <div className={css.head}>
        <h1>{t('track_title')}</h1>
        <span aria-live="polite">
          <BookingStatus status={status} />
        </span>
      </div>
      {refused && <p role="status">{t('offline')}</p>}
      {level === 'live' && (
        <div className={css.map}>
          <Suspense fallback={null}>
            <MapView
              label={t('booking_map')}
              {...placesOnMap({
                pickup,
                drop,
                car: location && { at: location, driver: driver?.name },
              })}
              paths={[{ id: 'way', points: [pickup, drop], tone: 'faint' }]}
              fit={[pickup, drop, ...(location ? [location] : [])]}
            />
          </Suspense>
        </div>
      )}
      <section className={css.panel}>
        <dl>
          <div>
            <dt>{t('pickup')}</dt>
            <dd>{pickup.add}</dd>
          </div>
          <div>
            <dt>{t('drop')}</dt>
            <dd>{drop.add}</dd>
          </div>
          <div>
            <dt>{t('car_type')}</dt>
            <dd>{carType}</dd>
          </div>
        </dl>
        {driver && (
          <p className={css.driver}>
            {driver.image ? (
              <img src={driver.image} alt="" width="48" height="48" />
            ) : (
              <Icon name="person" size={28} />
            )}
            <strong>
              <bdi className="typed">{driver.name}</bdi>
            </strong>
            {driver.vehicle && <bdi className={`${css.plate} typed`}>{driver.vehicle}</bdi>}
          </p>
        )}
      </section>
      <p className={css.until}>
        {t('track_until')} <DateTime at={expires} />
        {location && (
          <>
            {' · '}
            {t('track_seen')} <DateTime at={location.at} only="time" />
          </>
        )}
      </p>
    </div>
  )
}
