import { Suspense, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { decodeRoute } from '~/domain/booking/trip/route'
import { toDistanceUnit } from '~/domain/geo/geo'
import { selectGps } from '~/src/features/gps/gps'
import { useMapPlaces } from '~/src/features/places/mapPlaces'
import { liveSettings } from '~/src/features/settings/settings'
import { useAppSelector } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { useFormat } from '~/src/ui/format/format'
import { lazyWithRetry } from '~/src/ui/loading/lazyWithRetry'
import type { MapListItem } from '~/src/ui/map/MapList'
import type { MarkerSpec, PolylineSpec } from '~/src/ui/map/mapPort'
import type { Turn, RemainingRoute } from './remainingRoute'
import css from './NavigationMap.module.css'
import type { Booking } from '~/domain/booking/types'
import type { LatLng } from '~/domain/geo/types'
import type { Kilometers } from '~/domain/language/units'

const MapView = lazyWithRetry(async () => (await import('~/src/ui/map/MapView')).MapView)

/** Returns a function that describes a turn in words: "Roundabout, exit 2". */
export const useFormatTurn = () => {
  const { t } = useTranslation()
  return ({ maneuver, exit }: Turn): string =>
    exit === undefined ? t(`turn_${maneuver}`) : t('turn_exit', { exit })
}

/** Returns the turns ahead in words. */
const useTurnList = (route: RemainingRoute | null | undefined): MapListItem[] => {
  const format = useFormat()
  const turnText = useFormatTurn()
  const { settings } = useLive(liveSettings)
  const far = (km: Kilometers) => (settings ? format.distance(toDistanceUnit(km, settings)) : '')
  return (route?.turns ?? []).map((turn, index): MapListItem => ({
    id: `turn-${index}`,
    text: turnText(turn),
    detail: [far(turn.km), turn.street].filter(Boolean).join(' · '),
    position: turn.at,
  }))
}

/** Renders a map with the driver, the places of a booking and the route. */
export const NavigationMap = ({
  booking,
  route: remainingRoute,
  to: target,
  size = 'low',
}: {
  booking?: Booking
  route?: RemainingRoute | null | undefined
  /** The driver's next destination, which the map keeps in view with the driver. */
  to?: LatLng | undefined
  /** `full`: as large as the element around it. */
  size?: 'low' | 'tall' | 'full'
}) => {
  const { t } = useTranslation()
  const { location, heading } = useAppSelector(selectGps)
  const places = useMapPlaces()(booking ?? {})
  const turns = useTurnList(remainingRoute)
  const me: MarkerSpec[] = location
    ? [
        {
          id: 'me',
          position: location,
          kind: booking ? 'vehicle' : 'me',
          label: t('you_are_here'),
          ...(heading !== null && { heading }),
        },
      ]
    : []
  const { points, progress } = remainingRoute ?? {}
  const route = booking?.route
  const planned = useMemo(() => decodeRoute({ route }), [route])
  // The route from here is drawn over the route that set the price.
  const paths = useMemo<PolylineSpec[]>(
    () => [
      ...(planned.length > 1
        ? [{ id: 'planned', positions: planned, tone: 'faint' as const }]
        : []),
      ...(points && points.length > 1
        ? [{ id: 'way', positions: points, ...(progress !== undefined && { progress }) }]
        : []),
    ],
    [planned, points, progress],
  )
  const ends = target ? [target] : booking ? [booking.pickup, booking.drop] : []
  const fit = [...ends, ...(location ? [location] : [])]
  return (
    <div className={css[size]}>
      <Suspense fallback={<div className={css.waiting} />}>
        <MapView
          label={t('trip_map')}
          markers={[...places.markers, ...me]}
          list={[...turns, ...places.list]}
          polylines={paths}
          fitPositions={fit}
          padding={{ top: 48, bottom: 40, left: 40, right: 56 }}
        />
      </Suspense>
    </div>
  )
}
