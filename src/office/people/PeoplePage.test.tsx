import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { referenceAt } from '~/domain/booking/search/reference'
import { toDirectoryEntry } from '~/domain/accounts/directory'
import { type Query, ServiceError } from '~/src/services/services'
import {
  aBooking,
  aDriver,
  anOfficeSeed,
  aRider,
  renderApp,
  toBookingKey,
} from '../testing/officeFixtures'
import { openRowMenu, readExportedText } from '../testing/tables'

const manyPeople = Array.from({ length: 30 }, (_, at) =>
  aDriver({
    id: `driver-${String(at).padStart(2, '0')}`,
    firstName: `Driver${at}`,
    fleetadmin: 'fleet',
    walletBalance: at,
    walletHistory: { one: { type: 'Credit', amount: at, date: 1, txRef: 'x' } },
  }),
)
const toDirectorySeed = (people: typeof manyPeople) =>
  Object.fromEntries(people.map((person) => [person.id, toDirectoryEntry(person)])) as never

const open = async (path: string, as: string, more = {}) => {
  const seed = anOfficeSeed({ people: manyPeople, more })
  const app = await renderApp(path, { as, seed })
  const queries: Query[] = []
  const { database } = app.backend.services
  const { subscribe } = database
  database.subscribe = (query, ...rest) => {
    queries.push(query)
    return subscribe(query, ...rest)
  }
  return { ...app, queries }
}
/** Returns true when a query reads whole records of people. */
const isWhole = ({ path, records }: Query) => path === 'users' && !records

test('reads only the shown fields of the drivers on a page', async () => {
  const { queries, user } = await open('/riders', 'admin')
  await user.click(await screen.findByRole('link', { name: 'Drivers' }))
  expect(await screen.findByRole('link', { name: /^Driver29 / })).toBeInTheDocument()
  expect(queries.filter(isWhole)).toEqual([])
  const parts = queries.filter(({ path, records }) => path === 'users' && records).at(-1)?.records
  expect(parts?.keys).toHaveLength(25)
  expect(parts?.fields).not.toContain('walletHistory')
})

test('shows the current values of a record even when the directory differs', async () => {
  const { backend } = await open('/drivers', 'fleet')
  const row = (await screen.findByRole('link', { name: /^Driver7 / })).closest('tr') as HTMLElement
  expect(await within(row).findByText(/7\.00/)).toBeInTheDocument()
  backend.update({ 'users/driver-07/walletBalance': 61.5, 'users/driver-07/firstName': 'Delia' })
  const changed = (await screen.findByRole('link', { name: /^Delia / })).closest(
    'tr',
  ) as HTMLElement
  expect(await within(changed).findByText(/61\.50/)).toBeInTheDocument()
})

test('shows no people when the directory is empty, instead of reading the records', async () => {
  const { queries, user } = await open('/drivers', 'admin', { people: toDirectorySeed(manyPeople) })
  await screen.findByRole('link', { name: /^Driver29 / })
  await user.click(screen.getByRole('link', { name: 'Riders' }))
  expect(await screen.findByText('No users available.')).toBeInTheDocument()
  expect(queries.filter(isWhole)).toEqual([])
})

test.each([
  [200, { waive_balance: true, balance: 200 }],
  [0, {}],
])(
  'lets an admin delete an account with %s in the wallet after the owner gave up the money',
  async (amount, sent) => {
    const { user, backend } = await renderApp('/riders?edit=rider', {
      as: 'admin',
      seed: anOfficeSeed({ people: [aRider({ walletBalance: amount })] }),
      handlers: { delete_user: () => ({ id: 'rider', bookings: 0 }) },
    })
    await user.click(await screen.findByRole('button', { name: 'Delete' }))
    const dialog = within(await screen.findByRole('dialog', { name: /^Delete “/ }))
    const confirm = () => user.click(dialog.getByRole('button', { name: 'Delete' }))
    if (amount > 0) {
      await confirm()
      expect(await dialog.findByRole('alert')).toHaveTextContent(/200\.00/)
      expect(backend.calls).toEqual([])
      await user.click(
        dialog.getByRole('checkbox', { name: /The account owner gives up .*200\.00/ }),
      )
    }
    await confirm()
    await waitFor(() =>
      expect(backend.calls).toMatchObject([
        { name: 'delete_user', input: { id: 'rider', ...sent } },
      ]),
    )
  },
)

