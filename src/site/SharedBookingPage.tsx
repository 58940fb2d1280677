import { Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router-dom'
import { decodeRoute } from '~/domain/booking/trip/route'
import type { Seconds } from '~/domain/language/units'
import type { DomainError } from '~/domain/api/errors'
import { projectOntoPolyline } from '~/domain/geo/polylineGeometry'
import { getVehicleTypeName } from '~/domain/catalog/vehicleTypes'
import { BookingStatus } from '~/src/features/bookings/BookingStatus'
import { fetchSharedBooking, type SharedBooking } from '~/src/features/bookings/shareLinks'
import { countPassedStops } from '~/src/features/bookings/stops/shownStops'
import { StopList } from '~/src/features/bookings/stops/StopList'
import { getRouteBounds, useRoutePolylines } from '~/src/features/estimates/routePolylines'
import { useMapPlaces } from '~/src/features/places/mapPlaces'
import { liveSettings } from '~/src/features/settings/settings'
import { OLD_POSITION_MS } from '~/src/features/tracking/tracking'
import { useAppName } from '~/src/features/settings/appName'
import { translateError } from '~/src/i18n/errorTexts'
import { useAppDispatch } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { screenPaths } from '~/src/store/screenPaths'
import { ButtonLink } from '~/src/ui/controls'
import { useFormat } from '~/src/ui/format/format'
import { DateTime } from '~/src/ui/format/values'
import { Icon } from '~/src/ui/Icon'
import { lazyWithRetry } from '~/src/ui/loading/lazyWithRetry'
import { ErrorState } from '~/src/ui/feedback/ErrorState'
import { EmptyState, SkeletonLines } from '~/src/ui/feedback/states'
import { useNow } from '~/src/ui/useNow'
import css from './SharedBookingPage.module.css'

const MapView = lazyWithRetry(async () => (await import('~/src/ui/map/MapView')).MapView)

/** A shared booking in progress, which still shows its places. */
type ActiveSharedBooking = SharedBooking & Required<Pick<SharedBooking, 'pickup' | 'drop'>>
const isActive = (view: SharedBooking): view is ActiveSharedBooking =>
  view.pickup !== undefined && view.drop !== undefined

/** Draws the route of a shared booking, and the car on it while it moves. */
const SharedBookingMap = ({ view }: { view: ActiveSharedBooking }) => {
  const { t } = useTranslation()
  const placesOnMap = useMapPlaces()
  const { settings } = useLive(liveSettings)
  const { pickup, drop, stops = [], driver, location } = view
  const paths = useRoutePolylines(
    { ...view, waypoints: stops, passedStops: countPassedStops(stops) },
    { car: location, isLive: settings?.showLiveRoute === true },
  )
  return (
    <MapView
      label={t('booking_map')}
      {...placesOnMap({
        pickup,
        drop,
        waypoints: stops,
        car: location && { at: location, driver: driver?.name },
      })}
      polylines={paths}
      fitPositions={getRouteBounds(view, location, paths)}
    />
  )
}

/** Returns the seconds to the drop-off: the planned time of the part of the route that is left. */
const getSecondsLeft = (view: SharedBooking): Seconds | null => {
  const { status, location, routeSeconds } = view
  const route = decodeRoute(view)
  if (status !== 'STARTED' || !location || routeSeconds === undefined || route.length < 2)
    return null
  return routeSeconds * (1 - projectOntoPolyline(route, location).part)
}

/** Says when the booking arrives, or else what the page is. */
const SharedHead = ({ view }: { view: SharedBooking }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const now = useNow()
  const { status, location } = view
  const left = getSecondsLeft(view)
  return (
    <>
      <div className={css.head}>
        <h1>
          {left === null
            ? t('track_title')
            : t('arrives_at', { time: format.time(now + left * 1000) })}
        </h1>
        <span aria-live="polite">
          <BookingStatus status={status} />
        </span>
      </div>
      {left !== null && location && (
        <p className={css.eta} aria-live="polite">
          <strong>{format.duration(left)}</strong> {t('eta_drop')}
          {now - location.at > OLD_POSITION_MS && (
            <small>{t('eta_position_from', { time: format.time(location.at) })}</small>
          )}
        </p>
      )}
    </>
  )
}

const POLL_INTERVAL_MS = 8000

const useSharedBooking = (token: string) => {
  const dispatch = useAppDispatch()
  const [view, setView] = useState<SharedBooking | null>(null)
  const [refused, setRefused] = useState<DomainError | null>(null)
  const [tries, setTries] = useState(0)
  const isOver = refused?.key === 'not_found'
  useEffect(() => {
    if (isOver) return
    let isWanted = true
    const poll = () => {
      // A hidden page sends no requests.
      if (document.visibilityState === 'hidden') return
      dispatch(fetchSharedBooking.quiet({ token }))
        .unwrap()
        .then(
          (arrived) => {
            if (!isWanted) return
            setView(arrived)
            setRefused(null)
          },
          (error: DomainError) => isWanted && setRefused(error),
        )
    }
    poll()
    const timer = setInterval(poll, POLL_INTERVAL_MS)
    return () => {
      isWanted = false
      clearInterval(timer)
    }
  }, [token, dispatch, isOver, tries])
  return { view, refused, isOver, retry: () => setTries((count) => count + 1) }
}

/** Lists the places and the vehicle type. */
const TripFacts = ({ view }: { view: SharedBooking }) => {
  const { t, i18n } = useTranslation()
  const { pickup, drop, stops = [], carType, carTypeNames: names } = view
  return (
    <dl>
      {pickup && (
        <div>
          <dt>{t('pickup')}</dt>
          <dd>{pickup.add}</dd>
        </div>
      )}
      {stops.length > 0 && (
        <div>
          <dt>{t('stops')}</dt>
          <dd>
            <StopList stops={stops} />
          </dd>
        </div>
      )}
      {drop && (
        <div>
          <dt>{t('drop')}</dt>
          <dd>{drop.add}</dd>
        </div>
      )}
      <div>
        <dt>{t('car_type')}</dt>
        <dd>{getVehicleTypeName({ name: carType, ...(names && { names }) }, i18n.language)}</dd>
      </div>
    </dl>
  )
}

const SharedDriver = ({ driver }: { driver: NonNullable<SharedBooking['driver']> }) => (
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
)

/** Renders the booking for the recipient of a shared link. */
export const SharedBookingPage = () => {
  const { t } = useTranslation()
  const appName = useAppName()
  const { token = '' } = useParams()
  const { view, refused, isOver, retry } = useSharedBooking(token)
  if (isOver)
    return (
      <EmptyState
        level="h1"
        title={t('track_over')}
        action={<ButtonLink to={screenPaths.home}>{t('home_link', { appName })}</ButtonLink>}
      >
        {t('track_over_text')}
      </EmptyState>
    )
  if (!view)
    return refused ? (
      <ErrorState onRetry={retry}>{translateError(refused, t)}</ErrorState>
    ) : (
      <div className={css.page}>
        <SkeletonLines lines={3} height="7rem" />
      </div>
    )
  const { pickup, driver, location, level, expires } = view
  return (
    <div className={css.page}>
      <SharedHead view={view} />
      {refused && <p role="status">{t('offline')}</p>}
      {!pickup && <p role="status">{t('track_ended')}</p>}
      {level === 'live' && isActive(view) && (
        <div className={css.map}>
          <Suspense fallback={null}>
            <SharedBookingMap view={view} />
          </Suspense>
        </div>
      )}
      <section className={css.panel}>
        <TripFacts view={view} />
        {driver && <SharedDriver driver={driver} />}
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
