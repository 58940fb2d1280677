import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { dayOf } from '~/domain/clock'
import { ServiceError } from '~/src/services/services'
import {
  aCarType,
  aDriver,
  aLanguage,
  anAdmin,
  anOffice,
  aPromo,
  aRider,
  renderApp,
} from './testing'

const languages = [
  aLanguage({ id: 'en', langName: 'English', default: true, keyValuePairs: { hello: 'Hello' } }),
  aLanguage({ keyValuePairs: { hello: 'Hallo' } }),
]
const demo = { AllowCriticalEditsAdmin: false }
const DEMO = 'This is a demo: that change is switched off.'

beforeEach(() => localStorage.clear())

const NINA = {
  'First name': 'Nina',
  'Last name': 'Nueva',
  'Mobile number': '+1 555 555 0177',
  Email: 'nina@kerbside.example',
}
type Typist = Awaited<ReturnType<typeof renderApp>>['user']
/** Types each value into the field of that label of the panel that is open. */
const fillIn = async (user: Typist, title: string, values: Record<string, string>) => {
  const panel = await screen.findByRole('dialog', { name: title })
  for (const [label, value] of Object.entries(values))
    await user.type(within(panel).getByLabelText(label), value)
  return panel
}

test('adding somebody who exists shows user_exists and adds nobody', async () => {
  const { user, world } = await renderApp('/riders?edit=new', {
    as: 'admin',
    seed: anOffice(),
    handlers: { check_user_exists: () => ({ users: [{}], error: null }) },
  })
  const panel = await fillIn(user, 'Add rider', NINA)
  await user.click(within(panel).getByRole('button', { name: 'Save' }))
  expect((await within(panel).findByRole('alert')).textContent).toContain('already exists')
  expect(world.calls.map(({ name }) => name)).toEqual(['check_user_exists'])
})

