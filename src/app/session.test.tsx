import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { aDriver, aRider, aSettings } from '~/domain/testing/builders'
import type { Tree } from '~/src/services/memory/tree'
import { renderApp } from './renderApp'

beforeEach(() => localStorage.clear())

const seed = (users: Record<string, object>) =>
  JSON.parse(JSON.stringify({ settings: aSettings(), users })) as Tree

test('a visitor who opens a guarded page is sent to the login', async () => {
  await renderApp('/bookings', { seed: seed({}) })
  expect(await screen.findByRole('heading', { name: 'Log in or sign up' })).toBeDefined()
})

test('a rider has no way into the back office', async () => {
  await renderApp('/settings', { seed: seed({ rita: aRider({ id: 'rita' }) }), as: 'rita' })
  await waitFor(() =>
    expect(screen.queryByRole('heading', { name: /From kerb to kerb/ })).not.toBeNull(),
  )
})

test('an account that is not approved is signed out and told why', async () => {
  const pending = aDriver({ id: 'beto', approved: false })
  const { world } = await renderApp('/login', { seed: seed({ beto: pending }), as: 'beto' })
  expect(await screen.findByText(/waiting for approval/)).toBeDefined()
  expect(world.uid()).toBeNull()
})

test('an account of an unknown type is signed out and told why', async () => {
  const odd = { ...aRider({ id: 'odd' }), usertype: 'robot' }
  const { world } = await renderApp('/login', { seed: seed({ odd }), as: 'odd' })
  expect(await screen.findByText(/cannot use this site/)).toBeDefined()
  expect(world.uid()).toBeNull()
})

test('somebody new gets his profile made, and is let in', async () => {
  const { store } = await renderApp('/', {
    seed: seed({}),
    as: 'nova',
    handlers: {
      ensure_profile: (_: unknown, world) => {
        const profile = aRider({ id: 'nova', firstName: '' })
        world.change({ 'users/nova': JSON.parse(JSON.stringify(profile)) as Tree })
        return profile
      },
    },
  })
  await waitFor(() => expect(store.getState().auth.info?.id).toBe('nova'))
  expect((await screen.findAllByRole('link', { name: 'My account' })).length).toBeGreaterThan(0)
})

test('a wrong code is refused at its field', async () => {
  const { user } = await renderApp('/login', { seed: seed({}) })
  await user.type(await screen.findByLabelText('Mobile number'), '+15555550103')
  await user.click(screen.getByRole('button', { name: 'Get code' }))
  await user.type(await screen.findByLabelText('Six-digit code'), '999998')
  await waitFor(() =>
    expect(screen.getByLabelText('Six-digit code').getAttribute('aria-invalid')).toBe('true'),
  )
})

test('a number that cannot exist is refused before a code is sent', async () => {
  const { user } = await renderApp('/login', { seed: seed({}) })
  await user.type(await screen.findByLabelText('Mobile number'), '12')
  await user.click(screen.getByRole('button', { name: 'Get code' }))
  expect(await screen.findByText('Please check the phone number.')).toBeDefined()
})

test('the page speaks the database’s language, from right to left where it is written so', async () => {
  const languages = {
    he: {
      langName: 'עברית',
      langLocale: 'he',
      dateLocale: 'he-IL',
      default: true,
      createdAt: '2026-01-01T00:00:00.000Z',
      keyValuePairs: { menu_home: 'בית' },
    },
  }
  const { world } = await renderApp('/about-us', { seed: { ...seed({}), languages } })
  expect((await screen.findAllByRole('link', { name: 'בית' })).length).toBeGreaterThan(0)
  expect(document.documentElement.dir).toBe('rtl')
  // What has no text yet is English.
  expect(await screen.findByRole('heading', { name: 'About us' })).toBeDefined()
  world.change({ 'languages/he/keyValuePairs/about_title': 'עלינו' })
  expect(await screen.findByRole('heading', { name: 'עלינו' })).toBeDefined()
})

test('a platform without settings shows its setup, which makes the first admin', async () => {
  const { user, world } = await renderApp('/', {
    seed: {},
    handlers: {
      setup: (_: unknown, made) => {
        made.change({ settings: JSON.parse(JSON.stringify(aSettings())) as Tree })
        return { success: true, admin: 'first' }
      },
    },
  })
  await screen.findByRole('heading', { name: 'Setup' })
  await user.selectOptions(screen.getByLabelText('Country'), 'UY')
  await user.type(screen.getByLabelText('Mobile number'), '099 123 456')
  await user.click(screen.getByRole('button', { name: 'Next' }))
  await user.click(await screen.findByRole('radio', { name: 'People' }))
  expect(window.location.search).toBe(`?mobile=${encodeURIComponent('+59899123456')}`)
  await user.type(screen.getByLabelText('First name'), 'Ana')
  await user.click(screen.getByRole('button', { name: 'Set up' }))
  // An admin without a name would be nobody in the records he changes.
  const last = screen.getByLabelText('Last name')
  await waitFor(() => expect(last.getAttribute('aria-invalid')).toBe('true'))
  expect(document.activeElement).toBe(last)
  expect(world.calls.map(({ name }) => name)).not.toContain('setup')
  await user.type(last, ' Silva ')
  await user.click(screen.getByRole('button', { name: 'Set up' }))
  await waitFor(() => expect(window.location.pathname).not.toBe('/setup'))
  expect(world.calls).toContainEqual({
    name: 'setup',
    input: expect.objectContaining({
      mobile: '+59899123456',
      country: 'Uruguay',
      restrictCountry: 'UY',
      firstName: 'Ana',
      lastName: 'Silva',
      appcat: 'taxi',
    }) as unknown,
  })
})

test('who signs up as a driver does not become a rider by signing in', async () => {
  const { user, world, store } = await renderApp('/signup', { seed: seed({}) })
  await user.type(await screen.findByLabelText('Mobile number'), '+15555550177')
  await user.click(screen.getByRole('button', { name: 'Get code' }))
  await user.click(await screen.findByLabelText('Six-digit code'))
  await user.paste('123456')
  expect(await screen.findByLabelText('Vehicle make')).toBeDefined()
  expect(world.calls.some(({ name }) => name === 'ensure_profile')).toBe(false)
  // Leaving in the middle leaves nobody signed in.
  await user.click(screen.getByRole('link', { name: 'Kerbside, home' }))
  await waitFor(() => expect(world.uid()).toBeNull())
  expect(store.getState().auth.registering).toBe(false)
})
