import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AvailableDriver, Booking, LatLng, Settings } from '~/domain/entities'
import type { Refusal } from '~/domain/errors'
import { distanceKm, toUnit } from '~/domain/geo'
import { fullName } from '~/domain/people'
import { advanceBooking } from '~/src/features/bookings/bookings'
import { availableDrivers, MOST_DRIVERS, users } from '~/src/features/users/users'
import { useAppDispatch } from '~/src/store/hooks'
import { useLive } from '~/src/store/liveSlice'
import { Button } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/Dialog'
import { useFormat } from '~/src/ui/format'
import { Icon } from '~/src/ui/Icon'
import { MapView } from '~/src/ui/map/MapView'
import type { MarkerSpec } from '~/src/ui/map/port'
import { EmptyState, Skeleton, SkeletonLines } from '~/src/ui/states'
import { useOffice } from '../useOffice'
import css from './bookings.module.css'

/** So many are looked up by name; farther ones are no help to a rider who waits. */
const NEAREST = 20
/** So many of them the map keeps in sight: all of them would show the city and not the streets. */
const IN_SIGHT = 5

const DriverRow = ({
  driver,
  away,
  busy,
  pointed,
  onAssign,
  onPoint,
}: {
  driver: AvailableDriver & { id: string }
  /** Already in words. */
  away: string
  busy: boolean
  /** Chosen on the map. */
  pointed: boolean
  onAssign: () => void
  onPoint: () => void
}) => {
  const { t } = useTranslation()
  const { users: found, loading } = useLive(users, { ids: [driver.id], drivers: true })
  const [user] = found
  const row = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (pointed) row.current?.scrollIntoView?.({ block: 'nearest' })
  }, [pointed])
  if (loading && !user)
    return (
      <li className={css.driver}>
        <Skeleton height="2.75rem" />
      </li>
    )
  // He may have been taken, or gone off duty, since the list was made.
  if (!user?.approved || user.driverActiveStatus !== true || user.queue === true) return null
  const vehicle = [user.vehicleMake, user.vehicleModel].filter(Boolean).join(' ')
  return (
    <li
      ref={row}
      className={css.driver}
      data-pointed={pointed || undefined}
      onPointerEnter={onPoint}
      onFocus={onPoint}
    >
      <div>
        <strong>{fullName(user)}</strong>
        <small>
          {[vehicle, user.vehicleNumber].filter(Boolean).join(' · ')}
          {user.ratings?.userrating ? ` · ★ ${user.ratings.userrating}` : ''}
        </small>
      </div>
      <span className={css.away}>{away}</span>
      <Button
        look="primary"
        size="small"
        busy={busy}
        onClick={onAssign}
        aria-label={t('assign_to', { name: fullName(user) })}
      >
        {t('assign')}
      </Button>
    </li>
  )
}

/** Free drivers of the booking's car type, the nearest first; choosing one asks him. */
export const AssignDialog = ({
  booking,
  settings,
  onClose,
}: {
  booking: Booking
  settings: Settings
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  const dispatch = useAppDispatch()
  const { say } = useOffice()
  const { available, loading } = useLive(availableDrivers, {
    carType: booking.carTypeId,
    most: MOST_DRIVERS,
  })
  const [asking, setAsking] = useState<string | null>(null)
  const [refused, setRefused] = useState<Refusal | null>(null)
  const [pointed, setPointed] = useState<string | null>(null)
  const { pickup, pickupAddress } = booking
  const nearest = useMemo(
    () =>
      available
        .map((driver) => ({ driver, km: distanceKm(driver, pickup) }))
        .sort((a, b) => a.km - b.km)
        .slice(0, NEAREST),
    [available, pickup],
  )
  const markers = useMemo(
    (): MarkerSpec[] => [
      { id: 'pickup', at: pickup, kind: 'start', label: pickupAddress },
      ...nearest.map(({ driver: { id, lat, lng }, km }): MarkerSpec => ({
        id,
        at: { lat, lng },
        kind: 'vehicle',
        label: format.distance(toUnit(km, settings)),
        active: id === pointed,
      })),
    ],
    [nearest, pickup, pickupAddress, pointed, format, settings],
  )
  // As they stood when the list came: a map that follows everybody never comes to rest.
  const [fit, setFit] = useState<LatLng[] | null>(null)
  if (!fit && nearest.length > 0)
    setFit([pickup, ...nearest.slice(0, IN_SIGHT).map(({ driver }) => driver)])
  const assign = async (driver: string) => {
    setAsking(driver)
    setRefused(null)
    try {
      await dispatch(
        advanceBooking({ booking_id: booking.id, event: 'assign', driver, quiet: true }),
      ).unwrap()
      say('driver_assigned_alert')
      onClose()
    } catch (error) {
      setRefused(error as Refusal)
      setAsking(null)
    }
  }
  return (
    <Dialog title={t('assign_title')} onClose={onClose}>
      <p className={css.muted}>
        {t('assign_lead', { carType: booking.carType, place: booking.pickupAddress })}
      </p>
      {refused && (
        <p role="alert" className={css.refused}>
          <Icon name="warning" size={18} />
          {t(refused.key, refused.params ?? {})}
        </p>
      )}
      {loading && nearest.length === 0 ? (
        <SkeletonLines lines={4} />
      ) : nearest.length === 0 ? (
        <EmptyState title={t('assign_nobody')}>{t('assign_nobody_hint')}</EmptyState>
      ) : (
        <>
          <div className={css.nearby}>
            <MapView
              label={t('assign_map')}
              markers={markers}
              {...(fit && { fit })}
              onMarker={(id) => id !== 'pickup' && setPointed(id)}
            />
          </div>
          <ul role="list" className={css.drivers} aria-label={t('assign_title')}>
            {nearest.map(({ driver, km }) => (
              <DriverRow
                key={driver.id}
                driver={driver}
                away={format.distance(toUnit(km, settings))}
                busy={asking === driver.id}
                pointed={pointed === driver.id}
                onAssign={() => void assign(driver.id)}
                onPoint={() => setPointed(driver.id)}
              />
            ))}
          </ul>
        </>
      )}
    </Dialog>
  )
}
