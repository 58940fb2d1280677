import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getDistanceKm } from '~/domain/geo/geo'
import { formatFullName } from '~/domain/accounts/userAccounts'
import { advanceBooking } from '~/src/features/bookings/bookings'
import { availableDrivers, MAX_DRIVERS, liveUsers } from '~/src/features/users/users'
import { ReasonDialog } from '~/src/features/cancellationReasons/ReasonDialog'
import { useAppDispatch } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { SelectInput } from '~/src/ui/controls'
import { useOfficeSession } from '../../useOfficeSession'
import type { Booking } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'

/** Maximum number of free drivers to choose from, the nearest to the pickup. */
const MAX_CHOICES = 20

/** Returns the free drivers of the booking's vehicle type, the nearest to its pickup first. */
const useFreeDrivers = ({ carTypeId, driver, pickup }: Booking) => {
  const { available } = useLive(availableDrivers, { carType: carTypeId, most: MAX_DRIVERS })
  const ids = useMemo(
    () =>
      available
        .filter(({ id }) => id !== driver)
        .map((one) => ({ id: one.id, km: getDistanceKm(one, pickup) }))
        .sort((a, b) => a.km - b.km)
        .slice(0, MAX_CHOICES)
        .map(({ id }) => id),
    [available, driver, pickup],
  )
  const { users: profiles } = useLive(liveUsers, { ids, drivers: true })
  return ids.flatMap((id) => profiles.find((one) => one.id === id) ?? [])
}

/** Chooses the driver who is asked next; empty for no driver in particular. */
const NextDriverField = ({
  booking,
  isAutomatic,
  value,
  onChange,
}: {
  booking: Booking
  isAutomatic: boolean
  value: string
  onChange: (driver: string) => void
}) => {
  const { t } = useTranslation()
  const drivers = useFreeDrivers(booking)
  return (
    <SelectInput
      label={t('release_next')}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    >
      <option value="">{t(isAutomatic ? 'release_next_auto' : 'release_next_none')}</option>
      {drivers.map((one) => (
        <option key={one.id} value={one.id}>
          {[formatFullName(one), one.vehicleNumber].filter(Boolean).join(' · ')}
        </option>
      ))}
    </SelectInput>
  )
}

/** Takes an accepted booking from its driver, with a reason and the driver to ask next. */
export const ReleaseDialog = ({
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
  const [driver, setDriver] = useState('')
  return (
    <ReasonDialog
      title={t('release_booking_title')}
      confirm={t('release_booking')}
      legend={t('release_why')}
      intro={<p>{t('release_booking_text')}</p>}
      onConfirm={async (reason) => {
        const input = { booking_id: booking.id, event: 'release', reason } as const
        await dispatch(advanceBooking.quiet({ ...input, ...(driver && { driver }) })).unwrap()
        notify('booking_released')
      }}
      onClose={onClose}
    >
      <NextDriverField
        booking={booking}
        isAutomatic={settings.autoDispatch === true}
        value={driver}
        onChange={setDriver}
      />
    </ReasonDialog>
  )
}
