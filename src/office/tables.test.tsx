import { screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test } from 'vitest'
import { USER_TYPES } from '~/domain/access/types'
import { toJson } from '~/domain/data/databaseValue'
import { aPaymentAttempt } from '~/domain/testing/builders'
import {
  aBooking,
  aDriver,
  aLanguage,
  anOfficeSeed,
  aPromo,
  aTotalsRow,
  renderApp,
} from './testing/officeFixtures'

const NOW = Date.UTC(2026, 10, 20)
const labels = { year: 2026, monthsName: 'November', driverName: 'Beto', driverVehicleNo: 'SBA 1' }
/** A platform whose lists all have a row. */
const createSeed = () =>
  anOfficeSeed({
    bookings: [aBooking({ status: 'ACCEPTED', carType: 'Van', fleetadmin: 'fleet' })],
    languages: [
      aLanguage({ id: 'en', langName: 'English', default: true }),
      aLanguage({ keyValuePairs: { hello: 'Hallo' } }),
    ],
    promos: [aPromo()],
    people: [
      aDriver({ id: 'busy', driverActiveStatus: true, queue: true, vehicleNumber: 'SBB 2' }),
    ],
    more: toJson({
      payments: { pay1: { ...aPaymentAttempt({ status: 'pending' }), problem: 'amount_mismatch' } },
      withdraws: {
        w1: { uid: 'driver', name: 'Beto', amount: 5, date: NOW, processed: false },
      },
      notifications: {
        n1: {
          title: 'Strike',
          body: 'On Monday',
          usertype: 'All',
          devicetype: 'All',
          createdAt: NOW,
        },
      },
      audit: { a1: { by: 'admin', at: NOW, action: 'promo_add', path: 'promos/spring' } },
      stats: {
        earnings: { '2026-11': aTotalsRow({ tripCost: 5 }) },
        driver_earnings: { driver: { '2026-11': aTotalsRow({ driverShare: 5 }, labels) } },
      },
    }) as Record<string, never>,
  })

const open = async (path: string, { as = 'admin', seed = createSeed() } = {}) => {
  const app = await renderApp(path, {
    as,
    seed,
    handlers: { fairness_report: () => ({ rows: [FAIRNESS_ROW], next: null }) },
  })
  await screen.findByRole('heading', { level: 1 })
  await waitFor(() => expect(document.querySelector('[aria-busy="true"]')).toBeNull())
  return app
}

const FAIRNESS_ROW = {
  ...{ driver: 'driver', name: 'Beto', offers: 3, accepted: 1, declined: 1, expired: 1 },
  ...{ active_s: 3600, trips: 1, income: 5 },
}

const asPhone = () => {
  const { matchMedia } = window
  window.matchMedia = (query) =>
    ({ matches: true, media: query, addEventListener() {}, removeEventListener() {} }) as never
  onTestFinished(() => {
    window.matchMedia = matchMedia
  })
}

/** The tables of the office by the file that declares their columns and actions. */
const TABLES: Record<string, readonly string[]> = {
  'audit/AuditPage': ['/audit'],
  'bookings/BookingsPage': ['/bookings'],
  'cancellationReasons/CancellationReasonsPage': ['/cancelreasons'],
  'languages/LanguagesPage': ['/languagesetting'],
  'notifications/NotificationsPage': ['/notifications'],
  // Its rows have no actions; offers/FairnessReport.test.tsx shows it.
  'offers/FairnessReport': [],
  'payments/PaymentsPage': ['/payments'],
  'people/PeoplePage': ['/riders', '/drivers', '/fleetadmins', '/alladmin'],
  'promos/PromosPage': ['/promos'],
  'vehicleTypes/VehicleTypesPage': ['/cartypes'],
  'wallet/DriverEarningsPage': ['/driverearning'],
  'wallet/EarningsReportsPage': ['/earningreports'],
  'wallet/WithdrawalsPage': ['/withdraws'],
}
const WITH_ACTIONS = [
  ...['/bookings', '/riders', '/drivers', '/fleetadmins', '/alladmin', '/cartypes'],
  ...['/notifications', '/withdraws', '/payments', '/languagesetting'],
]
const sources = import.meta.glob<string>(['./**/*.tsx', '!./**/*.test.tsx', '!./recordPages/**'], {
  eager: true,
  query: '?raw',
  import: 'default',
})
const findTable = (): HTMLElement | undefined =>
  screen.queryAllByRole('region').find((region) => region.querySelector('table'))

test('knows every table of the office', () => {
  const files = Object.entries(sources)
    .filter(([, code]) => /<(ListPage|DataTable)\b/.test(code))
    .map(([file]) => file.replace(/^\.\/|\.tsx$/g, ''))
  expect(files.sort()).toEqual(Object.keys(TABLES))
})

test.each(Object.values(TABLES).flat())(
  'the actions in the rows of %s have a name, and a visible word or a tooltip',
  async (path) => {
    await open(path)
    const table = findTable()
    if (!table) throw new Error(`${path} has no table.`)
    const rows = within(table).getAllByRole('row').slice(1)
    expect(rows.length).toBeGreaterThan(0)
    const hasActions = within(table).queryByRole('columnheader', { name: 'Actions' }) !== null
    expect(hasActions).toBe(WITH_ACTIONS.includes(path))
    const actions = rows.flatMap((row) => [
      ...row.querySelectorAll<HTMLElement>('button, a[href], summary'),
    ])
    if (hasActions) expect(actions.length).toBeGreaterThan(0)
    for (const action of actions) {
      expect(action).toHaveAccessibleName(/\p{L}{2}/u)
      expect(`${action.textContent} ${action.title}`).toMatch(/\p{L}{2}|\d/u)
    }
  },
)

