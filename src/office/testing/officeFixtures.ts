import { toDirectory } from '~/domain/accounts/directory'
import { toMinorTotals, getMinorUnitName } from '~/domain/money/stats'
import {
  aBooking,
  aVehicleType,
  aDriver,
  aPromo,
  aRider,
  aSettings,
  someBookingContacts,
} from '~/domain/testing/builders'
// A test looks at the whole app, which no screen may import.
// oxlint-disable-next-line no-restricted-imports
import { renderApp } from '~/src/app/renderApp'
import type { MemoryBackend, MemoryOptions } from '~/src/services/memory/backendTypes'
import type { Booking, BookingContacts } from '~/domain/booking/types'
import type {
  CancellationReason,
  Language,
  Promo,
  Settings,
  VehicleType,
} from '~/domain/catalog/types'
import type { MoneyTotals } from '~/domain/money/types'
import type { User } from '~/domain/accounts/types'

type Seed = NonNullable<MemoryOptions['seed']>
type Stored = Seed[string]

const toRecordById = (rows: readonly { id: string }[]): Stored =>
  Object.fromEntries(rows.map((row) => [row.id, row as unknown as Stored]))

export const anAdmin = (over: Partial<User> = {}): User =>
  aRider({ id: 'admin', usertype: 'admin', firstName: 'Alma', lastName: 'Admin', ...over })
const aFleetAdmin = (over: Partial<User> = {}): User =>
  aRider({ id: 'fleet', usertype: 'fleetadmin', firstName: 'Flor', lastName: 'Flota', ...over })

/** Returns a language: German by default, and not the default language. */
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

/**
 * Returns a row of totals as stored: counts, and money in minor units of the platform's currency.
 */
export const aTotalsRow = (money: MoneyTotals, counts: object = {}): Stored => ({
  ...counts,
  minor: { [getMinorUnitName(aSettings())]: toMinorTotals(money, aSettings()) },
})

/** Returns a booking key that sorts in creation order, like the keys of the database. */
export const toBookingKey = (number: number) => `-O${String(number).padStart(18, '0')}`

/**
 * Returns a small platform for the back-office tests: an admin, a fleet admin, a rider, a driver
 * and their data.
 */
export const anOfficeSeed = ({
  settings = {},
  bookings = [],
  contacts = {},
  people = [],
  cars = [aVehicleType()],
  reasons = [
    { label: 'Changed my mind', value: 0 },
    { label: 'Wrong address', value: 1 },
  ],
  promos = [],
  languages = [],
  more: extraSeed = {},
}: {
  settings?: Partial<Settings>
  bookings?: Booking[]
  contacts?: Partial<BookingContacts>
  people?: User[]
  cars?: VehicleType[]
  reasons?: CancellationReason[]
  promos?: Promo[]
  languages?: Language[]
  more?: Seed
} = {}): Seed => {
  const allPeople = [
    anAdmin(),
    aFleetAdmin(),
    aRider(),
    aDriver({ fleetadmin: 'fleet', email: 'driver@kerbside.example' }),
    ...people,
  ]
  return {
    settings: aSettings(settings),
    users: toRecordById(allPeople),
    people: toDirectory(Object.fromEntries(allPeople.map((user) => [user.id, user]))),
    cartypes: toRecordById(cars),
    cancel_reason: reasons as unknown as Stored,
    bookings: toRecordById(bookings),
    booking_contacts: Object.fromEntries(
      bookings.map(({ id }) => [id, { ...someBookingContacts(contacts) }]),
    ),
    promos: toRecordById(promos),
    languages: toRecordById(languages),
    ...extraSeed,
  }
}

export { aBooking, aVehicleType as aCarType, aDriver, aPromo, aRider, renderApp }

/** Writes at once, but keeps the page waiting for the answer; returns the function that answers. */
export const delayWrites = ({ services: { database } }: MemoryBackend) => {
  let answer = () => {}
  const answered = new Promise<void>((resolve) => (answer = resolve))
  const { update } = database
  database.update = (changes) => update(changes).then(() => answered)
  return () => answer()
}
