import { screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { ImportResult } from '~/domain/api/outputFields'
import type { ImportPeopleInput } from '~/domain/api/inputs/imports'
import { domainError } from '~/domain/api/errors'
import { aCarType, anOfficeSeed, renderApp } from '../testing/officeFixtures'
import type { MemoryOptions } from '~/src/services/memory/backendTypes'
import type { VehicleType } from '~/domain/catalog/types'

type Handlers = NonNullable<MemoryOptions['handlers']>
const HEADINGS = 'First name,Last name,Mobile number,Email'
const ANA = 'Ana,Silva,099 123 456,ana@example.com'
const toFile = (lines: string[], name = 'people.csv') => new File([lines.join('\r\n')], name)

const openImport = async (
  path: string,
  {
    handlers,
    as = 'admin',
    settings = {},
  }: { handlers?: Handlers; as?: 'admin' | 'fleet'; settings?: object } = {},
) => {
  const app = await renderApp(path, {
    as,
    seed: anOfficeSeed({
      settings: { country: 'Uruguay', restrictCountry: 'UY', ...settings },
      cars: [aCarType()],
    }),
    ...(handlers && { handlers }),
  })
  await app.user.click(await screen.findByRole('button', { name: 'Import' }))
  return { ...app, dialog: await screen.findByRole('dialog') }
}
/** Keeps the text of each downloaded file. */
const keepDownloads = () => {
  const files: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    files.push(file as Blob)
    return 'blob:x'
  })
  vi.spyOn(URL, 'revokeObjectURL').mockReturnValue()
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue()
  onTestFinished(() => void vi.restoreAllMocks())
  return files
}
const imported = (input: unknown, outcome: (index: number) => ImportResult) => ({
  results: (input as ImportPeopleInput).rows.map((_, index) => outcome(index)),
})

test('downloads a template with the headings of the list', async () => {
  const files = keepDownloads()
  const { user, dialog } = await openImport('/drivers')
  await user.click(within(dialog).getByRole('button', { name: 'Template as CSV' }))
  const text = await files[0]?.text()
  expect(text).toContain('First name *,Last name *,Mobile number *,Email *,Vehicle type')
})

test('shows the error of each cell, and imports the rows without one', async () => {
  const { user, dialog, backend } = await openImport('/drivers', {
    handlers: {
      import_people: (input: unknown) => imported(input, () => ({ status: 'added', id: 'x' })),
    },
  })
  const file = toFile([HEADINGS, ANA, 'Eva,,12,eva@example.com'])
  await user.upload(within(dialog).getByLabelText('Choose a file'), file)
  expect(await within(dialog).findByText('Ready: 1 · With errors: 1')).toBeInTheDocument()
  const row = within(dialog).getByRole('row', { name: /^3/ })
  expect(within(row).getByText('Please fill this in.')).toBeInTheDocument()
  expect(within(row).getByText(/Please enter the number with its country code/)).toBeInTheDocument()
  await user.click(within(dialog).getByRole('button', { name: 'Import (1)' }))
  expect(await within(dialog).findByText(/Added: 1 .* Not imported: 1/)).toBeInTheDocument()
  expect(backend.calls).toContainEqual({
    name: 'import_people',
    input: {
      usertype: 'driver',
      rows: [
        {
          firstName: 'Ana',
          lastName: 'Silva',
          mobile: '+59899123456',
          email: 'ana@example.com',
        },
      ],
    },
  })
})

test('offers the refused rows with their reasons as a file without formulas', async () => {
  const files = keepDownloads()
  const { user, dialog } = await openImport('/riders', {
    handlers: {
      import_people: (input: unknown) =>
        imported(input, (index) =>
          index === 0
            ? { status: 'refused', error: domainError('user_exists', 'mobile') }
            : { status: 'unchanged', id: 'x' },
        ),
    },
  })
  const formula = '"=cmd|calc",Silva,099 123 456,ana@example.com'
  const file = toFile([HEADINGS, formula, 'Eva,Paz,099 000 111,eva@example.com'])
  await user.upload(within(dialog).getByLabelText('Choose a file'), file)
  await user.click(await within(dialog).findByRole('button', { name: 'Import (2)' }))
  expect(await within(dialog).findByText(/Unchanged: 1 .* Not imported: 1/)).toBeInTheDocument()
  await user.click(within(dialog).getByRole('button', { name: 'Download the rows not imported' }))
  const text = (await files[0]?.text()) ?? ''
  expect(text).toContain("2,'=cmd|calc,Silva")
  const reason = 'Mobile number: An account with this number or email already exists.'
  expect(text).toContain(reason)
  expect(within(dialog).getByText(reason)).toBeInTheDocument()
  expect(within(dialog).getByText('099 123 456').closest('td')).toHaveAttribute('data-wrong')
  expect(text).not.toContain('Eva')
})

