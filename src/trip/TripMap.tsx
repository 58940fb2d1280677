import { lazy, Suspense, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Booking, LatLng } from '~/domain/entities'
import { toUnit } from '~/domain/geo'
import { selectGps } from '~/src/features/gps/gps'
import { settings as liveSettings } from '~/src/features/settings/settings'
import { useAppSelector } from '~/src/store/hooks'
import { useLive } from '~/src/store/liveSlice'
import { useFormat } from '~/src/ui/format'
import type { MapListItem } from '~/src/ui/map/MapView'
import type { MarkerSpec, PathSpec } from '~/src/ui/map/port'
import type { Turn, Way } from './way'
import css from './TripMap.module.css'

const MapView = lazy(async () => ({ default: (await import('~/src/ui/map/MapView')).MapView }))

/** What a turn asks for, in words: "Roundabout, exit 2". */
export const useTurnText = () => {
  const { t } = useTranslation()
  return ({ maneuver, exit }: Turn): string =>
    exit === undefined ? t(`turn_${maneuver}`) : t('turn_exit', { exit })
}

/** The same in words: the turns that are still ahead, then the ends of the booking. */
const useList = (booking: Booking | undefined, way: Way | null | undefined): MapListItem[] => {
  const { t } = useTranslation()
  const format = useFormat()
  const turnText = useTurnText()
  const { settings } = useLive(liveSettings)
  const far = (km: number) => (settings ? format.distance(toUnit(km, settings)) : '')
  const { pickup, drop, waypoints = [] } = booking ?? {}
  const places = [
    ...(pickup ? [{ id: 'pickup', name: t('pickup'), at: pickup }] : []),
    ...waypoints.map((at, index) => ({ id: `stop-${index}`, name: t('stop'), at })),
    ...(drop ? [{ id: 'drop', name: t('drop'), at: drop }] : []),
  ]
  return [
    ...(way?.turns ?? []).map((turn, index) => ({
      id: `turn-${index}`,
      text: turnText(turn),
      detail: [far(turn.km), turn.street].filter(Boolean).join(' · '),
      at: turn.at,
    })),
    ...places.map(({ id, name, at }) => ({ id, text: at.add, detail: name, at })),
  ]
}

/** The driver himself, the ends of a booking, and the way he takes. */
export const TripMap = ({
  booking,
  way,
  to,
  tall,
}: {
  booking?: Booking
  way?: Way | null | undefined
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
  const list = useList(booking, way)
  const { points, progress } = way ?? {}
  const paths = useMemo<PathSpec[]>(
    () =>
      points && points.length > 1
        ? [{ id: 'way', points, ...(progress !== undefined && { progress }) }]
        : [],
    [points, progress],
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
          {...(list.length > 0 && { list })}
          padding={{ top: 48, bottom: 40, left: 40, right: 56 }}
        />
      </Suspense>
    </div>
  )
}
