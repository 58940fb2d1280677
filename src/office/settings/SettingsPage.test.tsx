import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import type { CurrencyChangePlan } from '~/domain/money/currencyChange'
import { ServiceError } from '~/src/services/services'
import { anOfficeSeed, renderApp } from '../testing/officeFixtures'
import type { MemoryOptions } from '~/src/services/memory/backendTypes'

type UserEvents = Awaited<ReturnType<typeof renderApp>>['user']

describe('the currency in the settings', () => {
  const change = async (user: UserEvents, code: string, decimals: string) => {
    await user.clear(await screen.findByLabelText('Code'))
    await user.type(screen.getByLabelText('Code'), code)
    await user.clear(screen.getByLabelText('Decimal places'))
    await user.type(screen.getByLabelText('Decimal places'), decimals)
    await user.click(screen.getByRole('button', { name: 'Save' }))
  }
  const plan = (more: Partial<CurrencyChangePlan> = {}): CurrencyChangePlan => ({
    from: { code: 'UYU', decimal: 2, symbol: '$' },
    to: { code: 'JPY', decimal: 0, symbol: '$' },
    wallets: { count: 0, more: false, held: 0, owed: 0 },
    bookings: { count: 0, more: false },
    payments: { count: 0, more: false },
    withdraws: { count: 0, more: false },
    ...more,
  })
  /** Returns handlers that respond with the plan and change the settings as the function does. */
  const handlers = (planned: CurrencyChangePlan): MemoryOptions['handlers'] => ({
    change_currency: (input: never, backend) => {
      const { code, symbol, dry_run } = input as { code: string; symbol: string; dry_run?: boolean }
      const to = { code, decimal: planned.to.decimal, symbol }
      if (dry_run) return { ...to, changed: false, plan: planned }
      backend.update({ 'settings/code': code, 'settings/decimal': to.decimal })
      return { ...to, changed: true, plan: planned }
    },
  })

  test.each([
    ['XYZ', '2', 'This currency is not known. Use an ISO 4217 code, such as USD.'],
    ['JPY', '2', 'This currency uses a different number of decimals.'],
    ['KWD', '2', 'This currency uses a different number of decimals.'],
    ['UYU', '0', 'This currency uses a different number of decimals.'],
  ])(
    'refuses %s with %s decimals at the code field and sends no request',
    async (code, decimals, text) => {
      const { user, backend } = await renderApp('/settings', { as: 'admin', seed: anOfficeSeed() })
      await change(user, code, decimals)
      expect(await screen.findByText(text)).toBeInTheDocument()
      expect(screen.getByLabelText('Code')).toHaveAttribute('aria-invalid', 'true')
      expect(backend.calls).toEqual([])
      expect(backend.getTree().settings).toMatchObject({ code: 'UYU', decimal: 2 })
    },
  )

  test('shows the decimals of the typed code next to it', async () => {
    const { user } = await renderApp('/settings', { as: 'admin', seed: anOfficeSeed() })
    await user.clear(await screen.findByLabelText('Code'))
    await user.type(screen.getByLabelText('Code'), 'KWD')
    expect(await screen.findByText('KWD: 3 (ISO 4217)')).toBeInTheDocument()
  })

  test('saves all other settings of a platform whose decimals never matched its code', async () => {
    const settings = { code: 'JPY', decimal: 2 }
    const { user, backend } = await renderApp('/settings', {
      as: 'admin',
      seed: anOfficeSeed({ settings }),
    })
    await user.clear(await screen.findByLabelText('Referral bonus'))
    await user.type(screen.getByLabelText('Referral bonus'), '7')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(backend.getTree().settings).toMatchObject({ bonus: 7, ...settings }))
  })

  test('saves how long referral bonuses wait, and shows a wrong number at its field', async () => {
    const { user, backend } = await renderApp('/settings', { as: 'admin', seed: anOfficeSeed() })
    const field = await screen.findByLabelText('Pay the bonus after (days)')
    await user.type(field, '91')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(field).toHaveAttribute('aria-invalid', 'true'))
    expect(backend.getTree().settings).toHaveProperty('bonusDelayDays', 0)
    await user.clear(field)
    await user.type(field, '14')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(backend.getTree().settings).toMatchObject({ bonusDelayDays: 14 }))
  })

  test('shows the amounts in wallets and refuses the currency change while they exist', async () => {
    const planned = plan({
      wallets: { count: 50, more: true, held: 1234.5, owed: 3 },
      bookings: { count: 2, more: false },
    })
    const { user, backend } = await renderApp('/settings', {
      as: 'admin',
      seed: anOfficeSeed(),
      handlers: handlers(planned),
    })
    await change(user, 'JPY', '0')
    const dialog = await screen.findByRole('dialog', {
      name: 'Change the currency from UYU to JPY?',
    })
    expect(within(dialog).getByRole('alert')).toHaveTextContent(/Empty the wallets/)
    const facts = within(dialog)
      .getAllByRole('definition')
      .map((fact) => fact.textContent)
    expect(facts).toEqual(['at least 50', '$1,234.50', '$3.00', '2'])
    expect(within(dialog).queryByRole('button', { name: 'Change to JPY' })).not.toBeInTheDocument()
    await user.click(within(dialog).getByRole('button', { name: 'Close' }))
    expect(
      await screen.findByText(/Some records still use the old currency \(wallets: 50,/),
    ).toBeInTheDocument()
    expect(backend.calls).toEqual([
      { name: 'change_currency', input: { code: 'JPY', symbol: '$', dry_run: true } },
    ])
    expect(backend.getTree().settings).toMatchObject({ code: 'UYU', decimal: 2 })
  })

  test('shows the effects when no amounts are left, and saves the other settings too', async () => {
    const { user, backend } = await renderApp('/settings', {
      as: 'admin',
      seed: anOfficeSeed(),
      handlers: handlers(plan()),
    })
    await user.clear(await screen.findByLabelText('Symbol'))
    await user.type(screen.getByLabelText('Symbol'), '¥')
    await user.clear(screen.getByLabelText('Referral bonus'))
    await user.type(screen.getByLabelText('Referral bonus'), '700')
    await change(user, 'JPY', '0')
    const dialog = await screen.findByRole('dialog', { name: /from UYU to JPY/ })
    expect(within(dialog).getByText(/Amounts will have 0 decimals/)).toBeInTheDocument()
    expect(backend.getTree().settings).toMatchObject({ code: 'UYU', bonus: 10 })
    await user.click(within(dialog).getByRole('button', { name: 'Change to JPY' }))
    await waitFor(() =>
      expect(backend.getTree().settings).toMatchObject({ code: 'JPY', decimal: 0, bonus: 700 }),
    )
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(await screen.findByText('The currency is now JPY.')).toBeInTheDocument()
    expect(backend.calls.map(({ input }) => input)).toEqual([
      { code: 'JPY', symbol: '¥', dry_run: true },
      { code: 'JPY', symbol: '¥' },
    ])
  })

  test('saves nothing when an admin keeps the currency', async () => {
    const { user, backend } = await renderApp('/settings', {
      as: 'admin',
      seed: anOfficeSeed(),
      handlers: handlers(plan()),
    })
    await user.clear(await screen.findByLabelText('Referral bonus'))
    await user.type(screen.getByLabelText('Referral bonus'), '700')
    await change(user, 'JPY', '0')
    const dialog = await screen.findByRole('dialog', { name: /from UYU to JPY/ })
    await user.click(within(dialog).getByRole('button', { name: 'Keep as it is' }))
    expect(
      await screen.findByText('Nothing was saved. The currency stays the same.'),
    ).toBeInTheDocument()
    expect(backend.getTree().settings).toMatchObject({ code: 'UYU', bonus: 10 })
    expect(backend.calls).toHaveLength(1)
  })

  test('reports on the form that the plan could not be read', async () => {
    const { user, backend } = await renderApp('/settings', {
      as: 'admin',
      seed: anOfficeSeed(),
      handlers: {
        change_currency: () => {
          throw new ServiceError('failed-precondition', 'changed_meanwhile')
        },
      },
    })
    await change(user, 'JPY', '0')
    expect(await screen.findByRole('alert')).toHaveTextContent(/at the same time/)
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
    expect(backend.getTree().settings).toMatchObject({ code: 'UYU' })
  })
})

