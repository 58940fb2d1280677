import { act, cleanup, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { PaymentAttempt } from '~/domain/payments/attempt'
import { aBooking, anAttempt, aRider, aSettings } from '~/domain/testing/builders'
// A test looks at the whole app, which no screen may import.
// eslint-disable-next-line import-x/no-restricted-paths
import { renderApp } from '~/src/app/renderApp'
import type { MemoryOptions } from '~/src/services/memory/memoryServices'
import type { Tree } from '~/src/services/memory/tree'

interface Posted {
  action: string
  fields: Record<string, string>
}
let posted: Posted[] = []
beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  posted = []
  // jsdom leaves no page: what would have been sent is remembered.
  HTMLFormElement.prototype.requestSubmit = function () {
    const fields = Object.fromEntries(new FormData(this)) as Record<string, string>
    posted.push({ action: this.action, fields })
  }
})
afterEach(cleanup)

const plain = (value: object) => JSON.parse(JSON.stringify(value)) as Tree
const atStripe = (over: Partial<PaymentAttempt> = {}) =>
  anAttempt({ gateway: 'stripe', amount: 20, ...over })
const TEST = { name: 'test', link: 'https://fn.example/pay_test' }
const handlers: NonNullable<MemoryOptions['handlers']> = {
  get_providers: () => [{ name: 'stripe', link: 'https://fn.example/pay_stripe' }, TEST],
  start_payment: () => ({ payment_id: 'pay1', url: TEST.link, amount: 43.13, currency: 'UYU' }),
}
const open = (path: string, more: object = {}, options: Partial<MemoryOptions> = {}) =>
  renderApp(path, {
    as: 'rider',
    handlers,
    seed: plain({
      settings: aSettings(),
      users: {
        rider: aRider(),
        admin: { ...aRider({ id: 'admin' }), usertype: 'admin' },
      },
      ...more,
    }),
    ...options,
  })
const returning = (attempt: PaymentAttempt | null, query = '') =>
  open(`/payment-return?payment=pay1${query}`, attempt ? { payments: { pay1: attempt } } : {})

describe('coming back from a provider', () => {
  test('waits for the truth, and tells it when it comes', async () => {
    const { world } = await returning(atStripe({ status: 'pending' }))
    expect(await screen.findByRole('heading', { name: 'Waiting for Stripe' })).toBeTruthy()
    act(() =>
      world.change({ 'payments/pay1/status': 'paid', 'payments/pay1/applied_to': 'wallet' }),
    )
    expect(await screen.findByRole('heading', { name: 'Your wallet is topped up' })).toBeTruthy()
    expect(screen.getByRole('link', { name: 'To the wallet' }).getAttribute('href')).toBe('/wallet')
  })

  test.each<[string, Partial<PaymentAttempt>, string, string, string]>([
    [
      'a paid booking',
      { status: 'paid', applied_to: 'booking', kind: 'booking', booking: 'b1' },
      'Paid',
      'To the booking',
      '/bookings/b1',
    ],
    [
      'a booking that could not take it any more',
      {
        status: 'paid',
        applied_to: 'wallet',
        applied_because: 'event_not_possible',
        kind: 'booking',
        booking: 'b1',
      },
      'The money is in your wallet',
      'To the wallet',
      '/wallet',
    ],
    [
      'a refused card',
      { status: 'failed', kind: 'booking', booking: 'b1' },
      'The payment was not accepted',
      'Pay again',
      '/bookings/b1',
    ],
    [
      'a refused top-up',
      { status: 'failed' },
      'The payment was not accepted',
      'Pay again',
      '/wallet?tab=topup',
    ],
    [
      'money that does not match',
      { status: 'pending', problem: 'amount_mismatch' },
      'We are looking at your payment',
      'To the wallet',
      '/wallet',
    ],
    [
      'money that the office has decided about',
      { status: 'cancelled', parked: { amount: 19.99, currency: 'UYU', ref: 'x', at: 1 } },
      'Your payment is settled',
      'To the wallet',
      '/wallet',
    ],
  ])('%s says what to do next', async (_, over, title, link, href) => {
    await returning(atStripe(over))
    expect(await screen.findByRole('heading', { name: title })).toBeTruthy()
    expect(screen.getByRole('link', { name: link }).getAttribute('href')).toBe(href)
  })

  test('who left the page is told so, unless the server knows better', async () => {
    const { world } = await returning(atStripe(), '&hint=cancelled')
    expect(await screen.findByRole('heading', { name: 'You left the payment page' })).toBeTruthy()
    act(() => world.change({ 'payments/pay1/status': 'paid' }))
    expect(await screen.findByRole('heading', { name: 'Your wallet is topped up' })).toBeTruthy()
  })

  test('an unknown payment, and a visitor, are told where to look', async () => {
    await returning(null)
    expect(await screen.findByRole('heading', { name: 'There is no such payment' })).toBeTruthy()
    cleanup()
    await renderApp('/payment-return?payment=pay1', {
      seed: plain({ settings: aSettings() }),
    })
    expect(await screen.findByRole('heading', { name: /Sign in to see/ })).toBeTruthy()
  })
})

