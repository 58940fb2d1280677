import { screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { toJson } from '~/domain/data/databaseValue'
import { referenceAt } from '~/domain/booking/search/reference'
import { aPaymentAttempt } from '~/domain/testing/builders'
import {
  aBooking,
  aLanguage,
  anOfficeSeed,
  aPromo,
  aTotalsRow,
  delayWrites,
  toBookingKey,
  renderApp,
} from './testing/officeFixtures'

const [first, second] = [toBookingKey(1), toBookingKey(2)]
const bookings = [first, second].map((id) => aBooking({ id, booking_id: id }))
const withdraws = {
  w: { id: 'w', uid: 'driver', name: 'Beto Silva', amount: 50, date: 1, processed: false },
}
const createSeed = () =>
  anOfficeSeed({
    bookings,
    promos: [aPromo({ promo_description: '' })],
    languages: [aLanguage()],
    more: { withdraws },
  })
const waitForAddress = (address: string) =>
  waitFor(() => expect(window.location.pathname + window.location.search).toBe(address))
const waitForDialogCount = (count: number) =>
  waitFor(() => expect(screen.queryAllByRole('dialog')).toHaveLength(count))

// Opening a URL covers a reload too.
test.each([
  [`/bookings?open=${first}`, referenceAt(first, 0)],
  [`/bookings?do=assign~${first}`, 'Assign a driver'],
  [`/bookings?do=cancel~${first}`, 'Cancel this booking?'],
  [`/bookings?bulk=cancel~${first},${second}`, 'Cancel selected'],
  [`/bookings/${first}?do=cancel~${first}`, 'Cancel this booking?'],
  [`/dashboard?do=assign~${first}`, 'Assign a driver'],
  ['/riders?edit=new', 'Add rider'],
  ['/riders?edit=rider', 'Ana Lima'],
  ['/riders?edit=rider~wallet', 'Wallet of Ana Lima'],
  ['/drivers?edit=driver~documents', 'Documents of Beto Silva'],
  ['/drivers?bulk=suspend~driver', 'Suspend selected'],
  ['/cartypes?edit=van', 'Van'],
  ['/cartypes?edit=van~cancelSlab', 'Van: Cancellation fees'],
  ['/promos?edit=spring', 'SPRING'],
  ['/cancelreasons?edit=0', 'Changed my mind'],
  ['/notifications?edit=new', 'Send notification'],
  ['/withdraws?do=w', 'Mark $50.00 for Beto Silva as paid?'],
  ['/withdraws?bulk=process~w', 'Mark as paid'],
  ['/languagesetting?edit=de', 'Deutsch'],
  ['/languagesetting?edit=de~json', 'Texts of Deutsch'],
])('%s opens “%s”, and closing it returns to its page', async (address, name) => {
  const { user } = await renderApp(address, { as: 'admin', seed: createSeed() })
  const dialog = await screen.findByRole('dialog', { name })
  await user.click(within(dialog).getAllByRole('button', { name: 'Close' })[0]!)
  await waitForDialogCount(0)
  await waitForAddress(address.replace(/\?.*/, ''))
})

// A middle click and "Copy link" use the link's URL.
test.each([
  ['/riders', 'Ana Lima', '/riders?edit=rider'],
  ['/drivers', 'Beto Silva', '/drivers?edit=driver'],
  ['/fleetadmins', 'Flor Flota', '/fleetadmins?edit=fleet'],
  ['/cartypes', 'Van', '/cartypes?edit=van'],
  ['/promos', 'SPRING', '/promos?edit=spring'],
  ['/cancelreasons', 'Changed my mind', '/cancelreasons?edit=0'],
  ['/languagesetting', 'Deutsch', '/languagesetting?edit=de'],
  ['/withdraws', 'Beto Silva', '/withdraws?do=w'],
] as const)('links a row of %s to the URL that opens it', async (path, name, address) => {
  const { user } = await renderApp(path, { as: 'admin', seed: createSeed() })
  const link = await screen.findByRole<HTMLAnchorElement>('link', { name })
  expect(link.href).toBe(new URL(address, window.location.href).href)
  await user.click(link)
  await waitForDialogCount(1)
  await waitForAddress(address)
})

const recordsSeed = {
  withdraws,
  payments: toJson({ p: aPaymentAttempt({ uid: 'rider', booking: first }) }),
  audit: {
    a: { by: 'admin', at: 1, action: 'user_edit', path: 'users/rider', to: { approved: true } },
  },
  stats: {
    driver_earnings: {
      driver: {
        '2026-11': aTotalsRow(
          { driverShare: 10 },
          { year: 2026, monthsName: 'November', driverName: 'Beto Silva', driverVehicleNo: 'S 1' },
        ),
      },
    },
  },
}

test.each([
  ['/withdraws', 'Wallet', '/drivers?edit=driver~wallet'],
  ['/driverearning', 'Beto Silva', '/drivers?edit=driver'],
  ['/payments?show=all', 'Ana Lima', '/riders?edit=rider~wallet'],
  ['/payments?show=all', referenceAt(first, 0), `/bookings/${first}`],
  ['/audit', 'Alma Admin', '/alladmin?edit=admin'],
  ['/audit', 'Person Ana Lima', '/riders?edit=rider'],
])('in %s, “%s” links to that record', async (path, name, address) => {
  await renderApp(path, { as: 'admin', seed: anOfficeSeed({ bookings, more: recordsSeed }) })
  const [link] = await screen.findAllByRole<HTMLAnchorElement>('link', { name })
  expect(link?.href).toBe(new URL(address, window.location.href).href)
})

test('closes a dialog over a drawer and then the drawer with Back, just like their close buttons', async () => {
  const { user } = await renderApp('/bookings?status=NEW', { as: 'admin', seed: createSeed() })
  const steps = window.history.length
  await user.click(await screen.findByRole('link', { name: referenceAt(first, 0) }))
  const drawer = await screen.findByRole('dialog', { name: referenceAt(first, 0) })
  await waitForAddress(`/bookings?status=NEW&open=${first}`)
  await user.click(await within(drawer).findByRole('button', { name: 'Cancel booking' }))
  await waitForDialogCount(2)
  await waitForAddress(`/bookings?status=NEW&open=${first}&do=cancel%7E${first}`)
  window.history.back()
  await waitForDialogCount(1)
  window.history.back()
  await waitForDialogCount(0)
  await waitForAddress('/bookings?status=NEW')

  await user.click(screen.getByRole('link', { name: referenceAt(second, 0) }))
  const other = await screen.findByRole('dialog', { name: referenceAt(second, 0) })
  const close = within(other).getByRole('button', { name: 'Close' })
  // An impatient user clicks twice.
  await user.dblClick(close)
  await waitForDialogCount(0)
  await waitForAddress('/bookings?status=NEW')
  // An overlay that was opened and closed leaves no history entry.
  expect(window.history.length).toBe(steps + 1)
})

test('closes a panel after saving without a question, and goes back in the history', async () => {
  const { user, backend } = await renderApp('/promos', { as: 'admin', seed: createSeed() })
  await user.click(await screen.findByRole('link', { name: 'SPRING' }))
  const panel = await screen.findByRole('dialog', { name: 'SPRING' })
  await user.type(within(panel).getByLabelText('Description'), 'More')
  await user.click(within(panel).getByRole('button', { name: 'Save' }))
  await waitForDialogCount(0)
  await waitForAddress('/promos')
  expect(backend.getTree().promos).toMatchObject({ spring: { promo_description: 'More' } })
})

test('closes the panel of a new record without a question, also when the browser is slow to go back', async () => {
  const { user, backend } = await renderApp('/cartypes', { as: 'admin', seed: createSeed() })
  await user.click(await screen.findByRole('button', { name: 'Add vehicle type' }))
  const panel = await screen.findByRole('dialog', { name: 'Add vehicle type' })
  const values = { Name: 'Van', 'Rate per km': '3', 'Rate per hour': '60' }
  for (const [label, value] of Object.entries(values))
    await user.type(within(panel).getByLabelText(label), value)
  const go = vi.spyOn(window.history, 'go').mockReturnValueOnce(undefined)
  onTestFinished(() => go.mockRestore())
  const save = within(panel).getByRole('button', { name: 'Save' })
  await user.click(save)
  await waitFor(() => expect(go).toHaveBeenCalledWith(-1))
  await waitFor(() => expect(save).not.toHaveAttribute('aria-disabled', 'true'))
  window.history.go(-1)
  await waitForDialogCount(0)
  await waitForAddress('/cartypes')
  expect(Object.values(backend.getTree().cartypes ?? {})).toContainEqual(
    expect.objectContaining({ name: 'Van' }),
  )
})

test('goes back once when the user closes a panel with Back while its action is in progress', async () => {
  let answer: (value: object) => void = () => {}
  const { user } = await renderApp('/drivers', {
    as: 'admin',
    seed: createSeed(),
    handlers: { delete_user: () => new Promise<object>((resolve) => (answer = resolve)) },
  })
  await user.click(await screen.findByRole('link', { name: 'Riders' }))
  await user.click(await screen.findByRole('link', { name: 'Ana Lima' }))
  const panel = await screen.findByRole('dialog', { name: 'Ana Lima' })
  await user.click(within(panel).getByRole('button', { name: 'Delete' }))
  const question = await screen.findByRole('dialog', { name: /^Delete/ })
  await user.click(within(question).getByRole('button', { name: 'Delete' }))
  window.history.back()
  await waitForDialogCount(0)
  answer({})
  await screen.findByText('The account was deleted.')
  await waitForAddress('/riders')
  expect(screen.getByRole('heading', { name: 'Riders' })).toBeInTheDocument()
})

test('goes back once when the user closes a panel with Back while it saves', async () => {
  const { user, backend } = await renderApp('/drivers', { as: 'admin', seed: createSeed() })
  await user.click(await screen.findByRole('button', { name: 'Money' }))
  await user.click(screen.getByRole('link', { name: 'Promos' }))
  await user.click(await screen.findByRole('link', { name: 'SPRING' }))
  const panel = await screen.findByRole('dialog', { name: 'SPRING' })
  await user.type(within(panel).getByLabelText('Description'), 'More')
  const answer = delayWrites(backend)
  await user.click(within(panel).getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(backend.at('promos/spring/promo_description')).toBe('More'))
  window.history.back()
  await screen.findByRole('dialog', { name: /Leave without saving/ })
  await waitForAddress('/promos?edit=spring')
  const go = vi.spyOn(window.history, 'go')
  onTestFinished(() => go.mockRestore())
  answer()
  await waitForDialogCount(0)
  await waitForAddress('/promos')
  // Some browsers take only one of two steps that are requested at once, and others take both.
  expect(go.mock.calls).toEqual([[-1]])
  expect(screen.getByRole('heading', { name: 'Promos' })).toBeInTheDocument()
})

test('asks before Back discards what was typed into a panel', async () => {
  const { user } = await renderApp('/promos', { as: 'admin', seed: createSeed() })
  await user.click(await screen.findByRole('link', { name: 'SPRING' }))
  const panel = await screen.findByRole('dialog', { name: 'SPRING' })
  await user.type(within(panel).getByLabelText('Description'), 'More')
  window.history.back()
  const question = await screen.findByRole('dialog', { name: /Leave without saving/ })
  await user.click(within(question).getByRole('button', { name: 'Keep as it is' }))
  await waitForDialogCount(1)
  expect(within(panel).getByLabelText('Description')).toHaveValue('More')
  await user.click(within(panel).getByRole('button', { name: 'Close' }))
  await user.click(
    within(await screen.findByRole('dialog', { name: /Leave without saving/ })).getByRole(
      'button',
      { name: 'Leave' },
    ),
  )
  await waitForDialogCount(0)
  await waitForAddress('/promos')
})

test('explains a link to an action that is no longer possible or that demo mode refuses', async () => {
  const done = aBooking({ id: first, booking_id: first, status: 'PAID' })
  const { unmount } = await renderApp(`/bookings?do=cancel~${first}`, {
    as: 'admin',
    seed: anOfficeSeed({ bookings: [done] }),
  })
  expect(await screen.findByText(/no longer possible/)).toBeInTheDocument()
  unmount()
  await renderApp(`/bookings?do=cancel~${first}`, {
    as: 'admin',
    seed: anOfficeSeed({ bookings, settings: { AllowCriticalEditsAdmin: false } }),
  })
  expect(await screen.findByText(/turned off in the demo/)).toBeInTheDocument()
})

const promos = ['Beta', 'Alpha', 'Gamma'].map((name) =>
  aPromo({ id: name.toLowerCase(), promo_name: name, promo_description: '' }),
)

test('leads from a drawer to the next and the previous record in the order of the table', async () => {
  const { user } = await renderApp('/promos?sort=promo_name&edit=alpha', {
    as: 'admin',
    seed: anOfficeSeed({ promos }),
  })
  const button = async (drawer: string, name: string) =>
    within(await screen.findByRole('dialog', { name: drawer })).getByRole('button', { name })
  const first = await button('Alpha', 'Previous record')
  expect(first).toHaveAttribute('aria-disabled', 'true')
  await user.click(first)
  await waitForAddress('/promos?sort=promo_name&edit=alpha')

  await user.click(await button('Alpha', 'Next record'))
  const next = await button('Beta', 'Next record')
  // The focus stays on the button, so that the next record is one more press away.
  await waitFor(() => expect(next).toHaveFocus())
  await user.keyboard('{Enter}')
  expect(await button('Gamma', 'Next record')).toHaveAttribute('aria-disabled', 'true')
  await user.keyboard('{Alt>}{PageUp}{/Alt}')
  await button('Beta', 'Previous record')
  await waitForAddress('/promos?sort=promo_name&edit=beta')
})

test('asks before the next record discards what was typed', async () => {
  const { user } = await renderApp('/promos?sort=promo_name&edit=alpha', {
    as: 'admin',
    seed: anOfficeSeed({ promos }),
  })
  const drawer = await screen.findByRole('dialog', { name: 'Alpha' })
  await user.type(within(drawer).getByLabelText('Description'), 'More')
  await user.click(within(drawer).getByRole('button', { name: 'Next record' }))
  const question = await screen.findByRole('dialog', { name: /Leave without saving/ })
  await user.click(within(question).getByRole('button', { name: 'Leave' }))
  expect(await screen.findByRole('dialog', { name: 'Beta' })).toBeInTheDocument()
})

test('asks before the page closes while a call is in progress, but not afterward', async () => {
  let answer: (value: object) => void = () => {}
  const { user } = await renderApp('/withdraws?do=w', {
    as: 'admin',
    seed: createSeed(),
    handlers: { complete_withdraw: () => new Promise<object>((resolve) => (answer = resolve)) },
  })
  const leavesFreely = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
  const dialog = await screen.findByRole('dialog', { name: /^Mark/ })
  expect(leavesFreely()).toBe(true)
  await user.click(within(dialog).getByRole('button', { name: 'Process' }))
  await waitFor(() => expect(leavesFreely()).toBe(false))
  answer({})
  await waitForDialogCount(0)
  expect(leavesFreely()).toBe(true)
})
