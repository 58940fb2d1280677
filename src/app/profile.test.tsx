import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { aRider, aSettings } from '~/domain/testing/builders'
import { saveReferralCode, loadReferralCode } from '~/src/features/referral/referralCode'
import spanish from '~/src/i18n/locales/es/shared.json'
import { saveUser } from '~/src/services/memory/saveUser'
import { ServiceError } from '~/src/services/services'
import { renderApp } from './renderApp'
import type { MemoryOptions, Tree } from '~/src/services/memory/backendTypes'
import type { Settings } from '~/domain/catalog/types'
import type { User } from '~/domain/accounts/types'

afterEach(() => {
  vi.unstubAllGlobals()
  Reflect.deleteProperty(navigator, 'share')
})

const language = (langLocale: string, langName: string, isDefault: boolean) => ({
  langName,
  langLocale,
  dateLocale: langLocale,
  default: isDefault,
  createdAt: 1,
  keyValuePairs: {},
})
const open = (
  more: Partial<User> = {},
  settings: Partial<Settings> = {},
  handlers: MemoryOptions['handlers'] = {},
) =>
  renderApp('/profile', {
    as: 'rita',
    handlers: {
      save_user: saveUser,
      delete_user: () => ({ id: 'rita', bookings: 0 }),
      validate_referrer: ({ referralId }: { referralId: string }) => ({
        valid: referralId === 'ana1234',
      }),
      ...handlers,
    },
    seed: JSON.parse(
      JSON.stringify({
        settings: aSettings(settings),
        languages: { en: language('en', 'English', true), es: language('es', 'Español', false) },
        users: {
          rita: aRider({
            id: 'rita',
            savedAddresses: {
              a: { description: 'Plaza Matriz', lat: -34.9, lng: -56.2, count: 1 },
              b: { description: 'Tres Cruces', lat: -34.89, lng: -56.16, count: 4 },
            },
            ...more,
          }),
        },
      }),
    ) as Tree,
  })

test('saves name and language with the profile, and refuses a wrong e-mail at its field', async () => {
  const { user, backend } = await open()
  const email = await screen.findByLabelText('Email')
  await user.clear(screen.getByLabelText('First name'))
  await user.type(screen.getByLabelText('First name'), 'Renata')
  await user.clear(email)
  await user.type(email, 'renata@')
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Language' }), 'es')
  await user.click(await screen.findByRole('button', { name: spanish.save }))
  await waitFor(() => expect(email).toHaveAttribute('aria-invalid', 'true'))
  expect(backend.getTree()).not.toHaveProperty('users.rita.firstName', 'Renata')
  await user.type(email, 'example.com')
  await user.click(screen.getByRole('button', { name: spanish.save }))
  await waitFor(() =>
    expect(backend.getTree()).toMatchObject({
      users: {
        rita: {
          firstName: 'Renata',
          email: 'renata@example.com',
          lang: { langLocale: 'es', dateLocale: 'es' },
        },
      },
    }),
  )
  await waitFor(() => expect(document.documentElement.lang).toBe('es'))
})