/** The fields that a phone shows of a row without a touch, besides the two of the headline. */
const CARDS: [string, string[]][] = [
  ['/audit', ['Action', 'Record']],
  ['/bookings', ['Booked', 'Route', 'Driver']],
  ['/cancelreasons', []],
  ['/languagesetting', ['Date locale', 'Default']],
  ['/notifications', ['Sent']],
  ['/payments', ['Status']],
  ['/riders', ['Mobile number', 'Email', 'Approved']],
  ['/drivers', ['Mobile number', 'On duty', 'Vehicle no.']],
  ['/fleetadmins', ['Mobile number', 'Email', 'Approved']],
  ['/alladmin', ['Mobile number', 'Email', 'Approved']],
  ['/promos', ['Valid until', 'Times used']],
  ['/cartypes', ['Base fare', 'Rate per km', 'Rate per hour']],
  ['/driverearning', ['Driver', 'Bookings', 'Driver share']],
  ['/driverearning?group=month', ['Bookings', 'Driver share']],
  ['/driverearning?group=driver', ['Bookings', 'Driver share']],
  ['/earningreports', ['Bookings', 'Trip cost', 'Convenience fee']],
  ['/withdraws', ['Amount', 'Requested', 'Processed']],
]

/** Returns the titles of the first card's fields, without its headline and the folded ones. */
const readCard = async () => {
  const title = screen.getByRole('heading', { level: 1 }).textContent
  const list = await screen.findByRole('list', { name: title })
  const [card] = within(list).getAllByRole('listitem')
  return [...(card?.querySelectorAll(':scope > dl dt') ?? [])].map((term) => term.textContent)
}

test.each(CARDS)('a card of %s shows on a phone, below its headline, %j', async (path, titles) => {
  asPhone()
  await open(path)
  expect(await readCard()).toEqual(titles)
})

test('a booking shows the driver with the vehicle, also on a phone', async () => {
  asPhone()
  await open('/bookings')
  expect((await screen.findByText('Beto Silva')).closest('dd')).toHaveTextContent('SBA 1234')
})

const TEXT_FILES = import.meta.glob<Record<string, string>>('../i18n/locales/*/*.json', {
  eager: true,
  import: 'default',
})
/** The language in which each text is its own key, so that headings are read as keys. */
const KEYS_LOCALE = 'de'
const readTexts = (locale: string): Record<string, string> =>
  Object.assign(
    {},
    ...Object.entries(TEXT_FILES)
      .filter(([file]) => file.includes(`/${locale}/`))
      .map(([, texts]) => texts),
  ) as Record<string, string>
const LOCALES = [...new Set(Object.keys(TEXT_FILES).map((file) => file.split('/').at(-2) ?? ''))]

/** Opens a page in which every text is its own key, with a table that shows all columns. */
const readHeadingKeys = async (path: string, as: string): Promise<string[]> => {
  const keyValuePairs = Object.fromEntries(
    Object.keys(readTexts(KEYS_LOCALE)).map((key) => [key, `‹${key}›`]),
  )
  const seed = {
    ...createSeed(),
    languages: { de: { ...aLanguage({ default: true, keyValuePairs }) } as never },
  }
  localStorage.setItem('kerbside.locale', KEYS_LOCALE)
  const id = path.replace(/^\/|\?.*$/g, '')
  for (const one of [id, 'fairness', 'languages', ...USER_TYPES.map((type) => `people-${type}`)])
    localStorage.setItem(`kerbside.columns.${one}`, '[]')
  const { unmount } = await open(path, { as, seed })
  await screen.findAllByRole('columnheader')
  await waitFor(() => expect(document.documentElement.lang).toBe(KEYS_LOCALE))
  const titles = screen.getAllByRole('columnheader').map(({ textContent }) => textContent ?? '')
  unmount()
  return titles.flatMap((title) => /‹(\w+)›/.exec(title)?.[1] ?? [])
}

test.each([
  ...Object.values(TABLES)
    .flat()
    .map((path) => [path, 'admin'] as const),
  ['/driverearning?view=fairness', 'admin'],
  ['/bookings', 'fleet'],
  ['/bookings?view=table&tab=all', 'rider'],
  ['/bookings?view=table&tab=all', 'driver'],
] as const)(
  'no two columns of the table at %s have one heading for a %s, in any language',
  async (path, as) => {
    const keys = await readHeadingKeys(path, as)
    expect(keys).not.toEqual([])
    const shared = LOCALES.flatMap((locale) => {
      const texts = readTexts(locale)
      return keys.flatMap((key, index) => {
        const twin = keys.slice(0, index).find((other) => texts[other] === texts[key])
        return twin === undefined ? [] : [`${locale}: ${twin} and ${key} are “${texts[key]}”`]
      })
    })
    expect(shared).toEqual([])
  },
)
