import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { aSettings } from '~/domain/testing/builders'
import { HOUR_MS } from '~/domain/language/timeUnits'
import { requestWithdrawal } from '~/domain/money/withdrawals'
import { ServiceError } from '~/src/services/services'
import { selectProfile } from '~/src/store/auth'
import { renderDriverApp } from '../testing/renderDriverApp'
import type { User } from '~/domain/accounts/types'

const ID = '-OAbcdefghijklmnopqr'
const wallet = {
  walletBalance: 62.5,
  walletHistory: {
    [`${ID}-share`]: { type: 'Credit', amount: 37.5, date: Date.now(), txRef: ID },
    [`${ID}-cash`]: { type: 'Debit', amount: 25, date: Date.now(), txRef: ID },
    'x-topup': { type: 'Credit', amount: 50, date: Date.now() - 40 * 86_400_000, txRef: 'x' },
  },
} as const

test('shows the balance and today’s earnings, with a bar for each day', async () => {
  await renderDriverApp({ driver: wallet, path: '/wallet' })
  const balance = await screen.findByRole('heading', { name: 'Wallet balance' })
  expect(balance.parentElement).toHaveTextContent('$62.50')
  const chart = await screen.findByRole('figure', { name: 'Earnings' })
  const days = within(chart).getAllByRole('row')
  expect(days).toHaveLength(7)
  expect(days.at(-1)).toHaveTextContent(/\$37\.50, 1 booking$/)
})

test('keeps the wallet’s history out of the session, and reads only the weeks that it shows', async () => {
  const { store } = await renderDriverApp({ driver: wallet, path: '/wallet' })
  await screen.findByRole('figure', { name: 'Earnings' })
  const profile = selectProfile(store.getState())
  expect(profile?.walletBalance).toBe(62.5)
  expect(profile).not.toHaveProperty('walletHistory')
  const { walletentries } = store.getState() as unknown as {
    walletentries: { byQuery: Record<string, unknown> }
  }
  const [query] = Object.keys(walletentries.byQuery)
  const { path, startAt } = JSON.parse(query ?? '{}') as { path: string; startAt: number }
  expect(path).toBe('users/driver/walletHistory')
  const days = (Date.now() - startAt) / 86_400_000
  expect(days).toBeGreaterThan(42)
  expect(days).toBeLessThan(45)
})

test('formats days and amounts for a locale in the form that phones use', async () => {
  const lang = { langLocale: 'pt_BR', dateLocale: 'pt_BR' }
  const pt = { ...lang, langName: 'Português', default: false, createdAt: '', keyValuePairs: {} }
  await renderDriverApp({
    driver: { ...wallet, lang },
    path: '/wallet',
    extraSeed: { languages: { pt } },
  })
  expect((await screen.findAllByText('$62,50')).length).toBeGreaterThan(0)
})

test('lists the statement from the opening to the closing balance', async () => {
  const app = await renderDriverApp({ driver: wallet, path: '/wallet' })
  await app.user.click(await screen.findByRole('tab', { name: 'Statement' }))
  const terms = (await screen.findByText('Opening balance')).closest('dl')
  expect(terms).toHaveTextContent('Opening balance$50.00')
  expect(terms).toHaveTextContent('Closing balance$62.50')
  const lines = screen.getByRole('list', { name: 'Transactions, newest first' })
  expect(within(lines).getByText('Cash kept')).toBeInTheDocument()
  expect(within(lines).getAllByRole('link', { name: 'Booking' })[0]).toHaveAttribute(
    'href',
    `/bookings/${ID}`,
  )
})

test('lets a driver request a withdrawal with bank details, up to the balance', async () => {
  const asked: unknown[] = []
  const app = await renderDriverApp({
    driver: wallet,
    path: '/wallet?tab=withdraw',
    handlers: {
      save_user: (input: never, backend) => {
        const { id, ...changes } = input as { id: string } & Record<string, string>
        backend.update(
          Object.fromEntries(
            Object.entries(changes).map(([field, value]) => [`users/${id}/${field}`, value]),
          ),
        )
        return { id, approved: true }
      },
      request_withdraw: (input: never, backend) => {
        asked.push(input)
        const { withdraw_id, amount } = input as { withdraw_id: string; amount: number }
        backend.update({
          [`withdraws/${withdraw_id}`]: {
            uid: 'driver',
            amount,
            date: Date.now(),
            payable_at: Date.now() + HOUR_MS,
            processed: false,
          },
        })
        return {}
      },
    },
  })
  const amount = await screen.findByRole('textbox', { name: 'Amount' })
  const send = screen.getByRole('button', { name: 'Request withdrawal' })
  await app.user.click(send)
  expect(await screen.findByText('Please enter a number above 0.')).toBeInTheDocument()
  await app.user.type(amount, '70')
  await app.user.click(send)
  expect(await screen.findByText(/more than the wallet balance/)).toBeInTheDocument()
  expect(asked).toEqual([])

  await app.user.clear(amount)
  await app.user.type(amount, '20,50')
  await app.user.type(screen.getByRole('textbox', { name: 'Bank' }), 'Banco Sur')
  await app.user.click(send)
  const question = await screen.findByRole('dialog', { name: 'Withdraw $20.50?' })
  expect(asked).toEqual([])
  expect(question).toHaveTextContent('Your bank details are new')
  await app.user.click(within(question).getByRole('button', { name: 'Request withdrawal' }))
  expect(await screen.findByText(/Withdrawal requested/)).toBeInTheDocument()
  expect(asked).toEqual([{ withdraw_id: expect.any(String) as string, amount: 20.5 }])
  expect(app.backend.getTree().users).toMatchObject({ driver: { bankName: 'Banco Sur' } })
  const requests = await screen.findByRole('list', { name: 'Your requests' })
  await waitFor(() => expect(within(requests).getByText('Requested')).toBeInTheDocument())
  expect(within(requests).getByText(/^Not before .* your bank details changed/)).toBeInTheDocument()
})

