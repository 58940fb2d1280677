import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { menuFor } from '~/domain/permissions'
import { anOffice, renderApp } from '../testing'
import { crumbsOf, menuOf } from './menu'

test('an admin finds every page of the office in the side menu', async () => {
  const { user } = await renderApp('/cartypes', { as: 'admin', seed: anOffice() })
  const menu = await screen.findByRole('navigation', { name: 'Menu' })
  for (const group of ['Users', 'Wallet', 'Settings'])
    await user.click(within(menu).getByRole('button', { name: group }))
  const links = within(menu)
    .getAllByRole('link')
    .map((link) => link.getAttribute('href'))
  expect([...links].sort()).toEqual(
    menuFor('admin')
      .map(({ route }) => route as string)
      .sort(),
  )
})

test('a fleet admin sees only his own pages in the menu', () => {
  const routes = menuOf('fleetadmin').flatMap((item) =>
    'group' in item ? item.routes : [item.route],
  )
  expect(routes).toEqual(['/', '/dashboard', '/bookings', '/drivers', '/driverearning', '/profile'])
})

test('breadcrumbs name the group and the page', () => {
  expect(crumbsOf('/withdraws', 'admin')).toEqual(['menu_wallet', 'menu_withdraws'])
  expect(crumbsOf('/promos', 'admin')).toEqual(['menu_promos'])
  expect(crumbsOf('/payments', 'admin')).toEqual(['menu_wallet', 'menu_payments'])
  expect(crumbsOf('/audit', 'admin')).toEqual(['menu_audit'])
  expect(crumbsOf('/audit', 'fleetadmin')).toEqual([])
  expect(crumbsOf('/', 'admin')).toEqual([])
})

test('logging out leads to the login', async () => {
  const { user, world } = await renderApp('/cartypes', { as: 'admin', seed: anOffice() })
  await user.click(await screen.findByRole('button', { name: 'Log out' }))
  expect(world.uid()).toBeNull()
})

test('a fleet admin who opens an admin’s page is sent away', async () => {
  await renderApp('/settings', { as: 'fleet', seed: anOffice() })
  // The login sends whoever is signed in to his own first page.
  expect(await screen.findByRole('heading', { level: 1, name: 'Dashboard' })).toBeTruthy()
  expect(screen.queryByText('General settings')).toBeNull()
})

test('a message somebody wrote stays as it is, in its toast and in the inbox', async () => {
  const { user, world } = await renderApp('/cartypes', { as: 'admin', seed: anOffice() })
  await screen.findByRole('button', { name: 'Messages' })
  world.change({
    'inbox/admin/-a': {
      title: 'Old $t(close)',
      msg: 'Pay {{amount}} $t(close)',
      screen: 'BookedCab',
      at: 1,
    },
  })
  expect(await screen.findByRole('link', { name: 'Pay {{amount}} $t(close)' })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Messages, 1 new' }))
  const inbox = await screen.findByRole('dialog', { name: 'Messages' })
  expect(within(inbox).getByText('Old $t(close)')).toBeTruthy()
  expect(within(inbox).getByText('Pay {{amount}} $t(close)')).toBeTruthy()
})

test('the palette takes what is typed, without a click', async () => {
  const { user } = await renderApp('/cartypes', { as: 'admin', seed: anOffice() })
  await screen.findByRole('navigation', { name: 'Menu' })
  await user.keyboard('{Control>}k{/Control}')
  await screen.findByRole('dialog', { name: 'Go to or do' })
  await user.keyboard('promo{Enter}')
  expect(await screen.findByRole('heading', { level: 1, name: 'Promos' })).toBeTruthy()
})

describe('unsaved changes are not left without a question', () => {
  const edited = async () => {
    const { user } = await renderApp('/promos', { as: 'admin', seed: anOffice() })
    const menu = await screen.findByRole('navigation', { name: 'Menu' })
    await user.click(within(menu).getByRole('button', { name: 'Settings' }))
    await user.click(within(menu).getByRole('link', { name: 'App info' }))
    await user.type(await screen.findByLabelText('App name'), ' two')
    const answer = async (name: string) => {
      const question = await screen.findByRole('dialog', { name: /Leave without saving/ })
      await user.click(within(question).getByRole('button', { name }))
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    }
    return { user, answer }
  }
  const isAt = (name: string) => screen.findByRole('heading', { level: 1, name })

  test('by the palette', async () => {
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

  test('by the browser’s Back', async () => {
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

  test('by logging out', async () => {
    const { user, answer } = await edited()
    await user.click(screen.getByRole('button', { name: 'Log out' }))
    await answer('Keep as it is')
    await isAt('App info')
  })
})