test.each([
  ['Fleet admin', 'fleetadmin'],
  ['Vehicle type', 'carType'],
])("lets an admin remove a driver's %s", async (label, field) => {
  const { user, backend } = await renderApp('/drivers?edit=driver', {
    as: 'admin',
    seed: anOfficeSeed(),
    handlers: { save_user: () => ({ id: 'driver' }) },
  })
  const panel = within(await screen.findByRole('dialog', { name: 'Beto Silva' }))
  await user.selectOptions(await panel.findByLabelText(label), '')
  await user.click(panel.getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(backend.calls).toMatchObject([
      { name: 'save_user', input: { id: 'driver', [field]: '' } },
    ]),
  )
})

test('says before a fleet admin is deleted how many drivers there are, and asks who takes them', async () => {
  const { user, backend } = await renderApp('/fleetadmins?edit=fleet', {
    as: 'admin',
    seed: anOfficeSeed({
      people: [
        aDriver({ id: 'd2', fleetadmin: 'fleet' }),
        aRider({ id: 'fleet2', usertype: 'fleetadmin', firstName: 'Gina', lastName: 'Garage' }),
      ],
    }),
    handlers: { delete_user: () => ({ id: 'fleet', bookings: 0 }) },
  })
  await user.click(await screen.findByRole('button', { name: 'Delete' }))
  const dialog = within(await screen.findByRole('dialog', { name: /^Delete “/ }))
  expect(await dialog.findByText(/^Drivers of this fleet admin: 2\./)).toBeInTheDocument()
  await dialog.findByRole('option', { name: 'Gina Garage' })
  expect(backend.calls).toEqual([])
  await user.selectOptions(dialog.getByLabelText('The drivers go to'), 'Gina Garage')
  await user.click(dialog.getByRole('button', { name: 'Delete' }))
  await waitFor(() =>
    expect(backend.calls).toMatchObject([
      { name: 'delete_user', input: { id: 'fleet', drivers_to: 'fleet2' } },
    ]),
  )
})

test('asks about no drivers when a fleet admin has none', async () => {
  const { user, backend } = await renderApp('/fleetadmins?edit=fleet2', {
    as: 'admin',
    seed: anOfficeSeed({
      people: [aRider({ id: 'fleet2', usertype: 'fleetadmin', firstName: 'Gina' })],
    }),
    handlers: { delete_user: () => ({ id: 'fleet2', bookings: 0 }) },
  })
  await user.click(await screen.findByRole('button', { name: 'Delete' }))
  const dialog = within(await screen.findByRole('dialog', { name: /^Delete “/ }))
  await user.click(dialog.getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(backend.calls).toHaveLength(1))
  expect(dialog.queryByLabelText('The drivers go to')).not.toBeInTheDocument()
})

test('refuses to delete an account with a debt', async () => {
  const { user, backend } = await renderApp('/riders?edit=rider', {
    as: 'admin',
    seed: anOfficeSeed({ people: [aRider({ walletBalance: -11 })] }),
  })
  await user.click(await screen.findByRole('button', { name: 'Delete' }))
  const dialog = within(await screen.findByRole('dialog', { name: /^Delete “/ }))
  await user.click(dialog.getByRole('button', { name: 'Delete' }))
  expect(await dialog.findByRole('alert')).toHaveTextContent(/11\.00.*is still owed/)
  expect(backend.calls).toEqual([])
})

test('names a booking in the wallet history by its reference and links to it', async () => {
  const id = toBookingKey(7)
  const share = { type: 'Credit', amount: 30, date: 1, txRef: id } as const
  await renderApp('/drivers?edit=driver~wallet', {
    as: 'admin',
    seed: anOfficeSeed({
      bookings: [aBooking({ id, booking_id: id })],
      people: [aDriver({ walletHistory: { [`${id}-share`]: share } })],
    }),
  })
  const link = await screen.findByRole('link', { name: referenceAt(id, 0) })
  expect(link).toHaveAttribute('href', `/bookings/${id}`)
})

