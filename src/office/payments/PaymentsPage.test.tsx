import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { plain } from '~/domain/booking/draft'
import { anAttempt } from '~/domain/testing/builders'
import { anOffice, renderApp } from '../testing'

beforeEach(() => localStorage.clear())

/** Money that arrived, but not as much as was asked for. */
const parked = {
  ...anAttempt({ gateway: 'stripe', amount: 20, status: 'pending' }),
  problem: 'amount_mismatch',
  parked: { amount: 19.99, currency: 'UYU', ref: 'x', at: 1 },
}

test('the office credits what was parked', async () => {
  const { user, world } = await renderApp('/payments', {
    as: 'admin',
    handlers: { resolve_payment: () => ({}) },
    seed: anOffice({ more: { payments: plain({ pay1: parked }) } }),
  })
  expect(await screen.findByText('Another amount arrived')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: /^Credit to the wallet/ }))
  const dialog = await screen.findByRole('dialog')
  expect(dialog.textContent).toContain('Credit $19.99')
  await user.click(within(dialog).getByRole('button', { name: 'Credit to the wallet' }))
  await expect
    .poll(() => world.calls.at(-1))
    .toEqual({ name: 'resolve_payment', input: { payment_id: 'pay1', how: 'credit' } })
  // Its way back must not be taken by the next test.
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('a refund in another currency is asked about in that one', async () => {
  const paid = anAttempt({ amount: 20, status: 'paid', currency: 'USD', refunded: 5 })
  await renderApp('/payments?show=all&do=refund~pay1', {
    as: 'admin',
    seed: anOffice({ more: { payments: plain({ pay1: paid }) } }),
  })
  expect((await screen.findByRole('dialog')).textContent).toContain('15 USD')
})