test('a new driver is saved with his vehicle, after it was asked whether he exists', async () => {
  const { user, world } = await renderApp('/drivers?edit=new', {
    as: 'admin',
    seed: anOffice(),
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
  await user.selectOptions(within(panel).getByLabelText('Vehicle'), 'Van')
  await user.click(within(panel).getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Saved')).toBeTruthy()
  expect(world.calls.at(-1)).toMatchObject({
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

test('whoever was just added stands first with a mark, also where the list begins with others', async () => {
  const crowd = Array.from({ length: 40 }, (_, at) =>
    aRider({ id: `z-${String(at).padStart(2, '0')}`, firstName: 'Many', mobile: `+1555${at}` }),
  )
  const { user, world } = await renderApp('/riders?size=10', {
    as: 'admin',
    seed: anOffice({ people: crowd }),
    handlers: {
      check_user_exists: () => ({ users: [], error: null }),
      save_user: ({ firstName }: { firstName: string }) => {
        const nina = aRider({ id: 'a-nina', firstName, createdAt: '2020-01-01T00:00:00.000Z' })
        world.change({ 'users/a-nina': nina as never })
        return { id: 'a-nina', approved: true }
      },
    } as never,
  })
  await user.click(await screen.findByRole('button', { name: 'Add rider' }))
  const panel = await fillIn(user, 'Add rider', NINA)
  await user.click(within(panel).getByRole('button', { name: 'Save' }))
  await screen.findByRole('button', { name: /^Nina/ })
  const [, first] = screen.getAllByRole('row')
  expect(first?.textContent).toContain('NinaNew')
  expect(window.location.search).toBe('?size=10&new=a-nina')
})

test('many people are suspended at once; nobody shuts himself out', async () => {
  const { user, world } = await renderApp('/alladmin', {
    as: 'admin',
    seed: anOffice({ people: [anAdmin({ id: 'other', firstName: 'Olga' })] }),
    handlers: { save_user: () => ({}) },
  })
  await user.click(await screen.findByRole('checkbox', { name: 'Select all on this page' }))
  await user.click(screen.getByRole('button', { name: 'Suspend the selected' }))
  const dialog = await screen.findByRole('dialog', { name: 'Suspend the selected' })
  await user.click(within(dialog).getByRole('button', { name: 'Suspend the selected' }))
  await within(dialog).findByRole('button', { name: 'Done' })
  const results = within(dialog).getAllByRole('listitem')
  const of = (name: string) => results.find(({ textContent }) => textContent?.includes(name))
  expect(of('Olga')?.textContent).toContain('Not approved')
  expect(of('Alma')?.textContent).toContain('not allowed')
  expect(world.calls.map(({ input }) => input)).toEqual([{ id: 'other', approved: false }])
  await user.click(within(dialog).getByRole('button', { name: 'Done' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('a suspended person is shown so at once, and not when it is refused', async () => {
  let refuse = () => {}
  const { user } = await renderApp('/riders', {
    as: 'admin',
    seed: anOffice(),
    handlers: {
      save_user: () =>
        new Promise((_, no) => {
          refuse = () => no(new ServiceError('permission-denied', 'not_allowed'))
        }),
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Suspend' }))
  expect(await screen.findByText('Not approved')).toBeTruthy()
  refuse()
  expect(await screen.findByText('You are not allowed to do this.')).toBeTruthy()
  expect(screen.getByText('Approved', { selector: 'td *' })).toBeTruthy()
})

/** The lines of the table as its CSV has them. */
const exported = async (user: Typist) => {
  const files: Blob[] = []
  const made = URL.createObjectURL
  URL.createObjectURL = (file) => {
    files.push(file as Blob)
    return 'blob:test'
  }
  onTestFinished(() => {
    URL.createObjectURL = made
  })
  await screen.findAllByRole('row')
  await user.click(screen.getByText('Export'))
  await user.click(screen.getByRole('button', { name: 'Export CSV' }))
  await waitFor(() => expect(files).toHaveLength(1))
  return (await files[0]!.text()).trim().split('\r\n')
}
const many = <Row,>(count: number, row: (key: string, at: number) => Row) =>
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
        many(260, (id, at) => aRider({ id, firstName: `No${at}`, mobile: `+1555${at}` })),
      ),
    },
  ],
  [
    '/withdraws',
    620,
    {
      more: {
        withdraws: many(620, (id, at) => ({
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
        audit: many(1100, (_, at) => ({
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
          driver_earnings: many(430, (_, at) => ({
            '2026-11': {
              year: 2026,
              monthsName: 'November',
              driverName: `No ${at}`,
              driverVehicleNo: '',
              total_rides: 1,
              driverShare: 5,
            },
          })),
        },
      },
    },
  ],
])(
  'the export of %s holds all %i that match, not the page that is shown',
  async (path, count, more) => {
    const { user } = await renderApp(path, { as: 'admin', seed: anOffice(more) })
    expect(new Set(await exported(user)).size).toBe(1 + count)
  },
)

test.each([
  ['/earningreports', { earnings: { '2026-10': { convenienceFee: 0.1, cancellationFee: 0.2 } } }],
  [
    '/driverearning?group=driver',
    {
      driver_earnings: {
        driver: { '2026-10': { driverShare: 0.1 }, '2026-11': { driverShare: 0.2 } },
      },
    },
  ],
])('sums that %s exports have no more digits than money has', async (path, stats) => {
  const { user } = await renderApp(path, { as: 'admin', seed: anOffice({ more: { stats } }) })
  const [, line = ''] = await exported(user)
  expect(line.split(',')).toContain('0.3')
  expect(line).not.toMatch(/\d\.\d{3}/)
})

test('mobile and e-mail of somebody known can be read but not changed', async () => {
  await renderApp('/riders?edit=rider', { as: 'admin', seed: anOffice() })
  const panel = await screen.findByRole('dialog', { name: 'Ana Lima' })
  expect(within(panel).getByLabelText('Mobile number')).toHaveProperty('readOnly', true)
  expect(within(panel).getByLabelText('Email')).toHaveProperty('readOnly', true)
  expect(within(panel).getByLabelText('Wallet balance')).toHaveProperty('readOnly', true)
})

test('a driver’s vehicle type and fleet admin can be changed, not taken away', async () => {
  const free = aDriver({ id: 'free', firstName: 'Fabio' })
  const { unmount } = await renderApp('/drivers?edit=driver', { as: 'admin', seed: anOffice() })
  const optionsOf = async (name: string, label: string) => {
    const panel = await screen.findByRole('dialog', { name })
    await within(panel).findByRole('option', { name: 'Flor Flota' })
    const field = within(panel).getByLabelText(label)
    return within(field)
      .getAllByRole('option')
      .map(({ textContent }) => textContent)
  }
  expect(await optionsOf('Beto Silva', 'Vehicle')).toEqual(['Van'])
  expect(await optionsOf('Beto Silva', 'Fleet admin')).toEqual(['Flor Flota'])
  unmount()
  await renderApp('/drivers?edit=free', { as: 'admin', seed: anOffice({ people: [free] }) })
  expect(await optionsOf('Fabio Silva', 'Fleet admin')).toEqual(['None', 'Flor Flota'])
})

test('demo mode hides contacts and refuses to delete a user', async () => {
  const { user, world } = await renderApp('/riders?edit=rider', {
    as: 'admin',
    seed: anOffice({ settings: demo }),
  })
  const panel = await screen.findByRole('dialog', { name: 'Ana Lima' })
  expect(within(panel).getByLabelText('Mobile number')).toHaveProperty('value', 'Hidden for Demo')
  await user.click(within(panel).getByRole('button', { name: 'Delete' }))
  const confirm = await screen.findByRole('dialog', { name: 'Delete “Ana Lima”?' })
  await user.click(within(confirm).getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText(DEMO)).toBeTruthy()
  expect(world.calls).toEqual([])
})

test('a fleet admin sees only his own drivers and can’t approve them', async () => {
  await renderApp('/drivers', {
    as: 'fleet',
    seed: anOffice({ people: [aDriver({ id: 'other', firstName: 'Otto' })] }),
  })
  expect(await screen.findByRole('button', { name: 'Beto' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Otto' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Suspend' })).toBeNull()
})

test('somebody long registered is found by the beginning of his name', async () => {
  const crowd = Array.from({ length: 60 }, (_, at) =>
    aRider({ id: `rider-${String(at).padStart(2, '0')}`, firstName: 'Many', mobile: `+1555${at}` }),
  )
  const old = aRider({ id: 'old', firstName: 'Zoraida', lastName: 'Antigua', mobile: '+15550' })
  const { user } = await renderApp('/riders?size=10', {
    as: 'admin',
    seed: anOffice({ people: [old, ...crowd] }),
  })
  expect((await screen.findAllByRole('button', { name: 'Many' })).length).toBeGreaterThan(0)
  expect(screen.queryByRole('button', { name: 'Zoraida' })).toBeNull()
  await user.type(screen.getByRole('searchbox'), 'zora')
  expect(await screen.findByRole('button', { name: 'Zoraida' })).toBeTruthy()
})

test('a car type is added with its fare; an empty name is told at its field', async () => {
  const { user, world } = await renderApp('/cartypes?edit=new', { as: 'admin', seed: anOffice() })
  const panel = await screen.findByRole('dialog', { name: 'Add vehicle type' })
  await user.click(within(panel).getByRole('button', { name: 'Save' }))
  expect((await within(panel).findAllByRole('alert'))[0]?.textContent).toContain('fill this in')
  // Where the first wrong value is, the next key goes.
  expect(document.activeElement).toBe(within(panel).getByLabelText('Name'))
  await user.keyboard('Bike')
  await user.type(within(panel).getByLabelText('Rate per km'), '3.5')
  await user.type(within(panel).getByLabelText('Rate per hour'), '60')
  await user.click(within(panel).getByRole('button', { name: 'Save' }))
  const notice = await screen.findByText('Saved')
  // Who can't see it hears it, when he is not being told something else.
  expect(notice.closest('[role=status]')?.getAttribute('aria-live')).toBe('polite')
  const stored = Object.values(world.tree().cartypes as Record<string, object>)
  expect(stored).toContainEqual(
    expect.objectContaining({ name: 'Bike', rate_per_unit_distance: 3.5, base_fare: 0 }),
  )
})

test('parcel types and options are offered in delivery mode only', async () => {
  await renderApp('/cartypes', { as: 'admin', seed: anOffice({ settings: { appcat: 'taxi' } }) })
  expect(await screen.findByRole('button', { name: 'Cancel slabs of Van' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Parcel types of Van' })).toBeNull()
})

test('editing a car type’s slabs keeps everything else of it', async () => {
  const { user, world } = await renderApp('/cartypes?edit=van~cancelSlab', {
    as: 'admin',
    seed: anOffice({ cars: [aCarType({ cancelSlab: [{ minsDelayed: 2, amount: 5 }] })] }),
  })
  const panel = await screen.findByRole('dialog', { name: 'Van: Cancel slabs' })
  await user.clear(within(panel).getByLabelText('Amount'))
  await user.type(within(panel).getByLabelText('Amount'), '8')
  await user.click(within(panel).getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Saved')).toBeTruthy()
  expect((world.tree().cartypes as Record<string, unknown>).van).toMatchObject({
    name: 'Van',
    base_fare: 10,
    cancelSlab: [{ minsDelayed: 2, amount: 8 }],
  })
})

test('saving a car type leaves its lists as somebody else has changed them meanwhile', async () => {
  const { user, world } = await renderApp('/cartypes?edit=van', { as: 'admin', seed: anOffice() })
  const panel = await screen.findByRole('dialog', { name: 'Van' })
  await user.type(within(panel).getByLabelText('Name'), ' XL')
  world.change({ 'cartypes/van/cancelSlab': [{ minsDelayed: 9, amount: 99 }] })
  await user.click(within(panel).getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Saved')).toBeTruthy()
  expect(world.tree().cartypes).toMatchObject({
    van: { name: 'Van XL', cancelSlab: [{ minsDelayed: 9, amount: 99 }] },
  })
})

test('demo mode lets a promo be added but not changed', async () => {
  const promo = aPromo()
  const { user, world } = await renderApp('/promos?edit=spring', {
    as: 'admin',
    seed: anOffice({ settings: demo, promos: [promo] }),
  })
  const panel = await screen.findByRole('dialog', { name: 'SPRING' })
  await user.type(within(panel).getByLabelText('Description'), 'More')
  await user.click(within(panel).getByRole('button', { name: 'Save' }))
  expect((await within(panel).findByRole('alert')).textContent).toBe(DEMO)
  expect(world.tree().promos).toEqual({ spring: promo })
})

test('after a reason is deleted the others are numbered by position; it can be had back', async () => {
  const { user, world } = await renderApp('/cancelreasons?edit=0', {
    as: 'admin',
    seed: anOffice(),
  })
  const panel = await screen.findByRole('dialog', { name: 'Changed my mind' })
  await user.click(within(panel).getByRole('button', { name: 'Delete' }))
  await waitFor(() =>
    expect(world.tree().cancel_reason).toEqual([{ label: 'Wrong address', value: 0 }]),
  )
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  await waitFor(() =>
    expect(world.tree().cancel_reason).toEqual([
      { label: 'Changed my mind', value: 0 },
      { label: 'Wrong address', value: 1 },
    ]),
  )
})

test('cancel reasons are read-only in demo mode', async () => {
  await renderApp('/cancelreasons', { as: 'admin', seed: anOffice({ settings: demo }) })
  expect(await screen.findByText('Wrong address')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Add reason' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Wrong address' })).toBeNull()
})

test('a notification is sent once by the server; what failed goes on under the same id', async () => {
  let tries = 0
  const { user, world } = await renderApp('/notifications?edit=new', {
    as: 'admin',
    seed: anOffice(),
    handlers: {
      broadcast_notification: ({ notification_id }: { notification_id: string }) => {
        if (++tries === 1) throw new ServiceError('failed-precondition', 'no_user_match')
        if (tries === 2) throw new ServiceError('unavailable', 'unavailable')
        return { notification_id, matched: 12, sent: 5 }
      },
    } as never,
  })
  const panel = await screen.findByRole('dialog', { name: 'Send a notification' })
  const send = () => user.click(within(panel).getByRole('button', { name: 'Send' }))
  await user.selectOptions(within(panel).getByLabelText('Device'), 'Android')
  await user.type(within(panel).getByLabelText('Title'), 'Hello')
  await user.type(within(panel).getByLabelText('Message'), 'World')
  await send()
  expect(await within(panel).findByText('No user matches.')).toBeTruthy()
  await user.selectOptions(within(panel).getByLabelText('Device'), 'iOS')
  await send()
  expect(await within(panel).findByText(/cannot reach the server/)).toBeTruthy()
  await send()
  expect(await screen.findByText('Sent to 12 people.')).toBeTruthy()
  const inputs = world.calls.map(({ input }) => input as Record<string, string>)
  expect(inputs[2]).toMatchObject({
    title: 'Hello',
    body: 'World',
    usertype: 'All',
    devicetype: 'IOS',
  })
  expect(inputs[2]?.notification_id).toBe(inputs[1]?.notification_id)
  expect(inputs[1]?.notification_id).not.toBe(inputs[0]?.notification_id)
})

test('money needs a user and an amount; then it is credited once', async () => {
  const { user, world } = await renderApp('/addtowallet', {
    as: 'admin',
    seed: anOffice(),
    handlers: { add_to_wallet: () => ({ uid: 'rider', amount: 25, walletBalance: 25 }) },
  })
  await user.click(await screen.findByRole('button', { name: 'Add to wallet' }))
  expect((await screen.findAllByText('Choose a user and an amount above 0.')).length).toBe(2)
  await user.type(screen.getByRole('combobox', { name: 'User' }), 'ana')
  await user.click(await screen.findByRole('option', { name: /Ana Lima/ }))
  await user.type(screen.getByLabelText('Amount'), '25')
  await user.click(screen.getByRole('button', { name: 'Add to wallet' }))
  expect(await screen.findByText('$25.00 was added to the wallet of Ana Lima.')).toBeTruthy()
  expect(world.calls).toMatchObject([
    { name: 'add_to_wallet', input: { uid: 'rider', amount: 25 } },
  ])
})

test('a credit whose answer was lost is tried again as the same one; another amount is another credit', async () => {
  let tries = 0
  const { user, world } = await renderApp('/addtowallet', {
    as: 'admin',
    seed: anOffice(),
    handlers: {
      add_to_wallet: () => {
        if (++tries < 3) throw new ServiceError('unavailable', 'unavailable')
        return {}
      },
    },
  })
  await user.type(await screen.findByRole('combobox', { name: 'User' }), 'ana')
  await user.click(await screen.findByRole('option', { name: /Ana Lima/ }))
  const amount = screen.getByLabelText('Amount')
  const add = screen.getByRole('button', { name: 'Add to wallet' })
  await user.type(amount, '25')
  for (const count of [1, 2]) {
    await user.click(add)
    await waitFor(() => expect(world.calls).toHaveLength(count))
    expect(await screen.findByText(/cannot reach the server/)).toBeTruthy()
  }
  await user.clear(amount)
  await user.type(amount, '30')
  await user.click(add)
  expect(await screen.findByText('$30.00 was added to the wallet of Ana Lima.')).toBeTruthy()
  const ids = world.calls.map(({ input }) => (input as { credit_id: string }).credit_id)
  expect(ids[1]).toBe(ids[0])
  expect(ids[2]).not.toBe(ids[0])
})

test('a processed withdraw can’t be processed again', async () => {
  const row = { uid: 'driver', name: 'Beto Silva', amount: 50, date: 1_790_000_000_000 }
  const { user, world } = await renderApp('/withdraws', {
    as: 'admin',
    seed: anOffice({
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
    await screen.findByRole('button', { name: 'Process the request of Paid Out' }),
  ).toHaveProperty('disabled', true)
  expect(screen.queryByRole('columnheader', { name: 'Bank name' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Process the request of Beto Silva' }))
  await user.click(
    within(await screen.findByRole('dialog')).getByRole('button', { name: 'Process' }),
  )
  expect(await screen.findByText('Paid out')).toBeTruthy()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(world.calls).toEqual([{ name: 'complete_withdraw', input: { withdraw_id: 'a' } }])
})

test('a request that waits is paid however many are newer', async () => {
  const newer = many(500, (id, at) => ({
    id,
    uid: 'driver',
    name: `No ${at}`,
    amount: 5,
    date: 1_790_000_000_000 + at,
    processed: true,
  }))
  const old = { id: 'a', uid: 'driver', name: 'Old Beto', amount: 50, date: 1, processed: false }
  const { user, world } = await renderApp('/withdraws?sort=processed', {
    as: 'admin',
    seed: anOffice({ more: { withdraws: { a: old, ...newer } } }),
    handlers: { complete_withdraw: () => ({}) },
  })
  await user.click(await screen.findByRole('button', { name: 'Process the request of Old Beto' }))
  await user.click(
    within(await screen.findByRole('dialog')).getByRole('button', { name: 'Process' }),
  )
  expect(await screen.findByText('Paid out')).toBeTruthy()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(world.calls).toEqual([{ name: 'complete_withdraw', input: { withdraw_id: 'a' } }])
})

test('settings without a bonus say proper_bonus and are not written', async () => {
  const { user, world } = await renderApp('/settings', { as: 'admin', seed: anOffice() })
  await user.clear(await screen.findByLabelText('Referral bonus'))
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Please enter a bonus, or 0.')).toBeTruthy()
  expect(world.tree().settings).toMatchObject({ bonus: 10 })
})

test('only the changed settings are written, and none in demo mode', async () => {
  const { user, world } = await renderApp('/settings', { as: 'admin', seed: anOffice() })
  await user.clear(await screen.findByLabelText('Search radius in km'))
  await user.type(screen.getByLabelText('Search radius in km'), '7')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(world.tree().settings).toMatchObject({ driverRadius: 7 }))
  world.change({ 'settings/AllowCriticalEditsAdmin': false })
  await screen.findByText('Demo')
  await user.clear(screen.getByLabelText('Search radius in km'))
  await user.type(screen.getByLabelText('Search radius in km'), '9')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText(DEMO)).toBeTruthy()
  expect(world.tree().settings).toMatchObject({ driverRadius: 7 })
})

test('the panic number is asked for by taxis, the photos by deliveries', async () => {
  await renderApp('/settings', { as: 'admin', seed: anOffice({ settings: { appcat: 'taxi' } }) })
  expect(await screen.findByLabelText('Panic number')).toBeTruthy()
  expect(screen.queryByLabelText('Photo at the pickup')).toBeNull()
})

test('wrong JSON says JSON Error; right JSON is kept', async () => {
  const { user, world } = await renderApp('/languagesetting?edit=de~json', {
    as: 'admin',
    seed: anOffice({ languages }),
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
  expect(await screen.findByText('Saved')).toBeTruthy()
  expect(world.tree().languages).toMatchObject({
    de: { keyValuePairs: { hello: 'Servus' }, langName: 'Deutsch' },
  })
})

test('the default language can’t be deleted; another can be made the default', async () => {
  const { user, world } = await renderApp('/languagesetting', {
    as: 'admin',
    seed: anOffice({ languages }),
  })
  const row = (await screen.findByRole('button', { name: 'English' })).closest('tr')
  await user.click(within(row as HTMLElement).getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText('Cannot delete default language')).toBeTruthy()
  const other = screen.getByRole('button', { name: 'Deutsch' }).closest('tr')
  await user.click(within(other as HTMLElement).getByRole('button', { name: 'Make default' }))
  await waitFor(() =>
    expect(world.tree().languages).toMatchObject({ en: { default: false }, de: { default: true } }),
  )
})

test('the cards show the convenience fees of today, this month and in all', async () => {
  const today = dayOf(Date.now(), 'America/Montevideo')
  await renderApp('/dashboard', {
    as: 'admin',
    seed: anOffice({
      more: {
        stats: {
          days: { [today]: { convenienceFee: 11 } },
          earnings: { [today.slice(0, 7)]: { convenienceFee: 222 } },
          total: { convenienceFee: 3333 },
        },
      },
    }),
  })
  for (const amount of ['$11.00', '$222.00', '$3,333.00'])
    expect(await screen.findByText(amount, { selector: 'p' })).toBeTruthy()
  expect(
    await screen.findByText('Allow this site to see your location to show the map.'),
  ).toBeTruthy()
})

test('a fleet admin’s cards are his own drivers’ totals, which cost no list', async () => {
  const today = dayOf(Date.now(), 'America/Montevideo')
  await renderApp('/dashboard', {
    as: 'fleet',
    seed: anOffice({
      more: {
        stats: {
          total: { convenienceFee: 9999 },
          fleet_days: {
            fleet: { [today]: { convenienceFee: 5 } },
            other: { [today]: { convenienceFee: 8888 } },
          },
          fleet_earnings: { fleet: { [today.slice(0, 7)]: { convenienceFee: 60 } } },
          fleet_total: { fleet: { convenienceFee: 700 } },
        },
      },
    }),
  })
  for (const amount of ['$5.00', '$60.00', '$700.00'])
    expect(await screen.findByText(amount, { selector: 'p' })).toBeTruthy()
  expect(screen.queryByText('$9,999.00')).toBeNull()
})

test('charts tell of days or months: bookings, earnings, cancels, waiting; and how the bookings divide', async () => {
  const today = dayOf(Date.now(), 'America/Montevideo')
  const month = today.slice(0, 7)
  const { user } = await renderApp('/dashboard', {
    as: 'admin',
    seed: anOffice({
      more: {
        stats: {
          days: {
            [today]: {
              created: 7,
              convenienceFee: 12,
              cancelled: 1,
              completed: 3,
              accepted: 2,
              waited: 600,
            },
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
  expect(await shown('Gross earning')).toContain('$12.00')
  expect(await shown('Cancelled share')).toContain('25 %')
  expect(await shown('Waiting time until a driver accepts')).toContain('5 min')
  const divided = async (name: string) => {
    const chart = await screen.findByRole('figure', { name })
    const [first] = await within(chart).findAllByRole('listitem')
    return [first?.textContent, first?.querySelector('a')?.getAttribute('href')]
  }
  expect(await divided('All bookings by status')).toEqual([
    'Complete9',
    '/bookings?status=COMPLETE',
  ])
  expect(await divided('This month’s bookings by vehicle type')).toEqual([
    'Van6',
    '/bookings?car=van',
  ])
  await user.click(screen.getByRole('radio', { name: 'By month' }))
  await waitFor(async () => expect(await shown('Bookings')).toMatch(/88$/))
})

test('driver earnings are grouped by driver on request', async () => {
  const month = (name: string, share: number) => ({
    year: 2026,
    monthsName: name,
    driverName: 'Beto Silva',
    driverVehicleNo: 'SBA 1234',
    total_rides: 2,
    driverShare: share,
  })
  const { user } = await renderApp('/driverearning', {
    as: 'admin',
    seed: anOffice({
      more: {
        stats: {
          driver_earnings: {
            driver: { '2026-10': month('October', 10), '2026-11': month('November', 20) },
          },
        },
      },
    }),
  })
  expect(await screen.findByText('$10.00')).toBeTruthy()
  await user.click(screen.getByRole('radio', { name: 'By driver' }))
  expect(await screen.findByText('$30.00')).toBeTruthy()
})

test('a link of the menu does not leave unsaved changes without asking', async () => {
  const { user } = await renderApp('/appinfo', { as: 'admin', seed: anOffice() })
  await user.type(await screen.findByLabelText('App name'), ' two')
  const menu = screen.getByRole('navigation', { name: 'Menu' })
  const promos = within(menu).getByRole('link', { name: 'Promos' })
  await user.click(promos)
  const question = await screen.findByRole('dialog', { name: /Leave without saving/ })
  expect(screen.getByLabelText('App name')).toBeTruthy()
  await user.click(within(question).getByRole('button', { name: 'Leave' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Promos' })).toBeTruthy()
})