test('names the office’s credits and corrections in the wallet history, with their notes', async () => {
  const entry = { type: 'Credit', amount: 25, date: 1, txRef: 'AdminCredit' } as const
  const rita = aRider({
    id: 'rita',
    firstName: 'Rita',
    walletHistory: {
      'a-admin': { ...entry, note: 'Late driver' },
      'b-correction': {
        ...entry,
        type: 'Debit',
        date: 2,
        txRef: 'AdminDebit',
        note: 'Credited twice',
      },
    },
  })
  await renderApp('/riders?edit=rita~wallet', {
    as: 'admin',
    seed: anOfficeSeed({ people: [rita] }),
  })
  const lines = within(await screen.findByRole('list', { name: 'Wallet' })).getAllByRole('listitem')
  expect(lines.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^Correction by the office.*Credited twice.*−\$25\.00$/),
    expect.stringMatching(/^Credited by the office.*Late driver.*\$25\.00$/),
  ])
})

test('says in the wallet history what moved the money of a booking', async () => {
  const id = '-Nab1cd2ef3gh4ij5kl6'
  const entry = { type: 'Credit', amount: 25, date: 1, txRef: id } as const
  const history = {
    [`${id}-returned`]: entry,
    [`${id}-refund`]: { ...entry, date: 2 },
    [`${id}-cancel-fee`]: { ...entry, type: 'Debit' as const, date: 3 },
    [`${id}-wallet`]: { ...entry, type: 'Debit' as const, date: 4 },
    'p1-topup': { ...entry, txRef: 'p1', date: 5 },
  }
  const rita = aRider({ id: 'rita', firstName: 'Rita', walletHistory: history })
  await renderApp('/riders?edit=rita~wallet', {
    as: 'admin',
    seed: anOfficeSeed({ people: [rita] }),
  })
  const lines = within(await screen.findByRole('list', { name: 'Wallet' })).getAllByRole('listitem')
  expect(lines.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^Top-up p1/),
    expect.stringMatching(/^Paid from the wallet /),
    expect.stringMatching(/^Cancellation fee /),
    expect.stringMatching(/^Returned after a cancellation /),
    expect.stringMatching(/^Returned after a change /),
  ])
})

