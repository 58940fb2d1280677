import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getDistanceKm, toDistanceUnit } from '~/domain/geo/geo'
import { formatFullName } from '~/domain/accounts/userAccounts'
import { advanceBooking } from '~/src/features/bookings/bookings'
import { availableDrivers, MAX_DRIVERS, liveUsers } from '~/src/features/users/users'
import { useAppDispatch } from '~/src/store/hooks'
import {
  useBookedVehicleTypeName,
  useVehicleTypeNameById,
} from '~/src/features/vehicleTypes/useVehicleTypeName'
import { useLive } from '~/src/store/live/liveSlice'
import { Button, Checkbox } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/dialogs/Dialog'
import { useShortAddress } from '~/src/ui/format/address'
import { Refusal } from '~/src/ui/forms/Refusal'
import { useSubmission } from '~/src/store/useSubmission'
import { useFormat } from '~/src/ui/format/format'
import { MapView } from '~/src/ui/map/MapView'
import type { MarkerSpec } from '~/src/ui/map/mapPort'
import { EmptyState, Skeleton, SkeletonLines } from '~/src/ui/feedback/states'
import { Rating } from '~/src/ui/format/values'
import { useOfficeSession } from '../../useOfficeSession'
import css from '../bookings.module.css'
import type { AvailableDriver } from '~/domain/dispatch/types'
import type { Booking } from '~/domain/booking/types'
import type { LatLng } from '~/domain/geo/types'
import type { Settings } from '~/domain/catalog/types'
import type { Kilometers } from '~/domain/language/units'

/**
 * Maximum number of drivers that are looked up by name; those farther away cannot help a waiting
 * rider.
 */
const MAX_NEAREST_DRIVERS = 20
/**
 * Maximum number of drivers that the map fits into view; with all of them it would show the city
 * instead of the streets.
 */
const MAX_FITTED_DRIVERS = 5

interface Props {
  driver: AvailableDriver & { id: string }
  /** The distance as formatted text. */
  away: string
  /** The vehicle type, where it is not the booking's. */
  typeName: string | undefined
  busy: boolean
  /** True when the driver is selected on the map. */
  pointed: boolean
  onAssign: () => void
  onPoint: () => void
}

const DriverRow = ({ driver, away, typeName, busy, pointed, onAssign, onPoint }: Props) => {
  const { t } = useTranslation()
  const { users: loadedUsers, loading } = useLive(liveUsers, { ids: [driver.id], drivers: true })
  const [user] = loadedUsers
  const row = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (pointed) row.current?.scrollIntoView({ block: 'nearest' })
  }, [pointed])
  if (loading && !user)
    return (
      <li className={css.driver}>
        <Skeleton height="2.75rem" />
      </li>
    )
  // The driver may have taken a booking or gone off duty since the list was loaded.
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
        <strong>{formatFullName(user)}</strong>
        <small>
          {[typeName, vehicle, user.vehicleNumber].filter(Boolean).join(' · ')}
          {user.ratings?.userrating ? (
            <>
              {' · '}
              <Rating value={user.ratings.userrating} />
            </>
          ) : null}
        </small>
      </div>
      <span className={css.away}>{away}</span>
      <Button
        variant="primary"
        size="small"
        busy={busy}
        onClick={onAssign}
        aria-label={t('assign_to', { name: formatFullName(user) })}
      >
        {t('assign')}
      </Button>
    </li>
  )
}

interface Candidate {
  driver: AvailableDriver & { id: string }
  km: Kilometers
}

/** Returns the free drivers of the booking's vehicle type or of all types, nearest first. */
const useNearestDrivers = ({ carTypeId, pickup }: Booking, hasAllTypes: boolean) => {
  const { available, loading } = useLive(availableDrivers, {
    ...(!hasAllTypes && { carType: carTypeId }),
    most: MAX_DRIVERS,
  })
  const nearest = useMemo(
    () =>
      available
        .map((driver) => ({ driver, km: getDistanceKm(driver, pickup) }))
        .sort((a, b) => a.km - b.km)
        .slice(0, MAX_NEAREST_DRIVERS),
    [available, pickup],
  )
  return { nearest, loading }
}

