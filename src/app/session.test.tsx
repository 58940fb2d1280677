import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { aDriver, aRider, aSettings } from '~/domain/testing/builders'
import { saveReferralCode } from '~/src/features/referral/referralCode'
import texts from '~/src/i18n/locales/he/site.json'
import { MEMORY_CODE } from '~/src/services/memory/memoryBackend'
import { readPushRegistration } from '~/src/store/pushRegistration'
import { renderApp } from './renderApp'
import type { Tree } from '~/src/services/memory/backendTypes'

const seed = (users: Record<string, object>) =>
  JSON.parse(JSON.stringify({ settings: aSettings(), users })) as Tree

test('redirects a visitor from a guarded page to the login', async () => {
  await renderApp('/bookings', { seed: seed({}) })
  expect(await screen.findByRole('heading', { name: 'Log in or sign up' })).toBeInTheDocument()
})

test('keeps a rider out of the back office', async () => {
  await renderApp('/settings', { seed: seed({ rita: aRider({ id: 'rita' }) }), as: 'rita' })
  await waitFor(() =>
    expect(screen.queryByRole('heading', { name: /From kerb to kerb/ })).toBeInTheDocument(),
  )
})

test('signs out an unapproved driver, and says what the office has and what is missing', async () => {
  const pending = aDriver({
    id: 'beto',
    approved: false,
    createdAt: '2026-11-20T12:00:00.000Z',
    vehicleNumber: 'SBA 1234',
    licenseImage: undefined,
  })
  const { backend } = await renderApp('/trips', { seed: seed({ beto: pending }), as: 'beto' })
  const title = await screen.findByRole('heading', {
    name: 'Your request is waiting for approval',
  })
  await waitFor(() => expect(title).toHaveFocus())
  expect(backend.getUid()).toBeNull()
  const parts = screen.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(parts).toEqual(
    expect.arrayContaining(['Vehiclereceived', 'Driver’s licensemissing']) as string[],
  )
  expect(screen.getByText(/^Sent on .*2026/)).toBeInTheDocument()
  // The page says it; a notice over it would say it twice.
  expect(screen.queryByText(/^Your account is waiting/)).not.toBeInTheDocument()
  screen.getByRole('button', { name: 'Log in again' }).click()
  expect(await screen.findByRole('heading', { name: 'Log in or sign up' })).toBeInTheDocument()
})

test('signs out an account of an unknown type and says why', async () => {
  const odd = { ...aRider({ id: 'odd' }), usertype: 'robot' }
  const { backend } = await renderApp('/login', { seed: seed({ odd }), as: 'odd' })
  expect(await screen.findByText(/cannot use this site/)).toBeInTheDocument()
  expect(backend.getUid()).toBeNull()
})

test.each([
  ['signs out a person who ended all sessions, and says why', 60_000, null],
  ['keeps a session that began after the others had ended', -60_000, 'rita'],
])('%s', async (_, later, uid) => {
  const ended = aRider({ id: 'rita', sessionsEnd: Date.now() + later })
  const { backend, store } = await renderApp('/about', { seed: seed({ rita: ended }), as: 'rita' })
  if (uid) await waitFor(() => expect(store.getState().auth.info?.id).toBe(uid))
  else expect(await screen.findByText(/signed out on all devices/)).toBeInTheDocument()
  expect(backend.getUid()).toBe(uid)
})

test('creates the profile of a new user and lets them in', async () => {
  const { store } = await renderApp('/', {
    seed: seed({}),
    as: 'nova',
    handlers: {
      ensure_profile: (_: unknown, memoryBackend) => {
        const profile = aRider({ id: 'nova', firstName: '' })
        memoryBackend.update({ 'users/nova': JSON.parse(JSON.stringify(profile)) as Tree })
        return profile
      },
    },
  })
  await waitFor(() => expect(store.getState().auth.info?.id).toBe('nova'))
  expect((await screen.findAllByRole('link', { name: 'My account' })).length).toBeGreaterThan(0)
})

const LOW_CODE = '012345'
const rita = aRider({ id: 'rita', mobile: '+15555550103' })

test('signs in with a code that begins with zero, as Firebase sends it', async () => {
  const options = { seed: seed({ rita }), loginCode: LOW_CODE, isLocal: false }
  const { user, backend } = await renderApp('/login', options)
  await user.type(await screen.findByLabelText('Mobile number'), '+15555550103')
  await user.click(screen.getByRole('button', { name: 'Get code' }))
  await user.type(await screen.findByLabelText('Six-digit code'), LOW_CODE)
  await waitFor(() => expect(backend.getUid()).toBe('rita'))
})

test('refuses a code below 100000 in local mode, which never sends one', async () => {
  const { user, backend } = await renderApp('/login', { seed: seed({ rita }), loginCode: LOW_CODE })
  await user.type(await screen.findByLabelText('Mobile number'), '+15555550103')
  await user.click(screen.getByRole('button', { name: 'Get code' }))
  await user.type(await screen.findByLabelText('Six-digit code'), LOW_CODE)
  expect(await screen.findByText('Enter all six digits of the code.')).toBeInTheDocument()
  expect(backend.getUid()).toBeNull()
})