test('pages people by name, in both directions and from both ends', async () => {
  const names = ['Beto', ...manyPeople.map(({ firstName }) => firstName).sort()]
  const listNames = () =>
    screen
      .getAllByRole('row')
      .flatMap((row) => /Beto|Driver\d+/.exec(row.textContent ?? '')?.[0] ?? [])
  const { user } = await open('/drivers', 'admin')
  const waitForNames = (expected: readonly string[]) =>
    waitFor(() => expect(listNames()).toEqual(expected))
  await waitForNames(names.slice(0, 25))
  await user.click(screen.getByRole('button', { name: /Next page/ }))
  await waitForNames(names.slice(25))
  await user.click(screen.getByRole('button', { name: 'Previous page' }))
  await waitForNames(names.slice(0, 25))
  expect(screen.getByText('Only the column “Person” can be sorted across pages.')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Sort by Person' }))
  const reversed = [...names].reverse()
  await waitForNames(reversed.slice(0, 25))
  await user.click(screen.getByRole('button', { name: /Next page/ }))
  await waitForNames(reversed.slice(25))
})

test('finds a person among all by the start of the whole name, without accents', async () => {
  const others = manyPeople.map(({ id }, at) => aRider({ id, firstName: `Ana${at}` }))
  const people = [...others, aRider({ id: 'z', firstName: 'Álvaro', lastName: 'Núñez' })]
  await renderApp('/riders?search=alvaro nu&size=10', {
    as: 'admin',
    seed: anOfficeSeed({ people }),
  })
  expect(await screen.findByRole('link', { name: /Álvaro Núñez/ })).toBeInTheDocument()
})

test('signs a person out on all devices for an admin, and not for a fleet admin', async () => {
  const seed = anOfficeSeed({ people: manyPeople })
  const handlers = { end_sessions: ({ uid }: { uid: string }) => ({ uid, sessionsEnd: 1 }) }
  const app = await renderApp('/drivers?edit=driver-07', { as: 'admin', seed, handlers })
  await app.user.click(await screen.findByRole('button', { name: 'Sign out on all devices' }))
  expect(await screen.findByText(/^Driver7 .*is signed out on all devices\.$/)).toBeInTheDocument()
  expect(app.backend.calls).toContainEqual({ name: 'end_sessions', input: { uid: 'driver-07' } })
  app.unmount()
  await renderApp('/drivers?edit=driver-07', { as: 'fleet', seed, handlers })
  await screen.findByRole('button', { name: 'Save' })
  expect(screen.queryByRole('button', { name: /Sign out on all/ })).not.toBeInTheDocument()
})

test('shows everyone by name, with a photo or initials, when they fit on one page', async () => {
  const people = [
    aRider({
      id: 'z1',
      firstName: 'Zoe',
      lastName: 'Alba',
      profile_image: 'https://x.example/z.jpg',
    }),
    aRider({ id: 'a2', firstName: 'Álvaro', lastName: 'Zorrilla' }),
    aRider({ id: 'm3', firstName: 'Mia', lastName: '' }),
  ]
  await renderApp('/riders', { as: 'admin', seed: anOfficeSeed({ people }) })
  const last = await screen.findByRole('link', { name: 'Zoe Alba' })
  await waitFor(() =>
    expect(last.querySelector('img')).toHaveAttribute('src', 'https://x.example/z.jpg'),
  )
  const [, ...rows] = screen.getAllByRole('row')
  const names = rows.map((row) => within(row).getAllByRole('link')[0]?.textContent)
  expect(names).toEqual(['ÁZÁlvaro Zorrilla', 'ALAna Lima', 'MMia', 'Zoe Alba'])
  expect(screen.getByRole('button', { name: 'Sort by Person' })).toBeInTheDocument()
})

test('keeps Approve beside the menu of a driver who waits, and Suspend in the menu of another', async () => {
  const people = [aDriver({ id: 'new', firstName: 'Nora', approved: false })]
  const { user } = await renderApp('/drivers', { as: 'admin', seed: anOfficeSeed({ people }) })
  const row = (await screen.findByRole('link', { name: /^Nora/ })).closest('tr') as HTMLElement
  expect(await within(row).findByRole('button', { name: 'Approve' })).toBeInTheDocument()
  expect(screen.queryByRole('button', { name: 'Suspend' })).not.toBeInTheDocument()
  await openRowMenu(user, 'Beto')
  expect(screen.getByRole('button', { name: 'Suspend' })).toBeInTheDocument()
})

test('asks the functions before it reads everyone for a file', async () => {
  const begin_export = () => {
    throw new ServiceError('permission-denied', 'demo_mode')
  }
  const { user, backend } = await renderApp('/riders', {
    as: 'admin',
    seed: anOfficeSeed(),
    handlers: { begin_export },
  })
  await screen.findByRole('link', { name: 'Ana Lima' })
  const reads: string[] = []
  const { database } = backend.services
  const { read } = database
  database.read = (query) => {
    reads.push(query.path)
    return read(query)
  }
  await user.click(screen.getByText('Export'))
  await user.click(screen.getByRole('button', { name: 'Export CSV' }))
  await waitFor(() =>
    expect(backend.calls).toContainEqual({ name: 'begin_export', input: { list: 'rider' } }),
  )
  expect(await screen.findByText('This change is turned off in the demo.')).toBeInTheDocument()
  expect(reads).not.toContain('users')
})

test('exports the first and the last name in columns of their own', async () => {
  const { user } = await renderApp('/riders', { as: 'admin', seed: anOfficeSeed() })
  await screen.findByRole('link', { name: 'Ana Lima' })
  const text = await readExportedText(user)
  expect(text).toMatch(/^First name,Last name,Mobile number,Email,Approved,/)
})