/** Shows the pickup and the drivers on the map; `pointed` is the driver who stands out. */
const NearbyMap = ({
  booking: { pickup, pickupAddress },
  nearest,
  settings,
  pointed,
  onPoint,
}: {
  booking: Booking
  nearest: readonly Candidate[]
  settings: Settings
  pointed: string | null
  onPoint: (id: string) => void
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  const markers = useMemo(
    (): MarkerSpec[] => [
      { id: 'pickup', position: pickup, kind: 'start', label: pickupAddress },
      ...nearest.map(({ driver: { id, lat, lng }, km }): MarkerSpec => ({
        id,
        position: { lat, lng },
        kind: 'vehicle',
        label: format.distance(toDistanceUnit(km, settings)),
        isActive: id === pointed,
      })),
    ],
    [nearest, pickup, pickupAddress, pointed, format, settings],
  )
  // The positions at the time the list loaded: a map that followed every driver would never stop
  // moving.
  const [fit, setFit] = useState<LatLng[] | null>(null)
  if (!fit && nearest.length > 0)
    setFit([pickup, ...nearest.slice(0, MAX_FITTED_DRIVERS).map(({ driver }) => driver)])
  return (
    <div className={css.nearby}>
      <MapView
        label={t('assign_map')}
        markers={markers}
        {...(fit && { fitPositions: fit })}
        onMarker={(id) => id !== 'pickup' && onPoint(id)}
      />
    </div>
  )
}

/** Shows the drivers on the map and in a list; the chosen one gets an offer. */
const NearestDrivers = ({
  booking,
  settings,
  nearest,
  askedId,
  onAssign,
}: {
  booking: Booking
  settings: Settings
  nearest: readonly Candidate[]
  /** The driver whose offer is being sent. */
  askedId: string | null
  onAssign: (driver: Candidate['driver']) => void
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  const findTypeName = useVehicleTypeNameById()
  const [pointed, setPointed] = useState<string | null>(null)
  return (
    <>
      <NearbyMap {...{ booking, nearest, settings, pointed }} onPoint={setPointed} />
      <ul role="list" className={css.drivers} aria-label={t('assign_title')}>
        {nearest.map(({ driver, km }) => (
          <DriverRow
            key={driver.id}
            driver={driver}
            typeName={
              driver.carType === booking.carTypeId ? undefined : findTypeName(driver.carType)
            }
            away={format.distance(toDistanceUnit(km, settings))}
            busy={askedId === driver.id}
            pointed={pointed === driver.id}
            onAssign={() => onAssign(driver)}
            onPoint={() => setPointed(driver.id)}
          />
        ))}
      </ul>
    </>
  )
}

/**
 * Lists free drivers of the booking's vehicle type, nearest first, and of all types when the office
 * insists; choosing one sends them an offer.
 */
export const AssignDriverDialog = ({
  booking,
  settings,
  onClose,
}: {
  booking: Booking
  settings: Settings
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { notify } = useOfficeSession()
  const getTypeName = useBookedVehicleTypeName()
  const shorten = useShortAddress()
  const [hasAllTypes, setAllTypes] = useState(false)
  const { nearest, loading } = useNearestDrivers(booking, hasAllTypes)
  const [asking, setAsking] = useState<string | null>(null)
  const { busy, refused, submit } = useSubmission()
  const assign = async ({ id: driver, carType }: Candidate['driver']) => {
    setAsking(driver)
    const isInsisted = carType !== booking.carTypeId
    const assignment = {
      ...({ booking_id: booking.id, event: 'assign', driver } as const),
      ...(isInsisted && { override: true as const }),
    }
    if (!(await submit(() => dispatch(advanceBooking.quiet(assignment)).unwrap()))) return
    notify('driver_assigned_alert')
    onClose()
  }
  return (
    <Dialog title={t('assign_title')} onClose={onClose}>
      <p className={css.muted}>
        {t('assign_lead', { carType: getTypeName(booking), place: shorten(booking.pickupAddress) })}
      </p>
      <Checkbox
        label={t('assign_all_types')}
        checked={hasAllTypes}
        onChange={({ target }) => setAllTypes(target.checked)}
      />
      <Refusal error={refused} />
      {loading && nearest.length === 0 ? (
        <SkeletonLines lines={4} />
      ) : nearest.length === 0 ? (
        <EmptyState title={t('assign_nobody')}>{t('assign_nobody_hint')}</EmptyState>
      ) : (
        <NearestDrivers
          {...{ booking, settings, nearest }}
          askedId={busy ? asking : null}
          onAssign={(driver) => void assign(driver)}
        />
      )}
    </Dialog>
  )
}
