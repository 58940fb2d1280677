import type { TFunction } from 'i18next'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getRouteBounds, useRoutePolylines } from '~/src/features/estimates/routePolylines'
import type { MapListItem } from '~/src/ui/map/MapList'
import { MapView } from '~/src/ui/map/MapView'
import type { MapBounds, MarkerSpec } from '~/src/ui/map/mapPort'
import {
  formatDriverLabel,
  getDriverImage,
  getFleetBounds,
  MAX_SINGLE_MARKERS,
} from '../driversOnMap'
import { type BoardDriver, DRIVER_STATE_TEXTS } from './boardDrivers'
import type { Booking } from '~/domain/booking/types'
import type { LatLng } from '~/domain/geo/types'
import type { VehicleType } from '~/domain/catalog/types'

/** Maximum number of drivers in the list beside the map; the board lists all of them. */
const MAX_LISTED = 30

/** Returns the markers of the drivers; the selected one stands out, busy ones are faint. */
const toDriverMarkers = (
  drivers: readonly BoardDriver[],
  images: ReadonlyMap<string, string | undefined>,
  selected: string | null,
  t: TFunction,
): MarkerSpec[] => [
  ...drivers.flatMap(({ id, at, name, plate, state, carType }): MarkerSpec[] =>
    at
      ? [
          {
            id,
            position: at,
            kind: 'image',
            label: formatDriverLabel(name, plate, t(DRIVER_STATE_TEXTS[state])),
            image: getDriverImage(images, carType),
            isActive: id === selected,
            isFaint: state === 'busy',
          },
        ]
      : [],
  ),
]

/** Returns the markers of the pickups that wait, and of the ends of the chosen booking. */
const toBookingMarkers = (waiting: readonly Booking[], booking: Booking | null): MarkerSpec[] => [
  ...waiting
    .filter(({ id }) => id !== booking?.id)
    .map(({ id, pickup, pickupAddress }): MarkerSpec => ({
      id,
      position: pickup,
      kind: 'stop',
      label: pickupAddress,
    })),
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

/** Shows the drivers, the pickups of the waiting bookings, and the route of the chosen booking. */
export const BoardMap = ({
  drivers,
  cars,
  waiting,
  booking,
  selectedDriver,
  onDriver,
  onBooking,
  onBounds,
}: {
  drivers: readonly BoardDriver[]
  cars: readonly VehicleType[]
  waiting: readonly Booking[]
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
  const images = useMemo(() => new Map(cars.map(({ id, image }) => [id, image])), [cars])
  const markers = useMemo(
    () => [
      ...toDriverMarkers(drivers, images, selectedDriver, t),
      ...toBookingMarkers(waiting, booking),
    ],
    [drivers, waiting, booking, images, selectedDriver, t],
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
    />
  )
}
