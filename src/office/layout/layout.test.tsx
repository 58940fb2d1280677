import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { referenceAt } from '~/domain/booking/search/reference'
import { ServiceError } from '~/src/services/services'
import {
  aBooking,
  aDriver,
  anOfficeSeed,
  delayWrites,
  renderApp,
  toBookingKey,
} from '../testing/officeFixtures'
import { getAccountRoutes, getBreadcrumbs, getMenu, getMenuItems } from './menu'

test('shows an admin every back-office page in the side menu', async () => {
  const { user } = await renderApp('/cartypes', { as: 'admin', seed: anOfficeSeed() })
  const menu = await screen.findByRole('navigation', { name: 'Menu' })
  for (const group of ['People', 'Money', 'Alma Admin'])
    await user.click(within(menu).getByRole('button', { name: group }))
  const links = within(menu)
    .getAllByRole('link')
    .map((link) => link.getAttribute('href'))
  expect([...links].sort()).toEqual([...getMenu('admin')].sort())
})

test('shows a fleet admin only their own pages in the menu', () => {
  const routes = getMenuItems('fleetadmin').flatMap((item) =>
    'group' in item ? item.routes : [item.route],
  )
  expect(routes).toEqual(['/board', '/dashboard', '/bookings', '/drivers', '/driverearning'])
  expect(getAccountRoutes('fleetadmin')).toEqual(['/', '/profile'])
})

test('names the group and the page in the breadcrumbs', () => {
  expect(getBreadcrumbs('/withdraws', 'admin')).toEqual(['menu_money', 'menu_withdraws'])
  expect(getBreadcrumbs('/promos', 'admin')).toEqual(['menu_money', 'menu_promos'])
  expect(getBreadcrumbs('/payments', 'admin')).toEqual(['menu_money', 'menu_payments'])
  expect(getBreadcrumbs('/audit', 'admin')).toEqual(['menu_settings_group', 'menu_audit'])
  expect(getBreadcrumbs('/audit', 'fleetadmin')).toEqual([])
  expect(getBreadcrumbs('/', 'admin')).toEqual([])
})

test('leads to the login after logging out', async () => {
  const { user, backend } = await renderApp('/cartypes', { as: 'admin', seed: anOfficeSeed() })
  await user.click(await screen.findByRole('button', { name: 'Alma Admin' }))
  await user.click(screen.getByRole('button', { name: 'Log out' }))
  expect(backend.getUid()).toBeNull()
})

test('redirects a fleet admin who opens an admin page', async () => {
  await renderApp('/settings', { as: 'fleet', seed: anOfficeSeed() })
  // The login redirects signed-in users to their own first page.
  expect(await screen.findByRole('heading', { level: 1, name: 'Dashboard' })).toBeInTheDocument()
  expect(screen.queryByText('General settings')).not.toBeInTheDocument()
})

test('keeps a message that a person wrote unchanged in its toast and in the inbox', async () => {
  const { user, backend, waitForInbox } = await renderApp('/cartypes', {
    as: 'admin',
    seed: anOfficeSeed(),
  })
  await waitForInbox()
  backend.update({
    'inbox/admin/-a': {
      title: 'Old $t(close)',
      msg: 'Pay {{amount}} $t(close)',
      screen: 'BookedCab',
      at: 1,
    },
  })
  expect(
    await screen.findByRole('link', { name: 'Old $t(close) Pay {{amount}} $t(close)' }),
  ).toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Messages, 1 new' }))
  const inbox = await screen.findByRole('dialog', { name: 'Messages' })
  expect(within(inbox).getByText('Old $t(close)')).toBeInTheDocument()
  expect(within(inbox).getByText('Pay {{amount}} $t(close)')).toBeInTheDocument()
})

test("focuses the palette's input when it opens", async () => {
  const { user } = await renderApp('/cartypes', { as: 'admin', seed: anOfficeSeed() })
  await screen.findByRole('navigation', { name: 'Menu' })
  await user.keyboard('{Control>}k{/Control}')
  await screen.findByRole('dialog', { name: 'Search pages and actions' })
  await user.keyboard('promo{Enter}')
  expect(await screen.findByRole('heading', { level: 1, name: 'Promos' })).toBeInTheDocument()
})

