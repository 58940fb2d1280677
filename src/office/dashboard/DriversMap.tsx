import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Booking, LatLng, Status } from '~/domain/entities'
import { fullName } from '~/domain/people'
import { bookings as liveBookings } from '~/src/features/bookings/bookings'
import { carTypes } from '~/src/features/carTypes/carTypes'
import { findPosition } from '~/src/features/gps/gps'
import {
  availableDrivers,
  driverLocation,
  user as liveUser,
  users,
} from '~/src/features/users/users'
import { useAppDispatch } from '~/src/store/hooks'
import { useLive } from '~/src/store/liveSlice'
import { Button } from '~/src/ui/controls'
import { MapView } from '~/src/ui/map/MapView'
import type { MarkerSpec } from '~/src/ui/map/port'
import { EmptyState, Skeleton } from '~/src/ui/states'
import { useOffice } from '../useOffice'
import css from './dashboard.module.css'

const ZOOM = 10
const ICON = { width: 35, height: 25 }
const DEFAULT_ICON = '/images/cars/economy.svg'
/** With a booking on hand a driver is not on the list of free ones. */
const ON_TRIP: readonly Status[] = ['ACCEPTED', 'ARRIVED', 'STARTED', 'REACHED']

interface Seen {
  id: string
  at: LatLng
  label: string
  carType?: string | undefined
}

/** Asks the browser once where it is. */
const usePosition = (): { position: LatLng | null; asking: boolean; ask: () => void } => {
  const dispatch = useAppDispatch()
  const [position, setPosition] = useState<LatLng | null>(null)
  const [asking, setAsking] = useState(true)
  const [round, setRound] = useState(0)
  useEffect(() => {
    let wanted = true
    void dispatch(findPosition()).then((found) => {
      if (!wanted) return
      setPosition(found)
      setAsking(false)
    })
    return () => {
      wanted = false
    }
  }, [dispatch, round])
  return {
    position,
    asking,
    ask: () => {
      setAsking(true)
      setRound(round + 1)
    },
  }
}

/** Tells where the driver of one running booking is. */
const OnTrip = ({
  booking,
  onSeen,
}: {
  booking: Booking
  onSeen: (seen: Seen | null, uid: string) => void
}) => {
  const uid = booking.driver ?? ''
  const { location } = useLive(driverLocation, uid || null)
  const { lat, lng } = location ?? {}
  const { driver_name: name = '', carTypeId } = booking
  useEffect(() => {
    if (lat === undefined || lng === undefined) return
    onSeen({ id: uid, at: { lat, lng }, label: name, carType: carTypeId }, uid)
    return () => onSeen(null, uid)
  }, [uid, lat, lng, name, carTypeId, onSeen])
  return null
}

const Running = ({
  status,
  onSeen,
}: {
  status: Status
  onSeen: (seen: Seen | null, uid: string) => void
}) => {
  const { bookings } = useLive(liveBookings, { status, size: 100 })
  return bookings.map((booking) => <OnTrip key={booking.id} booking={booking} onSeen={onSeen} />)
}

const DriverCard = ({ uid, onClose }: { uid: string; onClose: () => void }) => {
  const { t } = useTranslation()
  const { user } = useLive(liveUser, uid)
  if (!user) return null
  return (
    <div className={css.driverCard}>
      <div>
        <strong>{fullName(user)}</strong>
        <small>
          {[user.vehicleMake, user.vehicleModel, user.vehicleNumber].filter(Boolean).join(' · ')}
        </small>
        <small>{t(user.queue ? 'driver_is_busy' : 'driver_is_free')}</small>
      </div>
      <Button size="small" onClick={onClose}>
        {t('close')}
      </Button>
    </div>
  )
}

const Shown = ({ drivers, position }: { drivers: Seen[]; position: LatLng }) => {
  const { t } = useTranslation()
  const { cars } = useLive(carTypes)
  const [chosen, setChosen] = useState<string | null>(null)
  const [fitted, setFitted] = useState<LatLng[] | null>(null)
  const images = useMemo(() => new Map(cars.map(({ id, image }) => [id, image])), [cars])
  const markers = useMemo(
    () =>
      drivers.map(({ id, at, label, carType }): MarkerSpec => ({
        id,
        at,
        kind: 'image',
        label,
        image: { url: images.get(carType ?? '') || DEFAULT_ICON, ...ICON },
      })),
    [drivers, images],
  )
  return (
    <div className={css.map}>
      <MapView
        label={t('live_drivers')}
        center={position}
        zoom={ZOOM}
        markers={markers}
        clustered={drivers.length > 200}
        onMarker={setChosen}
        {...(fitted && { fit: fitted })}
      >
        {chosen ? (
          <DriverCard uid={chosen} onClose={() => setChosen(null)} />
        ) : (
          drivers.length > 0 && (
            <Button size="small" onClick={() => setFitted(drivers.map(({ at }) => at))}>
              {t('show_all_drivers', { count: drivers.length })}
            </Button>
          )
        )}
      </MapView>
    </div>
  )
}

const PlatformDrivers = ({ position }: { position: LatLng }) => {
  const { t } = useTranslation()
  const { available } = useLive(availableDrivers, null)
  const [busy, setBusy] = useState<ReadonlyMap<string, Seen>>(new Map())
  const [onSeen] = useState(() => (seen: Seen | null, uid: string) => {
    setBusy((before) => {
      const after = new Map(before)
      if (seen) after.set(uid, seen)
      else after.delete(uid)
      return after
    })
  })
  const drivers = useMemo<Seen[]>(
    () => [
      ...available
        .filter(({ id }) => !busy.has(id))
        .map(({ id, lat, lng, carType }) => ({
          id,
          at: { lat, lng },
          label: t('driver_is_free'),
          carType,
        })),
      ...busy.values(),
    ],
    [available, busy, t],
  )
  return (
    <>
      {ON_TRIP.map((status) => (
        <Running key={status} status={status} onSeen={onSeen} />
      ))}
      <Shown drivers={drivers} position={position} />
    </>
  )
}

const FleetDrivers = ({ position }: { position: LatLng }) => {
  const { users: own } = useLive(users, { usertype: 'driver', size: 500 })
  const drivers = useMemo(
    () =>
      own.flatMap((driver): Seen[] =>
        driver.usertype === 'driver' &&
        driver.approved &&
        driver.driverActiveStatus === true &&
        driver.location
          ? [
              {
                id: driver.id,
                at: driver.location,
                label: fullName(driver),
                carType: driver.carType,
              },
            ]
          : [],
      ),
    [own],
  )
  return <Shown drivers={drivers} position={position} />
}

/** Where the active approved drivers are, live; a fleet admin sees his own. It needs the browser's place. */
export const DriversMap = () => {
  const { t } = useTranslation()
  const { isAdmin } = useOffice()
  const { position, asking, ask } = usePosition()
  return (
    <section className={css.box} aria-labelledby="live-drivers">
      <h2 id="live-drivers">{t('live_drivers')}</h2>
      {position ? (
        isAdmin ? (
          <PlatformDrivers position={position} />
        ) : (
          <FleetDrivers position={position} />
        )
      ) : asking ? (
        <Skeleton height="24rem" />
      ) : (
        <EmptyState
          title={t('allow_location')}
          action={<Button onClick={ask}>{t('try_again')}</Button>}
        />
      )}
    </section>
  )
}
