import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { aBooking, aLanguage, anOffice, aPromo, bookingKey, renderApp } from './testing'

const [first, second] = [bookingKey(1), bookingKey(2)]
const bookings = [first, second].map((id) => aBooking({ id, booking_id: id }))
const withdraws = {
  w: { id: 'w', uid: 'driver', name: 'Beto Silva', amount: 50, date: 1, processed: false },
}
const seed = () =>
  anOffice({
    bookings,
    promos: [aPromo({ promo_description: '' })],
    languages: [aLanguage()],
    more: { withdraws },
  })
const addressIs = (address: string) =>
  waitFor(() => expect(window.location.pathname + window.location.search).toBe(address))
const dialogsAre = (count: number) =>
  waitFor(() => expect(screen.queryAllByRole('dialog')).toHaveLength(count))

beforeEach(() => localStorage.clear())

// Opening an address is what a reload does too.
test.each([
  [`/bookings?open=${first}`, first],
  [`/bookings?do=assign~${first}`, 'Assign a driver'],
  [`/bookings?do=cancel~${first}`, 'Cancel this booking?'],
  [`/bookings?bulk=cancel~${first},${second}`, 'Cancel the selected'],
  [`/bookings/${first}?do=cancel~${first}`, 'Cancel this booking?'],
  [`/dashboard?do=assign~${first}`, 'Assign a driver'],
  ['/riders?edit=new', 'Add rider'],
  ['/riders?edit=rider', 'Ana Lima'],
  ['/riders?edit=rider~wallet', 'Wallet of Ana Lima'],
  ['/drivers?edit=driver~documents', 'Documents of Beto Silva'],
  ['/drivers?bulk=suspend~driver', 'Suspend the selected'],
  ['/cartypes?edit=van', 'Van'],
  ['/cartypes?edit=van~cancelSlab', 'Van: Cancel slabs'],
  ['/promos?edit=spring', 'SPRING'],
  ['/cancelreasons?edit=0', 'Changed my mind'],
  ['/notifications?edit=new', 'Send a notification'],
  ['/withdraws?do=w', 'Mark $50.00 for Beto Silva as paid?'],
  ['/withdraws?bulk=process~w', 'Mark as paid'],
  ['/languagesetting?edit=de', 'Deutsch'],
  ['/languagesetting?edit=de~json', 'Texts of Deutsch'],
])('%s opens “%s”, and closing it leaves its page', async (address, name) => {
  const { user } = await renderApp(address, { as: 'admin', seed: seed() })
  const dialog = await screen.findByRole('dialog', { name })
  await user.click(within(dialog).getAllByRole('button', { name: 'Close' })[0]!)
  await dialogsAre(0)
  await addressIs(address.replace(/\?.*/, ''))
})

test('the way back closes a dialog over a drawer, then the drawer; closing them is the same way', async () => {
  const { user } = await renderApp('/bookings?status=NEW', { as: 'admin', seed: seed() })
  const steps = window.history.length
  await user.click(await screen.findByRole('button', { name: first }))
  const drawer = await screen.findByRole('dialog', { name: first })
  await addressIs(`/bookings?status=NEW&open=${first}`)
  await user.click(await within(drawer).findByRole('button', { name: 'Cancel booking' }))
  await dialogsAre(2)
  await addressIs(`/bookings?status=NEW&open=${first}&do=cancel%7E${first}`)
  window.history.back()
  await dialogsAre(1)
  window.history.back()
  await dialogsAre(0)
  await addressIs('/bookings?status=NEW')

  await user.click(screen.getByRole('button', { name: second }))
  const other = await screen.findByRole('dialog', { name: second })
  const close = within(other).getByRole('button', { name: 'Close' })
  // Twice, as an impatient person does.
  await user.dblClick(close)
  await dialogsAre(0)
  await addressIs('/bookings?status=NEW')
  // What was opened and closed is no step to go back through.
  expect(window.history.length).toBe(steps + 1)
})

test('what is saved closes its panel without a question, by the way it came', async () => {
  const { user, world } = await renderApp('/promos', { as: 'admin', seed: seed() })
  await user.click(await screen.findByRole('button', { name: 'SPRING' }))
  const panel = await screen.findByRole('dialog', { name: 'SPRING' })
  await user.type(within(panel).getByLabelText('Description'), 'More')
  await user.click(within(panel).getByRole('button', { name: 'Save' }))
  await dialogsAre(0)
  await addressIs('/promos')
  expect(world.tree().promos).toMatchObject({ spring: { promo_description: 'More' } })
})

test('the way back asks before it loses what was typed into a panel', async () => {
  const { user } = await renderApp('/promos', { as: 'admin', seed: seed() })
  await user.click(await screen.findByRole('button', { name: 'SPRING' }))
  const panel = await screen.findByRole('dialog', { name: 'SPRING' })
  await user.type(within(panel).getByLabelText('Description'), 'More')
  window.history.back()
  const question = await screen.findByRole('dialog', { name: /Leave without saving/ })
  await user.click(within(question).getByRole('button', { name: 'Keep as it is' }))
  await dialogsAre(1)
  expect(within(panel).getByLabelText('Description')).toHaveProperty('value', 'More')
  await user.click(within(panel).getByRole('button', { name: 'Close' }))
  await user.click(
    within(await screen.findByRole('dialog', { name: /Leave without saving/ })).getByRole(
      'button',
      { name: 'Leave' },
    ),
  )
  await dialogsAre(0)
  await addressIs('/promos')
})

test('a link to a deed that is over, or that a demo refuses, says so', async () => {
  const done = aBooking({ id: first, booking_id: first, status: 'PAID' })
  const { unmount } = await renderApp(`/bookings?do=cancel~${first}`, {
    as: 'admin',
    seed: anOffice({ bookings: [done] }),
  })
  expect(await screen.findByText(/no longer possible/)).toBeTruthy()
  unmount()
  await renderApp(`/bookings?do=cancel~${first}`, {
    as: 'admin',
    seed: anOffice({ bookings, settings: { AllowCriticalEditsAdmin: false } }),
  })
  expect(await screen.findByText(/This is a demo/)).toBeTruthy()
})
