import { screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  aBooking,
  aDriver,
  aRider,
  aSettings,
  aVehicleType,
  someBookingContacts,
} from '~/domain/testing/builders'
import shared from '~/src/i18n/locales/de/shared.json'
import site from '~/src/i18n/locales/de/site.json'
import { renderApp } from './renderApp'
import type { Tree } from '~/src/services/memory/backendTypes'
import type { Booking } from '~/domain/booking/types'

const german = {
  langName: 'Deutsch',
  langLocale: 'de',
  dateLocale: 'de-DE',
  default: true,
  createdAt: '2026-01-01T00:00:00.000Z',
  keyValuePairs: {},
}
const admin = { ...aRider({ id: 'admin', mobile: '+15555550100' }), usertype: 'admin' as const }
/** Returns a platform whose readers read German. The booking stores the default texts. */
const seed = (booking: Partial<Booking>): Tree =>
  JSON.parse(
    JSON.stringify({
      settings: aSettings({ appcat: 'delivery' }),
      languages: { de: german },
      cartypes: {
        van: aVehicleType({
          name: 'Van',
          names: { de: 'Transporter' },
          parcelTypes: [{ description: 'Documents', names: { de: 'Dokumente' }, amount: 0 }],
          options: [{ description: 'Fragile', names: { de: 'Zerbrechlich' }, amount: 5 }],
        }),
      },
      users: { rider: aRider(), driver: aDriver(), admin },
      cancel_reason: [{ label: 'Plans have changed', names: { de: 'Andere Pläne' }, value: 0 }],
      bookings: {
        b1: aBooking({
          id: 'b1',
          booking_id: 'b1',
          carType: 'Van',
          carTypeId: 'van',
          customer: 'rider',
          parcelTypeSelected: { description: 'Documents', amount: 0 },
          optionSelected: { description: 'Fragile', amount: 5 },
          ...booking,
        }),
      },
      booking_contacts: { b1: someBookingContacts() },
    }),
  ) as Tree
const CANCELED = {
  status: 'CANCELLED',
  reason: 'Plans have changed',
  driver: 'driver',
  cancelled_at: 1,
} as const
const ACCEPTED = { status: 'ACCEPTED', driver: 'driver' } as const

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})

describe('the office’s texts are in the reader’s language', () => {
  test.each([
    ['a rider’s booking', 'rider', '/bookings/b1', CANCELED],
    ['the office’s booking', 'admin', '/bookings?open=b1', CANCELED],
  ])('on %s', async (_, as, path, booking) => {
    await renderApp(path, { as, seed: seed(booking) })
    for (const text of ['Dokumente', 'Zerbrechlich', 'Andere Pläne'])
      expect((await screen.findAllByText(text)).length).toBeGreaterThan(0)
    expect((await screen.findAllByText('Transporter')).length).toBeGreaterThan(0)
    for (const text of ['Documents', 'Fragile', 'Plans have changed', 'Van'])
      expect(screen.queryByText(text)).not.toBeInTheDocument()
  })

  test('on a driver’s console', async () => {
    await renderApp('/trips', { as: 'driver', seed: seed(ACCEPTED) })
    expect(await screen.findByText('Dokumente · Zerbrechlich')).toBeInTheDocument()
  })

  test('in a driver’s list', async () => {
    await renderApp('/bookings?tab=cancelled', { as: 'driver', seed: seed(CANCELED) })
    expect(await screen.findByText('Andere Pläne')).toBeInTheDocument()
  })

  test('to a rider who cancels, while the booking stores the default text', async () => {
    const sent: unknown[] = []
    const { user } = await renderApp('/bookings/b1', {
      as: 'rider',
      seed: seed({ status: 'NEW' }),
      handlers: {
        advance_booking: (input: { event: string; reason: string }) => {
          sent.push(input.reason)
          return { booking_id: 'b1', status: 'CANCELLED', revision: 9 }
        },
      },
    })
    await user.click(await screen.findByRole('button', { name: shared.cancel_booking }))
    const dialog = await screen.findByRole('dialog', { name: site.cancel_title })
    await user.click(await within(dialog).findByRole('radio', { name: 'Andere Pläne' }))
    await user.click(within(dialog).getByRole('button', { name: site.cancel_do }))
    expect(sent).toEqual(['Plans have changed'])
  })
})
