import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { BusyDriver, LatLng } from '~/domain/entities'
import { distanceKm, toUnit } from '~/domain/geo'
import { fullName } from '~/domain/people'
import { carTypes } from '~/src/features/carTypes/carTypes'
import { findPosition } from '~/src/features/gps/gps'
import {
  availableDrivers,
  busyDrivers,
  driverLocation,
  MOST_DRIVERS,
  user as liveUser,
} from '~/src/features/users/users'
import { useAppDispatch } from '~/src/store/hooks'
import { useLive } from '~/src/store/liveSlice'
import { Button } from '~/src/ui/controls'
import { useFormat } from '~/src/ui/format'
import type { MapListItem } from '~/src/ui/map/MapList'
import { MapView } from '~/src/ui/map/MapView'
import type { MarkerSpec } from '~/src/ui/map/port'
import { EmptyState, Skeleton } from '~/src/ui/states'
import { useOffice } from '../useOffice'
import css from './dashboard.module.css'

const ZOOM = 10
/** So many are read when the page opens, which is a whole city's worth; the others when somebody asks. */
const AT_FIRST = { free: 250, busy: 120 }
const ICON = { width: 35, height: 25 }
/** As many as somebody reads. */
const MOST_LISTED = 50
const DEFAULT_ICON = '/images/cars/economy.svg'

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

/** Tells where one driver with a booking on hand is. */
const OnTrip = ({
  driver: { id, name, carType },
  onSeen,
}: {
  driver: BusyDriver & { id: string }
  onSeen: (seen: Seen | null, uid: string) => void
}) => {
  const { location } = useLive(driverLocation, id)
  const { lat, lng } = location ?? {}
  useEffect(() => {
    if (lat === undefined || lng === undefined) return
    onSeen({ id, at: { lat, lng }, label: name, carType }, id)
  }, [id, lat, lng, name, carType, onSeen])
  useEffect(() => () => onSeen(null, id), [id, onSeen])
  return null
}

/** Moves of many drivers reach the map together, this often. */
const GATHER_MS = 200

/** Where drivers are, as they are told of one by one. */
const useSeen = (): [ReadonlyMap<string, Seen>, (seen: Seen | null, uid: string) => void] => {
  const [shown, setShown] = useState<ReadonlyMap<string, Seen>>(new Map())
  const told = useRef({ seen: new Map<string, Seen>(), timer: undefined as Timer | undefined })
  const onSeen = useCallback((seen: Seen | null, uid: string) => {
    const now = told.current
    if (seen) now.seen.set(uid, seen)
    else now.seen.delete(uid)
    now.timer ??= setTimeout(() => {
      now.timer = undefined
      setShown(new Map(now.seen))
    }, GATHER_MS)
  }, [])
  useEffect(() => {
    const { current } = told
    return () => {
      clearTimeout(current.timer)
      current.timer = undefined
    }
  }, [])
  return [shown, onSeen]
}
type Timer = ReturnType<typeof setTimeout>

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

const Shown = ({
  drivers,
  position,
  onMore,
}: {
  drivers: Seen[]
  position: LatLng
  /** Present: there are more than these. */
  onMore?: () => void
}) => {
  const { t } = useTranslation()
  const { cars } = useLive(carTypes)
  const [chosen, setChosen] = useState<string | null>(null)
  const [fitted, setFitted] = useState<LatLng[] | null>(null)
  const { settings } = useOffice()
  const format = useFormat()
  const types = useMemo(() => new Map(cars.map((car) => [car.id, car])), [cars])
  const markers = useMemo(
    () =>
      drivers.map(({ id, at, label, carType }): MarkerSpec => ({
        id,
        at,
        kind: 'image',
        label,
        image: { url: types.get(carType ?? '')?.image || DEFAULT_ICON, ...ICON },
      })),
    [drivers, types],
  )
  const list = useMemo((): MapListItem[] => {
    const nearest = drivers
      .map((driver) => ({ ...driver, km: distanceKm(driver.at, position) }))
      // By half kilometres: a list whose lines change places with every move can't be read.
      .sort((a, b) => Math.round(a.km * 2) - Math.round(b.km * 2) || (a.id < b.id ? -1 : 1))
      .slice(0, MOST_LISTED)
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
        detail: [types.get(carType ?? '')?.name, settings && format.distance(toUnit(km, settings))]
          .filter(Boolean)
          .join(' · '),
        at,
      })),
    ]
  }, [drivers, position, types, settings, format, t])
  return (
    <div className={css.map}>
      <MapView
        label={t('live_drivers')}
        center={position}
        zoom={ZOOM}
        markers={markers}
        clustered={drivers.length > 60}
        onMarker={setChosen}
        list={list}
        {...(fitted && { fit: fitted })}
      >
        {chosen ? (
          <DriverCard uid={chosen} onClose={() => setChosen(null)} />
        ) : (
          drivers.length > 0 && (
            <>
              <Button size="small" onClick={() => setFitted(drivers.map(({ at }) => at))}>
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

/** Free ones and those on a trip: of the platform, or of a fleet. */
const ActiveDrivers = ({ position }: { position: LatLng }) => {
  const { t } = useTranslation()
  const [isWhole, setWhole] = useState(false)
  const most = isWhole ? { free: MOST_DRIVERS, busy: MOST_DRIVERS } : AT_FIRST
  const { available } = useLive(availableDrivers, { most: most.free })
  const { busy: onTrip } = useLive(busyDrivers, most.busy)
  const hasMore = !isWhole && (available.length >= most.free || onTrip.length >= most.busy)
  // With a booking on hand a driver is not on the list of free ones.
  const [busy, onSeen] = useSeen()
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
      {onTrip.map((driver) => (
        <OnTrip key={driver.id} driver={driver} onSeen={onSeen} />
      ))}
      <Shown
        drivers={drivers}
        position={position}
        {...(hasMore && { onMore: () => setWhole(true) })}
      />
    </>
  )
}

/** Where the active approved drivers are, live; a fleet admin sees his own. It needs the browser's place. */
export const DriversMap = () => {
  const { t } = useTranslation()
  const { position, asking, ask } = usePosition()
  return (
    <section className={css.box} aria-labelledby="live-drivers">
      <h2 id="live-drivers">{t('live_drivers')}</h2>
      {position ? (
        <ActiveDrivers position={position} />
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
