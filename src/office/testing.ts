import type {
  Booking,
  CancelReason,
  CarType,
  Language,
  Promo,
  Settings,
  User,
} from '~/domain/entities'
import { aBooking, aCarType, aDriver, aPromo, aRider, aSettings } from '~/domain/testing/builders'
// A test looks at the whole app, which no screen may import.
// eslint-disable-next-line import-x/no-restricted-paths
import { renderApp } from '~/src/app/renderApp'
import type { MemoryOptions } from '~/src/services/memory/memoryServices'

type Seed = NonNullable<MemoryOptions['seed']>
type Stored = Seed[string]

const byId = (rows: readonly { id: string }[]): Stored =>
  Object.fromEntries(rows.map((row) => [row.id, row as unknown as Stored]))

export const anAdmin = (over: Partial<User> = {}): User =>
  aRider({ id: 'admin', usertype: 'admin', firstName: 'Alma', lastName: 'Admin', ...over })
export const aFleetAdmin = (over: Partial<User> = {}): User =>
  aRider({ id: 'fleet', usertype: 'fleetadmin', firstName: 'Flor', lastName: 'Flota', ...over })

/** German, unless it is said otherwise; not the default one. */
export const aLanguage = ({ id = 'de', ...over }: Partial<Language> = {}): Language => ({
  id,
  langName: 'Deutsch',
  langLocale: id,
  dateLocale: id,
  default: false,
  createdAt: '2026-01-01T00:00:00.000Z',
  keyValuePairs: {},
  ...over,
})

/** A key in the order of making, as the database makes them. */
export const bookingKey = (number: number) => `-O${String(number).padStart(18, '0')}`

/** A small platform for the office's tests: one admin, one fleet admin, a rider, a driver and what they did. */
export const anOffice = ({
  settings = {},
  bookings = [],
  people = [],
  cars = [aCarType()],
  reasons = [
    { label: 'Changed my mind', value: 0 },
    { label: 'Wrong address', value: 1 },
  ],
  promos = [],
  languages = [],
  more = {},
}: {
  settings?: Partial<Settings>
  bookings?: Booking[]
  people?: User[]
  cars?: CarType[]
  reasons?: CancelReason[]
  promos?: Promo[]
  languages?: Language[]
  more?: Seed
} = {}): Seed => ({
  settings: aSettings(settings) as unknown as Stored,
  users: byId([
    anAdmin(),
    aFleetAdmin(),
    aRider(),
    aDriver({ fleetadmin: 'fleet', email: 'driver@kerbside.example' }),
    ...people,
  ]),
  cartypes: byId(cars),
  cancel_reason: reasons as unknown as Stored,
  bookings: byId(bookings),
  promos: byId(promos),
  languages: byId(languages),
  ...more,
})

export { aBooking, aCarType, aDriver, aPromo, aRider, renderApp }