test('shows a new rider the language of the page, and keeps what the header chooses after a save', async () => {
  localStorage.clear()
  const { user, backend } = await open()
  const field = await screen.findByRole('combobox', { name: 'Language' })
  expect(field).toHaveDisplayValue('English')
  await user.click(screen.getByRole('button', { name: 'Choose a language' }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.click(await dialog.findByRole('button', { name: 'Español' }))
  await waitFor(() => expect(field).toHaveDisplayValue('Español'))
  const getSaves = () => backend.calls.filter(({ name }) => name === 'save_user')
  await user.click(await screen.findByRole('button', { name: spanish.save }))
  await waitFor(() => expect(getSaves()).toHaveLength(1))
  await waitFor(() => expect(document.documentElement.lang).toBe('es'))
  expect(backend.getTree()).toMatchObject({ users: { rita: { lang: { langLocale: 'es' } } } })
  // The field changes what the header shows, too.
  await user.selectOptions(field, 'en')
  await user.click(screen.getByRole('button', { name: 'Choose a language' }))
  const reopened = within(await screen.findByRole('dialog'))
  expect(await reopened.findByRole('button', { name: 'English', pressed: true })).toBeVisible()
  expect(backend.getTree()).toMatchObject({ users: { rita: { lang: { langLocale: 'en' } } } })
})

test('lists a frequent destination first and selects it with one tap', async () => {
  const { user } = await open()
  const places = (await screen.findByRole('heading', { name: 'Saved places' })).closest('section')
  const rows = within(places as HTMLElement).getAllByRole('listitem')
  expect(rows.map((row) => row.textContent)).toEqual([
    expect.stringContaining('Home'),
    expect.stringContaining('Work'),
    expect.stringContaining('Tres Cruces'),
    expect.stringContaining('Plaza Matriz'),
  ])
  await user.click(
    within(rows[2] as HTMLElement).getByRole('button', { name: 'Book to this place' }),
  )
  await waitFor(() =>
    expect(screen.getByRole('combobox', { name: 'Drop-off' })).toHaveValue('Tres Cruces'),
  )
})

test('saves an address as the rider’s home', async () => {
  const { user, backend } = await open({}, {}, { save_place: () => ({ success: true }) })
  await user.click(await screen.findByRole('button', { name: 'Add: Home' }))
  const dialog = await screen.findByRole('dialog', { name: 'Home' })
  await user.click(within(dialog).getByRole('button', { name: 'Save' }))
  expect(await within(dialog).findByText('Choose an address from the list.')).toBeInTheDocument()
  await user.click(within(dialog).getByRole('combobox', { name: 'Address' }))
  await user.click(await within(dialog).findByRole('option', { name: 'Plaza Matriz' }))
  await user.click(within(dialog).getByRole('button', { name: 'Save' }))
  const home = {
    name: 'home',
    place: { lat: -34.9, lng: -56.2, add: 'Plaza Matriz' },
  }
  await waitFor(() =>
    expect(backend.calls).toContainEqual(
      expect.objectContaining({ name: 'save_place', input: home }),
    ),
  )
  await screen.findByText('Saved. It comes first when you choose a place.')
  expect(dialog).not.toBeInTheDocument()
})

test('lists the rider’s home before all other places', async () => {
  const { user } = await open({
    savedAddresses: {
      a: { description: 'Plaza Matriz', lat: -34.9, lng: -56.2, count: 9 },
      home: { description: 'Ejido 1275', lat: -34.9, lng: -56.18, count: 2e8 },
    },
  })
  const change = await screen.findByRole('button', { name: 'Edit: Home' })
  const row = change.closest('li') as HTMLElement
  await user.click(within(row).getByRole('button', { name: 'Book to this place' }))
  const drop = await screen.findByRole('combobox', { name: 'Drop-off' })
  await waitFor(() => expect(drop).toHaveValue('Ejido 1275'))
  await user.clear(drop)
  const options = await screen.findAllByRole('option')
  expect(options.map((option) => option.textContent)).toEqual(
    expect.arrayContaining(['Home Ejido 1275', 'Plaza Matriz']),
  )
  expect(options[0]).toHaveTextContent('Home Ejido 1275')
})

test('asks for notification permission when the user turns notifications on, and lets them turn it off again', async () => {
  const requestSpy = vi.fn(async () => (device.permission = 'granted'))
  const device = { permission: 'default', requestPermission: requestSpy }
  vi.stubGlobal('Notification', device)
  const { user } = await open()
  expect(requestSpy).not.toHaveBeenCalled()
  await user.click(await screen.findByRole('button', { name: 'Turn on notifications' }))
  await screen.findByText('This device shows notifications about your bookings.')
  expect(requestSpy).toHaveBeenCalledTimes(1)
  await user.click(screen.getByRole('button', { name: 'Turn off' }))
  await screen.findByRole('button', { name: 'Turn on notifications' })
})

test('names a browser that blocks notifications as the reason', async () => {
  vi.stubGlobal('Notification', { permission: 'denied' })
  await open()
  await screen.findByText(/^Notifications are blocked/)
  expect(screen.queryByRole('button', { name: 'Turn on notifications' })).not.toBeInTheDocument()
})

/**
 * Opens the dialog that deletes the account and fills in everything except the answer about the
 * wallet.
 */
const openDeletion = async (walletBalance: number) => {
  const app = await open({ walletBalance })
  await app.user.click(await screen.findByRole('button', { name: 'Delete account' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete your account?' }))
  await app.user.type(dialog.getByRole('textbox'), 'delete')
  const confirm = () => app.user.click(dialog.getByRole('button', { name: 'Delete permanently' }))
  const sent = () => app.backend.calls.filter(({ name }) => name === 'delete_user')
  return { ...app, dialog, confirm, sent }
}

test('refuses to delete an account with a debt, and names the amount', async () => {
  const { dialog, confirm, sent } = await openDeletion(-11)
  expect(dialog.getByText(/11\.00.*is still owed/)).toBeInTheDocument()
  expect(dialog.queryByRole('checkbox')).not.toBeInTheDocument()
  await confirm()
  expect(await dialog.findByRole('alert')).toHaveTextContent('11.00')
  expect(sent()).toEqual([])
})

test('gives up the wallet balance only with a checkbox that names the amount', async () => {
  const { user, dialog, confirm, sent } = await openDeletion(200)
  await confirm()
  expect(await dialog.findByRole('alert')).toHaveTextContent(/There is .*200\.00 in the wallet/)
  expect(sent()).toEqual([])
  await user.click(dialog.getByRole('checkbox', { name: /I give up .*200\.00/ }))
  await confirm()
  await waitFor(() =>
    expect(sent()).toMatchObject([{ input: { waive_balance: true, balance: 200 } }]),
  )
})

test('does not apply an earlier confirmation to money that arrives while the dialog is open', async () => {
  const { user, backend, dialog, confirm, sent } = await openDeletion(200)
  await user.click(dialog.getByRole('checkbox'))
  backend.update({ 'users/rita/walletBalance': 700 })
  expect(await dialog.findByRole('checkbox', { name: /700\.00/ })).not.toBeChecked()
  await confirm()
  expect(await dialog.findByRole('alert')).toBeInTheDocument()
  expect(sent()).toEqual([])
})

test('does not mention an empty wallet in the dialog', async () => {
  const { dialog, confirm, sent } = await openDeletion(0)
  expect(dialog.queryByRole('checkbox')).not.toBeInTheDocument()
  await confirm()
  await waitFor(() => expect(sent()).toMatchObject([{ input: {} }]))
})

const BLANK = { firstName: '', lastName: '', email: '' }
const complete = async (user: Awaited<ReturnType<typeof open>>['user']) => {
  await user.type(await screen.findByLabelText('First name'), 'Rita')
  await user.type(screen.getByLabelText('Last name'), 'Paz')
  await user.type(screen.getByLabelText('Email'), 'rita@example.com')
}

test('lets a new rider enter who invited them, and reports an unknown code at once', async () => {
  const { user, backend } = await open(BLANK)
  await complete(user)
  const code = screen.getByLabelText('Referral code')
  await user.type(code, 'wrong1')
  await screen.findByText('This code does not exist. Check it, or leave the field empty.')
  expect(code).toHaveAttribute('aria-invalid', 'true')
  await user.clear(code)
  await user.type(code, ' Ana1234')
  await screen.findByText('This code is valid.')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(backend.getTree()).toMatchObject({
      users: { rita: { firstName: 'Rita', signupViaReferral: 'of-ana1234' } },
    }),
  )
})

test('fills in the code of an invitation, and forgets it after use', async () => {
  saveReferralCode('?ref=Ana1234&x=1')
  saveReferralCode('?ref=<script>')
  const { user } = await open(BLANK)
  await complete(user)
  expect(screen.getByLabelText('Referral code')).toHaveValue('ana1234')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(loadReferralCode()).toBe(''))
})

test('asks a new person whose sign-in completed their profile who invited them', async () => {
  const { user, backend } = await open({ createdAt: new Date().toISOString() })
  await user.type(await screen.findByLabelText('Referral code'), 'ana1234')
  await screen.findByText('This code is valid.')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(backend.getTree()).toMatchObject({
      users: { rita: { signupViaReferral: 'of-ana1234' } },
    }),
  )
})

test('does not ask for an invitation code long after the sign-up', async () => {
  await open()
  await screen.findByLabelText('First name')
  expect(screen.queryByLabelText('Referral code')).not.toBeInTheDocument()
})

test('shows riders their own code with its bonus, copies it, and shares a link with it', async () => {
  const { user } = await open({ referralId: 'rita4321' }, { bonus: 50 })
  const panel = await screen.findByRole('region', { name: 'Invite friends' })
  expect(panel).toHaveTextContent('rita4321')
  expect(panel).toHaveTextContent('50')
  await user.click(within(panel).getByRole('button', { name: 'Copy code' }))
  expect(await navigator.clipboard.readText()).toBe('rita4321')
  await user.click(within(panel).getByRole('button', { name: 'Share link' }))
  expect(await navigator.clipboard.readText()).toBe(`${window.location.origin}/?ref=rita4321`)
  expect((await screen.findAllByText('Copied')).length).toBeGreaterThan(0)
})

test('says when the bonuses of an invitation are paid if the office has set a delay', async () => {
  await open({ referralId: 'rita4321' }, { bonus: 50, bonusDelayDays: 14 })
  const panel = await screen.findByRole('region', { name: 'Invite friends' })
  expect(panel).toHaveTextContent('Bonuses are paid 14 days after that payment.')
})

test.each([{ bonus: 50 }, { bonus: 50, bonusDelayDays: 0 }, { bonus: 0, bonusDelayDays: 14 }])(
  'says nothing about a delay with %o',
  async (settings) => {
    await open({ referralId: 'rita4321' }, settings)
    const panel = await screen.findByRole('region', { name: 'Invite friends' })
    expect(panel).not.toHaveTextContent('Bonuses are paid')
  },
)

test('uses the phone’s own share sheet where one exists', async () => {
  const share = vi.fn(async () => undefined)
  Object.defineProperty(navigator, 'share', { configurable: true, value: share })
  const coarse = { matches: true, addEventListener: vi.fn(), removeEventListener: vi.fn() }
  vi.stubGlobal('matchMedia', () => coarse)
  const { user } = await open({ referralId: 'rita4321' })
  await user.click(await screen.findByRole('button', { name: 'Share link' }))
  expect(share).toHaveBeenCalledWith({
    title: 'Invite friends',
    url: `${window.location.origin}/?ref=rita4321`,
  })
})

test('refuses a taken e-mail and a blank name at their fields', async () => {
  const taken = () => {
    throw new ServiceError('failed-precondition', 'user_exists', 'user_exists', { field: 'email' })
  }
  const { user, backend } = await open({}, {}, { save_user: taken })
  const first = await screen.findByLabelText('First name')
  await user.clear(first)
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(first).toHaveAttribute('aria-invalid', 'true'))
  expect(backend.calls.map(({ name }) => name)).not.toContain('save_user')
  await user.type(first, 'Rita')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  const email = screen.getByLabelText('Email')
  await waitFor(() => expect(email).toHaveAttribute('aria-invalid', 'true'))
})

test('lets a rider turn an optional message off, and keeps it on when the server refuses', async () => {
  let isDown = false
  const off = new Set<string>(['started-push'])
  const { user, backend } = await open(
    {},
    {},
    {
      message_preferences: ({ key, on = true }: { key?: string; on?: boolean }) => {
        if (isDown) throw new ServiceError('unavailable', 'call_failed')
        if (key !== undefined) {
          if (on) off.delete(key)
          else off.add(key)
        }
        return { off: [...off] }
      },
    },
  )
  await user.click(await screen.findByRole('button', { name: 'Choose messages' }))
  const receipt = await screen.findByRole('checkbox', { name: 'Receipt · Email' })
  expect(receipt).toHaveProperty('checked', true)
  expect(screen.queryByRole('checkbox', { name: /^Driver on the way/ })).toBeNull()
  await user.click(receipt)
  await waitFor(() => expect(receipt).toHaveProperty('checked', false))
  expect(backend.calls.at(-1)).toMatchObject({
    name: 'message_preferences',
    input: { key: 'receipt-email', on: false },
  })
  isDown = true
  await waitFor(() => expect(receipt).toHaveProperty('disabled', false))
  await user.click(receipt)
  await waitFor(() => expect(receipt).toHaveProperty('disabled', false))
  expect(receipt).toHaveProperty('checked', false)
})

test('signs out on all devices after a question', async () => {
  const { user, backend } = await open(
    {},
    {},
    {
      end_sessions: ({ uid }: { uid: string }, memoryBackend) => {
        const sessionsEnd = Date.now() + 60_000
        memoryBackend.update({ [`users/${uid}/sessionsEnd`]: sessionsEnd })
        return { uid, sessionsEnd }
      },
    },
  )
  await user.click(await screen.findByRole('button', { name: 'Sign out on all devices' }))
  const dialog = await screen.findByRole('dialog', { name: 'Sign out on all devices' })
  expect(backend.calls.map(({ name }) => name)).not.toContain('end_sessions')
  await user.click(within(dialog).getByRole('button', { name: 'Sign out' }))
  expect(await screen.findByText(/signed out on all devices/)).toBeInTheDocument()
  expect(backend.getUid()).toBeNull()
})

test('downloads the data of the person as one file, also more than a page of messages', async () => {
  const files: Blob[] = []
  vi.stubGlobal(
    'URL',
    class extends URL {
      static override createObjectURL = (file: Blob) => `blob:${files.push(file)}`
      static override revokeObjectURL = () => undefined
    },
  )
  const { user, backend } = await open(
    {},
    {},
    {
      list_recurring: () => ({ series: [{ id: 'commute' }], next: null }),
      message_preferences: () => ({ off: ['reminder'] }),
      list_help: ({ after }) =>
        after === undefined
          ? { cases: [{ booking: 'b1', messages: [{ text: 'My bag?' }] }], next: 'b1' }
          : { cases: [{ booking: 'b2', messages: [] }], next: null },
    },
  )
  const messages = Array.from({ length: 1001 }, (_, at) => [
    `inbox/rita/${String(at).padStart(4, '0')}`,
    { title: 'push_booked_title', msg: 'push_booked_msg', screen: 'BookedCab', at },
  ])
  backend.update(Object.fromEntries(messages) as Parameters<typeof backend.update>[0])
  await user.click(await screen.findByRole('button', { name: 'Download my data' }))
  await waitFor(() => expect(files).toHaveLength(1))
  const data = JSON.parse((await files[0]?.text()) ?? '') as { inbox: object }
  expect(Object.keys(data.inbox)).toHaveLength(1001)
  expect(data).toMatchObject({
    profile: { id: 'rita', walletBalance: 0 },
    recurring: [{ id: 'commute' }],
    messagesOff: ['reminder'],
    help: [{ booking: 'b1', messages: [{ text: 'My bag?' }] }, { booking: 'b2' }],
  })
})
