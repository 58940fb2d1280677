import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { toJson } from '~/domain/data/databaseValue'
import { aPaymentAttempt } from '~/domain/testing/builders'
import { anOfficeSeed, renderApp } from '../testing/officeFixtures'
import { readExport } from '../testing/tables'

/** A payment that arrived with less than the requested amount. */
const heldPayment = {
  ...aPaymentAttempt({ gateway: 'stripe', amount: 20, status: 'pending' }),
  problem: 'amount_mismatch',
  parked: { amount: 19.99, currency: 'UYU', ref: 'x', at: 1 },
}

test('lets an admin credit a held payment', async () => {
  const { user, backend } = await renderApp('/payments', {
    as: 'admin',
    handlers: { resolve_payment: () => ({}) },
    seed: anOfficeSeed({ more: { payments: toJson({ pay1: heldPayment }) } }),
  })
  expect(await screen.findByText('Wrong amount received')).toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: /^Credit to the wallet/ }))
  const dialog = await screen.findByRole('dialog')
  expect(dialog).toHaveTextContent('Credit $19.99')
  await user.click(within(dialog).getByRole('button', { name: 'Credit to the wallet' }))
  await expect
    .poll(() => backend.calls.at(-1))
    .toEqual({ name: 'resolve_payment', input: { payment_id: 'pay1', how: 'credit' } })
  // Waits for its history navigation, which must not reach into the next test.
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
})

test('shows what has arrived for each payment', async () => {
  const paid = aPaymentAttempt({ id: 'paid', amount: 43.13, status: 'paid', applied_to: 'booking' })
  const twice = {
    ...aPaymentAttempt({ id: 'twice', amount: 8, status: 'paid', applied_to: 'wallet', ref: 'r1' }),
    parked: { amount: 8, currency: 'UYU', ref: 'r2', at: 1 },
  }
  const undelivered = {
    ...aPaymentAttempt({ id: 'back', amount: 5, status: 'paid', applied_to: 'wallet' }),
    details: { undelivered: 2 },
    parked: { amount: 2, currency: 'UYU', ref: 'r3', at: 1 },
  }
  const open = aPaymentAttempt({ id: 'open', amount: 30, status: 'pending' })
  const attempts = [paid, twice, undelivered, { ...heldPayment, id: 'held' }, open]
  const { user } = await renderApp('/payments?show=all', {
    as: 'admin',
    seed: anOfficeSeed({
      more: { payments: toJson(Object.fromEntries(attempts.map((one) => [one.id, one]))) },
    }),
  })
  await screen.findByText('Wrong amount received')
  const received = Object.fromEntries(
    (await readExport(user)).map((row) => [row['ID'], row['Received']]),
  )
  expect(received).toEqual({ paid: '43.13', twice: '16', back: '5', held: '19.99', open: '' })
})

const unknownRefundSeed = toJson({
  pay1: {
    ...aPaymentAttempt({ gateway: 'securepay', amount: 20, status: 'paid', applied_to: 'wallet' }),
    problem: 'refund_unknown',
    refund: { id: 'r1', amount: 15, by: 'admin', at: 1, state: 'unknown', from_wallet: true },
  },
})

test.each([
  ['Mark as refunded', 'refunded', 'Was $15.00 refunded to the card?'],
  ['Mark as not refunded', 'not_refunded', 'Did the refund of $15.00 fail?'],
])('lets an admin settle a refund without an outcome: %s', async (button, how, question) => {
  const { user, backend } = await renderApp('/payments', {
    as: 'admin',
    handlers: { resolve_payment: () => ({}) },
    seed: anOfficeSeed({ more: { payments: unknownRefundSeed } }),
  })
  expect(await screen.findByText('Refund outcome unknown, being checked')).toBeInTheDocument()
  expect(screen.getByText('$15.00, outcome unknown, being checked')).toBeInTheDocument()
  // These actions do not settle the refund, and a second one must not be sent meanwhile.
  for (const name of [/^Refund:/, /^Mark as settled/, /^Credit to the wallet/])
    expect(screen.queryByRole('button', { name })).not.toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: `${button}: pay1` }))
  const dialog = await screen.findByRole('dialog')
  expect(dialog).toHaveTextContent(question)
  expect(dialog).toHaveTextContent('Check the provider’s dashboard first')
  await user.click(within(dialog).getByRole('button', { name: button }))
  await expect
    .poll(() => backend.calls.at(-1))
    .toEqual({ name: 'resolve_payment', input: { payment_id: 'pay1', how } })
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
})

