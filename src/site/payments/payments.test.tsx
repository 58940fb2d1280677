import { act, cleanup, screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import type { PaymentAttempt } from '~/domain/payments/paymentAttempt'
import { aBooking, aPaymentAttempt, aPromo, aRider, aSettings } from '~/domain/testing/builders'
// A test looks at the whole app, which no screen may import.
// oxlint-disable-next-line no-restricted-imports
import { renderApp } from '~/src/app/renderApp'
import { ServiceError } from '~/src/services/services'
import type { MemoryOptions, Tree } from '~/src/services/memory/backendTypes'

interface Posted {
  action: string
  fields: Record<string, string>
}
let posted: Posted[] = []
beforeEach(() => {
  posted = []
  // jsdom cannot submit forms, so this records what would be sent.
  HTMLFormElement.prototype.requestSubmit = function () {
    const fields = Object.fromEntries(new FormData(this)) as Record<string, string>
    posted.push({ action: this.action, fields })
  }
})

const plain = (value: object) => JSON.parse(JSON.stringify(value)) as Tree
const atStripe = (over: Partial<PaymentAttempt> = {}) =>
  aPaymentAttempt({ gateway: 'stripe', amount: 20, ...over })
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

describe('returning from a provider', () => {
  test('waits for the result and shows it when it arrives', async () => {
    const { backend } = await returning(atStripe({ status: 'pending' }))
    expect(await screen.findByRole('heading', { name: 'Waiting for Stripe' })).toBeInTheDocument()
    act(() =>
      backend.update({ 'payments/pay1/status': 'paid', 'payments/pay1/applied_to': 'wallet' }),
    )
    expect(
      await screen.findByRole('heading', { name: 'Your wallet is topped up' }),
    ).toBeInTheDocument()
    expect(screen.getByRole('link', { name: 'View wallet' })).toHaveAttribute('href', '/wallet')
  })

  test.each<[string, Partial<PaymentAttempt>, string, string, string]>([
    [
      'a paid booking',
      { status: 'paid', applied_to: 'booking', kind: 'booking', booking: 'b1' },
      'Paid',
      'View booking',
      '/bookings/b1',
    ],
    [
      'a booking that could no longer take the payment',
      {
        status: 'paid',
        applied_to: 'wallet',
        applied_because: 'event_not_possible',
        kind: 'booking',
        booking: 'b1',
      },
      'The money is in your wallet',
      'View wallet',
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
      'a payment with a different amount',
      { status: 'pending', problem: 'amount_mismatch' },
      'We are reviewing your payment',
      'View wallet',
      '/wallet',
    ],
    [
      'a payment that an admin has settled',
      { status: 'cancelled', parked: { amount: 19.99, currency: 'UYU', ref: 'x', at: 1 } },
      'Your payment is settled',
      'View wallet',
      '/wallet',
    ],
  ])('says what to do next for %s', async (_, over, title, link, href) => {
    await returning(atStripe(over))
    expect(await screen.findByRole('heading', { name: title })).toBeInTheDocument()
    expect(screen.getByRole('link', { name: link })).toHaveAttribute('href', href)
  })

  const paid = atStripe({ status: 'paid', applied_to: 'booking', kind: 'booking', booking: 'b1' })
  const returnTo = (status: 'NEW' | 'PAID') => {
    const booking = aBooking({ id: 'b1', customer: 'rider', status, reference: 'K7M-4QX' })
    return open('/payment-return?payment=pay1', {
      payments: { pay1: paid },
      bookings: { b1: booking },
    })
  }

  test('says that the paid booking was successful, with its reference', async () => {
    await returnTo('NEW')
    expect(
      await screen.findByText('Your booking was successful. Reference: K7M-4QX'),
    ).toBeInTheDocument()
    expect(window.location.pathname).toBe('/bookings/b1')
  })

  test('does not call a trip booked that was driven before it was paid', async () => {
    await returnTo('PAID')
    await screen.findByRole('heading', { name: 'Paid' })
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  })

  test('says that the payer left the payment page, unless the server knows better', async () => {
    const { backend } = await returning(atStripe(), '&hint=cancelled')
    expect(
      await screen.findByRole('heading', { name: 'You left the payment page' }),
    ).toBeInTheDocument()
    act(() => backend.update({ 'payments/pay1/status': 'paid' }))
    expect(
      await screen.findByRole('heading', { name: 'Your wallet is topped up' }),
    ).toBeInTheDocument()
  })

  test('says where to look for an unknown payment and for a visitor', async () => {
    await returning(null)
    expect(await screen.findByRole('heading', { name: 'Payment not found' })).toBeInTheDocument()
    cleanup()
    await renderApp('/payment-return?payment=pay1', {
      seed: plain({ settings: aSettings() }),
    })
    expect(await screen.findByRole('heading', { name: /Log in to see/ })).toBeInTheDocument()
  })
})

describe('paying through a provider', () => {
  const booking = aBooking({ status: 'PAYMENT_PENDING', customer: 'rider' })
  const bookings = { bookings: { [booking.id]: booking } }

  test('posts the ten fields to the chosen provider’s link', async () => {
    const { user, backend } = await open(`/bookings/${booking.id}`, bookings)
    await user.click(await screen.findByRole('button', { name: /Pay/ }))
    const dialog = await screen.findByRole('dialog')
    await user.click(await within(dialog).findByRole('radio', { name: /Card/ }))
    await user.click(await within(dialog).findByRole('radio', { name: 'Test payment' }))
    await user.click(within(dialog).getByRole('button', { name: /^Pay \$/ }))
    await expect.poll(() => posted).toHaveLength(1)
    expect(backend.calls).toContainEqual({
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

  test('offers no card without a provider', async () => {
    const none = { handlers: { ...handlers, get_providers: () => [] } }
    const { user } = await open(`/bookings/${booking.id}`, bookings, none)
    await user.click(await screen.findByRole('button', { name: /Pay/ }))
    const dialog = await screen.findByRole('dialog')
    expect(await within(dialog).findByRole('alert')).toHaveTextContent('no provider found')
    expect(within(dialog).queryByRole('radio', { name: /Card/ })).not.toBeInTheDocument()
    expect(within(dialog).getByRole('radio', { name: /Cash/ })).toBeChecked()
  })

  /** Makes the request for providers fail this many times, then succeed. */
  const failing = (times: number) => {
    let left = times
    const get_providers = () => {
      if (left-- > 0) throw new ServiceError('unavailable', 'json_error')
      return [TEST]
    }
    return { handlers: { ...handlers, get_providers } }
  }

  test('explains a failed request for providers and retries it', async () => {
    const { user } = await open(`/bookings/${booking.id}`, bookings, failing(2))
    await user.click(await screen.findByRole('button', { name: /Pay/ }))
    const dialog = await screen.findByRole('dialog')
    const alert = await within(dialog).findByRole('alert')
    expect(alert).toHaveTextContent(/^provider fetch error: \S/)
    await user.click(within(alert).getByRole('button', { name: 'Try again' }))
    expect(await within(dialog).findByText(/^provider fetch error/)).toBeInTheDocument()
    await user.click(within(dialog).getByRole('button', { name: 'Try again' }))
    expect(await within(dialog).findByRole('radio', { name: /Card/ })).toBeInTheDocument()
    expect(within(dialog).queryByRole('alert')).not.toBeInTheDocument()
  })

  test('retries a failed request for providers when the dialog opens again', async () => {
    const { user } = await open(`/bookings/${booking.id}`, bookings, failing(1))
    await user.click(await screen.findByRole('button', { name: /Pay/ }))
    const dialog = await screen.findByRole('dialog')
    await within(dialog).findByRole('alert')
    await user.click(within(dialog).getByRole('button', { name: 'Pay later' }))
    await user.click(await screen.findByRole('button', { name: /Pay/ }))
    expect(await screen.findByRole('radio', { name: /Card/ })).toBeInTheDocument()
  })

  test('offers to retry a failed request for providers on the top-up page', async () => {
    const { user } = await open('/wallet?tab=topup', {}, failing(1))
    await user.click(await screen.findByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('radio', { name: 'Test payment' })).toBeInTheDocument()
  })

  describe('before the trip', () => {
    const openDialog = async (balance: number, options: Partial<MemoryOptions> = {}) => {
      const { user, backend } = await open(
        `/bookings/${booking.id}`,
        {
          ...bookings,
          promos: { spring: aPromo() },
          users: { rider: aRider({ walletBalance: balance }) },
        },
        options,
      )
      await user.click(await screen.findByRole('button', { name: /Pay/ }))
      const dialog = within(await screen.findByRole('dialog'))
      await dialog.findByRole('radio', { name: /Card/ })
      return { user, backend, dialog }
    }

    test('the button says how much is paid in cash or by card, less what the wallet pays', async () => {
      const { user, dialog } = await openDialog(10)
      expect(dialog.getByRole('radio', { name: /Cash/ })).toBeChecked()
      expect(dialog.getByRole('button', { name: 'Pay $43.13 in cash' })).toBeEnabled()
      await user.click(dialog.getByRole('checkbox', { name: /wallet/ }))
      expect(dialog.getByRole('button', { name: 'Pay $33.13 in cash' })).toBeEnabled()
      await user.click(dialog.getByRole('radio', { name: /Card/ }))
      expect(dialog.getByRole('button', { name: 'Pay $33.13' })).toBeEnabled()
    })

    test('a wallet with too little cannot be chosen, and its reason is beside it', async () => {
      const { user, backend, dialog } = await openDialog(43.12)
      const wallet = dialog.getByRole('radio', {
        name: 'Wallet Balance $43.12: not enough for this booking',
      })
      expect(wallet).toBeDisabled()
      await user.click(wallet)
      expect(wallet).not.toBeChecked()
      expect(dialog.getByRole('button', { name: 'Pay $43.13 in cash' })).toBeEnabled()
      expect(backend.calls.filter(({ name }) => name === 'advance_booking')).toEqual([])
    })

    test('a wallet that covers the price can be chosen', async () => {
      const { user, dialog } = await openDialog(43.13)
      await user.click(dialog.getByRole('radio', { name: /^Wallet/ }))
      expect(dialog.getByRole('button', { name: 'Pay $43.13' })).toBeEnabled()
    })

    test('a wallet that covered only the discounted price is no longer chosen without the promo', async () => {
      const quote = { due: 13.13, packet: { discount_amount: 30 } }
      const { user, dialog } = await openDialog(20, {
        handlers: { ...handlers, quote_payment: () => quote },
      })
      await user.type(dialog.getByRole('textbox', { name: /promo/i }), aPromo().promo_name)
      await user.click(dialog.getByRole('button', { name: /Apply/ }))
      await user.click(await dialog.findByRole('radio', { name: /^Wallet/ }))
      await user.click(dialog.getByRole('button', { name: /Remove/ }))
      expect(dialog.getByRole('radio', { name: /^Wallet/ })).toBeDisabled()
      expect(dialog.getByRole('radio', { name: /^Cash/ })).toBeChecked()
      expect(dialog.getByRole('button', { name: 'Pay $43.13 in cash' })).toBeEnabled()
    })
  })

  describe('after the end of the booking', () => {
    const pending = aBooking({ status: 'PENDING', customer: 'rider' })
    const openDialog = async (balance: number, get_providers: () => unknown) => {
      const advance_booking = () => ({ booking_id: pending.id, status: 'PAID', revision: 2 })
      const { user, backend } = await open(
        `/bookings/${pending.id}`,
        {
          bookings: { [pending.id]: pending },
          users: { rider: aRider({ walletBalance: balance }) },
        },
        { handlers: { ...handlers, get_providers, advance_booking } },
      )
      await user.click(await screen.findByRole('button', { name: 'Pay now' }))
      return { user, backend, dialog: within(await screen.findByRole('dialog')) }
    }

    test('preselects the card and says that the driver collects cash', async () => {
      const { user, dialog } = await openDialog(0, () => [TEST])
      expect(await dialog.findByRole('radio', { name: /Card/ })).toBeChecked()
      expect(dialog.queryByRole('radio', { name: /Cash/ })).not.toBeInTheDocument()
      expect(dialog.getByRole('radio', { name: /Wallet/ })).toBeDisabled()
      expect(dialog.getByText(/your driver collects it/)).toBeInTheDocument()
      await user.click(dialog.getByRole('button', { name: /^Pay \$/ }))
      await expect.poll(() => posted).toHaveLength(1)
    })

    test('preselects the wallet when it covers the price and no provider exists', async () => {
      const { user, backend, dialog } = await openDialog(100, () => [])
      expect(await dialog.findByText(/no provider found/)).toBeInTheDocument()
      expect(dialog.getByRole('radio', { name: /Wallet/ })).toBeChecked()
      await user.click(dialog.getByRole('button', { name: /^Pay \$/ }))
      await expect
        .poll(() => backend.calls)
        .toContainEqual({
          name: 'advance_booking',
          input: { booking_id: pending.id, event: 'pay', payment_mode: 'wallet' },
        })
    })

    test('offers no button when only the driver can take the money', async () => {
      const { dialog } = await openDialog(0, () => [])
      expect(await dialog.findByText(/Give your driver \$43.13 in cash/)).toBeInTheDocument()
      expect(dialog.queryByRole('button', { name: /^Pay \$/ })).not.toBeInTheDocument()
      expect(dialog.getAllByRole('button', { name: 'Close' }).length).toBeGreaterThan(0)
    })
  })

  describe('with providers that cannot charge every amount', () => {
    const stripe = {
      name: 'stripe',
      link: 'https://fn.example/pay_stripe',
      step: 0.01,
      minimum: 0.5,
    }
    const wholeOnly = { ...TEST, step: 1, minimum: 20 }
    const listing = (...providers: object[]) => ({
      handlers: { ...handlers, get_providers: () => providers },
    })
    const openCard = async (balance: number, ...providers: object[]) => {
      const { user } = await open(
        `/bookings/${booking.id}`,
        { ...bookings, users: { rider: aRider({ walletBalance: balance }) } },
        listing(...providers),
      )
      await user.click(await screen.findByRole('button', { name: /Pay/ }))
      const dialog = within(await screen.findByRole('dialog'))
      await user.click(await dialog.findByRole('radio', { name: /Card/ }))
      return { user, dialog }
    }

    test('lists only the providers that can charge the price', async () => {
      const { dialog } = await openCard(0, wholeOnly, stripe)
      expect(dialog.getByRole('radio', { name: 'Stripe' })).toBeChecked()
      expect(dialog.queryByRole('radio', { name: 'Test payment' })).not.toBeInTheDocument()
    })

    test('says what to do when no provider can charge the price', async () => {
      const { dialog } = await openCard(0, wholeOnly)
      expect(dialog.getByRole('status')).toHaveTextContent(
        'No card payment is possible for $43.13. Pay in cash or from your wallet.',
      )
      expect(dialog.getByRole('button', { name: /^Pay \$/ })).toBeDisabled()
    })

    test('says what to do when the rest after the wallet is below every minimum', async () => {
      const { user, dialog } = await openCard(43, stripe)
      await user.click(dialog.getByRole('checkbox', { name: /wallet/ }))
      expect(dialog.getByRole('status')).toHaveTextContent(
        'No card payment is possible for the rest of $0.13. Pay it in cash, or pay without the wallet.',
      )
      await user.click(dialog.getByRole('checkbox', { name: /wallet/ }))
      expect(dialog.getByRole('button', { name: /^Pay \$/ })).toBeEnabled()
    })

    test('refuses a top-up beside the field, with the nearest amounts', async () => {
      const { user } = await open('/wallet?tab=topup', {}, listing(wholeOnly))
      await screen.findByRole('radio', { name: 'Test payment' })
      await user.type(await screen.findByLabelText('Amount'), '25.5')
      await user.click(screen.getByRole('button', { name: /^Top up/ }))
      expect(await screen.findByLabelText('Amount')).toHaveAccessibleDescription(
        '$ A card cannot pay this amount. Nearest possible: $25.00 · $26.00',
      )
      expect(posted).toEqual([])
    })
  })

  test('tops up a wallet only by an amount above zero', async () => {
    const { user, backend } = await open('/wallet?tab=topup')
    const amount = await screen.findByLabelText('Amount')
    await screen.findByRole('radio', { name: 'Stripe' })
    await user.type(amount, '0')
    await user.click(screen.getByRole('button', { name: 'Top up wallet' }))
    expect(screen.getByText('Enter an amount above zero.')).toBeInTheDocument()
    expect(posted).toEqual([])
    await user.clear(amount)
    await user.type(amount, '25,5')
    await user.click(screen.getByRole('button', { name: 'Top up $25.50' }))
    await expect.poll(() => posted).toHaveLength(1)
    expect(backend.calls.at(-1)?.input).toEqual({
      payment_mode: 'topup',
      amount: 25.5,
      provider: 'stripe',
    })
    expect(posted[0]?.action).toBe('https://fn.example/pay_stripe?lang=en')
  })
})
