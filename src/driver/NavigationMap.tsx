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

/** Returns the marker of this driver, once their position is known. */
const useOwnMarker = (kind: 'vehicle' | 'me'): MarkerSpec[] => {
  const { t } = useTranslation()
  const { location, heading } = useAppSelector(selectGps)
  if (!location) return []
  return [
    {
      id: 'me',
      position: location,
      kind,
      label: t('you_are_here'),
      ...(heading !== null && { heading }),
    },
  ]
}

/** Pixels that stay free of the route: the controls of a map cover its upper corners. */
const PADDING = { top: 48, bottom: 40, left: 40, right: 56 }
const PREVIEW_PADDING = { top: 40, bottom: 36, left: 24, right: 24 }

/** Renders a map with the driver, the places of a booking and the route. */
export const NavigationMap = ({
  booking,
  route: remainingRoute,
  to: target,
  size,
}: {
  booking?: Booking
  route?: RemainingRoute | null | undefined
  /** The driver's next destination, which the map keeps in view with the driver. */
  to?: LatLng | undefined
  /**
   * `full`: as large as the element around it. `preview`: a picture beside the places in words, so
   * that nothing on it takes a tap.
   */
  size: 'preview' | 'tall' | 'full'
}) => {
  const { t } = useTranslation()
  const isPreview = size === 'preview'
  const { location } = useAppSelector(selectGps)
  const me = useOwnMarker(booking ? 'vehicle' : 'me')
  const places = useMapPlaces()(booking ?? {})
  const turns = useTurnList(remainingRoute)
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
          list={isPreview ? [] : [...turns, ...places.list]}
          isInteractive={!isPreview}
          polylines={paths}
          fitPositions={fit}
          padding={isPreview ? PREVIEW_PADDING : PADDING}
        />
      </Suspense>
    </div>
  )
}