test('asks for all six digits after a code of five', async () => {
  const { user, backend } = await renderApp('/login', { seed: seed({}) })
  await user.type(await screen.findByLabelText('Mobile number'), '+15555550103')
  await user.click(screen.getByRole('button', { name: 'Get code' }))
  await user.type(await screen.findByLabelText('Six-digit code'), '12345')
  await user.click(screen.getByRole('button', { name: 'Verify code' }))
  expect(await screen.findByLabelText('Six-digit code')).toHaveAccessibleDescription(
    'Enter all six digits of the code.',
  )
  expect(backend.getUid()).toBeNull()
})

test('refuses a wrong code at its field', async () => {
  const { user } = await renderApp('/login', { seed: seed({}) })
  await user.type(await screen.findByLabelText('Mobile number'), '+15555550103')
  await user.click(screen.getByRole('button', { name: 'Get code' }))
  await user.type(await screen.findByLabelText('Six-digit code'), '999998')
  await waitFor(() =>
    expect(screen.getByLabelText('Six-digit code')).toHaveAttribute('aria-invalid', 'true'),
  )
  expect(screen.getByLabelText('Six-digit code')).toHaveAccessibleDescription(
    'This code is incorrect. Check the message, or request another code.',
  )
})

test('refuses an impossible number before sending a code', async () => {
  const { user } = await renderApp('/login', { seed: seed({}) })
  await user.type(await screen.findByLabelText('Mobile number'), '12')
  await user.click(screen.getByRole('button', { name: 'Get code' }))
  expect(await screen.findByText('Please check the phone number.')).toBeInTheDocument()
})

test('uses the database’s language, written from right to left where needed', async () => {
  const languages = {
    fa: {
      langName: 'فارسی',
      langLocale: 'fa',
      dateLocale: 'fa-IR',
      default: true,
      createdAt: '2026-01-01T00:00:00.000Z',
      keyValuePairs: { menu_home: 'خانه' },
    },
  }
  const { backend } = await renderApp('/about-us', { seed: { ...seed({}), languages } })
  expect((await screen.findAllByRole('link', { name: 'خانه' })).length).toBeGreaterThan(0)
  expect(document.documentElement.dir).toBe('rtl')
  // Missing texts fall back to English.
  expect(await screen.findByRole('heading', { name: 'About us' })).toBeInTheDocument()
  backend.update({ 'languages/fa/keyValuePairs/about_title': 'درباره ما' })
  expect(await screen.findByRole('heading', { name: 'درباره ما' })).toBeInTheDocument()
})

test('uses the shipped texts of a language, except those that the office changed', async () => {
  const hebrew = {
    langName: 'עברית',
    langLocale: 'he',
    dateLocale: 'he-IL',
    default: true,
    createdAt: '2026-01-01T00:00:00.000Z',
  }
  const path = 'languages/he/keyValuePairs/about_title'
  const { backend } = await renderApp('/about-us', {
    seed: { ...seed({}), languages: { he: hebrew } },
  })
  const shipped = { name: texts.about_title, level: 1 }
  expect(await screen.findByRole('heading', shipped)).toBeInTheDocument()
  backend.update({ [path]: 'עלינו' })
  expect(await screen.findByRole('heading', { name: 'עלינו' })).toBeInTheDocument()
  backend.update({ [path]: null })
  expect(await screen.findByRole('heading', shipped)).toBeInTheDocument()
})

test('shows the setup on a platform without settings and creates the first admin', async () => {
  const { user, backend } = await renderApp('/', {
    seed: {},
    handlers: {
      setup: (_: unknown, made) => {
        made.update({ settings: JSON.parse(JSON.stringify(aSettings())) as Tree })
        return { success: true, admin: 'first' }
      },
    },
  })
  await screen.findByRole('heading', { name: 'Setup' })
  await user.selectOptions(screen.getByLabelText('Country'), 'UY')
  await user.type(screen.getByLabelText('Mobile number'), '099 123 456')
  await user.click(screen.getByRole('button', { name: 'Next' }))
  await user.selectOptions(await screen.findByLabelText('What do you transport?'), 'Parcels')
  expect(window.location.search).toBe(`?mobile=${encodeURIComponent('+59899123456')}`)
  await user.type(screen.getByLabelText('First name'), 'Ana')
  await user.click(screen.getByRole('button', { name: 'Set up' }))
  // The name is required, because the audit log shows it with every change the admin makes.
  const last = screen.getByLabelText('Last name')
  await waitFor(() => expect(last).toHaveFocus())
  expect(last).toHaveAttribute('aria-invalid', 'true')
  expect(backend.calls.map(({ name }) => name)).not.toContain('setup')
  await user.type(last, ' Silva ')
  await user.type(screen.getByLabelText('Company name'), 'Acme')
  await user.click(screen.getByRole('button', { name: 'Set up' }))
  await waitFor(() => expect(window.location.pathname).not.toBe('/setup'))
  expect(backend.calls).toContainEqual({
    name: 'setup',
    input: expect.objectContaining({
      mobile: '+59899123456',
      country: 'Uruguay',
      restrictCountry: 'UY',
      firstName: 'Ana',
      lastName: 'Silva',
      companyName: 'Acme',
      business: 'parcels',
      symbol: '$',
      code: 'UYU',
      timezone: 'America/Montevideo',
      language: 'es',
    }) as unknown,
  })
})