describe('paying by a provider', () => {
  const booking = aBooking({ status: 'PAYMENT_PENDING', customer: 'rider' })
  const bookings = { bookings: { [booking.id]: booking } }

  test('posts the ten fields to the chosen provider’s link', async () => {
    const { user, world } = await open(`/bookings/${booking.id}`, bookings)
    await user.click(await screen.findByRole('button', { name: /Pay/ }))
    const dialog = await screen.findByRole('dialog')
    await user.click(await within(dialog).findByRole('radio', { name: /Card/ }))
    await user.click(await within(dialog).findByRole('radio', { name: 'Test payment' }))
    await user.click(within(dialog).getByRole('button', { name: /^Pay \$/ }))
    await expect.poll(() => posted).toHaveLength(1)
    expect(world.calls).toContainEqual({
      name: 'start_payment',
      input: { payment_mode: 'card', booking_id: booking.id, provider: 'test' },
    })
    expect(posted[0]).toEqual({
      action: `${TEST.link}?lang=en`,
      fields: {
        order_id: 'pay1',
        amount: '43.13',
        currency: 'UYU',
        product_name: 'Booking',
        first_name: 'Ana',
        last_name: 'Lima',
        quantity: '1',
        cust_id: 'rider',
        mobile_no: '+15555550199',
        email: 'rider@kerbside.example',
      },
    })
  })

  test('without a provider there is no card to choose', async () => {
    const none = { handlers: { ...handlers, get_providers: () => [] } }
    const { user } = await open(`/bookings/${booking.id}`, bookings, none)
    await user.click(await screen.findByRole('button', { name: /Pay/ }))
    const dialog = await screen.findByRole('dialog')
    expect(within(dialog).queryByRole('radio', { name: /Card/ })).toBeNull()
  })

  test('a wallet is topped up by an amount above zero', async () => {
    const { user, world } = await open('/wallet?tab=topup')
    const amount = await screen.findByLabelText('How much?')
    await screen.findByRole('radio', { name: 'Stripe' })
    await user.type(amount, '0')
    await user.click(screen.getByRole('button', { name: 'Top up the wallet' }))
    expect(screen.getByText('Enter an amount above zero.')).toBeTruthy()
    expect(posted).toEqual([])
    await user.clear(amount)
    await user.type(amount, '25,5')
    await user.click(screen.getByRole('button', { name: 'Top up $25.50' }))
    await expect.poll(() => posted).toHaveLength(1)
    expect(world.calls.at(-1)?.input).toEqual({
      payment_mode: 'topup',
      amount: 25.5,
      provider: 'stripe',
    })
    expect(posted[0]?.action).toBe('https://fn.example/pay_stripe?lang=en')
  })
})
