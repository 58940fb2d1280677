import { lazy, Suspense, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Booking, LatLng } from '~/domain/entities'
import { toUnit } from '~/domain/geo'
import { selectGps } from '~/src/features/gps/gps'
import { usePlacesOnMap } from '~/src/features/places/placesOnMap'
import { settings as liveSettings } from '~/src/features/settings/settings'
import { useAppSelector } from '~/src/store/hooks'
import { useLive } from '~/src/store/liveSlice'
import { useFormat } from '~/src/ui/format'
import type { MapListItem } from '~/src/ui/map/MapList'
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

/** The turns that are still ahead, in words. */
const useTurnList = (way: Way | null | undefined): MapListItem[] => {
  const format = useFormat()
  const turnText = useTurnText()
  const { settings } = useLive(liveSettings)
  const far = (km: number) => (settings ? format.distance(toUnit(km, settings)) : '')
  return (way?.turns ?? []).map((turn, index) => ({
    id: `turn-${index}`,
    text: turnText(turn),
    detail: [far(turn.km), turn.street].filter(Boolean).join(' · '),
    at: turn.at,
  }))
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
  const places = usePlacesOnMap()(booking ?? {})
  const turns = useTurnList(way)
  const me: MarkerSpec[] = location
    ? [
        {
          id: 'me',
          at: location,
          kind: booking ? 'vehicle' : 'me',
          label: t('you_are_here'),
          ...(heading !== null && { heading }),
        },
      ]
    : []
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
          markers={[...places.markers, ...me]}
          list={[...turns, ...places.list]}
          paths={paths}
          fit={fit}
          padding={{ top: 48, bottom: 40, left: 40, right: 56 }}
        />
      </Suspense>
    </div>
  )
}
