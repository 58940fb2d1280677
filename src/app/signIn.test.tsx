import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { aRider, aSettings } from '~/domain/testing/builders'
import { renderApp } from './renderApp'
import type { Tree } from '~/src/services/memory/backendTypes'

afterEach(() => vi.useRealTimers())

const seed = (settings = {}, users: Record<string, unknown> = {}) =>
  JSON.parse(JSON.stringify({ settings: aSettings(settings), users })) as Tree

test('offers every country, the platform’s own first, and sends the number in full', async () => {
  const { user, backend } = await renderApp('/login', { seed: seed({ restrictCountry: 'UY' }) })
  const phones: string[] = []
  const { requestCode } = backend.services.auth
  backend.services.auth.requestCode = (phone) => {
    phones.push(phone)
    return requestCode(phone)
  }
  const country = await screen.findByRole('combobox', { name: 'Country' })
  await waitFor(() => expect(country).toHaveValue('UY'))
  const names = within(country).getAllByRole('option')
  expect(names.length).toBeGreaterThanOrEqual(240)
  for (const { textContent } of names) expect(textContent).toMatch(/^.+ \(\u2066\+\d+\u2069\)$/)
  await user.selectOptions(country, 'ES')
  await user.type(screen.getByLabelText('Mobile number'), '612 34')
  await user.click(screen.getByRole('button', { name: 'Get code' }))
  expect((await screen.findByRole('alert')).textContent).toBeTruthy()
  expect(phones).toEqual([])
  await user.type(screen.getByLabelText('Mobile number'), '5 678')
  await user.click(screen.getByRole('button', { name: 'Get code' }))
  await screen.findByLabelText('Six-digit code')
  expect(phones).toEqual(['+34612345678'])
})

test('hides the country field when the settings fix the country', async () => {
  await renderApp('/login', {
    seed: seed({ restrictCountry: 'UY', AllowCountrySelection: false }),
  })
  await screen.findByText('+598')
  await waitFor(() =>
    expect(screen.queryByRole('combobox', { name: 'Country' })).not.toBeInTheDocument(),
  )
})

test('sends a new code on request, and the next one after 30 seconds', async () => {
  const { user, backend } = await renderApp('/login', { seed: seed() })
  await user.type(await screen.findByLabelText('Mobile number'), '+15555550103')
  await user.click(screen.getByRole('button', { name: 'Get code' }))
  await screen.findByLabelText('Six-digit code')
  const requestCode = vi.fn(async (phone: string) => phone)
  backend.services.auth.requestCode = requestCode
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const again = screen.getByRole('button', { name: 'Send a new code' })
  fireEvent.click(again)
  expect(again.textContent).toBe('New code in 30 s')
  expect(again).toBeDisabled()
  for (let second = 1; second < 30; second += 1) act(() => void vi.advanceTimersByTime(1000))
  expect(again.textContent).toBe('New code in 1 s')
  act(() => void vi.advanceTimersByTime(1000))
  expect(again).toBeEnabled()
  expect(requestCode).toHaveBeenCalledTimes(1)
})

test('offers Facebook, Apple and Google when the settings enable them, and shows a refusal', async () => {
  const { user, backend } = await renderApp('/login', {
    seed: seed({ FacebookLoginEnabled: true }),
  })
  const tried: string[] = []
  const { signInWith } = backend.services.auth
  backend.services.auth.signInWith = (provider) => {
    tried.push(provider)
    return signInWith(provider)
  }
  for (const name of ['Facebook', 'Apple', 'Google']) {
    await user.click(await screen.findByRole('button', { name: `Continue with ${name}` }))
    await screen.findByText(/Login failed/)
  }
  expect(tried).toEqual(['facebook', 'apple', 'google'])
})

test('offers no social sign-in when the settings disable it', async () => {
  await renderApp('/login', { seed: seed({ FacebookLoginEnabled: false }) })
  await screen.findByLabelText('Mobile number')
  expect(screen.queryByRole('button', { name: /^Continue with/ })).not.toBeInTheDocument()
})

test.each([
  [
    'of an unknown user type',
    { usertype: 'ghost' as never },
    'This type of account cannot use this site.',
  ],
  [
    'who is not approved',
    { approved: false },
    'Your account is waiting for approval. We will let you know.',
  ],
])('signs out a user %s and shows the reason', async (_, over, why) => {
  const { backend } = await renderApp('/profile', {
    seed: seed({}, { rita: aRider({ id: 'rita', ...over }) }),
    as: 'rita',
  })
  await screen.findByText(why)
  await waitFor(() => expect(window.location.pathname).toBe('/login'))
  expect(backend.getUid()).toBeNull()
})