test('checks a payment with the provider and confirms the request to the admin', async () => {
  const { user, backend } = await renderApp('/payments', {
    as: 'admin',
    handlers: { resolve_payment: () => ({}) },
    seed: anOfficeSeed({ more: { payments: unknownRefundSeed } }),
  })
  await user.click(await screen.findByRole('button', { name: 'Check with the provider: pay1' }))
  expect(
    await screen.findByText('Checked with the provider. The payment is up to date.'),
  ).toBeInTheDocument()
  expect(backend.calls.at(-1)).toEqual({
    name: 'resolve_payment',
    input: { payment_id: 'pay1', how: 'check' },
  })
})

test.each([
  ['confirmed', 'Saved.'],
  ['pending', 'The provider has accepted the refund and will send it later.'],
  ['unknown', 'The provider’s response was lost.'],
])('shows that a refund is %s', async (refund, shown) => {
  const paid = aPaymentAttempt({ amount: 20, status: 'paid' })
  const { user } = await renderApp('/payments?show=all&do=refund~pay1', {
    as: 'admin',
    handlers: { refund_payment: () => ({ refund }) },
    seed: anOfficeSeed({ more: { payments: toJson({ pay1: paid }) } }),
  })
  const dialog = await screen.findByRole('dialog')
  await user.click(within(dialog).getByRole('button', { name: 'Refund' }))
  expect(await screen.findByText((text) => text.startsWith(shown))).toBeInTheDocument()
})

test.each([
  ['USD', '20.25 USD', '15.20 USD'],
  ['JPY', '20 JPY', '15 JPY'],
])('shows a payment in %s with its code and all its decimals', async (currency, all, rest) => {
  const [amount, refunded] = currency === 'JPY' ? [20, 5] : [20.25, 5.05]
  const paid = aPaymentAttempt({ amount, status: 'paid', currency, refunded })
  await renderApp('/payments?show=all&do=refund~pay1', {
    as: 'admin',
    seed: anOfficeSeed({ more: { payments: toJson({ pay1: paid }) } }),
  })
  expect(await screen.findByRole('dialog')).toHaveTextContent(rest)
  expect(screen.getByText(all)).toBeInTheDocument()
})

test('offers to refund only the part that an amendment left in the booking', async () => {
  const amounts = { amount: 413.72, returned: 292.72, currency: 'USD' }
  const paid = aPaymentAttempt({ status: 'paid', ...amounts })
  const { user, backend } = await renderApp('/payments?show=all&do=refund~pay1', {
    as: 'admin',
    handlers: { refund_payment: () => ({ refund: 'confirmed' }) },
    seed: anOfficeSeed({ more: { payments: toJson({ pay1: paid }) } }),
  })
  const dialog = await screen.findByRole('dialog')
  expect(dialog).toHaveTextContent('121.00 USD')
  await user.click(within(dialog).getByRole('button', { name: 'Refund' }))
  await expect
    .poll(() => backend.calls.at(-1))
    .toEqual({ name: 'refund_payment', input: { payment_id: 'pay1', amount: 121 } })
})

const wonDispute = aPaymentAttempt({
  amount: 20,
  status: 'paid',
  applied_to: 'booking',
  charged_back: 20,
  problem: 'dispute_won',
  details: { disputes: { d: { at: 1, amount: 20, taken: 20, booking: 20, won: 20, waiting: 20 } } },
})

test('lets an admin credit the money of a won dispute, and shows where the money is', async () => {
  const { user, backend } = await renderApp('/payments', {
    as: 'admin',
    handlers: { resolve_payment: () => ({}) },
    seed: anOfficeSeed({ more: { payments: toJson({ pay1: wonDispute }) } }),
  })
  expect(await screen.findByText('Dispute won: where does the money belong?')).toBeInTheDocument()
  expect(screen.getByText('Bank: $20.00 · Won back: $20.00')).toBeInTheDocument()
  expect(screen.queryByRole('button', { name: /^Refund:/ })).not.toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: /^Credit to the wallet/ }))
  const dialog = await screen.findByRole('dialog')
  expect(dialog).toHaveTextContent('Credit $20.00')
  await user.click(within(dialog).getByRole('button', { name: 'Credit to the wallet' }))
  await expect.poll(() => backend.calls.at(-1)).toMatchObject({ input: { how: 'credit' } })
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
})

test('offers no credit for a payment of which a part has gone back already', async () => {
  await renderApp('/payments', {
    as: 'admin',
    seed: anOfficeSeed({
      more: { payments: toJson({ pay1: { ...heldPayment, problem: 'refund_unbalanced' } }) },
    }),
  })
  expect(await screen.findByRole('button', { name: /^Mark as settled/ })).toBeInTheDocument()
  expect(screen.queryByRole('button', { name: /^Credit to the wallet/ })).not.toBeInTheDocument()
})