test('continues after a failed connection with the rows that are left', async () => {
  let calls = 0
  const { user, dialog, backend } = await openImport('/riders', {
    handlers: {
      import_people: (input: unknown) => {
        calls += 1
        if (calls === 2) throw domainError('too_many_requests')
        return imported(input, () => ({ status: 'added', id: 'x' }))
      },
    },
  })
  const rows = Array.from(
    { length: 25 },
    (_, n) => `Ana,Silva,0991234${10 + n},ana${n}@example.com`,
  )
  await user.upload(within(dialog).getByLabelText('Choose a file'), toFile([HEADINGS, ...rows]))
  await user.click(await within(dialog).findByRole('button', { name: 'Import (25)' }))
  expect(await within(dialog).findByRole('alert')).toHaveTextContent('Stopped.')
  expect(within(dialog).getByText(/20 of 25/)).toBeInTheDocument()
  await user.click(within(dialog).getByRole('button', { name: 'Continue' }))
  expect(await within(dialog).findByText(/25 of 25 · Added: 25/)).toBeInTheDocument()
  const sizes = backend.calls
    .filter(({ name }) => name === 'import_people')
    .map(({ input }) => (input as ImportPeopleInput).rows.length)
  expect(sizes).toEqual([20, 5, 5])
})

test('imports the other rows of a batch with a row that the server cannot read', async () => {
  const { user, dialog } = await openImport('/riders', {
    handlers: {
      import_people: (input: unknown) => {
        const { rows } = input as ImportPeopleInput
        if (rows.some(({ firstName }) => firstName === 'Odd')) throw domainError('bad_input')
        return imported(input, () => ({ status: 'added', id: 'x' }))
      },
    },
  })
  const file = toFile([HEADINGS, ANA, 'Odd,Paz,099 000 111,odd@example.com'])
  await user.upload(within(dialog).getByLabelText('Choose a file'), file)
  await user.click(await within(dialog).findByRole('button', { name: 'Import (2)' }))
  expect(await within(dialog).findByText(/Added: 1 .* Not imported: 1/)).toBeInTheDocument()
})

test('adds vehicle types, and changes nothing when the same file comes again', async () => {
  const { user, dialog, backend } = await openImport('/cartypes')
  const file = toFile([
    'Name;Base fare;Rate per km;Rate per hour;Minimum fare;Convenience fee;Convenience fee type',
    'Limo;10;2;20;30;10;Percentage',
  ])
  const importFile = async () => {
    await user.upload(within(dialog).getByLabelText(/^Choose/), file)
    await user.click(await within(dialog).findByRole('button', { name: 'Import (1)' }))
  }
  await importFile()
  expect(await within(dialog).findByText(/Added: 1/)).toBeInTheDocument()
  const types = () => Object.values(backend.getTree().cartypes as unknown as VehicleType[])
  const limos = () => types().filter(({ name }) => name === 'Limo')
  expect(limos()).toMatchObject([{ base_fare: 10, convenience_fee_type: 'percentage' }])
  await importFile()
  expect(await within(dialog).findByText(/Added: 0 .* Unchanged: 1/)).toBeInTheDocument()
  expect(limos()).toHaveLength(1)
})

