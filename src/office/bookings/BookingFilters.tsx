import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import type { BookingFilter } from '~/domain/bookingFilter'
import { STATUSES, type Settings, type Status } from '~/domain/entities'
import { carTypes } from '~/src/features/carTypes/carTypes'
import { type Listed, users } from '~/src/features/users/users'
import { useLive } from '~/src/store/liveSlice'
import { Button, SelectInput, TextInput } from '~/src/ui/controls'
import { useFormat } from '~/src/ui/format'
import { Icon } from '~/src/ui/Icon'
import { dayPlus, dayStart, noonOf } from '../clock'
import { PersonName } from '../people/PersonName'
import { UserPicker } from '../people/UserPicker'
import { useOffice } from '../useOffice'
import css from './bookings.module.css'

type Name = 'status' | 'customer' | 'driver' | 'car' | 'from' | 'until'
const IN_PANEL = ['from', 'until', 'car', 'customer', 'driver'] as const
const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))
const isId = (text: string) => /^[A-Za-z0-9_-]{1,128}$/.test(text)

interface FilterInAddress {
  filter: BookingFilter
  value: (name: Name) => string | null
  /** Null takes the filter away. */
  set: (changes: Partial<Record<Name, string | null>>) => void
  /** Takes all away. */
  clear: () => void
}

/** The filters of the bookings as the address has them, so that what is seen can be linked. */
export const useFilters = (settings: Settings | null): FilterInAddress => {
  const [params, setParams] = useSearchParams()
  const value = (name: Name) => {
    const given = params.get(name)
    if (!given) return null
    if (name === 'status')
      return (STATUSES as readonly string[]).includes(given) ? (given as Status) : null
    const isKnown = name === 'from' || name === 'until' ? isDay : isId
    return isKnown(given) ? given : null
  }
  const [customer, driver, car] = [value('customer'), value('driver'), value('car')]
  const [status, from, until] = [value('status'), value('from'), value('until')]
  const timezone = settings?.timezone ?? 'UTC'
  const set: FilterInAddress['set'] = (changes) =>
    setParams((now) => {
      const after = new URLSearchParams(now)
      // Another question is answered from its beginning.
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
      ...(from && { from: dayStart(from, timezone) }),
      ...(until && { until: dayStart(dayPlus(until, 1), timezone) - 1 }),
    },
    value,
    set,
    clear: () => set(Object.fromEntries(['status', ...IN_PANEL].map((name) => [name, null]))),
  }
}

const Person = ({
  id,
  usertype,
  onChange,
}: {
  id: string | null
  usertype: 'rider' | 'driver'
  onChange: (id: string | null) => void
}) => {
  const { t } = useTranslation()
  const { users: found } = useLive(users, { ids: id ? [id] : [] })
  const value: Listed | null = found[0] ?? null
  return (
    <UserPicker
      label={t(usertype === 'rider' ? 'customer' : 'driver')}
      usertypes={[usertype]}
      value={value}
      onChange={(person) => onChange(person?.id ?? null)}
    />
  )
}

/** Dates, vehicle, customer and driver to look for. */
export const FilterFields = ({ value, set }: FilterInAddress) => {
  const { t } = useTranslation()
  const { isAdmin } = useOffice()
  const { cars } = useLive(carTypes)
  return (
    <div className={css.filters} role="group" aria-label={t('filters')}>
      <TextInput
        type="date"
        label={t('filter_from')}
        value={value('from') ?? ''}
        max={value('until') ?? undefined}
        onChange={({ target }) => set({ from: target.value })}
      />
      <TextInput
        type="date"
        label={t('filter_until')}
        value={value('until') ?? ''}
        min={value('from') ?? undefined}
        onChange={({ target }) => set({ until: target.value })}
      />
      <SelectInput
        label={t('car_type')}
        value={value('car') ?? ''}
        onChange={({ target }) => set({ car: target.value })}
      >
        <option value="">{t('all')}</option>
        {cars.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectInput>
      {isAdmin && (
        <Person
          id={value('customer')}
          usertype="rider"
          onChange={(customer) => set({ customer })}
        />
      )}
      <Person id={value('driver')} usertype="driver" onChange={(driver) => set({ driver })} />
    </div>
  )
}

const CarName = ({ id }: { id: string }) => {
  const { cars } = useLive(carTypes)
  return cars.find((car) => car.id === id)?.name ?? id
}

/** What is looked for just now; each can be taken away. */
export const FilterChips = ({ value, set, clear }: FilterInAddress) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { settings } = useOffice()
  const names = { from: 'filter_from', until: 'filter_until', car: 'car_type' } as const
  const used = IN_PANEL.filter((name) => value(name))
  if (used.length === 0) return null
  const worth = (name: (typeof IN_PANEL)[number], given: string) => {
    if (name === 'car') return <CarName id={given} />
    if (name === 'customer' || name === 'driver') return <PersonName id={given} />
    return format.dayMonth(noonOf(given, settings?.timezone ?? 'UTC'))
  }
  return (
    <div className={css.chips}>
      {used.map((name) => {
        const label = t(name === 'customer' || name === 'driver' ? name : names[name])
        return (
          <Button key={name} size="small" onClick={() => set({ [name]: null })}>
            <span>
              {label}: {worth(name, value(name) ?? '')}
            </span>
            <Icon name="close" size={16} />
            <span className="visually-hidden">{t('remove')}</span>
          </Button>
        )
      })}
      <Button size="small" look="quiet" onClick={clear}>
        {t('filter_clear')}
      </Button>
    </div>
  )
}
