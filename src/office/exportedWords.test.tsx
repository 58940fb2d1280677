import { cleanup } from '@testing-library/react'
import { expect, test } from 'vitest'
import { SERVER_UID } from '~/domain/data/databasePaths'
import { toJson } from '~/domain/data/databaseValue'
import { aPaymentAttempt } from '~/domain/testing/builders'
import { aBooking, anOfficeSeed, renderApp } from './testing/officeFixtures'
import { readExport } from './testing/tables'

test('exports the words and names that the screen shows, and phone numbers as text', async () => {
  const id = '-OAbcdefghijklmnopqr'
  const row = {
    ...aBooking({ id, booking_id: id, status: 'PAID', gateway: 'mercadopago' }),
    deliveryPersonPhone: '+59899123456',
  }
  const payment = { uid: 'rider', gateway: 'stripe', status: 'paid', applied_to: 'wallet' } as const
  const seed = anOfficeSeed({
    settings: { appcat: 'delivery' },
    bookings: [row],
    more: {
      payments: toJson({ pay1: aPaymentAttempt(payment) }),
      audit: {
        a: { by: 'admin', at: 3, action: 'user_edit', path: 'users/driver', to: {} },
        b: {
          by: SERVER_UID,
          at: 2,
          action: 'booking_assign',
          path: `bookings/${id}`,
          to: { driver: 'driver' },
        },
        c: {
          by: 'admin',
          at: 1,
          action: 'wallet_debit',
          path: 'users/rider',
          from: { walletBalance: 30 },
          to: { walletBalance: 5 },
        },
      },
    },
  })
  const exportPage = async (path: string) => {
    const { user } = await renderApp(path, {
      as: 'admin',
      seed,
      handlers: { export_bookings: () => ({ rows: [row], next: null }) },
    })
    const rows = await readExport(user)
    cleanup()
    return rows
  }
  expect((await exportPage('/bookings'))[0]).toMatchObject({
    Status: 'Paid',
    Gateway: 'Mercado Pago',
    'Recipient’s phone': "'+59899123456",
  })
  expect((await exportPage('/payments?show=all'))[0]).toMatchObject({
    Status: 'Paid in full',
    Provider: 'Stripe',
    Payer: 'Ana Lima',
    For: 'Wallet',
  })
  expect(await exportPage('/audit')).toEqual([
    expect.objectContaining({
      'Changed by': 'Alma Admin',
      Action: 'Changed',
      Record: 'Person Beto Silva',
    }),
    expect.objectContaining({
      'Changed by': 'System',
      Record: `Booking ${id}`,
      Changes: 'Driver: Beto Silva',
    }),
    expect.objectContaining({ Changes: 'Wallet balance: $30.00 → $5.00' }),
  ])
})
