import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { isOfficeRole, PAGE_ROLES } from '~/domain/access/permissions'
import {
  aBooking,
  aDriver,
  aLanguage,
  anAdmin,
  anOfficeSeed,
  aPromo,
  toBookingKey,
  renderApp,
} from './testing/officeFixtures'
import { openRowMenu } from './testing/tables'
import type { UserType } from '~/domain/access/types'

const ADMIN_MENU =
  '/board /dashboard /bookings /addbookings /recurring /riders /drivers /fleetadmins /alladmin /earningreports /driverearning /addtowallet /withdraws /payments /promos /appinfo /settings /languagesetting /cartypes /cancelreasons /messages /notifications /audit / /profile'
const FLEET_MENU = '/board /dashboard /bookings /drivers /driverearning / /profile'

describe('the menu', () => {
  test.each([
    ['admin', 'admin', ADMIN_MENU, ['People', 'Money', 'Set up', 'Alma Admin']],
    // A group with a single entry becomes that entry.
    ['fleet admin', 'fleet', FLEET_MENU, ['Flor Flota']],
  ])('shows the %s their pages', async (_, as, routes, groups) => {
    const { user } = await renderApp('/bookings', { as, seed: anOfficeSeed() })
    const menu = await screen.findByRole('navigation', { name: 'Menu' })
    for (const group of groups) await user.click(within(menu).getByRole('button', { name: group }))
    const links = within(menu).getAllByRole('link')
    expect(links.map((link) => link.getAttribute('href')).join(' ')).toBe(routes)
    expect(within(menu).getByRole('button', { name: 'Log out' })).toBeInTheDocument()
  })

  const offices = Object.entries(PAGE_ROLES)
    .filter(([, who]) => !(who as readonly string[]).includes('rider'))
    .map(([route]) => route)
  test.each([
    ['rider', 'rider'],
    ['driver', 'driver'],
  ])('shows the %s no link to the back office', async (_, as) => {
    await renderApp('/bookings', { as, seed: anOfficeSeed() })
    await screen.findByRole('heading', { level: 1 })
    const to = () =>
      screen.getAllByRole('link', { hidden: true }).map((link) => link.getAttribute('href') ?? '')
    await waitFor(() => expect(to()).toContain('/profile'))
    expect(to().filter((href) => offices.includes(href))).toEqual([])
  })
})

