import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { countPassedStops, getShownStops } from '~/src/features/bookings/stops/shownStops'
import { getRouteBounds, useRoutePolylines } from '~/src/features/estimates/routePolylines'
import { useMapPlaces } from '~/src/features/places/mapPlaces'
import { liveSettings } from '~/src/features/settings/settings'
import { MissingPosition } from '~/src/features/tracking/MissingPosition'
import { getDrivenPart, lastPosition, liveTrack } from '~/src/features/tracking/tracking'
import { useLive } from '~/src/store/live/liveSlice'
import type { MapExpansion } from '~/src/ui/map/MapControls'
import { MapLegend } from '~/src/ui/map/MapLegend'
import { MapView } from '~/src/ui/map/MapView'
import { TRACKED_STATUSES, type Booking } from '~/domain/booking/types'

/** Pixels that the controls cover at the edges of a map over the whole screen. */
const WHOLE_SCREEN_PADDING = { top: 72, right: 72, bottom: 128, left: 24 }

const isMoving = (status: Booking['status']) =>
  (TRACKED_STATUSES as readonly string[]).includes(status)

/** Draws a booking's places, its route, its track, and the vehicle during the trip. */
export const BookingMap = ({
  booking,
  label,
  isTrackLive = false,
  expansion = null,
  children,
}: {
  booking: Booking
  label: string
  /** Draws the track, also after the trip. Only the office may read it; others see the car. */
  isTrackLive?: boolean
  expansion?: MapExpansion | null
  /** Content over the bottom of the map. */
  children?: ReactNode
}) => {
  const { t } = useTranslation()
  const placesOnMap = useMapPlaces()
  const moving = isMoving(booking.status)
  const { settings } = useLive(liveSettings)
  const isPositionEnough = moving && !isTrackLive
  const last = useLive(lastPosition, isPositionEnough ? booking.id : null)
  const track = useLive(liveTrack, isTrackLive && booking.driver ? booking.id : null)
  const { pickup, drop, waypoints = [] } = booking
  const current = isPositionEnough ? last.coords[0] : track.trail.at(-1)
  const { loading } = isPositionEnough ? last : track
  const car = moving ? current : undefined
  const driven = getDrivenPart(track.trail)
  const passedStops = countPassedStops(getShownStops(booking))
  const paths = useRoutePolylines(
    { ...booking, passedStops },
    { car, driven, isLive: settings?.showLiveRoute === true },
  )
  return (
    <MapView
      label={label}
      {...placesOnMap({
        pickup,
        drop,
        waypoints,
        car: car && { at: car, driver: booking.driver_name },
      })}
      polylines={paths}
      fitPositions={getRouteBounds(booking, car, paths)}
      expansion={expansion}
      {...(expansion?.isWhole && { padding: WHOLE_SCREEN_PADDING })}
    >
      {children}
      {driven.length > 1 && !car && (
        <MapLegend
          entries={[
            { mark: 'planned', label: t('route_planned') },
            { mark: 'driven', label: t('route_driven') },
          ]}
        />
      )}
      {moving && !loading && !car && <MissingPosition />}
    </MapView>
  )
}
