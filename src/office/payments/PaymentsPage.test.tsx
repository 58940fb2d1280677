import { cleanup, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { aRider, aSettings } from '~/domain/testing/builders'
// A test looks at the whole app, which no screen may import.
// eslint-disable-next-line import-x/no-restricted-paths
import { renderApp } from '~/src/app/renderApp'
import type { Tree } from '~/src/services/memory/tree'
// The page and its table are loaded with the test, so that no wait has to cover that.
import '../OfficeShell'
import './PaymentsPage'

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})
afterEach(cleanup)

test('the office credits what was parked', async () => {
  const attempt = {
    id: 'pay1',
    uid: 'rider',
    kind: 'wallet',
    gateway: 'stripe',
    amount: 20,
    currency: 'UYU',
    createdAt: 1,
    revision: 1,
    status: 'pending',
    problem: 'amount_mismatch',
    parked: { amount: 19.99, currency: 'UYU', ref: 'x', at: 1 },
  }
  const seed = {
    settings: aSettings(),
    users: { admin: { ...aRider({ id: 'admin' }), usertype: 'admin' } },
    payments: { pay1: attempt },
  }
  const { user, world } = await renderApp('/payments', {
    as: 'admin',
    handlers: { resolve_payment: () => ({}) },
    seed: JSON.parse(JSON.stringify(seed)) as Tree,
  })
  expect(await screen.findByText('Another amount arrived')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: /^Credit to the wallet/ }))
  const dialog = await screen.findByRole('dialog')
  expect(dialog.textContent).toContain('Credit $19.99')
  await user.click(within(dialog).getByRole('button', { name: 'Credit to the wallet' }))
  await expect
    .poll(() => world.calls.at(-1))
    .toEqual({ name: 'resolve_payment', input: { payment_id: 'pay1', how: 'credit' } })
})