/** The expected columns; only the rider and the back office know the code. */
const COLUMNS: [string, { only?: 'delivery'; not?: UserType[] }?][] = [
  ['Reference'],
  ['Booking ID', { not: ['driver', 'rider'] }],
  ['Booked'],
  ['Pickup time'],
  ['Status'],
  ['Vehicle type'],
  ['Customer'],
  ['Route', { not: ['rider', 'driver'] }],
  ['Pickup'],
  ['Drop-off'],
  ['Driver'],
  ['Recipient', { only: 'delivery' }],
  ['Recipient’s phone', { only: 'delivery' }],
  ['Pickup instructions', { only: 'delivery' }],
  ['Delivery instructions', { only: 'delivery' }],
  ['Parcel type', { only: 'delivery' }],
  ['Option', { only: 'delivery' }],
  ['Photo at the pickup', { only: 'delivery' }],
  ['Photo at the drop-off', { only: 'delivery' }],
  ['Cancellation reason'],
  ['Cancellation fee'],
  ['Trip code', { not: ['driver', 'fleetadmin'] }],
  ['Trip cost'],
  ['Start'],
  ['End'],
  ['Paid at', { not: ['rider', 'driver'] }],
  ['Total time'],
  ['Distance'],
  ['Vehicle no.'],
  ['Driver share', { not: ['rider'] }],
  ['Convenience fee', { not: ['rider'] }],
  ['Discount'],
  ['Customer paid'],
  ['Compensation', { not: ['admin'] }],
  ['Compensation of the rider', { not: ['rider', 'driver', 'fleetadmin'] }],
  ['Compensation of the driver', { not: ['rider', 'driver', 'fleetadmin'] }],
  ['Tips'],
  ['Payment'],
  ['Gateway'],
  ['Cash'],
  ['Card'],
  ['Wallet'],
]
const VIEWS = [
  ['admin', 'admin', '/bookings'],
  ['fleetadmin', 'fleet', '/bookings'],
  ['driver', 'driver', '/bookings?tab=past&view=table'],
  ['rider', 'rider', '/bookings?tab=past&view=table'],
] as const
describe('the bookings table', () => {
  test.each(
    VIEWS.flatMap(([role, as, path]) =>
      (['delivery', 'taxi'] as const).map((appcat) => [role, appcat, as, path] as const),
    ),
  )('shows a %s the columns of the %s category', async (role, appcat, as, path) => {
    const id = toBookingKey(1)
    const booking = aBooking({ id, booking_id: id, status: 'COMPLETE', fleetadmin: 'fleet' })
    const seed = anOfficeSeed({ settings: { appcat }, bookings: [booking] })
    const { user } = await renderApp(path, { as, seed })
    await screen.findAllByRole('columnheader')
    if (isOfficeRole(role)) {
      await user.click(screen.getByText('Columns'))
      await user.click(screen.getByRole('button', { name: 'Show all columns' }))
    }
    const own = ['', 'Actions']
    const shown = screen
      .getAllByRole('columnheader')
      // An arrow marks the column by which the pages are sorted.
      .map(({ textContent }) => (textContent ?? '').replace(/ ?↓$/, ''))
      .filter((title) => !own.includes(title))
    expect(shown).toEqual(
      COLUMNS.filter(
        ([, { only, not } = {}]) => (!only || only === appcat) && !not?.includes(role),
      ).map(([title]) => title),
    )
  })
})

const DEMO = 'This change is turned off in the demo.'
const createDemoSeed = () => {
  const id = toBookingKey(1)
  return anOfficeSeed({
    settings: { AllowCriticalEditsAdmin: false },
    bookings: [aBooking({ id, booking_id: id })],
    people: [anAdmin({ id: 'other', firstName: 'Olga' }), aDriver({ id: 'd2' })],
    promos: [aPromo()],
    languages: [aLanguage({ id: 'en', langName: 'English', default: true }), aLanguage()],
    more: {
      notifications: {
        n: { title: 'Hello', body: 'World', usertype: 'All', devicetype: 'All', createdAt: 1 },
      },
    },
  })
}
type User = Awaited<ReturnType<typeof renderApp>>['user']
const press = (name: string) => async (user: User) => {
  const buttons = await screen.findAllByRole<HTMLButtonElement>('button', { name })
  await user.click(buttons.find(({ disabled }) => !disabled)!)
}
const openMenu = (user: User) => openRowMenu(user)
/** Clicks the last button with that name: an open panel comes after the page. */
const inPanel = (name: string) => async (user: User) =>
  user.click((await screen.findAllByRole('button', { name })).at(-1)!)
const type = (label: string) => async (user: User) =>
  user.type((await screen.findAllByLabelText(label)).at(-1)!, '1')
/** Deletes a person: typing proves that the panel is open, and the second click confirms. */
const deletion = [type('First name'), inPanel('Delete'), inPanel('Delete')]

