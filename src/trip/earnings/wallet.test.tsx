import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Tree } from '~/src/services/memory/tree'
import { onTheRoad } from '../testing/road'

const ID = '-OAbcdefghijklmnopqr'
const wallet = {
  walletBalance: 62.5,
  walletHistory: {
    [`${ID}-share`]: { type: 'Credit', amount: 37.5, date: Date.now(), txRef: ID },
    [`${ID}-cash`]: { type: 'Debit', amount: 25, date: Date.now(), txRef: ID },
    'x-topup': { type: 'Credit', amount: 50, date: Date.now() - 40 * 86_400_000, txRef: 'x' },
  },
} as const

test('the balance and today’s earnings are shown, with a bar for each day', async () => {
  await onTheRoad({ driver: wallet, path: '/wallet' })
  const balance = await screen.findByRole('heading', { name: 'Wallet balance' })
  expect(balance.parentElement?.textContent).toContain('$62.50')
  const chart = await screen.findByRole('figure', { name: 'Earnings' })
  const days = within(chart).getAllByRole('listitem')
  expect(days).toHaveLength(7)
  expect(days.at(-1)?.textContent).toMatch(/\$37\.50, 1 booking$/)
})

test('a language whose locale is written as phones write it names days and amounts', async () => {
  const lang = { langLocale: 'pt_BR', dateLocale: 'pt_BR' }
  const pt = { ...lang, langName: 'Português', default: false, createdAt: '', keyValuePairs: {} }
  await onTheRoad({ driver: { ...wallet, lang }, path: '/wallet', more: { languages: { pt } } })
  expect((await screen.findAllByText('$62,50')).length).toBeGreaterThan(0)
})

test('the statement goes from the opening to the closing balance, line by line', async () => {
  const app = await onTheRoad({ driver: wallet, path: '/wallet' })
  await app.user.click(await screen.findByRole('tab', { name: 'Statement' }))
  const terms = (await screen.findByText('Opening balance')).closest('dl')
  expect(terms?.textContent).toContain('Opening balance$50.00')
  expect(terms?.textContent).toContain('Closing balance$62.50')
  const lines = screen.getByRole('list', { name: 'Movements, newest first' })
  expect(within(lines).getByText('Cash you kept')).toBeTruthy()
  expect(within(lines).getAllByRole('link', { name: 'Booking' })[0]?.getAttribute('href')).toBe(
    `/bookings/${ID}`,
  )
})

test('money is asked for with the bank it goes to, and not more than there is', async () => {
  const asked: unknown[] = []
  const app = await onTheRoad({
    driver: wallet,
    path: '/wallet?tab=withdraw',
    handlers: {
      request_withdraw: (input: never, world) => {
        asked.push(input)
        const { withdraw_id, amount } = input as { withdraw_id: string; amount: number }
        world.change({
          [`withdraws/${withdraw_id}`]: {
            uid: 'driver',
            amount,
            date: Date.now(),
            processed: false,
          },
        } as Tree)
        return {}
      },
    },
  })
  const amount = await screen.findByRole('textbox', { name: 'Amount' })
  const send = screen.getByRole('button', { name: 'Request the withdrawal' })
  await app.user.click(send)
  expect(await screen.findByText('Enter an amount above 0.')).toBeTruthy()
  await app.user.type(amount, '70')
  await app.user.click(send)
  expect(await screen.findByText(/more than the wallet holds/)).toBeTruthy()
  expect(asked).toEqual([])

  await app.user.clear(amount)
  await app.user.type(amount, '20,50')
  await app.user.type(screen.getByRole('textbox', { name: 'Bank' }), 'Banco Sur')
  await app.user.click(send)
  expect(await screen.findByText(/Your request is with the office/)).toBeTruthy()
  expect(asked).toEqual([{ withdraw_id: expect.any(String) as string, amount: 20.5 }])
  expect(app.world.tree().users).toMatchObject({ driver: { bankName: 'Banco Sur' } })
  const requests = await screen.findByRole('list', { name: 'Your requests' })
  await waitFor(() => expect(within(requests).getByText('Requested')).toBeTruthy())
})

test('the bank is not asked for where the settings hide it', async () => {
  await onTheRoad({
    driver: wallet,
    settings: { bank_fields: false },
    path: '/wallet?tab=withdraw',
  })
  await screen.findByRole('textbox', { name: 'Amount' })
  expect(screen.queryByRole('textbox', { name: 'Bank' })).toBeNull()
})
