import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { getDistanceKm, toDistanceUnit } from '~/domain/geo/geo'
import { getBounds } from '~/domain/geo/polylineGeometry'
import { formatFullName } from '~/domain/accounts/userAccounts'
import { BookingReference } from '~/src/features/bookings/BookingReference'
import { useVehicleTypeName } from '~/src/features/vehicleTypes/useVehicleTypeName'
import { liveVehicleTypes } from '~/src/features/vehicleTypes/vehicleTypes'
import { requestPosition } from '~/src/features/gps/gps'
import { useDirectory } from '~/src/features/users/directory'
import { usePerson } from '~/src/features/users/person'
import { availableDrivers, busyDrivers, MAX_DRIVERS } from '~/src/features/users/users'
import { useAppDispatch } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { screenPaths } from '~/src/store/screenPaths'
import { Button } from '~/src/ui/controls'
import { useFormat } from '~/src/ui/format/format'
import type { MapListItem } from '~/src/ui/map/MapList'
import { MapView } from '~/src/ui/map/MapView'
import type { MarkerSpec } from '~/src/ui/map/mapPort'
import {
  BusyDriverSubscription,
  type DriverOnMap,
  formatDriverLabel,
  getDriverImage,
  getFleetBounds,
  MAX_SINGLE_MARKERS,
  useBusyDriversOnMap,
} from '../driversOnMap'
import { getPersonPath } from '../people/personPaths'
import { PhoneLink } from '../PhoneLink'
import { useOfficeSession } from '../useOfficeSession'
import { useSingleRun } from '~/src/ui/useSingleRun'
import css from './dashboard.module.css'
import type { LatLng } from '~/domain/geo/types'

const INITIAL_ZOOM = 10
/**
 * Maximum number of drivers read when the page opens, enough for a whole city; the others load on
 * request.
 */
const INITIAL_LIMITS = { free: 250, busy: 120 }
/** Maximum number of drivers listed; a longer list is of no use to a reader. */
const MAX_LISTED = 50

/** Requests the browser's position when the person asks for it; null when there is none. */
const useBrowserPosition = () => {
  const dispatch = useAppDispatch()
  const [position, setPosition] = useState<LatLng | null>()
  const { busy, run } = useSingleRun()
  const ask = async () => setPosition(await dispatch(requestPosition()))
  return { position, asking: busy, ask: () => void run(ask) }
}