/** The actions that demo mode refuses. */
const REFUSED: [string, string, ((user: User) => Promise<void>)[]][] = [
  ['adding a vehicle type', '/cartypes', [press('Add vehicle type')]],
  ['changing a vehicle type', '/cartypes?edit=van', [type('Name'), inPanel('Save')]],
  ['changing the parcel types of a vehicle type', '/cartypes', [press('Parcel types of Van')]],
  [
    'changing the cancellation tiers of a vehicle type',
    '/cartypes',
    [press('Cancellation fees of Van')],
  ],
  ['deleting a vehicle type', '/cartypes?edit=van', [type('Name'), inPanel('Delete')]],
  ['changing a promo', '/promos?edit=spring', [type('Name'), inPanel('Save')]],
  ['deleting a promo', '/promos?edit=spring', [type('Name'), inPanel('Delete'), inPanel('Delete')]],
  ['deleting a rider', '/riders?edit=rider', deletion],
  ['deleting a driver', '/drivers?edit=d2', deletion],
  ['deleting an admin', '/alladmin?edit=other', deletion],
  [
    'sending a notification',
    '/notifications?edit=new',
    [type('Title'), type('Message'), inPanel('Send')],
  ],
  ['deleting a notification', '/notifications', [press('Delete')]],
  ['adding a language', '/languagesetting', [press('Add language')]],
  ['changing a language', '/languagesetting?edit=de', [type('Name'), inPanel('Save')]],
  ['changing the texts of a language', '/languagesetting?edit=de~json', [inPanel('Submit')]],
  ['making a language the default', '/languagesetting', [press('Make default')]],
  ['deleting a language', '/languagesetting', [press('Delete')]],
  ['saving the settings', '/settings', [type('Search radius in km'), press('Save')]],
  ['saving the app info', '/appinfo', [type('App name'), press('Save')]],
  ['canceling a booking', '/bookings', [openMenu, press('Cancel booking')]],
]
describe('demo mode', () => {
  test.each(REFUSED)('refuses %s and shows its message', async (_, path, steps) => {
    const { user, backend } = await renderApp(path, { as: 'admin', seed: createDemoSeed() })
    const before = JSON.stringify(backend.getTree())
    for (const step of steps) await step(user)
    expect((await screen.findAllByText(DEMO)).length).toBeGreaterThan(0)
    expect(JSON.stringify(backend.getTree())).toBe(before)
    expect(backend.calls).toEqual([])
  })

  test('lets a promo be added', async () => {
    const { user, backend } = await renderApp('/promos?edit=new', {
      as: 'admin',
      seed: createDemoSeed(),
    })
    const panel = await screen.findByRole('dialog', { name: 'Add promo' })
    await user.type(within(panel).getByLabelText('Name'), 'AUTUMN')
    await user.type(within(panel).getByLabelText('Discount'), '5')
    await user.type(within(panel).getByLabelText('Valid until'), '2030-05-31')
    await user.type(within(panel).getByLabelText('Usage limit'), '3')
    await user.click(within(panel).getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(Object.keys(backend.getTree().promos as object)).toHaveLength(2))
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  })

  const tables = Object.keys(PAGE_ROLES).filter(
    (route) =>
      !['/profile', '/dashboard', '/addbookings', '/addtowallet', '/settings', '/appinfo'].includes(
        route,
      ),
  )
  test.each([...tables, '/payments', '/audit'])('offers no export on %s', async (route) => {
    const { unmount } = await renderApp(route, { as: 'admin', seed: createDemoSeed() })
    await screen.findByRole('heading', { level: 1 })
    await waitFor(() => expect(document.querySelector('[aria-busy=true]')).not.toBeInTheDocument())
    expect(screen.queryByText('Export')).not.toBeInTheDocument()
    unmount()
  })

  test.each(['/riders', '/drivers', '/fleetadmins', '/alladmin'])(
    'hides contacts on %s',
    async (route) => {
      await renderApp(route, { as: 'admin', seed: createDemoSeed() })
      expect((await screen.findAllByText('Hidden for Demo')).length).toBeGreaterThanOrEqual(2)
      expect(document.body).not.toHaveTextContent(/\+\d{7}|@kerbside\.example/)
    },
  )

  test('makes the cancellation reasons read-only', async () => {
    await renderApp('/cancelreasons?edit=0', { as: 'admin', seed: createDemoSeed() })
    expect(await screen.findByText(DEMO)).toBeInTheDocument()
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Add reason' })).not.toBeInTheDocument()
  })
})
