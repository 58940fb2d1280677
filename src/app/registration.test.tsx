import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { UnconfirmedRegistration } from '~/domain/accounts/pendingRegistration'
import { aVehicleType, aRider, aSettings } from '~/domain/testing/builders'
import { ServiceError } from '~/src/services/services'
import { renderApp } from './renderApp'
import type { MemoryOptions, Tree } from '~/src/services/memory/backendTypes'
import type { Settings } from '~/domain/catalog/types'
import type { User } from '~/domain/accounts/types'

const plain = (value: object) => JSON.parse(JSON.stringify(value)) as Tree
const blank = aRider({ id: 'nova', firstName: '', lastName: '', email: '', mobile: '+15555550177' })
const registration: UnconfirmedRegistration = {
  usertype: 'driver',
  firstName: 'Mallory',
  lastName: 'Ruiz',
  email: 'mallory@example.com',
  carType: 'van',
  vehicleNumber: 'X 1',
  bankAccount: 'IBAN 42',
  licenseImage: 'https://files.example/licence.webp',
  at: Date.UTC(2026, 10, 20, 15),
}

/** Opens the app at the first sign-in of a person whose number has a pending sign-up. */
const open = (
  handlers: MemoryOptions['handlers'] = {},
  {
    known = false,
    path = '/',
    settings = {},
  }: { known?: boolean; path?: string; settings?: Partial<Settings> } = {},
) =>
  renderApp(path, {
    as: 'nova',
    seed: plain({
      settings: aSettings({ driver_approval: true, ...settings }),
      cartypes: { van: aVehicleType() },
      users: known ? { nova: blank } : {},
    }),
    handlers: {
      ensure_profile: (_: unknown, backend) => {
        backend.update({ 'users/nova': plain(blank) })
        return { ...blank, pendingRegistration: registration }
      },
      discard_registration: () => ({ success: true }),
      user_signup: ({ regData }: { regData: Partial<User> }, backend) => {
        const user = { ...blank, ...regData, approved: regData.usertype === 'rider' }
        backend.update({ 'users/nova': plain(user) })
        return { success: true, uid: 'nova', approved: user.approved }
      },
      ...handlers,
    },
  })
const question = () => screen.findByRole('dialog', { name: 'A sign-up for your number is waiting' })
const sent = ({ backend }: Awaited<ReturnType<typeof open>>) =>
  backend.calls.find(({ name }) => name === 'user_signup')?.input

test('shows the owner of a number every line of a pending sign-up', async () => {
  await open()
  const dialog = await question()
  for (const text of ['Driver', 'Mallory', 'Ruiz', 'mallory@example.com', 'Van', 'X 1', 'IBAN 42'])
    expect(dialog).toHaveTextContent(text)
  // Rendering the picture of a stranger's sign-up would send a request to the stranger's server.
  expect(within(dialog).queryByRole('img')).not.toBeInTheDocument()
  expect(within(dialog).getByRole('link', { name: 'Open' })).toHaveAttribute(
    'href',
    registration.licenseImage,
  )
})

test('links to the company’s terms before the owner of a number continues', async () => {
  const terms = 'https://kerbside.example/terms'
  await open({}, { settings: { CompanyTerms: terms } })
  const link = await within(await question()).findByRole('link', { name: 'Terms and conditions' })
  expect(link).toHaveAttribute('href', terms)
})

test('signs them up with it after they continue, and a driver then waits for approval', async () => {
  const app = await open()
  await app.user.click(within(await question()).getByRole('button', { name: 'Continue sign-up' }))
  await screen.findByText(/waiting for approval/)
  expect(app.backend.getUid()).toBeNull()
  expect(sent(app)).toMatchObject({
    regData: {
      usertype: 'driver',
      mobile: '+15555550177',
      firstName: 'Mallory',
      bankAccount: 'IBAN 42',
      licenseImage: registration.licenseImage,
    },
  })
})

test('lets the person correct a wrong detail before they confirm the sign-up', async () => {
  const app = await open()
  const dialog = await question()
  await app.user.click(within(dialog).getByRole('button', { name: 'Edit' }))
  const account = within(dialog).getByLabelText('Account number')
  await app.user.clear(account)
  const email = within(dialog).getByLabelText('Email')
  await app.user.clear(email)
  await app.user.type(email, 'nova@')
  await app.user.click(within(dialog).getByRole('button', { name: 'Continue sign-up' }))
  await waitFor(() => expect(email).toHaveAttribute('aria-invalid', 'true'))
  expect(sent(app)).toBeUndefined()
  await app.user.type(email, 'example.com')
  await app.user.click(within(dialog).getByRole('button', { name: 'Continue sign-up' }))
  await waitFor(() => expect(sent(app)).toBeDefined())
  const { regData } = sent(app) as { regData: Partial<User> }
  expect(regData.email).toBe('nova@example.com')
  expect(regData).not.toHaveProperty('bankAccount')
})

test('makes the person a rider without any of its data after they discard it', async () => {
  const app = await open()
  await app.user.click(within(await question()).getByRole('button', { name: 'Discard sign-up' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  expect(app.backend.calls.map(({ name }) => name)).toContain('discard_registration')
  expect(app.backend.getTree()).toMatchObject({ users: { nova: { usertype: 'rider', email: '' } } })
})

test('lets the person postpone the question, and shows it again at the next visit', async () => {
  const first = await open()
  await first.user.click(within(await question()).getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  expect(first.backend.calls.map(({ name }) => name)).toEqual(['ensure_profile'])
  first.unmount()
  await open({}, { known: true })
  await question()
})

test('lets the person replace a taken e-mail', async () => {
  const taken = () => {
    throw new ServiceError('failed-precondition', 'user_exists', 'user_exists', { field: 'email' })
  }
  const app = await open({ user_signup: taken })
  const dialog = await question()
  await app.user.click(within(dialog).getByRole('button', { name: 'Continue sign-up' }))
  const email = await within(dialog).findByLabelText('Email')
  await waitFor(() => expect(email).toHaveAttribute('aria-invalid', 'true'))
  expect(dialog).toHaveTextContent('An account with this number or email already exists.')
})

test('shows no question to a person without a pending sign-up', async () => {
  const { store } = await open({
    ensure_profile: (_: unknown, backend) => {
      backend.update({ 'users/nova': plain(blank) })
      return blank
    },
  })
  await waitFor(() => expect(store.getState().auth.info?.id).toBe('nova'))
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
})

test('signs out a person with an unsupported sign-in method and shows the reason', async () => {
  const { backend } = await open(
    {
      ensure_profile: () => {
        throw new ServiceError('permission-denied', 'sign_in_not_offered')
      },
    },
    { path: '/login' },
  )
  await screen.findByText(/This login method is not available here/)
  expect(backend.getUid()).toBeNull()
})
