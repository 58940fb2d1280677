import type { TFunction } from 'i18next'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getWaitLevel } from '~/domain/dispatch/waitingBookings'
import { MINUTE_MS } from '~/domain/language/timeUnits'
import { getRouteBounds, useRoutePolylines } from '~/src/features/estimates/routePolylines'
import { MapLegend } from '~/src/ui/map/MapLegend'
import type { MapListItem } from '~/src/ui/map/MapList'
import { MapView } from '~/src/ui/map/MapView'
import type { MapBounds, MarkerSpec } from '~/src/ui/map/mapPort'
import { useNow } from '~/src/ui/useNow'
import { formatDriverLabel, getFleetBounds, MAX_SINGLE_MARKERS } from '../driversOnMap'
import { type BoardDriver, DRIVER_STATES, DRIVER_STATE_TEXTS } from './boardDrivers'
import type { Booking } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'
import type { LatLng } from '~/domain/geo/types'

/** Maximum number of drivers in the list beside the map; the board lists all of them. */
const MAX_LISTED = 30

/** Returns the markers of the drivers, by their state; the selected one stands out. */
const toDriverMarkers = (
  drivers: readonly BoardDriver[],
  selected: string | null,
  t: TFunction,
): MarkerSpec[] =>
  drivers.flatMap(({ id, at, name, plate, state }): MarkerSpec[] =>
    at
      ? [
          {
            id,
            position: at,
            kind: 'driver',
            tone: state,
            label: formatDriverLabel(name, plate, t(DRIVER_STATE_TEXTS[state])),
            isActive: id === selected,
          },
        ]
      : [],
  )

/**
 * Returns the markers of the pickups that wait, with the numbers of their rows in the queue. The
 * chosen booking has both of its ends.
 */
const toBookingMarkers = (
  waiting: readonly Booking[],
  urgent: ReadonlySet<string>,
  booking: Booking | null,
): MarkerSpec[] => [
  ...waiting.flatMap(({ id, pickup, pickupAddress }, index): MarkerSpec[] =>
    id === booking?.id
      ? []
      : [
          {
            id,
            position: pickup,
            kind: 'number',
            text: String(index + 1),
            label: `${index + 1} · ${pickupAddress}`,
            ...(urgent.has(id) && { tone: 'urgent' as const }),
          },
        ],
  ),
  ...(booking
    ? [
        {
          id: booking.id,
          position: booking.pickup,
          kind: 'start',
          label: booking.pickupAddress,
        } as const,
        {
          id: `${booking.id} drop`,
          position: booking.drop,
          kind: 'end',
          label: booking.dropAddress,
        } as const,
      ]
    : []),
]

/** Returns the ids of the bookings that wait too long. */
const useUrgentBookings = (
  waiting: readonly Booking[],
  settings: Settings,
): ReadonlySet<string> => {
  const now = useNow(MINUTE_MS)
  return useMemo(() => {
    const isUrgent = (one: Booking) => ['warn', 'alarm'].includes(getWaitLevel(one, settings, now))
    return new Set(waiting.filter(isUrgent).map(({ id }) => id))
  }, [waiting, settings, now])
}

/** Explains the marks of the drivers and of the waiting bookings. */
const BoardLegend = () => {
  const { t } = useTranslation()
  const drivers = DRIVER_STATES.map((mark) => ({ mark, label: t(DRIVER_STATE_TEXTS[mark]) }))
  return <MapLegend entries={[...drivers, { mark: 'waiting', label: t('unassigned') }]} />
}

/** Shows the drivers, the pickups of the waiting bookings, and the route of the chosen booking. */
export const BoardMap = ({
  drivers,
  waiting,
  settings,
  booking,
  selectedDriver,
  onDriver,
  onBooking,
  onBounds,
}: {
  drivers: readonly BoardDriver[]
  waiting: readonly Booking[]
  settings: Settings
  /** The chosen booking. */
  booking: Booking | null
  selectedDriver: string | null
  onDriver: (id: string) => void
  onBooking: (id: string) => void
  onBounds: (bounds: MapBounds) => void
}) => {
  const { t } = useTranslation()
  const polylines = useRoutePolylines(booking, { isLive: false })
  // The positions at the time the list loaded: a map that followed every driver would never stop
  // moving.
  const [fleet, setFleet] = useState<LatLng[] | null>(null)
  if (!fleet && drivers.length > 0) setFleet(getFleetBounds(drivers.flatMap(({ at }) => at ?? [])))
  const urgent = useUrgentBookings(waiting, settings)
  const markers = useMemo(
    () => [
      ...toDriverMarkers(drivers, selectedDriver, t),
      ...toBookingMarkers(waiting, urgent, booking),
    ],
    [drivers, waiting, urgent, booking, selectedDriver, t],
  )
  const list = drivers.slice(0, MAX_LISTED).map(({ id, name, plate, state, at }): MapListItem => ({
    id,
    text: name || plate || id,
    detail: t(DRIVER_STATE_TEXTS[state]),
    ...(at && { position: at }),
  }))
  const fitted = booking ? getRouteBounds(booking, undefined, polylines) : fleet
  return (
    <MapView
      label={t('board_map')}
      markers={markers}
      isClustered={drivers.length > MAX_SINGLE_MARKERS}
      polylines={polylines}
      list={list}
      fitSubject={booking?.id ?? 'fleet'}
      {...(fitted && { fitPositions: fitted })}
      onMarker={(id) => {
        if (drivers.some((driver) => driver.id === id)) onDriver(id)
        else if (waiting.some((one) => one.id === id)) onBooking(id)
      }}
      onBounds={onBounds}
    >
      <BoardLegend />
    </MapView>
  )
}
