import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { referenceAt } from '~/domain/booking/search/reference'
import { toJson } from '~/domain/data/databaseValue'
import { aPaymentAttempt } from '~/domain/testing/builders'
import { formatDay } from '~/domain/language/zonedTime'
import { toDirectoryEntry } from '~/domain/accounts/directory'
import { ServiceError } from '~/src/services/services'
import {
  aBooking,
  aCarType,
  aDriver,
  aLanguage,
  anAdmin,
  anOfficeSeed,
  aPromo,
  aRider,
  aTotalsRow,
  renderApp,
} from './testing/officeFixtures'
import { openRowMenu, readExportedText } from './testing/tables'
import type { Tree } from '~/src/services/memory/backendTypes'

const languages = [
  aLanguage({ id: 'en', langName: 'English', default: true, keyValuePairs: { hello: 'Hello' } }),
  aLanguage({ keyValuePairs: { hello: 'Hallo' } }),
]
const demo = { AllowCriticalEditsAdmin: false }
const DEMO = 'This change is turned off in the demo.'

const NINA = {
  'First name': 'Nina',
  'Last name': 'Nueva',
  'Mobile number': '+1 555 555 0177',
  Email: 'nina@kerbside.example',
}
type UserEvents = Awaited<ReturnType<typeof renderApp>>['user']
/** Types each value into the field with that label in the open panel. */
const fillIn = async (user: UserEvents, title: string, values: Record<string, string>) => {
  const panel = await screen.findByRole('dialog', { name: title })
  for (const [label, value] of Object.entries(values))
    await user.type(within(panel).getByLabelText(label), value)
  return panel
}

test('shows user_exists and adds no user when the person already exists', async () => {
  const { user, backend } = await renderApp('/riders?edit=new', {
    as: 'admin',
    seed: anOfficeSeed(),
    handlers: { check_user_exists: () => ({ users: [{}], error: null }) },
  })
  const panel = await fillIn(user, 'Add rider', NINA)
  await user.click(within(panel).getByRole('button', { name: 'Save' }))
  expect(await within(panel).findByRole('alert')).toHaveTextContent('already exists')
  expect(backend.calls.map(({ name }) => name)).toEqual(['check_user_exists'])
})