/** Shows a driver with links to their record, their phone and the booking they carry out. */
const DriverCard = ({
  uid,
  booking,
  onClose,
}: {
  uid: string
  booking: string | undefined
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const { settings } = useOfficeSession()
  const { user } = usePerson(uid)
  if (!user || !settings) return null
  return (
    <div className={css.driverCard}>
      <div>
        <Link to={getPersonPath({ id: uid, usertype: 'driver' })}>
          <bdi>{formatFullName(user)}</bdi>
        </Link>
        <small>
          {[user.vehicleMake, user.vehicleModel, user.vehicleNumber].filter(Boolean).join(' · ')}
        </small>
        <small>
          {t(user.queue ? 'driver_is_busy' : 'driver_is_free')}
          {booking && (
            <>
              {' · '}
              <Link to={screenPaths.booking(booking)}>
                <BookingReference id={booking} />
              </Link>
            </>
          )}
        </small>
        <small>
          <PhoneLink phone={user.mobile} settings={settings} />
        </small>
      </div>
      <Button size="small" onClick={onClose}>
        {t('close')}
      </Button>
    </div>
  )
}

const useMarkers = (drivers: DriverOnMap[]): MarkerSpec[] => {
  const { cars } = useLive(liveVehicleTypes)
  const images = useMemo(() => new Map(cars.map(({ id, image }) => [id, image])), [cars])
  return useMemo(
    () =>
      drivers.map(({ id, at, label, carType }): MarkerSpec => ({
        id,
        position: at,
        kind: 'image',
        label,
        image: getDriverImage(images, carType),
      })),
    [drivers, images],
  )
}

/** Returns the drivers nearest to a place for the list, with the distance to `position`. */
const useNearestList = (
  drivers: DriverOnMap[],
  position: LatLng | null,
  from: LatLng | undefined,
): MapListItem[] => {
  const { t } = useTranslation()
  const { cars } = useLive(liveVehicleTypes)
  const getTypeName = useVehicleTypeName()
  const { settings } = useOfficeSession()
  const format = useFormat()
  const types = useMemo(
    () => new Map(cars.map((car) => [car.id, getTypeName(car)])),
    [cars, getTypeName],
  )
  return useMemo((): MapListItem[] => {
    const nearest = drivers
      .map((driver) => ({ ...driver, km: from ? getDistanceKm(driver.at, from) : 0 }))
      // By half kilometers: rows that change places with every movement can't be read.
      .sort((a, b) => Math.round(a.km * 2) - Math.round(b.km * 2) || (a.id < b.id ? -1 : 1))
      .slice(0, MAX_LISTED)
    const numbers = {
      shown: format.number(nearest.length),
      total: format.number(drivers.length),
    }
    return [
      ...(nearest.length < drivers.length
        ? [{ id: 'nearest', text: t('map_nearest_drivers', numbers) }]
        : []),
      ...nearest.map(({ id, at, label, carType, km }) => ({
        id,
        text: label,
        detail: [
          carType && types.get(carType),
          settings && position && format.distance(toDistanceUnit(km, settings)),
        ]
          .filter(Boolean)
          .join(' · '),
        position: at,
      })),
    ]
  }, [drivers, from, position, types, settings, format, t])
}

const DriversMapView = ({
  drivers,
  position,
  onMore,
}: {
  drivers: DriverOnMap[]
  /** The browser's position; null unless the person asked to see their surroundings. */
  position: LatLng | null
  /** Present when more drivers exist than these. */
  onMore?: () => void
}) => {
  const { t } = useTranslation()
  const [chosenUid, setChosenUid] = useState<string | null>(null)
  // The positions at the time the list loaded: a map that followed every driver would never stop
  // moving.
  const [fitted, setFitted] = useState<{ beside: LatLng | null; corners: LatLng[] } | null>(null)
  const fit = (corners: LatLng[]) => setFitted({ beside: position, corners })
  if (!fitted && !position && drivers.length > 0) fit(getFleetBounds(drivers.map(({ at }) => at)))
  const markers = useMarkers(drivers)
  const from = position ?? fitted?.corners[0]
  const list = useNearestList(drivers, position, from)
  return (
    <div className={css.map}>
      <MapView
        label={t('live_drivers')}
        {...(position && { center: position })}
        zoom={INITIAL_ZOOM}
        markers={markers}
        isClustered={drivers.length > MAX_SINGLE_MARKERS}
        onMarker={setChosenUid}
        list={list}
        {...(fitted?.beside === position && { fitPositions: fitted.corners })}
      >
        {chosenUid ? (
          <DriverCard
            uid={chosenUid}
            booking={drivers.find(({ id }) => id === chosenUid)?.booking}
            onClose={() => setChosenUid(null)}
          />
        ) : (
          drivers.length > 0 && (
            <>
              <Button size="small" onClick={() => fit(getBounds(drivers.map(({ at }) => at)))}>
                {t('show_all_drivers', { count: drivers.length })}
              </Button>
              {onMore && (
                <Button size="small" onClick={onMore}>
                  {t('more_drivers')}
                </Button>
              )}
            </>
          )
        )}
      </MapView>
    </div>
  )
}

/** Shows the free and busy drivers of the platform or of a fleet. */
const ActiveDrivers = ({ position }: { position: LatLng | null }) => {
  const { t } = useTranslation()
  const [isWhole, setWhole] = useState(false)
  const most = isWhole ? { free: MAX_DRIVERS, busy: MAX_DRIVERS } : INITIAL_LIMITS
  const { available } = useLive(availableDrivers, { most: most.free })
  const { busy: onTrip } = useLive(busyDrivers, most.busy)
  const hasMore = !isWhole && (available.length >= most.free || onTrip.length >= most.busy)
  // A driver with a booking is not on the list of available drivers.
  const [busy, onSeen] = useBusyDriversOnMap()
  const { entries } = useDirectory({ usertype: 'driver', size: most.free })
  const drivers = useMemo<DriverOnMap[]>(() => {
    const people = new Map(entries.map((person) => [person.id, person]))
    const describe = (id: string, state: string, name = '') => {
      const person = people.get(id)
      return formatDriverLabel(
        person ? formatFullName(person) : name,
        person?.vehicleNumber,
        t(state),
      )
    }
    return [
      ...available
        .filter(({ id }) => !busy.has(id))
        .map(({ id, lat, lng, carType }) => ({
          id,
          at: { lat, lng },
          label: describe(id, 'driver_is_free'),
          carType,
        })),
      ...[...busy.values()].map((driver) => ({
        ...driver,
        label: describe(driver.id, 'driver_is_busy', driver.label),
      })),
    ]
  }, [available, busy, entries, t])
  return (
    <>
      {onTrip.map((driver) => (
        <BusyDriverSubscription key={driver.id} driver={driver} onSeen={onSeen} />
      ))}
      <DriversMapView
        drivers={drivers}
        position={position}
        {...(hasMore && { onMore: () => setWhole(true) })}
      />
    </>
  )
}

/**
 * Shows the positions of the active approved drivers, live; fleet admins see only their own
 * drivers. The map opens on the drivers. It goes to the browser's position only on request.
 */
export const DriversMap = () => {
  const { t } = useTranslation()
  const { position, asking, ask } = useBrowserPosition()
  return (
    <section className={css.box} aria-labelledby="live-drivers">
      <h2 id="live-drivers">{t('live_drivers')}</h2>
      <ActiveDrivers position={position ?? null} />
      {!position && (
        <div className={css.hint}>
          {position === null && <p role="alert">{t('allow_location')}</p>}
          <Button size="small" busy={asking} onClick={ask}>
            {t('show_my_location')}
          </Button>
        </div>
      )}
    </section>
  )
}