test('shows 0.00 and no debt after a driver withdraws everything', async () => {
  // Float increments turned 3082.27 into this before balances used minor units.
  const walletBalance = 3082.2699999999986
  const history = {
    start: { type: 'Credit', amount: 3082.27, date: 1, txRef: 'AdminCredit' },
  } as const
  const app = await renderDriverApp({
    driver: { walletBalance, walletHistory: history },
    path: '/wallet?tab=withdraw',
    handlers: {
      request_withdraw: (input: never, backend) => {
        const { withdraw_id: id, amount } = input as { withdraw_id: string; amount: number }
        const { driver } = backend.getTree().users as unknown as Record<string, User>
        const asked = requestWithdrawal(
          { ...(driver as User), id: 'driver' },
          { id, amount, now: Date.now() },
          aSettings(),
        )
        if (!asked.ok) throw new ServiceError('failed-precondition', asked.error.key)
        backend.update(asked.value.updates)
        return { withdraw_id: id, amount }
      },
    },
  })
  await app.user.type(await screen.findByRole('textbox', { name: 'Amount' }), '3082.27')
  await app.user.click(screen.getByRole('button', { name: 'Request withdrawal' }))
  const question = await screen.findByRole('dialog')
  await app.user.click(within(question).getByRole('button', { name: 'Request withdrawal' }))
  expect(await screen.findByText(/Withdrawal requested/)).toBeInTheDocument()
  const { parentElement: header } = screen.getByRole('heading', { name: 'Wallet balance' })
  await waitFor(() => expect(header?.textContent).toBe('Wallet balance$0.00'))
  expect(screen.queryByText(/Below zero/)).not.toBeInTheDocument()
  expect(app.backend.getTree().users).toMatchObject({ driver: { walletBalance: 0 } })
})

test('shows a balance that rounds to zero as 0.00 and not as a debt', async () => {
  await renderDriverApp({ driver: { walletBalance: -1.3642420526593924e-12 }, path: '/wallet' })
  const { parentElement: header } = await screen.findByRole('heading', { name: 'Wallet balance' })
  expect(header?.textContent).toBe('Wallet balance$0.00')
  expect(header?.querySelector('[data-low]')).not.toBeInTheDocument()
})

test('shows a balance of one cent below zero as a debt', async () => {
  await renderDriverApp({ driver: { walletBalance: -0.01 }, path: '/wallet' })
  expect(await screen.findByText(/Below zero/)).toBeInTheDocument()
  expect(screen.getByRole('heading', { name: 'Wallet balance' }).parentElement).toHaveTextContent(
    '−$0.01',
  )
})

test('hides the bank fields when the settings hide them', async () => {
  await renderDriverApp({
    driver: wallet,
    settings: { bank_fields: false },
    path: '/wallet?tab=withdraw',
  })
  await screen.findByRole('textbox', { name: 'Amount' })
  expect(screen.queryByRole('textbox', { name: 'Bank' })).not.toBeInTheDocument()
})

test('names a correction by the office in the statement and shows its note', async () => {
  await renderDriverApp({
    driver: {
      walletBalance: 5,
      walletHistory: {
        'a-admin': { type: 'Credit', amount: 30, date: Date.now() - 1, txRef: 'AdminCredit' },
        'b-correction': {
          type: 'Debit',
          amount: 25,
          date: Date.now(),
          txRef: 'AdminDebit',
          note: 'Credited twice',
        },
      },
    },
    path: '/wallet?tab=statement',
  })
  const line = (await screen.findByText('Correction by the office')).closest('li') as HTMLElement
  expect(line).toHaveTextContent('Credited twice')
  expect(line).toHaveTextContent('25.00')
})

test('says why a refund of a card payment moved money', async () => {
  const entry = { amount: 30, txRef: 'pay1' }
  await renderDriverApp({
    driver: {
      walletBalance: 30,
      walletHistory: {
        'a-topup': { ...entry, type: 'Credit', date: Date.now() - 3 },
        'b-r1-hold': { ...entry, type: 'Debit', date: Date.now() - 2, reason: 'card_refund' },
        'c-r1-back': {
          ...entry,
          type: 'Credit',
          date: Date.now() - 1,
          reason: 'card_refund_failed',
        },
      },
    },
    path: '/wallet?tab=statement',
  })
  const held = (await screen.findByText('Refund to the card')).closest('li')
  expect(held).toHaveTextContent('30.00')
  const back = screen.getByText('Refund to the card failed').closest('li')
  expect(back).toHaveTextContent('+$30.00')
})

test('shows a wrong amount at its field and keeps everything that the driver typed', async () => {
  const app = await renderDriverApp({ driver: wallet, path: '/wallet?tab=withdraw' })
  const amount = await screen.findByRole('textbox', { name: 'Amount' })
  const bank = screen.getByRole('textbox', { name: 'Bank' })
  await app.user.type(amount, '12a')
  await app.user.type(bank, 'Banco Sur')
  await app.user.click(screen.getByRole('button', { name: 'Request withdrawal' }))
  await waitFor(() => expect(amount).toHaveFocus())
  expect(amount).toBeInvalid()
  expect(amount).toHaveValue('12a')
  expect(bank).toHaveValue('Banco Sur')
})