test('saves a new driver with their vehicle after checking for an existing user', async () => {
  const { user, backend } = await renderApp('/drivers?edit=new', {
    as: 'admin',
    seed: anOfficeSeed(),
    handlers: {
      check_user_exists: () => ({ users: [], error: null }),
      save_user: () => ({ id: 'new', approved: true }),
    },
  })
  const panel = await fillIn(user, 'Add driver', {
    'First name': 'Nino',
    'Last name': 'Nuevo',
    'Mobile number': '+1 555 555 0177',
    Email: 'nino@kerbside.example',
    'Vehicle no.': 'SBB 1',
  })
  await user.selectOptions(within(panel).getByLabelText('Vehicle type'), 'Van')
  await user.click(within(panel).getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Saved')).toBeInTheDocument()
  expect(backend.calls.at(-1)).toMatchObject({
    name: 'save_user',
    input: {
      usertype: 'driver',
      firstName: 'Nino',
      mobile: '+15555550177',
      carType: 'van',
      vehicleNumber: 'SBB 1',
      approved: true,
    },
  })
})

test.each([
  [{ country: 'Spain' }, '612 345 678', '+34612345678'],
  [{ country: 'Spain', AllowCountrySelection: false }, '612 345 678', '+34612345678'],
  [{ country: 'Spain' }, '+598 99 123 456', '+59899123456'],
])(
  'with %j, the phone number %s of a new rider is saved as %s',
  async (settings, typed, mobile) => {
    const { user, backend } = await renderApp('/riders?edit=new', {
      as: 'admin',
      seed: anOfficeSeed({ settings }),
      handlers: {
        check_user_exists: () => ({ users: [], error: null }),
        save_user: () => ({ id: 'new', approved: true }),
      },
    })
    const panel = await fillIn(user, 'Add rider', { ...NINA, 'Mobile number': typed })
    expect(within(panel).getByLabelText('Mobile number')).toHaveValue(typed)
    await user.click(within(panel).getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Saved')).toBeInTheDocument()
    expect(backend.calls.at(-1)).toMatchObject({ name: 'save_user', input: { mobile } })
  },
)

test('shows a newly added person first and marked, even in a list with another order', async () => {
  const manyPeople = Array.from({ length: 40 }, (_, at) =>
    aRider({ id: `z-${String(at).padStart(2, '0')}`, firstName: 'Many', mobile: `+1555${at}` }),
  )
  const { user, backend } = await renderApp('/riders?size=10', {
    as: 'admin',
    seed: anOfficeSeed({ people: manyPeople }),
    handlers: {
      check_user_exists: () => ({ users: [], error: null }),
      save_user: ({ firstName }: { firstName: string }) => {
        const nina = aRider({ id: 'a-nina', firstName, createdAt: '2020-01-01T00:00:00.000Z' })
        backend.update({
          'users/a-nina': nina as never,
          'people/a-nina': toDirectoryEntry(nina),
        })
        return { id: 'a-nina', approved: true }
      },
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Add rider' }))
  const panel = await fillIn(user, 'Add rider', NINA)
  await user.click(within(panel).getByRole('button', { name: 'Save' }))
  await screen.findByRole('link', { name: /^Nina/ })
  const [, first] = screen.getAllByRole('row')
  expect(first).toHaveTextContent(/Nina.*New/)
  expect(window.location.search).toBe('?size=10&new=a-nina')
})

test('suspends many people at once, but never the admin who does it', async () => {
  const { user, backend } = await renderApp('/alladmin', {
    as: 'admin',
    seed: anOfficeSeed({ people: [anAdmin({ id: 'other', firstName: 'Olga' })] }),
    handlers: { save_user: () => ({}) },
  })
  await user.click(await screen.findByRole('checkbox', { name: 'Select all on this page' }))
  await user.click(screen.getByRole('button', { name: 'Suspend selected' }))
  const dialog = await screen.findByRole('dialog', { name: 'Suspend selected' })
  await user.click(within(dialog).getByRole('button', { name: 'Suspend selected' }))
  await within(dialog).findByRole('button', { name: 'Done' })
  const results = within(dialog).getAllByRole('listitem')
  const of = (name: string) => results.find(({ textContent }) => textContent?.includes(name))
  expect(of('Olga')).toHaveTextContent('Not approved')
  expect(of('Alma')).toHaveTextContent('not allowed')
  expect(backend.calls.map(({ input }) => input)).toEqual([{ id: 'other', approved: false }])
  await user.click(within(dialog).getByRole('button', { name: 'Done' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
})

test('shows a suspension at once and reverts it when the server refuses', async () => {
  let refuse = () => {}
  const { user } = await renderApp('/riders', {
    as: 'admin',
    seed: anOfficeSeed(),
    handlers: {
      save_user: () =>
        new Promise((_, no) => {
          refuse = () => no(new ServiceError('permission-denied', 'not_allowed'))
        }),
    },
  })
  await openRowMenu(user)
  await user.click(screen.getByRole('button', { name: 'Suspend' }))
  expect(await screen.findByText('Not approved')).toBeInTheDocument()
  refuse()
  expect(await screen.findByText('You are not allowed to do this.')).toBeInTheDocument()
  expect(await screen.findByText('Approved', { selector: 'td *' })).toBeInTheDocument()
})

/** Returns the lines of the table's CSV export. */
const readExportedLines = async (user: UserEvents) =>
  (await readExportedText(user)).trim().split('\r\n')
const createRows = <Row,>(count: number, row: (key: string, at: number) => Row) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => {
      const key = `r-${String(at).padStart(4, '0')}`
      return [key, row(key, at)]
    }),
  )
test.each([
  [
    '/riders?size=10',
    261,
    {
      people: Object.values(
        createRows(260, (id, at) => aRider({ id, firstName: `No${at}`, mobile: `+1555${at}` })),
      ),
    },
  ],
  [
    '/withdraws',
    620,
    {
      more: {
        withdraws: createRows(620, (id, at) => ({
          id,
          uid: 'driver',
          name: `No ${at}`,
          amount: 5,
          date: at,
          processed: false,
        })),
      },
    },
  ],
  [
    '/audit',
    1100,
    {
      more: {
        audit: createRows(1100, (_, at) => ({
          by: 'admin',
          at,
          action: 'promo_add',
          path: `promos/${at}`,
        })),
      },
    },
  ],
  [
    '/driverearning',
    430,
    {
      more: {
        stats: {
          driver_earnings: createRows(430, (_, at) => ({
            '2026-11': aTotalsRow(
              { driverShare: 5 },
              {
                year: 2026,
                monthsName: 'November',
                driverName: `No ${at}`,
                driverVehicleNo: '',
                total_rides: 1,
              },
            ),
          })),
        },
      },
    },
  ],
])(
  'exports from %s all %i matching rows, in addition to those on the current page',
  async (path, count, more) => {
    const { user } = await renderApp(path, { as: 'admin', seed: anOfficeSeed(more) })
    expect(new Set(await readExportedLines(user)).size).toBe(1 + count)
  },
)

test.each([
  [
    '/earningreports',
    { earnings: { '2026-10': aTotalsRow({ convenienceFee: 0.1, cancellationFee: 0.2 }) } },
  ],
  [
    '/driverearning?group=driver',
    {
      driver_earnings: {
        driver: {
          '2026-10': aTotalsRow({ driverShare: 0.1 }),
          '2026-11': aTotalsRow({ driverShare: 0.2 }),
        },
      },
    },
  ],
])('exports amounts of %s with no more decimals than the currency has', async (path, stats) => {
  const { user } = await renderApp(path, { as: 'admin', seed: anOfficeSeed({ more: { stats } }) })
  const [, line = ''] = await readExportedLines(user)
  expect(line.split(',')).toContain('0.3')
  expect(line).not.toMatch(/\d\.\d{3}/)
})

test('shows a percentage with all its decimals', async () => {
  const promos = toJson({ spring: aPromo({ promo_discount_value: 12.25 }) })
  await renderApp('/promos', { as: 'admin', seed: anOfficeSeed({ more: { promos } }) })
  expect(await screen.findByText('12.25 %')).toBeInTheDocument()
})

test.each([
  ['/promos', { promos: { spring: aPromo({ promo_discount_value: 15 }) } }, 'Discount', '15 %'],
  ['/promos', { promos: { spring: aPromo({ min_order: 12.5 }) } }, 'Minimum fare', '12.5'],
  ['/payments?show=all', { payments: { a: aPaymentAttempt({ amount: 25 }) } }, 'Amount', '25'],
  [
    '/payments?show=all',
    { payments: { a: aPaymentAttempt({ amount: 25, currency: 'EUR' }) } },
    'Amount',
    '25 EUR',
  ],
])(
  'exports %s with the currency in the titles of amounts (%#)',
  async (path, more, title, value) => {
    const { user } = await renderApp(path, {
      as: 'admin',
      seed: anOfficeSeed({ more: toJson(more) as Tree }),
    })
    const [head = '', row = ''] = await readExportedLines(user)
    expect(row.split(',')[head.split(',').indexOf(`${title} (UYU)`)]).toBe(value)
  },
)

test('shows the mobile number and email of an existing user as read-only', async () => {
  await renderApp('/riders?edit=rider', { as: 'admin', seed: anOfficeSeed() })
  const panel = await screen.findByRole('dialog', { name: 'Ana Lima' })
  for (const [name, value] of [
    ['Mobile number', '+15555550199'],
    ['Email', 'rider@kerbside.example'],
    ['Wallet balance', '$0.00'],
    ['Referral ID', 'None'],
  ] as const) {
    expect(within(panel).queryByLabelText(name)).not.toBeInTheDocument()
    expect(within(panel).getByText(name, { selector: 'dt' }).nextSibling?.textContent).toBe(value)
  }
})

test('lets a driver’s vehicle type and fleet admin be changed and removed', async () => {
  const free = aDriver({ id: 'free', firstName: 'Fabio' })
  const { unmount } = await renderApp('/drivers?edit=driver', { as: 'admin', seed: anOfficeSeed() })
  const findOptions = async (name: string, label: string) => {
    const panel = await screen.findByRole('dialog', { name })
    await within(panel).findByRole('option', { name: 'Flor Flota' })
    const field = within(panel).getByLabelText(label)
    return within(field)
      .getAllByRole('option')
      .map(({ textContent }) => textContent)
  }
  expect(await findOptions('Beto Silva', 'Vehicle type')).toEqual(['None', 'Van'])
  expect(await findOptions('Beto Silva', 'Fleet admin')).toEqual(['None', 'Flor Flota'])
  unmount()
  await renderApp('/drivers?edit=free', { as: 'admin', seed: anOfficeSeed({ people: [free] }) })
  expect(await findOptions('Fabio Silva', 'Fleet admin')).toEqual(['None', 'Flor Flota'])
})

test('hides contacts and refuses to delete a user in demo mode', async () => {
  const { user, backend } = await renderApp('/riders?edit=rider', {
    as: 'admin',
    seed: anOfficeSeed({ settings: demo }),
  })
  const panel = await screen.findByRole('dialog', { name: 'Ana Lima' })
  expect(within(panel).getAllByText('Hidden for Demo')).toHaveLength(2)
  await user.click(within(panel).getByRole('button', { name: 'Delete' }))
  const confirm = await screen.findByRole('dialog', { name: 'Delete “Ana Lima”?' })
  await user.click(within(confirm).getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText(DEMO)).toBeInTheDocument()
  expect(backend.calls).toEqual([])
})

test('shows a fleet admin only their own drivers, without an approval switch', async () => {
  const { user } = await renderApp('/drivers', {
    as: 'fleet',
    seed: anOfficeSeed({ people: [aDriver({ id: 'other', firstName: 'Otto' })] }),
  })
  expect(await screen.findByRole('link', { name: 'Beto Silva' })).toBeInTheDocument()
  expect(screen.queryByRole('link', { name: /^Otto/ })).not.toBeInTheDocument()
  await openRowMenu(user)
  expect(screen.getByRole('button', { name: 'Wallet' })).toBeInTheDocument()
  expect(screen.queryByRole('button', { name: 'Suspend' })).not.toBeInTheDocument()
})

test.each([
  ['admin', true],
  ['fleet', false],
])('offers the bank details of a driver to the %s: %s', async (as, isOffered) => {
  await renderApp('/drivers?edit=driver', {
    as,
    seed: anOfficeSeed({ settings: { bank_fields: true } }),
  })
  const panel = await screen.findByRole('dialog', { name: /^Beto/ })
  expect(within(panel).queryAllByRole('textbox', { name: 'Bank account' })).toHaveLength(
    isOffered ? 1 : 0,
  )
})

test('finds a long-registered person by the start of their name', async () => {
  const manyPeople = Array.from({ length: 60 }, (_, at) =>
    aRider({ id: `rider-${String(at).padStart(2, '0')}`, firstName: 'Many', mobile: `+1555${at}` }),
  )
  const old = aRider({ id: 'old', firstName: 'Zoraida', lastName: 'Antigua', mobile: '+15550' })
  const { user } = await renderApp('/riders?size=10', {
    as: 'admin',
    seed: anOfficeSeed({ people: [old, ...manyPeople] }),
  })
  expect((await screen.findAllByRole('link', { name: /^Many/ })).length).toBeGreaterThan(0)
  expect(screen.queryByRole('link', { name: 'Zoraida Antigua' })).not.toBeInTheDocument()
  await user.type(screen.getByRole('searchbox'), 'zora')
  expect(await screen.findByRole('link', { name: 'Zoraida Antigua' })).toBeInTheDocument()
})

test('adds a vehicle type with its fare and shows an error at an empty name', async () => {
  const { user, backend } = await renderApp('/cartypes?edit=new', {
    as: 'admin',
    seed: anOfficeSeed(),
  })
  const panel = await screen.findByRole('dialog', { name: 'Add vehicle type' })
  await user.click(within(panel).getByRole('button', { name: 'Save' }))
  expect((await within(panel).findAllByRole('alert'))[0]).toHaveTextContent('fill this in')
  // The focus moves to the first invalid field, so that the next keystroke lands there.
  await waitFor(() => expect(within(panel).getByLabelText('Name')).toHaveFocus())
  await user.keyboard('Bike')
  await user.type(within(panel).getByLabelText('Rate per km'), '3.5')
  await user.type(within(panel).getByLabelText('Rate per hour'), '60')
  await user.click(within(panel).getByRole('button', { name: 'Save' }))
  const notice = await screen.findByText('Saved')
  // Screen readers announce it, but never interrupt other speech.
  expect(notice.closest('[role=status]')).toHaveAttribute('aria-live', 'polite')
  const stored = Object.values(backend.getTree().cartypes as Record<string, object>)
  expect(stored).toContainEqual(
    expect.objectContaining({ name: 'Bike', rate_per_unit_distance: 3.5, base_fare: 0 }),
  )
})

test('shows a withdrawal by driver, amount, bank and age, and exports it as before', async () => {
  const withdrawal = {
    ...{ uid: 'driver', name: 'Beto Silva', amount: 50, date: 1, processed: false },
    ...{ bankName: 'Banco Uno', bankCode: 'B1', bankAccount: '0099' },
  }
  const { user } = await renderApp('/withdraws', {
    as: 'admin',
    seed: anOfficeSeed({ settings: { bank_fields: true }, more: { withdraws: { w: withdrawal } } }),
  })
  const row = (await screen.findByRole('link', { name: 'Beto Silva' })).closest('tr') as HTMLElement
  expect(within(row).getByText('Banco Uno')).toBeInTheDocument()
  expect(within(row).getByText('B1 · 0099')).toBeInTheDocument()
  expect(await within(row).findByRole('link', { name: 'Wallet' })).toBeInTheDocument()
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
    '',
    'Driver',
    'Amount',
    'Bank',
    'Requested',
    'Processed',
    'Actions',
  ])
  const [titles] = await readExportedLines(user)
  expect(titles).toMatch(
    /Requested,Driver,Amount.*,Processed,.*,ID,Bank name,Bank code,Bank account$/,
  )
})

test('shows the bank account of each withdrawal in the bulk dialog', async () => {
  const withdrawal = { uid: 'driver', amount: 50, date: 1, processed: false }
  await renderApp('/withdraws?bulk=process~w1,w2', {
    as: 'admin',
    seed: anOfficeSeed({
      settings: { bank_fields: true },
      more: {
        withdraws: {
          w1: { ...withdrawal, name: 'Beto', bankName: 'Banco', bankCode: '7', bankAccount: '123' },
          w2: { ...withdrawal, name: 'Zoe' },
        },
      },
    }),
  })
  const dialog = await screen.findByRole('dialog', { name: 'Mark as paid' })
  expect(await within(dialog).findByText(/\$50\.00 · Banco · 7 · 123/)).toBeInTheDocument()
  expect(within(dialog).getByText(/\$50\.00 · Bank account.*: Not provided/)).toBeInTheDocument()
})

test('translates the name of a vehicle type and removes an emptied translation', async () => {
  const { user, backend } = await renderApp('/cartypes?edit=van', {
    as: 'admin',
    seed: anOfficeSeed({
      cars: [aCarType({ names: { pt: 'Furgão', xx: 'Kept' } })],
      languages: [
        aLanguage(),
        aLanguage({ id: 'pt', langName: 'Português' }),
        aLanguage({ id: 'en', langName: 'English', default: true }),
      ],
    }),
  })
  const panel = await screen.findByRole('dialog', { name: 'Van' })
  await user.click(await within(panel).findByText('Names in other languages'))
  const names = within(panel).getByRole('group', { name: 'Names in other languages' })
  expect(within(names).queryByLabelText('English')).not.toBeInTheDocument()
  await user.type(within(names).getByLabelText('Deutsch'), 'Transporter')
  await user.clear(within(names).getByLabelText('Português'))
  await user.click(within(panel).getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Saved')).toBeInTheDocument()
  expect(backend.getTree().cartypes).toMatchObject({ van: { name: 'Van' } })
  expect((backend.getTree().cartypes as Record<string, { names: object }>).van?.names).toEqual({
    de: 'Transporter',
    xx: 'Kept',
  })
})

test('shows the error of a translated name that is too long', async () => {
  const { user } = await renderApp('/cartypes?edit=van', {
    as: 'admin',
    seed: anOfficeSeed({ languages: [aLanguage()] }),
  })
  const panel = await screen.findByRole('dialog', { name: 'Van' })
  await user.click(await within(panel).findByText('Names in other languages'))
  const names = within(panel).getByRole('group', { name: 'Names in other languages' })
  const input = within(names).getByLabelText('Deutsch')
  await user.click(input)
  await user.paste('x'.repeat(101))
  await user.click(within(panel).getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(input).toHaveAttribute('aria-invalid', 'true'))
  await waitFor(() => expect(input).toHaveFocus())
})

const LANGUAGES = [
  aLanguage(),
  aLanguage({ id: 'pt', langName: 'Português' }),
  aLanguage({ id: 'en', langName: 'English', default: true }),
]

test('translates a parcel type and keeps its other translations', async () => {
  const parcelTypes = [{ description: 'Letter', names: { pt: 'Carta' }, amount: 3 }]
  const { user, backend } = await renderApp('/cartypes?edit=van~parcelTypes', {
    as: 'admin',
    seed: anOfficeSeed({ cars: [aCarType({ parcelTypes })], languages: LANGUAGES }),
  })
  const panel = await screen.findByRole('dialog', { name: 'Van: Parcel types' })
  await user.click(await within(panel).findByText('Names in other languages'))
  expect(within(panel).getByLabelText('Português')).toHaveValue('Carta')
  await user.click(within(panel).getByLabelText('Deutsch'))
  await user.paste('Brief')
  await user.click(within(panel).getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Saved')).toBeInTheDocument()
  const stored = backend.getTree().cartypes as Record<string, { parcelTypes: unknown }>
  expect(stored.van?.parcelTypes).toEqual([
    { description: 'Letter', names: { de: 'Brief', pt: 'Carta' }, amount: 3 },
  ])
})

test('translates a cancellation reason and removes an emptied translation', async () => {
  const { user, backend } = await renderApp('/cancelreasons?edit=1', {
    as: 'admin',
    seed: anOfficeSeed({
      reasons: [
        { label: 'Rain', names: { de: 'Regen' }, value: 0 },
        { label: 'Late', names: { pt: 'Atraso' }, value: 1 },
      ],
      languages: LANGUAGES,
    }),
  })
  const panel = await screen.findByRole('dialog', { name: 'Late' })
  await user.click(await within(panel).findByText('Names in other languages'))
  await user.clear(within(panel).getByLabelText('Português'))
  await user.click(within(panel).getByLabelText('Deutsch'))
  await user.paste('Verspätet')
  await user.click(within(panel).getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Saved')).toBeInTheDocument()
  expect(backend.getTree().cancel_reason).toEqual([
    { label: 'Rain', names: { de: 'Regen' }, value: 0 },
    { label: 'Late', names: { de: 'Verspätet' }, value: 1 },
  ])
})

test('offers parcel types and options in delivery mode only', async () => {
  await renderApp('/cartypes', {
    as: 'admin',
    seed: anOfficeSeed({ settings: { appcat: 'taxi' } }),
  })
  expect(
    await screen.findByRole('button', { name: 'Cancellation fees of Van' }),
  ).toBeInTheDocument()
  expect(screen.queryByRole('button', { name: 'Parcel types of Van' })).not.toBeInTheDocument()
})

test('keeps all other fields of a vehicle type when its slabs change', async () => {
  const { user, backend } = await renderApp('/cartypes?edit=van~cancelSlab', {
    as: 'admin',
    seed: anOfficeSeed({ cars: [aCarType({ cancelSlab: [{ minsDelayed: 2, amount: 5 }] })] }),
  })
  const panel = await screen.findByRole('dialog', { name: 'Van: Cancellation fees' })
  await user.clear(within(panel).getByLabelText('Amount'))
  await user.type(within(panel).getByLabelText('Amount'), '8')
  await user.click(within(panel).getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Saved')).toBeInTheDocument()
  expect((backend.getTree().cartypes as Record<string, unknown>).van).toMatchObject({
    name: 'Van',
    base_fare: 10,
    cancelSlab: [{ minsDelayed: 2, amount: 8 }],
  })
})

test('keeps list changes that another person made while a vehicle type was open', async () => {
  const { user, backend } = await renderApp('/cartypes?edit=van', {
    as: 'admin',
    seed: anOfficeSeed(),
  })
  const panel = await screen.findByRole('dialog', { name: 'Van' })
  await user.type(within(panel).getByLabelText('Name'), ' XL')
  backend.update({ 'cartypes/van/cancelSlab': [{ minsDelayed: 9, amount: 99 }] })
  await user.click(within(panel).getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Saved')).toBeInTheDocument()
  expect(backend.getTree().cartypes).toMatchObject({
    van: { name: 'Van XL', cancelSlab: [{ minsDelayed: 9, amount: 99 }] },
  })
})

test('lets users add but not change a promo in demo mode', async () => {
  const promo = aPromo()
  const { user, backend } = await renderApp('/promos?edit=spring', {
    as: 'admin',
    seed: anOfficeSeed({ settings: demo, promos: [promo] }),
  })
  const panel = await screen.findByRole('dialog', { name: 'SPRING' })
  await user.type(within(panel).getByLabelText('Description'), 'More')
  await user.click(within(panel).getByRole('button', { name: 'Save' }))
  expect((await within(panel).findByRole('alert')).textContent).toBe(DEMO)
  expect(backend.getTree().promos).toEqual({ spring: promo })
})

test('renumbers the remaining reasons after one is deleted, and can restore it', async () => {
  const { user, backend } = await renderApp('/cancelreasons?edit=0', {
    as: 'admin',
    seed: anOfficeSeed(),
  })
  const panel = await screen.findByRole('dialog', { name: 'Changed my mind' })
  await user.click(within(panel).getByRole('button', { name: 'Delete' }))
  await waitFor(() =>
    expect(backend.getTree().cancel_reason).toEqual([{ label: 'Wrong address', value: 0 }]),
  )
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  await waitFor(() =>
    expect(backend.getTree().cancel_reason).toEqual([
      { label: 'Changed my mind', value: 0 },
      { label: 'Wrong address', value: 1 },
    ]),
  )
})

test('shows cancellation reasons as read-only in demo mode', async () => {
  await renderApp('/cancelreasons', { as: 'admin', seed: anOfficeSeed({ settings: demo }) })
  expect(await screen.findByText('Wrong address')).toBeInTheDocument()
  expect(screen.queryByRole('button', { name: 'Add reason' })).not.toBeInTheDocument()
  expect(screen.queryByRole('link', { name: 'Wrong address' })).not.toBeInTheDocument()
})

test('sends a notification once through the server and retries a failed one under the same ID', async () => {
  let tries = 0
  const { user, backend } = await renderApp('/notifications?edit=new', {
    as: 'admin',
    seed: anOfficeSeed(),
    handlers: {
      broadcast_notification: ({ notification_id }: { notification_id: string }) => {
        if (++tries === 1) throw new ServiceError('failed-precondition', 'no_user_match')
        if (tries === 2) throw new ServiceError('unavailable', 'unavailable')
        return { notification_id, matched: 12, sent: 5, done: true }
      },
    },
  })
  const panel = await screen.findByRole('dialog', { name: 'Send notification' })
  const send = () => user.click(within(panel).getByRole('button', { name: 'Send' }))
  await user.selectOptions(within(panel).getByLabelText('Device'), 'Android')
  await user.type(within(panel).getByLabelText('Title'), 'Hello')
  await user.type(within(panel).getByLabelText('Message'), 'World')
  await send()
  expect(await within(panel).findByText('No user matches.')).toBeInTheDocument()
  await user.selectOptions(within(panel).getByLabelText('Device'), 'iOS')
  await send()
  expect(await within(panel).findByText(/cannot reach the server/)).toBeInTheDocument()
  await send()
  expect(await screen.findByText('Sent to 12 people.')).toBeInTheDocument()
  const inputs = backend.calls.map(({ input }) => input as Record<string, string>)
  expect(inputs[2]).toMatchObject({
    title: 'Hello',
    body: 'World',
    usertype: 'All',
    devicetype: 'IOS',
  })
  expect(inputs[2]?.notification_id).toBe(inputs[1]?.notification_id)
  expect(inputs[1]?.notification_id).not.toBe(inputs[0]?.notification_id)
})

test('shows no number of recipients while a notification is still being sent', async () => {
  const { user } = await renderApp('/notifications?edit=new', {
    as: 'admin',
    seed: anOfficeSeed(),
    handlers: {
      broadcast_notification: ({ notification_id }: { notification_id: string }) => ({
        notification_id,
        matched: 0,
        sent: 0,
        done: false,
      }),
    },
  })
  const panel = await screen.findByRole('dialog', { name: 'Send notification' })
  await user.type(within(panel).getByLabelText('Title'), 'Hello')
  await user.type(within(panel).getByLabelText('Message'), 'World')
  await user.click(within(panel).getByRole('button', { name: 'Send' }))
  expect(await screen.findByText(/The message is being sent/)).toBeInTheDocument()
})

test('requires a user and an amount for a credit, asks for confirmation, and credits once', async () => {
  const { user, backend } = await renderApp('/addtowallet', {
    as: 'admin',
    seed: anOfficeSeed(),
    handlers: { add_to_wallet: () => ({ uid: 'rider', amount: 25, walletBalance: 25 }) },
  })
  await user.click(await screen.findByRole('button', { name: 'Add to wallet' }))
  expect((await screen.findAllByText('Choose a user and an amount above 0.')).length).toBe(2)
  await user.type(screen.getByRole('combobox', { name: 'User' }), 'ana')
  await user.click(await screen.findByRole('option', { name: /Ana Lima/ }))
  await user.type(screen.getByLabelText(/^Amount/), '25')
  await user.click(screen.getByRole('button', { name: 'Add to wallet' }))
  const question = await screen.findByRole('dialog', { name: 'Credit $25.00 to Ana Lima?' })
  expect(question).toHaveTextContent('Wallet balance: $0.00 → $25.00')
  expect(backend.calls).toEqual([])
  await user.click(within(question).getByRole('button', { name: 'Credit $25.00' }))
  expect(await screen.findByText('$25.00 was added to the wallet of Ana Lima.')).toBeInTheDocument()
  expect(backend.calls).toMatchObject([
    { name: 'add_to_wallet', input: { uid: 'rider', amount: 25 } },
  ])
})

test('retries a credit with a lost response as the same one; a different amount is a new credit', async () => {
  let tries = 0
  const { user, backend } = await renderApp('/addtowallet', {
    as: 'admin',
    seed: anOfficeSeed(),
    handlers: {
      add_to_wallet: () => {
        if (++tries < 3) throw new ServiceError('unavailable', 'unavailable')
        return {}
      },
    },
  })
  await user.type(await screen.findByRole('combobox', { name: 'User' }), 'ana')
  await user.click(await screen.findByRole('option', { name: /Ana Lima/ }))
  const amount = screen.getByLabelText(/^Amount/)
  const add = screen.getByRole('button', { name: 'Add to wallet' })
  await user.type(amount, '25')
  for (const count of [1, 2]) {
    await user.click(add)
    await user.click(await screen.findByRole('button', { name: 'Credit $25.00' }))
    await waitFor(() => expect(backend.calls).toHaveLength(count))
    expect(await screen.findByText(/cannot reach the server/)).toBeInTheDocument()
  }
  await user.clear(amount)
  await user.type(amount, '30')
  await user.click(add)
  await user.click(await screen.findByRole('button', { name: 'Credit $30.00' }))
  expect(await screen.findByText('$30.00 was added to the wallet of Ana Lima.')).toBeInTheDocument()
  const ids = backend.calls.map(({ input }) => (input as { credit_id: string }).credit_id)
  expect(ids[1]).toBe(ids[0])
  expect(ids[2]).not.toBe(ids[0])
})

test('moves nothing when a credit is not confirmed, and keeps what was typed', async () => {
  const { user, backend } = await renderApp('/addtowallet', { as: 'admin', seed: anOfficeSeed() })
  await user.type(await screen.findByRole('combobox', { name: 'User' }), 'ana')
  await user.click(await screen.findByRole('option', { name: /Ana Lima/ }))
  await user.type(screen.getByLabelText(/^Amount/), '25')
  await user.type(screen.getByLabelText(/^Note/), 'Sorry for the wait')
  await user.click(screen.getByRole('button', { name: 'Add to wallet' }))
  const question = await screen.findByRole('dialog', { name: 'Credit $25.00 to Ana Lima?' })
  expect(within(question).getByText('Sorry for the wait')).toBeInTheDocument()
  await user.click(within(question).getByRole('button', { name: 'Keep as it is' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  expect(screen.getByLabelText<HTMLInputElement>(/^Amount/).value).toBe('25')
  expect(screen.queryByRole('alert')).not.toBeInTheDocument()
  expect(backend.calls).toEqual([])
})

test('asks twice before a large credit, the second time with its amount', async () => {
  const { user, backend } = await renderApp('/addtowallet', {
    as: 'admin',
    seed: anOfficeSeed(),
    handlers: { add_to_wallet: () => ({}) },
  })
  await user.type(await screen.findByRole('combobox', { name: 'User' }), 'ana')
  await user.click(await screen.findByRole('option', { name: /Ana Lima/ }))
  await user.type(screen.getByLabelText(/^Amount/), '1000.01')
  await user.type(screen.getByLabelText(/^Note/), ' Prize ')
  await user.click(screen.getByRole('button', { name: 'Add to wallet' }))
  const confirm = { name: 'Credit $1,000.01' }
  const first = await screen.findByRole('dialog', { name: 'Credit $1,000.01 to Ana Lima?' })
  await user.click(within(first).getByRole('button', confirm))
  const second = await screen.findByRole('dialog', { name: /^\$1,000\.01 is a large amount/ })
  expect(backend.calls).toEqual([])
  await user.click(within(second).getByRole('button', confirm))
  expect(
    await screen.findByText('$1,000.01 was added to the wallet of Ana Lima.'),
  ).toBeInTheDocument()
  expect(backend.calls).toMatchObject([
    { name: 'add_to_wallet', input: { uid: 'rider', amount: 1000.01, note: 'Prize' } },
  ])
})

test('corrects a wallet with a reason, by no more than the wallet holds', async () => {
  const { user, backend } = await renderApp('/addtowallet?do=take', {
    as: 'admin',
    seed: anOfficeSeed({
      people: [aRider({ id: 'rita', firstName: 'Rita', walletBalance: 95.1 })],
    }),
    handlers: { take_from_wallet: () => ({}) },
  })
  await user.type(await screen.findByRole('combobox', { name: 'User' }), 'rita')
  await user.click(await screen.findByRole('option', { name: /Rita/ }))
  const amount = screen.getByLabelText(/^Amount/)
  const take = screen.getByRole('button', { name: 'Take from wallet' })
  await user.type(amount, '95.11')
  await user.click(take)
  expect(await screen.findByText('Please fill this in.')).toBeInTheDocument()
  await user.type(screen.getByLabelText(/^Reason/), 'Credited twice')
  await user.click(take)
  expect(await screen.findByText('The amount is more than the wallet balance.')).toBeInTheDocument()
  expect(amount).toHaveAttribute('aria-invalid', 'true')
  await user.clear(amount)
  await user.type(amount, '25')
  await user.click(take)
  const question = await screen.findByRole('dialog', { name: /^Take \$25\.00 from Rita/ })
  expect(question).toHaveTextContent('Wallet balance: $95.10 → $70.10')
  await user.click(within(question).getByRole('button', { name: 'Take $25.00' }))
  expect(await screen.findByText(/^\$25\.00 was taken from the wallet of Rita/)).toBeInTheDocument()
  expect(backend.calls).toMatchObject([
    { name: 'take_from_wallet', input: { uid: 'rita', amount: 25, note: 'Credited twice' } },
  ])
})

test('refuses to process a withdrawal twice', async () => {
  const row = { uid: 'driver', name: 'Beto Silva', amount: 50, date: 1_790_000_000_000 }
  const { user, backend } = await renderApp('/withdraws', {
    as: 'admin',
    seed: anOfficeSeed({
      settings: { bank_fields: false },
      more: {
        withdraws: {
          a: { ...row, id: 'a', processed: false },
          b: { ...row, id: 'b', name: 'Paid Out', processed: true, procesDate: 1_790_000_000_001 },
        },
      },
    }),
    handlers: { complete_withdraw: () => ({}) },
  })
  expect(
    await screen.findByRole('button', { name: 'Process the request from Paid Out' }),
  ).toBeDisabled()
  expect(screen.queryByRole('columnheader', { name: 'Bank name' })).not.toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Process the request from Beto Silva' }))
  await user.click(
    within(await screen.findByRole('dialog')).getByRole('button', { name: 'Process' }),
  )
  expect(await screen.findByText('Paid out')).toBeInTheDocument()
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  expect(backend.calls).toEqual([{ name: 'complete_withdraw', input: { withdraw_id: 'a' } }])
})

test('returns an unpaid withdrawal to the wallet with a reason', async () => {
  const row = { uid: 'driver', name: 'Beto Silva', amount: 50, date: 1_790_000_000_000 }
  const returned_at = 1_790_000_000_001
  const { user, backend } = await renderApp('/withdraws', {
    as: 'admin',
    seed: anOfficeSeed({
      more: {
        withdraws: {
          a: { ...row, id: 'a', processed: false },
          b: { ...row, id: 'b', name: 'Once Returned', processed: true, returned_at },
        },
      },
    }),
    handlers: { return_withdraw: () => ({ withdraw_id: 'a', returned_at }) },
  })
  expect(await screen.findByText('Returned to the wallet')).toBeInTheDocument()
  await openRowMenu(user, 'Beto Silva')
  await user.click(screen.getByRole('button', { name: 'Return to the wallet' }))
  const dialog = await screen.findByRole('dialog', { name: /to the wallet of Beto Silva/ })
  const confirm = within(dialog).getByRole('button', { name: 'Return to the wallet' })
  await user.click(confirm)
  expect(within(dialog).getByRole('alert')).toBeInTheDocument()
  expect(backend.calls).toEqual([])
  await user.type(within(dialog).getByRole('textbox', { name: /Reason/ }), 'Unknown account')
  await user.click(confirm)
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  expect(backend.calls).toEqual([
    { name: 'return_withdraw', input: { withdraw_id: 'a', note: 'Unknown account' } },
  ])
})

test('lists a waiting request and pays it out, no matter how many newer ones exist', async () => {
  const newer = createRows(500, (id, at) => ({
    id,
    uid: 'driver',
    name: `No ${at}`,
    amount: 5,
    date: 1_790_000_000_000 + at,
    processed: true,
  }))
  const old = { id: 'a', uid: 'driver', name: 'Old Beto', amount: 50, date: 1, processed: false }
  const { user, backend } = await renderApp('/withdraws?sort=processed', {
    as: 'admin',
    seed: anOfficeSeed({ more: { withdraws: { a: old, ...newer } } }),
    handlers: { complete_withdraw: () => ({}) },
  })
  await user.click(await screen.findByRole('button', { name: 'Process the request from Old Beto' }))
  await user.click(
    within(await screen.findByRole('dialog')).getByRole('button', { name: 'Process' }),
  )
  expect(await screen.findByText('Paid out')).toBeInTheDocument()
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  expect(backend.calls).toEqual([{ name: 'complete_withdraw', input: { withdraw_id: 'a' } }])
})

test('shows proper_bonus and saves nothing when the bonus is missing', async () => {
  const { user, backend } = await renderApp('/settings', { as: 'admin', seed: anOfficeSeed() })
  await user.clear(await screen.findByLabelText('Referral bonus'))
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Please enter a bonus, or 0.')).toBeInTheDocument()
  expect(backend.getTree().settings).toMatchObject({ bonus: 10 })
})

test('writes only the changed settings, and none in demo mode', async () => {
  const { user, backend } = await renderApp('/settings', { as: 'admin', seed: anOfficeSeed() })
  await user.clear(await screen.findByLabelText('Search radius in km'))
  await user.type(screen.getByLabelText('Search radius in km'), '7')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(backend.getTree().settings).toMatchObject({ driverRadius: 7 }))
  backend.update({ 'settings/AllowCriticalEditsAdmin': false })
  await screen.findByText('Demo')
  await user.clear(screen.getByLabelText('Search radius in km'))
  await user.type(screen.getByLabelText('Search radius in km'), '9')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText(DEMO)).toBeInTheDocument()
  expect(backend.getTree().settings).toMatchObject({ driverRadius: 7 })
})

test('shows the start date of the reports when the currency has changed', async () => {
  const ended = Date.UTC(2026, 9, 1, 15)
  await renderApp('/earningreports', {
    as: 'admin',
    seed: anOfficeSeed({
      more: {
        currency: { ended: { [ended]: { code: 'USD', decimal: 2, symbol: '$' } } },
        stats: {
          earnings: {
            '2026-10': {
              total_rides: 3,
              minor: { USD2: { tripCost: 9900 }, UYU2: { tripCost: 400 } },
            },
          },
        },
      },
    }),
  })
  expect(
    await screen.findByText(/before .*2026 are in USD and are not counted here/),
  ).toBeInTheDocument()
  expect((await screen.findAllByText('$4.00')).length).toBeGreaterThan(0)
  expect(screen.queryByText('$103.00')).not.toBeInTheDocument()
})

test('shows the panic number setting in taxi mode and the photo settings in delivery mode', async () => {
  await renderApp('/settings', {
    as: 'admin',
    seed: anOfficeSeed({ settings: { appcat: 'taxi' } }),
  })
  expect(await screen.findByLabelText('Panic number')).toBeInTheDocument()
  expect(screen.queryByLabelText('Photo at the pickup')).not.toBeInTheDocument()
})

test('shows JSON Error for invalid JSON and saves valid JSON', async () => {
  const { user, backend } = await renderApp('/languagesetting?edit=de~json', {
    as: 'admin',
    seed: anOfficeSeed({ languages }),
  })
  const text = await screen.findByLabelText('Edit JSON')
  const panel = screen.getByRole('dialog', { name: 'Texts of Deutsch' })
  await user.clear(text)
  await user.click(text)
  await user.paste('{ "hello": ')
  await user.click(within(panel).getByRole('button', { name: 'Submit' }))
  expect(within(panel).getByRole('alert').textContent).toBe('JSON Error')
  await user.clear(text)
  await user.paste('{ "hello": "Servus" }')
  await user.click(within(panel).getByRole('button', { name: 'Submit' }))
  expect(await screen.findByText('Saved')).toBeInTheDocument()
  expect(backend.getTree().languages).toMatchObject({
    de: { keyValuePairs: { hello: 'Servus' }, langName: 'Deutsch' },
  })
})

test('refuses to delete the default language and lets an admin choose another default', async () => {
  const { user, backend } = await renderApp('/languagesetting', {
    as: 'admin',
    seed: anOfficeSeed({ languages }),
  })
  const row = (await screen.findByRole('link', { name: 'English' })).closest('tr')
  await user.click(within(row as HTMLElement).getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText('Cannot delete default language')).toBeInTheDocument()
  const other = screen.getByRole('link', { name: 'Deutsch' }).closest('tr')
  await user.click(within(other as HTMLElement).getByRole('button', { name: 'Make default' }))
  await waitFor(() =>
    expect(backend.getTree().languages).toMatchObject({
      en: { default: false },
      de: { default: true },
    }),
  )
})

test('shows the convenience fees of today, this month and all time on the cards', async () => {
  const today = formatDay(Date.now(), 'America/Montevideo')
  await renderApp('/dashboard', {
    as: 'admin',
    seed: anOfficeSeed({
      more: {
        stats: {
          days: { [today]: aTotalsRow({ convenienceFee: 11 }) },
          earnings: { [today.slice(0, 7)]: aTotalsRow({ convenienceFee: 222 }) },
          total: aTotalsRow({ convenienceFee: 3333 }),
        },
      },
    }),
  })
  for (const amount of ['$11.00', '$222.00', '$3,333.00'])
    expect(await screen.findByText(amount, { selector: 'p' })).toBeInTheDocument()
})

test('shows a fleet admin the totals of their own drivers without loading a list', async () => {
  const today = formatDay(Date.now(), 'America/Montevideo')
  await renderApp('/dashboard', {
    as: 'fleet',
    seed: anOfficeSeed({
      more: {
        stats: {
          total: aTotalsRow({ convenienceFee: 9999 }),
          fleet_days: {
            fleet: { [today]: aTotalsRow({ convenienceFee: 5 }) },
            other: { [today]: aTotalsRow({ convenienceFee: 8888 }) },
          },
          fleet_earnings: { fleet: { [today.slice(0, 7)]: aTotalsRow({ convenienceFee: 60 }) } },
          fleet_total: { fleet: aTotalsRow({ convenienceFee: 700 }) },
        },
      },
    }),
  })
  for (const amount of ['$5.00', '$60.00', '$700.00'])
    expect(await screen.findByText(amount, { selector: 'p' })).toBeInTheDocument()
  expect(screen.queryByText('$9,999.00')).not.toBeInTheDocument()
})

test('charts bookings, earnings, cancellations, waiting times and the breakdown of bookings by day or month', async () => {
  const today = formatDay(Date.now(), 'America/Montevideo')
  const month = today.slice(0, 7)
  const { user } = await renderApp('/dashboard', {
    as: 'admin',
    seed: anOfficeSeed({
      more: {
        stats: {
          days: {
            [today]: aTotalsRow(
              { convenienceFee: 12 },
              { created: 7, cancelled: 1, completed: 3, accepted: 2, waited: 600 },
            ),
          },
          earnings: { [month]: { created: 88 } },
          status: { NEW: 4, COMPLETE: 9 },
          cartypes: { [month]: { van: 6 } },
        },
      },
    }),
  })
  const shown = async (name: string) => {
    const chart = await screen.findByRole('figure', { name })
    return within(chart).getAllByRole('row').at(-1)?.textContent ?? ''
  }
  await waitFor(async () => expect(await shown('Bookings')).toMatch(/7$/))
  expect(await shown('Gross earnings')).toContain('$12.00')
  expect(await shown('Cancellation rate')).toContain('25 %')
  expect(await shown('Time until a driver accepts')).toContain('5 min')
  const divided = async (name: string) => {
    const chart = await screen.findByRole('figure', { name })
    const [first] = await within(chart).findAllByRole('listitem')
    return [first?.textContent, first?.querySelector('a')?.getAttribute('href')]
  }
  expect(await divided('All bookings by status')).toEqual([
    'Completed9',
    '/bookings?status=COMPLETE',
  ])
  expect(await divided('This month’s bookings by vehicle type')).toEqual([
    'Van6',
    '/bookings?car=van',
  ])
  await user.click(screen.getByRole('radio', { name: 'Month' }))
  await waitFor(async () => expect(await shown('Bookings')).toMatch(/88$/))
})

test('groups driver earnings by driver on request', async () => {
  const month = (name: string, share: number) =>
    aTotalsRow(
      { driverShare: share, compensation: -1.5, tips: 2 },
      {
        year: 2026,
        monthsName: name,
        driverName: 'Beto Silva',
        driverVehicleNo: 'SBA 1234',
        total_rides: 2,
      },
    )
  const { user } = await renderApp('/driverearning', {
    as: 'admin',
    seed: anOfficeSeed({
      more: {
        stats: {
          driver_earnings: {
            driver: { '2026-10': month('October', 10), '2026-11': month('November', 20) },
          },
        },
      },
    }),
  })
  expect(await screen.findByText('$10.00')).toBeInTheDocument()
  await user.click(screen.getByRole('radio', { name: 'Driver' }))
  expect((await screen.findByText('Total')).closest('tr')).toHaveTextContent(
    /4\$30\.00−\$3\.00\$4\.00$/,
  )
  expect(await screen.findAllByText('$30.00')).toHaveLength(2)
})

test('adds up exactly the months of the earnings report that match the search', async () => {
  const month = (tripCost: number, total_rides: number) =>
    aTotalsRow(
      {
        tripCost,
        convenienceFee: 0.1,
        discountAmount: 0.3,
        driverShare: tripCost - 0.1,
        // A card got 0.05 back, riders 0.40, and drivers gave back 0.15.
        customerPaid: tripCost - 0.35,
        compensation: 0.25,
        driverCompensation: -0.15,
        tips: 5,
      },
      { total_rides },
    )
  const { user } = await renderApp('/earningreports', {
    as: 'admin',
    seed: anOfficeSeed({
      more: {
        stats: {
          earnings: {
            '2025-10': month(0.1, 1),
            '2026-10': month(0.2, 2),
            '2026-11': month(1000.07, 3),
          },
        },
      },
    }),
  })
  const totals = async () => (await screen.findByText('Total')).closest('tr')?.textContent
  // Compensation and refunds have a column of their own and lower earnings and profit alike.
  expect(await totals()).toMatch(/^Total6\$1,000\.37.*\$0\.90−\$1\.50−\$1\.50$/)
  await user.type(screen.getByRole('searchbox'), 'october')
  await waitFor(async () => expect(await totals()).toMatch(/^Total3\$0\.30.*−\$1\.00−\$1\.00$/))
})

test('asks before a menu link leaves unsaved changes', async () => {
  const { user } = await renderApp('/appinfo', { as: 'admin', seed: anOfficeSeed() })
  await user.type(await screen.findByLabelText('App name'), ' two')
  const menu = screen.getByRole('navigation', { name: 'Menu' })
  await user.click(within(menu).getByRole('button', { name: 'Money' }))
  const promos = within(menu).getByRole('link', { name: 'Promos' })
  await user.click(promos)
  const question = await screen.findByRole('dialog', { name: /Leave without saving/ })
  expect(screen.getByLabelText('App name')).toBeInTheDocument()
  await user.click(within(question).getByRole('button', { name: 'Leave' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Promos' })).toBeInTheDocument()
})

test('exports bookings with a reference, ids as text, units in the column titles, and days with start and end', async () => {
  const id = '-OAbcdefghijklmnopqr'
  const started = Date.parse('2026-11-02T12:06:00Z')
  const row = aBooking({ id, booking_id: id, status: 'PAID', startTime: started })
  const { user } = await renderApp('/bookings', {
    as: 'admin',
    seed: anOfficeSeed({ bookings: [row] }),
    handlers: { export_bookings: () => ({ rows: [row], next: null }) },
  })
  const [titles = '', line = ''] = (await readExportedLines(user)).map((one) =>
    one.replace('\uFEFF', ''),
  )
  const cells = Object.fromEntries(
    titles.split(',').map((title, at) => [title, line.split(',')[at] ?? '']),
  )
  expect(cells).toMatchObject({
    Reference: referenceAt(id, 0),
    'Booking ID': `'${id}`,
    Start: '2026-11-02T09:06:00-03:00',
    'Total time (s)': '840',
    'Distance (km)': '5.2',
  })
  expect(titles).toContain('(UYU)')
})

test('names the bank account in the question before a withdrawal is paid out', async () => {
  const { user } = await renderApp('/withdraws', {
    as: 'admin',
    seed: anOfficeSeed({
      settings: { bank_fields: true },
      more: {
        withdraws: {
          w1: {
            id: 'w1',
            uid: 'driver',
            name: 'Beto Silva',
            amount: 5,
            date: 1,
            processed: false,
            bankName: 'Banco República',
            bankAccount: '001-4711',
          },
        },
      },
    }),
  })
  await user.click(await screen.findByRole('button', { name: /^Process .*Beto Silva/ }))
  const dialog = await screen.findByRole('dialog')
  expect(within(dialog).getByText('Banco República')).toBeInTheDocument()
  expect(within(dialog).getByText('001-4711')).toBeInTheDocument()
})

test('says until when a withdrawal waits after a change of bank details, and offers no payment', async () => {
  const payable_at = Date.now() + 3_600_000
  const row = { id: 'w1', uid: 'driver', name: 'Beto Silva', amount: 5, date: 1, processed: false }
  await renderApp('/withdraws', {
    as: 'admin',
    seed: anOfficeSeed({
      settings: { bank_fields: true },
      more: { withdraws: { w1: { ...row, payable_at } } },
    }),
  })
  expect(await screen.findByRole('button', { name: /^Process .*Beto Silva/ })).toBeDisabled()
  expect(screen.getByText(/^Waits until/)).toBeInTheDocument()
})
