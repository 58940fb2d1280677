import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import type { UserType } from '~/domain/entities'
import { ROUTES } from '~/domain/permissions'
import {
  aBooking,
  aDriver,
  aLanguage,
  anAdmin,
  anOffice,
  aPromo,
  bookingKey,
  renderApp,
} from './testing'

beforeEach(() => localStorage.clear())

const ADMIN_MENU =
  '/ /dashboard /bookings /addbookings /riders /drivers /fleetadmins /alladmin /cartypes /cancelreasons /earningreports /driverearning /addtowallet /withdraws /payments /promos /notifications /appinfo /settings /languagesetting /audit /profile'
const FLEET_MENU = '/ /dashboard /bookings /drivers /driverearning /profile'

describe('the menu', () => {
  test.each([
    ['admin', 'admin', ADMIN_MENU, ['Users', 'Wallet', 'Settings']],
    // A group of one entry is that entry.
    ['fleet admin', 'fleet', FLEET_MENU, []],
  ])('of the %s', async (_, as, routes, groups) => {
    const { user } = await renderApp('/bookings', { as, seed: anOffice() })
    const menu = await screen.findByRole('navigation', { name: 'Menu' })
    for (const group of groups) await user.click(within(menu).getByRole('button', { name: group }))
    const links = within(menu).getAllByRole('link')
    expect(links.map((link) => link.getAttribute('href')).join(' ')).toBe(routes)
    expect(within(menu).getByRole('button', { name: 'Log out' })).toBeTruthy()
  })

  const offices = Object.entries(ROUTES)
    .filter(([, who]) => !(who as readonly string[]).includes('rider'))
    .map(([route]) => route)
  test.each([
    ['rider', 'rider'],
    ['driver', 'driver'],
  ])('of the %s leads nowhere into the office', async (_, as) => {
    await renderApp('/bookings', { as, seed: anOffice() })
    await screen.findByRole('heading', { level: 1 })
    const to = () =>
      screen.getAllByRole('link', { hidden: true }).map((link) => link.getAttribute('href') ?? '')
    await waitFor(() => expect(to()).toContain('/profile'))
    expect(to().filter((href) => offices.includes(href))).toEqual([])
  })
})

