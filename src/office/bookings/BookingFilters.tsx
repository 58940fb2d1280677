import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import type { BookingFilter } from '~/domain/booking/search/bookingFilter'
import { useVehicleTypeName } from '~/src/features/vehicleTypes/useVehicleTypeName'
import { liveVehicleTypes } from '~/src/features/vehicleTypes/vehicleTypes'
import { type DirectoryPerson, liveUsers } from '~/src/features/users/users'
import { useLive } from '~/src/store/live/liveSlice'
import { Button, SelectInput, TextInput } from '~/src/ui/controls'
import { useFormat } from '~/src/ui/format/format'
import { Icon } from '~/src/ui/Icon'
import { addDays, getDayStart, getDayNoon } from '../dates'
import { PersonName } from '../people/PersonName'
import { UserPicker } from '../people/UserPicker'
import { useOfficeSession } from '../useOfficeSession'
import css from './bookings.module.css'
import { STATUSES, type Status } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'

type FilterName = 'status' | 'customer' | 'driver' | 'car' | 'from' | 'until'
const PANEL_FILTERS = ['from', 'until', 'car', 'customer', 'driver'] as const
const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))
const isId = (text: string) => /^[A-Za-z0-9_-]{1,128}$/.test(text)

interface UrlFilters {
  filter: BookingFilter
  getValue: (name: FilterName) => string | null
  /** Null removes the filter. */
  setValues: (changes: Partial<Record<FilterName, string | null>>) => void
  /** Removes all filters. */
  clearAll: () => void
}

/** Returns the booking filters stored in the URL, so that users can link to a filtered list. */
export const useUrlFilters = (settings: Settings | null): UrlFilters => {
  const [params, setParams] = useSearchParams()
  const value = (name: FilterName) => {
    const param = params.get(name)
    if (!param) return null
    if (name === 'status')
      return (STATUSES as readonly string[]).includes(param) ? (param as Status) : null
    const isKnown = name === 'from' || name === 'until' ? isDay : isId
    return isKnown(param) ? param : null
  }
  const [customer, driver, car] = [value('customer'), value('driver'), value('car')]
  const [status, from, until] = [value('status'), value('from'), value('until')]
  const timezone = settings?.timezone ?? 'UTC'
  const set: UrlFilters['setValues'] = (changes) =>
    setParams((now) => {
      const after = new URLSearchParams(now)
      // Changed filters start again at the first page.
      after.delete('before')
      after.delete('page')
      for (const [name, next] of Object.entries(changes))
        if (next) after.set(name, next)
        else after.delete(name)
      return after
    })
  return {
    filter: {
      ...(status && { status: status as Status }),
      ...(customer && { customer }),
      ...(driver && { driver }),
      ...(car && { carTypeId: car }),
      ...(from && { from: getDayStart(from, timezone) }),
      ...(until && { until: getDayStart(addDays(until, 1), timezone) - 1 }),
    },
    getValue: value,
    setValues: set,
    clearAll: () =>
      set(Object.fromEntries(['status', ...PANEL_FILTERS].map((name) => [name, null]))),
  }
}

const PersonFilter = ({
  id,
  usertype,
  onChange,
}: {
  id: string | null
  usertype: 'rider' | 'driver'
  onChange: (id: string | null) => void
}) => {
  const { t } = useTranslation()
  const { users: loadedUsers } = useLive(liveUsers, { ids: id ? [id] : [] })
  const value: DirectoryPerson | null = loadedUsers[0] ?? null
  return (
    <UserPicker
      label={t(usertype === 'rider' ? 'customer' : 'driver')}
      usertypes={[usertype]}
      value={value}
      onChange={(person) => onChange(person?.id ?? null)}
    />
  )
}

/** Renders the filters for dates, vehicle, customer and driver. */
export const FilterFields = ({ getValue, setValues }: UrlFilters) => {
  const { t } = useTranslation()
  const { isAdmin } = useOfficeSession()
  const { cars } = useLive(liveVehicleTypes)
  const getTypeName = useVehicleTypeName()
  return (
    <div className={css.filters} role="group" aria-label={t('filters')}>
      <TextInput
        type="date"
        label={t('filter_from')}
        value={getValue('from') ?? ''}
        max={getValue('until') ?? undefined}
        onChange={({ target }) => setValues({ from: target.value })}
      />
      <TextInput
        type="date"
        label={t('filter_until')}
        value={getValue('until') ?? ''}
        min={getValue('from') ?? undefined}
        onChange={({ target }) => setValues({ until: target.value })}
      />
      <SelectInput
        label={t('car_type')}
        value={getValue('car') ?? ''}
        onChange={({ target }) => setValues({ car: target.value })}
      >
        <option value="">{t('all')}</option>
        {cars.map((car) => (
          <option key={car.id} value={car.id}>
            {getTypeName(car)}
          </option>
        ))}
      </SelectInput>
      {isAdmin && (
        <PersonFilter
          id={getValue('customer')}
          usertype="rider"
          onChange={(customer) => setValues({ customer })}
        />
      )}
      <PersonFilter
        id={getValue('driver')}
        usertype="driver"
        onChange={(driver) => setValues({ driver })}
      />
    </div>
  )
}

const VehicleTypeName = ({ id }: { id: string }) => {
  const { cars } = useLive(liveVehicleTypes)
  const getTypeName = useVehicleTypeName()
  return getTypeName(cars.find((car) => car.id === id) ?? { name: id })
}

/** Shows the active filters; users can remove each one. */
export const FilterChips = ({ getValue, setValues, clearAll }: UrlFilters) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { settings } = useOfficeSession()
  const names = { from: 'filter_from', until: 'filter_until', car: 'car_type' } as const
  const used = PANEL_FILTERS.filter((name) => getValue(name))
  if (used.length === 0) return null
  const worth = (name: (typeof PANEL_FILTERS)[number], filterValue: string) => {
    if (name === 'car') return <VehicleTypeName id={filterValue} />
    if (name === 'customer' || name === 'driver') return <PersonName id={filterValue} />
    return format.date(getDayNoon(filterValue, settings?.timezone ?? 'UTC'))
  }
  return (
    <div className={css.chips}>
      {used.map((name) => {
        const label = t(name === 'customer' || name === 'driver' ? name : names[name])
        return (
          <Button key={name} size="small" onClick={() => setValues({ [name]: null })}>
            <span>
              {label}: {worth(name, getValue(name) ?? '')}
            </span>
            <Icon name="close" size={16} />
            <span className="visually-hidden">{t('remove')}</span>
          </Button>
        )
      })}
      <Button size="small" variant="quiet" onClick={clearAll}>
        {t('filter_clear')}
      </Button>
    </div>
  )
}