test('adds a vehicle type beside one that had its name before', async () => {
  const { user, dialog, backend } = await openImport('/cartypes')
  const importLimo = async () => {
    const file = toFile([
      'Name;Base fare;Rate per km;Rate per hour;Minimum fare;Convenience fee;Convenience fee type',
      'Limo;10;2;20;30;10;Percentage',
    ])
    await user.upload(within(dialog).getByLabelText(/^Choose/), file)
    await user.click(await within(dialog).findByRole('button', { name: 'Import (1)' }))
    expect(await within(dialog).findByText(/Added: 1/)).toBeInTheDocument()
  }
  const types = () =>
    Object.entries(backend.getTree().cartypes as object) as [string, VehicleType][]
  await importLimo()
  const [id = ''] = types().find(([, { name }]) => name === 'Limo') ?? []
  backend.update({ [`cartypes/${id}/name`]: 'Limousine' })
  expect((await screen.findAllByText('Limousine')).length).toBeGreaterThan(0)
  await importLimo()
  const names = () => types().flatMap(([, { name }]) => (name.startsWith('Limo') ? [name] : []))
  await waitFor(() => expect(names().sort()).toEqual(['Limo', 'Limousine']))
})

test('shows where an imported booking goes and what it costs', async () => {
  const { user, dialog, backend } = await openImport('/bookings', {
    settings: { appcat: 'taxi' },
    handlers: {
      import_bookings: (input: unknown) =>
        imported(input, () => ({
          status: 'added',
          id: 'b1',
          booking: { pickup: 'Street 1, City', drop: 'Street 2, City', estimate: 12.5 },
        })),
    },
  })
  const at = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 16).replace('T', ' ')
  const headings = 'Own number,Customer,Mobile number,Pickup,Drop-off,Pickup time,Vehicle type'
  const trip = `R-1,Gil Paz,099 123 456,Street 1,Street 2,${at},${aCarType().name}`
  await user.upload(within(dialog).getByLabelText('Choose a file'), toFile([headings, trip]))
  await user.click(await within(dialog).findByRole('button', { name: 'Import (1)' }))
  expect(
    await within(dialog).findByText('Street 1, City → Street 2, City · $12.50'),
  ).toBeInTheDocument()
  expect(backend.calls).toContainEqual({
    name: 'import_bookings',
    input: {
      rows: [expect.objectContaining({ key: 'ref r-1', mobile: '+59899123456' }) as unknown],
    },
  })
})

test('says that a parcel lacks the name of its recipient, and not their number', async () => {
  const { user, dialog } = await openImport('/bookings', { settings: { appcat: 'delivery' } })
  const at = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 16).replace('T', ' ')
  const headings =
    'Customer,Mobile number,Pickup,Drop-off,Pickup time,Vehicle type,Recipient’s phone'
  const trip = `Gil Paz,099 123 456,Street 1,Street 2,${at},${aCarType().name},099 123 457`
  await user.upload(within(dialog).getByLabelText('Choose a file'), toFile([headings, trip]))
  expect(await within(dialog).findByText('Recipient: Please fill this in.')).toBeInTheDocument()
})

test.each([
  ['people.csv', HEADINGS, 'This file has no rows.'],
  [
    'people.csv',
    `${HEADINGS.replace(',Email', '')}\nAna,Silva,1`,
    'The file lacks the column: Email.',
  ],
])('says why it cannot read %s: %s', async (name, content, text) => {
  const { user, dialog } = await openImport('/riders')
  const other = new File([content], name)
  await user.upload(within(dialog).getByLabelText('Choose a file'), other)
  expect(await within(dialog).findByText(text)).toBeInTheDocument()
})

test('is offered to fleet admins for their drivers', async () => {
  const { dialog } = await openImport('/drivers', { as: 'fleet' })
  expect(dialog).toHaveAccessibleName('Import drivers')
})

test('is not offered to fleet admins for bookings', async () => {
  await renderApp('/bookings', { as: 'fleet', seed: anOfficeSeed() })
  await screen.findByRole('heading', { name: 'Bookings' })
  expect(screen.queryByRole('button', { name: 'Import' })).not.toBeInTheDocument()
})

test('is refused in demo mode where the form is', async () => {
  const { user } = await renderApp('/cartypes', {
    as: 'admin',
    seed: anOfficeSeed({ settings: { AllowCriticalEditsAdmin: false } }),
  })
  await user.click(await screen.findByRole('button', { name: 'Import' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
})