describe('fields that the public pages show', () => {
  test.each(['10, abc', '-5', '10,,20', '20.555'])(
    'refuses %j as amounts of a top-up',
    async (typed) => {
      const { user, backend } = await renderApp('/settings', { as: 'admin', seed: anOfficeSeed() })
      const before = backend.getTree().settings
      const field = await screen.findByLabelText('Suggested top-up amounts')
      await user.type(field, typed)
      await user.click(screen.getByRole('button', { name: 'Save' }))
      expect(await screen.findByText(/^Please enter amounts above zero/)).toBeInTheDocument()
      expect(field).toHaveAttribute('aria-invalid', 'true')
      expect(backend.getTree().settings).toEqual(before)
    },
  )

  test('saves well-formed amounts of a top-up', async () => {
    const { user, backend } = await renderApp('/settings', { as: 'admin', seed: anOfficeSeed() })
    await user.type(await screen.findByLabelText('Suggested top-up amounts'), '10, 20.50')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() =>
      expect(backend.getTree().settings).toMatchObject({ walletMoneyField: '10, 20.50' }),
    )
  })

  test('names every provider that the switch for social sign-in offers', async () => {
    await renderApp('/settings', { as: 'admin', seed: anOfficeSeed() })
    expect(
      await screen.findByRole('switch', { name: 'Sign-in with Facebook, Apple and Google' }),
    ).toBeInTheDocument()
  })

  test.each([
    ['Facebook', 'javascript:alert(1)', /^Please enter a name such as @example/],
    ['Instagram', 'a b', /^Please enter a name such as @example/],
    ['Link to the terms', 'javascript:alert(1)', /^Please enter a web address/],
    ['Company website', 'kerbside', /^Please enter a web address/],
  ])('refuses %s %j', async (label, typed, text) => {
    const { user, backend } = await renderApp('/appinfo', { as: 'admin', seed: anOfficeSeed() })
    const before = backend.getTree().settings
    const field = await screen.findByLabelText(label)
    await user.clear(field)
    await user.type(field, typed)
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(field).toHaveAttribute('aria-invalid', 'true'))
    expect(await screen.findByText(text)).toBeInTheDocument()
    expect(backend.getTree().settings).toEqual(before)
  })
})
