import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { aRider, aSettings } from '~/domain/testing/builders'
import type { Tree } from '~/src/services/memory/tree'
import { renderApp } from './renderApp'

beforeEach(() => {
  sessionStorage.clear()
  localStorage.clear()
})
afterEach(() => vi.useRealTimers())

const seed = (settings = {}, users: Record<string, unknown> = {}) =>
  JSON.parse(JSON.stringify({ settings: aSettings(settings), users })) as Tree

test('every country can be chosen, the platform’s own first, and a number is sent in full', async () => {
  const { user, world } = await renderApp('/login', { seed: seed({ restrictCountry: 'UY' }) })
  const asked: string[] = []
  const { requestCode } = world.services.auth
  world.services.auth.requestCode = (phone) => {
    asked.push(phone)
    return requestCode(phone)
  }
  const country = await screen.findByRole('combobox', { name: 'Country' })
  await waitFor(() => expect(country).toHaveProperty('value', 'UY'))
  const names = within(country).getAllByRole('option')
  expect(names.length).toBeGreaterThanOrEqual(240)
  for (const { textContent } of names) expect(textContent).toMatch(/^.+ \(\u2066\+\d+\u2069\)$/)
  await user.selectOptions(country, 'ES')
  await user.type(screen.getByLabelText('Mobile number'), '612 34')
  await user.click(screen.getByRole('button', { name: 'Get code' }))
  expect((await screen.findByRole('alert')).textContent).toBeTruthy()
  expect(asked).toEqual([])
  await user.type(screen.getByLabelText('Mobile number'), '5 678')
  await user.click(screen.getByRole('button', { name: 'Get code' }))
  await screen.findByLabelText('Six-digit code')
  expect(asked).toEqual(['+34612345678'])
})

test('the country is not asked for where the office has fixed it', async () => {
  await renderApp('/login', {
    seed: seed({ restrictCountry: 'UY', AllowCountrySelection: false }),
  })
  await screen.findByText('+598')
  await waitFor(() => expect(screen.queryByRole('combobox', { name: 'Country' })).toBeNull())
})

test('another code can be had, and the next one half a minute later', async () => {
  const { user, world } = await renderApp('/login', { seed: seed() })
  await user.type(await screen.findByLabelText('Mobile number'), '+15555550103')
  await user.click(screen.getByRole('button', { name: 'Get code' }))
  await screen.findByLabelText('Six-digit code')
  const requestCode = vi.fn(async (phone: string) => phone)
  world.services.auth.requestCode = requestCode
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const again = screen.getByRole('button', { name: 'Send a new code' })
  fireEvent.click(again)
  expect(again.textContent).toBe('New code in 30 s')
  expect(again).toHaveProperty('disabled', true)
  for (let second = 1; second < 30; second += 1) act(() => vi.advanceTimersByTime(1000))
  expect(again.textContent).toBe('New code in 1 s')
  act(() => vi.advanceTimersByTime(1000))
  expect(again).toHaveProperty('disabled', false)
  expect(requestCode).toHaveBeenCalledTimes(1)
})

test('Facebook, Apple and Google are offered where the settings have them, and a refusal is told', async () => {
  const { user, world } = await renderApp('/login', { seed: seed({ FacebookLoginEnabled: true }) })
  const tried: string[] = []
  const { signInWith } = world.services.auth
  world.services.auth.signInWith = (provider) => {
    tried.push(provider)
    return signInWith(provider)
  }
  for (const name of ['Facebook', 'Apple', 'Google']) {
    await user.click(await screen.findByRole('button', { name: `Continue with ${name}` }))
    await screen.findByText(/Logging in failed/)
  }
  expect(tried).toEqual(['facebook', 'apple', 'google'])
})

test('none of them is offered where the settings do not have them', async () => {
  await renderApp('/login', { seed: seed({ FacebookLoginEnabled: false }) })
  await screen.findByLabelText('Mobile number')
  expect(screen.queryByRole('button', { name: /^Continue with/ })).toBeNull()
})

test.each([
  [
    'of no known kind',
    { usertype: 'ghost' as never },
    'This kind of account cannot use this site.',
  ],
  [
    'whom nobody has approved',
    { approved: false },
    'Your account is waiting for approval. We will let you know.',
  ],
])('somebody %s is signed out and told why', async (_, over, why) => {
  const { world } = await renderApp('/profile', {
    seed: seed({}, { rita: aRider({ id: 'rita', ...over }) }),
    as: 'rita',
  })
  await screen.findByText(why)
  await waitFor(() => expect(window.location.pathname).toBe('/login'))
  expect(world.uid()).toBeNull()
})