/** Specification 2, and who knows the code: the rider and the office. */
const COLUMNS: [string, { only?: 'delivery'; not?: UserType[] }?][] = [
  ['Booking ID'],
  ['Booked'],
  ['Status'],
  ['Vehicle'],
  ['Customer'],
  ['Pickup'],
  ['Drop-off'],
  ['Driver'],
  ['Recipient', { only: 'delivery' }],
  ['Recipient’s phone', { only: 'delivery' }],
  ['Pickup instructions', { only: 'delivery' }],
  ['Delivery instructions', { only: 'delivery' }],
  ['Parcel', { only: 'delivery' }],
  ['Option', { only: 'delivery' }],
  ['At the pickup', { only: 'delivery' }],
  ['At the drop-off', { only: 'delivery' }],
  ['Cancellation reason'],
  ['Cancellation fee'],
  ['Trip code', { not: ['driver', 'fleetadmin'] }],
  ['Trip cost'],
  ['Start'],
  ['End'],
  ['Total time'],
  ['Distance'],
  ['Vehicle no.'],
  ['Driver share', { not: ['rider'] }],
  ['Convenience fee', { not: ['rider'] }],
  ['Discount'],
  ['Customer paid'],
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
describe('the columns of the bookings table', () => {
  test.each(
    VIEWS.flatMap(([role, as, path]) =>
      (['delivery', 'taxi'] as const).map((appcat) => [role, appcat, as, path] as const),
    ),
  )('of a %s in the %s category', async (role, appcat, as, path) => {
    const id = bookingKey(1)
    const booking = aBooking({ id, booking_id: id, status: 'COMPLETE', fleetadmin: 'fleet' })
    await renderApp(path, { as, seed: anOffice({ settings: { appcat }, bookings: [booking] }) })
    await screen.findAllByRole('columnheader')
    const own = ['', 'Actions']
    const shown = screen
      .getAllByRole('columnheader')
      .map(({ textContent }) => textContent ?? '')
      .filter((title) => !own.includes(title))
    expect(shown).toEqual(
      COLUMNS.filter(
        ([, { only, not } = {}]) => (!only || only === appcat) && !not?.includes(role),
      ).map(([title]) => title),
    )
  })
})

const DEMO = 'This is a demo: that change is switched off.'
const demo = () => {
  const id = bookingKey(1)
  return anOffice({
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
/** The last of that name: what stands open comes after the page. */
const inPanel = (name: string) => async (user: User) =>
  user.click((await screen.findAllByRole('button', { name })).at(-1)!)
const type = (label: string) => async (user: User) =>
  user.type((await screen.findAllByLabelText(label)).at(-1)!, '1')
/** Of a person: what was typed shows that the panel is there, the second press answers the question. */
const deletion = [type('First name'), inPanel('Delete'), inPanel('Delete')]

/** Specification 5: what demo mode refuses. */
const REFUSED: [string, string, ((user: User) => Promise<void>)[]][] = [
  ['adding a car type', '/cartypes', [press('Add vehicle type')]],
  ['changing a car type', '/cartypes?edit=van', [type('Name'), inPanel('Save')]],
  ['changing its parcel types', '/cartypes', [press('Parcel types of Van')]],
  ['changing its cancel slabs', '/cartypes', [press('Cancel slabs of Van')]],
  ['deleting a car type', '/cartypes?edit=van', [type('Name'), inPanel('Delete')]],
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
  ['changing its texts', '/languagesetting?edit=de~json', [inPanel('Submit')]],
  ['making it the default', '/languagesetting', [press('Make default')]],
  ['deleting a language', '/languagesetting', [press('Delete')]],
  ['saving the settings', '/settings', [type('Search radius in km'), press('Save')]],
  ['saving the app info', '/appinfo', [type('App name'), press('Save')]],
  ['cancelling a booking', '/bookings', [press('Cancel booking')]],
]
describe('demo mode', () => {
  test.each(REFUSED)('refuses %s, with its message', async (_, path, steps) => {
    const { user, world } = await renderApp(path, { as: 'admin', seed: demo() })
    const before = JSON.stringify(world.tree())
    for (const step of steps) await step(user)
    expect((await screen.findAllByText(DEMO)).length).toBeGreaterThan(0)
    expect(JSON.stringify(world.tree())).toBe(before)
    expect(world.calls).toEqual([])
  })

  test('lets a promo be added', async () => {
    const { user, world } = await renderApp('/promos?edit=new', { as: 'admin', seed: demo() })
    const panel = await screen.findByRole('dialog', { name: 'Add promo' })
    await user.type(within(panel).getByLabelText('Name'), 'AUTUMN')
    await user.type(within(panel).getByLabelText('Discount'), '5')
    await user.type(within(panel).getByLabelText('Valid until'), '2030-05-31')
    await user.type(within(panel).getByLabelText('How often it can be used'), '3')
    await user.click(within(panel).getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(Object.keys(world.tree().promos as object)).toHaveLength(2))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  const tables = Object.keys(ROUTES).filter(
    (route) =>
      !['/profile', '/dashboard', '/addbookings', '/addtowallet', '/settings', '/appinfo'].includes(
        route,
      ),
  )
  test.each([...tables, '/payments', '/audit'])('exports nothing from %s', async (route) => {
    const { unmount } = await renderApp(route, { as: 'admin', seed: demo() })
    await screen.findByRole('heading', { level: 1 })
    await waitFor(() => expect(document.querySelector('[aria-busy=true]')).toBeNull())
    expect(screen.queryByText('Export')).toBeNull()
    unmount()
  })

  test.each(['/riders', '/drivers', '/fleetadmins', '/alladmin'])(
    'hides contacts in %s',
    async (route) => {
      await renderApp(route, { as: 'admin', seed: demo() })
      expect((await screen.findAllByText('Hidden for Demo')).length).toBeGreaterThanOrEqual(2)
      expect(document.body.textContent).not.toMatch(/\+\d{7}|@kerbside\.example/)
    },
  )

  test('makes the cancel reasons read-only', async () => {
    await renderApp('/cancelreasons?edit=0', { as: 'admin', seed: demo() })
    expect(await screen.findByText(DEMO)).toBeTruthy()
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(screen.queryByRole('button', { name: 'Add reason' })).toBeNull()
  })
})
