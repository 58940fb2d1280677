import { lazy, Suspense, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Booking, LatLng } from '~/domain/entities'
import { selectGps } from '~/src/features/gps/gps'
import { useAppSelector } from '~/src/store/hooks'
import type { MarkerSpec, PathSpec } from '~/src/ui/map/port'
import css from './TripMap.module.css'

const MapView = lazy(async () => ({ default: (await import('~/src/ui/map/MapView')).MapView }))

/** The driver himself, the ends of a booking, and the way he takes. */
export const TripMap = ({
  booking,
  way,
  to,
  tall,
}: {
  booking?: Booking
  way?: LatLng[] | undefined
  /** What the driver is heading for: kept in sight with him. */
  to?: LatLng | undefined
  tall?: boolean
}) => {
  const { t } = useTranslation()
  const { location, heading } = useAppSelector(selectGps)
  const markers = useMemo<MarkerSpec[]>(() => {
    const { pickup, drop, waypoints = [] } = booking ?? {}
    return [
      ...(pickup ? [{ id: 'pickup', at: pickup, kind: 'start' as const, label: pickup.add }] : []),
      ...waypoints.map((at, index) => ({
        id: `stop-${index}`,
        at,
        kind: 'stop' as const,
        label: at.add,
      })),
      ...(drop ? [{ id: 'drop', at: drop, kind: 'end' as const, label: drop.add }] : []),
      ...(location
        ? [
            {
              id: 'me',
              at: location,
              kind: booking ? ('vehicle' as const) : ('me' as const),
              label: t('you_are_here'),
              ...(heading !== null && { heading }),
            },
          ]
        : []),
    ]
  }, [booking, location, heading, t])
  const paths = useMemo<PathSpec[]>(
    () => (way && way.length > 1 ? [{ id: 'way', points: way }] : []),
    [way],
  )
  const ends = to ? [to] : booking ? [booking.pickup, booking.drop] : []
  const fit = [...ends, ...(location ? [location] : [])]
  return (
    <div className={tall ? css.tall : css.map}>
      <Suspense fallback={<div className={css.waiting} />}>
        <MapView
          label={t('trip_map')}
          markers={markers}
          paths={paths}
          fit={fit}
          padding={{ top: 48, bottom: 40, left: 40, right: 56 }}
        />
      </Suspense>
    </div>
  )
}