test('changes currency, time zone and language with the country of a new company', async () => {
  const { user } = await renderApp(`/setup?mobile=${encodeURIComponent('+447911123456')}`, {
    seed: {},
  })
  const country = await screen.findByLabelText(/^Country/)
  await user.selectOptions(country, 'DE')
  await waitFor(() => expect(screen.getByLabelText('Currency')).toHaveValue('EUR'))
  expect(screen.getByLabelText('Time zone')).toHaveValue('Europe/Berlin')
  expect(screen.getByLabelText('Main language')).toHaveValue('de')
  // The choices stay the admin's.
  await user.selectOptions(screen.getByLabelText('Main language'), 'en')
  expect(screen.getByLabelText('Currency')).toHaveValue('EUR')
  expect(screen.getByLabelText('Main language')).toHaveValue('en')
})

test('keeps a person who signs up as a driver from becoming a rider by signing in', async () => {
  const { user, backend, store } = await renderApp('/signup', { seed: seed({}) })
  await user.type(await screen.findByLabelText('Mobile number'), '+15555550177')
  await user.click(screen.getByRole('button', { name: 'Get code' }))
  await user.click(await screen.findByLabelText('Six-digit code'))
  await user.paste(MEMORY_CODE)
  expect(await screen.findByLabelText('Vehicle make')).toBeInTheDocument()
  expect(backend.calls.some(({ name }) => name === 'ensure_profile')).toBe(false)
  // Leaving the sign-up midway signs the person out.
  await user.click(screen.getByRole('link', { name: 'Kerbside, home' }))
  await waitFor(() => expect(backend.getUid()).toBeNull())
  expect(store.getState().auth.isRegistering).toBe(false)
})

test('fills in the invitation code at a driver’s sign-up', async () => {
  saveReferralCode('?ref=ana1234')
  const { user } = await renderApp('/signup', {
    seed: seed({}),
    handlers: { validate_referrer: () => ({ valid: true }) },
  })
  await user.type(await screen.findByLabelText('Mobile number'), '+15555550177')
  await user.click(screen.getByRole('button', { name: 'Get code' }))
  await user.click(await screen.findByLabelText('Six-digit code'))
  await user.paste(MEMORY_CODE)
  expect(await screen.findByLabelText('Referral code')).toHaveValue('ana1234')
  await screen.findByText('This code is valid.')
})

const RELEASE = { name: 'register_push_token', input: { token: null, replaces: 'device' } }
/** Leaves the registration of a person's device in the browser, as an earlier visit did. */
const rememberDevice = (uid: string) =>
  localStorage.setItem('kerbside.push', JSON.stringify({ uid, token: 'device', at: Date.now() }))

test('asks the server to remove the device at sign-out, and waits only briefly for the response', async () => {
  const never = () => new Promise(() => undefined)
  const { user, backend } = await renderApp('/profile', {
    seed: seed({ rita: aRider({ id: 'rita' }) }),
    as: 'rita',
    handlers: { register_push_token: never },
  })
  rememberDevice('rita')
  await user.click((await screen.findAllByRole('button', { name: 'Log out' }))[0]!)
  await waitFor(() => expect(backend.getUid()).toBeNull())
  expect(backend.calls).toContainEqual(RELEASE)
  expect(readPushRegistration()).toBeNull()
})

test('leaves the other devices of a person registered when they sign out of this one', async () => {
  const { user, backend } = await renderApp('/profile', {
    seed: seed({ rita: aRider({ id: 'rita' }) }),
    as: 'rita',
  })
  await user.click((await screen.findAllByRole('button', { name: 'Log out' }))[0]!)
  await waitFor(() => expect(backend.getUid()).toBeNull())
  expect(backend.calls.map(({ name }) => name)).not.toContain('register_push_token')
})

test('ends the pushes of the previous person when another one signs in on the device', async () => {
  rememberDevice('ana')
  const { backend } = await renderApp('/profile', {
    seed: seed({ rita: aRider({ id: 'rita' }) }),
    as: 'rita',
    handlers: { register_push_token: () => ({ registered: false }) },
  })
  await waitFor(() => expect(backend.calls).toContainEqual(RELEASE))
  expect(readPushRegistration()).toBeNull()
})