describe('the palette finds records', () => {
  const id = toBookingKey(1)
  const paid = toBookingKey(2)
  const seed = (settings = {}) =>
    anOfficeSeed({
      settings,
      bookings: [
        aBooking({ id, booking_id: id, reference: referenceAt(id, 0) }),
        aBooking({ id: paid, booking_id: paid, reference: referenceAt(paid, 0), status: 'PAID' }),
      ],
      contacts: { deliveryPersonPhone: '099 123 456' },
      people: [
        aDriver({ id: 'zoe', firstName: 'Zoe', lastName: 'Zapata', vehicleNumber: 'SBA 1234' }),
      ],
      more: { booking_refs: { [referenceAt(id, 0)]: id, [referenceAt(paid, 0)]: paid } },
    })
  const openPalette = async (as: 'admin' | 'fleet', settings = {}) => {
    const app = await renderApp('/dashboard', { as, seed: seed(settings) })
    await screen.findByRole('heading', { level: 1, name: 'Dashboard' })
    await app.user.keyboard('{Control>}k{/Control}')
    const input = await screen.findByRole('combobox', { name: 'Search' })
    return { ...app, input }
  }
  const getUrl = () => `${window.location.pathname}${window.location.search}`
  const optionNames = () => screen.getAllByRole('option').map(({ textContent }) => textContent)

  test('and offers to assign and cancel a booking found by its reference, by keyboard', async () => {
    const { user, input } = await openPalette('admin')
    await user.type(input, referenceAt(id, 0).toLowerCase())
    await screen.findByRole('option', {
      name: new RegExp(`Booking ${referenceAt(id, 0)}.*Ana Lima`),
    })
    await user.keyboard('{Enter}')
    await screen.findByRole('dialog', { name: `Actions for Booking ${referenceAt(id, 0)}` })
    expect(within(screen.getByRole('dialog')).getByRole('status').textContent).toBe(
      `Actions for Booking ${referenceAt(id, 0)}`,
    )
    expect(optionNames()).toEqual(['Open this booking', 'Assign driver', 'Cancel booking', 'Back'])
    expect(input).toHaveFocus()
    await user.keyboard('{ArrowDown}{ArrowDown}{Enter}')
    await waitFor(() => expect(getUrl()).toBe(`/bookings?do=cancel~${id}`))
    expect(await screen.findByRole('dialog', { name: 'Cancel this booking?' })).toBeInTheDocument()
  })

  test('and offers only the actions that a booking allows', async () => {
    const { user, input } = await openPalette('admin')
    await user.type(input, referenceAt(paid, 0))
    await user.click(await screen.findByRole('option', { name: /^Booking/ }))
    await screen.findByRole('option', { name: 'Open this booking' })
    expect(optionNames()).toEqual(['Open this booking', 'Back'])
  })

  test('and does not offer to cancel a booking when demo mode refuses it', async () => {
    const { user, input } = await openPalette('admin', { AllowCriticalEditsAdmin: false })
    await user.type(input, referenceAt(id, 0))
    await user.click(await screen.findByRole('option', { name: /^Booking/ }))
    await screen.findByRole('option', { name: 'Assign driver' })
    expect(screen.queryByRole('option', { name: 'Cancel booking' })).not.toBeInTheDocument()
  })

  test('and finds both bookings of a recipient’s phone', async () => {
    const { user, input } = await openPalette('admin')
    await user.type(input, '099 123 456')
    expect(await screen.findAllByRole('option', { name: /^Booking / })).toHaveLength(2)
  })

  test.each([
    ['name', 'zoe zap', 'Open', '/drivers?edit=zoe'],
    ['plate', 'sba 1234', 'Bookings of Zoe Zapata', '/bookings?driver=zoe'],
    ['name', 'zapata', 'Wallet', '/drivers?edit=zoe~wallet'],
  ])('and leads from a driver’s %s %s to: %s', async (_, text, action, url) => {
    const { user, input } = await openPalette('admin')
    await user.type(input, text)
    await user.click(await screen.findByRole('option', { name: /^Zoe Zapata/ }))
    await user.click(await screen.findByRole('option', { name: action }))
    await waitFor(() => expect(getUrl()).toBe(url))
  })

  test('and returns from the actions to the search', async () => {
    const { user, input } = await openPalette('admin')
    await user.type(input, 'zapata')
    await user.click(await screen.findByRole('option', { name: /^Zoe Zapata/ }))
    await screen.findByRole('option', { name: 'Back' })
    await user.keyboard('{Escape}')
    expect(
      await screen.findByRole('dialog', { name: 'Search pages and actions' }),
    ).toBeInTheDocument()
  })

  test('and says when there are none', async () => {
    const { user, input } = await openPalette('admin')
    await user.type(input, 'nobody')
    expect(await screen.findByText('No people or bookings found')).toBeInTheDocument()
    expect(screen.getByRole('option', { name: 'Search bookings for “nobody”' })).toBeInTheDocument()
  })

  test('and offers another attempt when the search fails', async () => {
    const { user, input, backend } = await openPalette('admin')
    const { database } = backend.services
    const { subscribe } = database
    database.subscribe = (query, onValue, onError) => {
      if (query.path !== 'people') return subscribe(query, onValue, onError)
      onError(new ServiceError('unavailable', 'unavailable'))
      return () => undefined
    }
    onTestFinished(() => {
      database.subscribe = subscribe
    })
    // One change: a search for each letter could still be under way when the next attempt starts.
    await user.click(input)
    await user.paste('zapata')
    const palette = within(screen.getByRole('dialog'))
    expect(await palette.findByRole('alert')).toBeInTheDocument()
    database.subscribe = subscribe
    await user.click(palette.getByRole('button', { name: 'Try again' }))
    expect(await palette.findByRole('option', { name: /^Zoe Zapata/ })).toBeInTheDocument()
    expect(palette.queryByRole('alert')).not.toBeInTheDocument()
  })

  test('and reads no directory for a fleet admin', async () => {
    const { user, input } = await openPalette('fleet')
    await user.type(input, 'zapata')
    expect(await screen.findByRole('option', { name: /^Search bookings/ })).toBeInTheDocument()
    expect(screen.queryByRole('option', { name: /^Zoe/ })).not.toBeInTheDocument()
    expect(screen.queryByText('No people or bookings found')).not.toBeInTheDocument()
  })
})

describe('asks before leaving unsaved changes', () => {
  const edited = async () => {
    const { user, backend } = await renderApp('/promos', { as: 'admin', seed: anOfficeSeed() })
    const menu = await screen.findByRole('navigation', { name: 'Menu' })
    await user.click(within(menu).getByRole('button', { name: 'Set up' }))
    await user.click(within(menu).getByRole('link', { name: 'App info' }))
    await user.type(await screen.findByLabelText('App name'), ' two')
    await user.click(within(menu).getByRole('button', { name: 'Money' }))
    const answer = async (name: string) => {
      const question = await screen.findByRole('dialog', { name: /Leave without saving/ })
      await user.click(within(question).getByRole('button', { name }))
      await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    }
    return { user, backend, menu, answer }
  }
  const isAt = (name: string) => screen.findByRole('heading', { level: 1, name })

  test('through the palette', async () => {
    const { user, answer } = await edited()
    await user.keyboard('{Control>}k{/Control}')
    await user.type(await screen.findByRole('combobox'), 'promos{Enter}')
    await answer('Keep as it is')
    await isAt('App info')
    await user.keyboard('{Control>}k{/Control}')
    await user.type(await screen.findByRole('combobox'), 'promos{Enter}')
    await answer('Leave')
    await isAt('Promos')
  })

  test('through the browser’s Back', async () => {
    const { answer } = await edited()
    window.history.back()
    await answer('Keep as it is')
    await isAt('App info')
    expect(window.location.pathname).toBe('/appinfo')
    window.history.back()
    await answer('Leave')
    await isAt('Promos')
    expect(window.location.pathname).toBe('/promos')
  })

  describe('and leaves by itself when they are saved meanwhile,', () => {
    /** Saves, and leaves while the database has not answered. */
    const leaveWhileSaving = async (leave: (menu: HTMLElement) => void) => {
      const { user, backend, menu } = await edited()
      const answer = delayWrites(backend)
      await user.click(screen.getByRole('button', { name: 'Save' }))
      await waitFor(() => expect(backend.at('settings/appName')).toBe('Kerbside two'))
      leave(menu)
      await screen.findByRole('dialog', { name: /Leave without saving/ })
      await isAt('App info')
      answer()
      await screen.findByText('Saved')
    }
    const hasLeft = async () => {
      await isAt('Promos')
      expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
      expect(window.location.pathname).toBe('/promos')
    }

    test('by a link', async () => {
      await leaveWhileSaving((menu) => within(menu).getByRole('link', { name: 'Promos' }).click())
      await hasLeft()
    })

    test('by the browser’s Back', async () => {
      await leaveWhileSaving(() => window.history.back())
      await hasLeft()
    })

    test('by the browser’s Back, when they are saved before the step back is reverted', async () => {
      const { history } = window
      const go = vi.spyOn(history, 'go').mockReturnValueOnce(undefined)
      onTestFinished(() => go.mockRestore())
      await leaveWhileSaving(() => history.back())
      expect(go.mock.calls).toEqual([[1]])
      history.go(1)
      await hasLeft()
      expect(go).toHaveBeenLastCalledWith(-1)
    })
  })

  test('through logout', async () => {
    const { user, answer } = await edited()
    await user.click(screen.getByRole('button', { name: 'Alma Admin' }))
    await user.click(screen.getByRole('button', { name: 'Log out' }))
    await answer('Keep as it is')
    await isAt('App info')
  })
})
