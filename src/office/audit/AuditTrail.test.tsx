import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { SERVER_UID } from '~/domain/data/databasePaths'
import { vehicleTypeForm, promoForm } from '~/domain/forms/catalogForms'
import { driverForm } from '~/domain/forms/userForms'
import { appInfoForm, settingsForm } from '~/domain/forms/settingsForms'
import office from '~/src/i18n/locales/en/office.json'
import payments from '~/src/i18n/locales/en/payments.json'
import shared from '~/src/i18n/locales/en/shared.json'
import { aBooking, aCarType, aDriver, anOfficeSeed, renderApp } from '../testing/officeFixtures'
import { FIELD_LABELS, UNIT_LABELS, VALUE_TEXTS } from './fieldLabels'

test('shows no changes of another person whose ID starts with the same characters', async () => {
  const edit = { by: 'admin', at: 1, action: 'user_edit' }
  await renderApp('/drivers?edit=driver', {
    as: 'admin',
    seed: anOfficeSeed({
      people: [aDriver({ id: 'driver-2' })],
      more: {
        audit: {
          a: { ...edit, path: 'users/driver', to: { approved: true } },
          b: { ...edit, path: 'users/driver-2', to: { vehicleNumber: 'SBB 2' } },
        },
      },
    }),
  })
  const panel = await screen.findByRole('dialog', { name: 'Beto Silva' })
  expect(await within(panel).findByText('Approved:')).toBeInTheDocument()
  expect(within(panel).queryByText('Vehicle number:')).not.toBeInTheDocument()
})

test('names people, bookings, vehicle types and fields in the audit, and shows amounts as money', async () => {
  const by = 'admin'
  const { user } = await renderApp('/audit', {
    as: 'admin',
    seed: anOfficeSeed({
      bookings: [aBooking({ id: 'b1', booking_id: 'b1', reference: 'K7M-4QX' })],
      cars: [aCarType({ id: 'van', name: 'Van' })],
      more: {
        audit: {
          a: { by, at: 4, action: 'booking_assign', path: 'bookings/b1', to: { driver: 'driver' } },
          b: {
            by,
            at: 3,
            action: 'cartypes_update',
            path: 'cartypes/van',
            from: { base_fare: 55 },
            to: { base_fare: 58 },
          },
          c: {
            by,
            at: 2,
            action: 'wallet_debit',
            path: 'users/rider',
            from: { walletBalance: 30 },
            to: { walletBalance: 5, amount: 25, note: 'Credited twice' },
          },
        },
      },
    }),
  })
  const findRow = async (action: string) => (await screen.findByText(action)).closest('tr')
  const assigned = await findRow('Offered to a driver')
  await waitFor(() => expect(assigned).toHaveTextContent(/Booking K7M-4QX.*Driver:Beto Silva/))
  const changed = await findRow('Changed')
  await waitFor(() =>
    expect(changed).toHaveTextContent(/Vehicle type Van.*Base fare:\$55\.00→\$58\.00/),
  )
  expect(await findRow('Deducted from the wallet')).toHaveTextContent(
    /Ana Lima.*Wallet balance:\$30\.00→\$5\.00.*Amount:\$25\.00.*Note:Credited twice/,
  )
  // The search finds the words that the page shows.
  const search = screen.getByRole('searchbox')
  for (const words of ['ana lima', 'deducted wallet', 'alma person']) {
    await user.clear(search)
    await user.type(search, words)
    await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(2))
    await findRow('Deducted from the wallet')
  }
})

// A write of several paths gives all of its entries the same moment.
test.each([
  ['newest', '', (keys: string[]) => keys.toReversed()],
  ['oldest', '&sort=at&desc=0', (keys: string[]) => keys],
])(
  'shows each entry of one moment on one page of the audit, %s first',
  async (_, order, inOrder) => {
    const keys = Array.from({ length: 22 }, (_, n) => `SPRING${String(n).padStart(2, '0')}`)
    const entries = keys.map((key) => [
      `-${key}`,
      { by: 'admin', at: 5, action: 'promos_create', path: `promos/${key}`, to: { name: key } },
    ])
    const { user } = await renderApp(`/audit?size=10${order}`, {
      as: 'admin',
      seed: anOfficeSeed({ more: { audit: Object.fromEntries(entries) } }),
    })
    const shown = () =>
      screen
        .getAllByRole('row')
        .flatMap((row) => /SPRING\d\d/.exec(row.textContent ?? '')?.[0] ?? [])
    for (const from of [0, 10, 20]) {
      await waitFor(() => expect(shown()).toEqual(inOrder(keys).slice(from, from + 10)))
      const next = screen.getByRole('button', { name: /Next page/ })
      if (from < 20) await user.click(next)
      else expect(next).toBeDisabled()
    }
  },
)

test('has a label in the audit for every field of the office’s forms', () => {
  const forms = [
    ...Object.keys(settingsForm.entries),
    ...Object.keys(appInfoForm.entries),
    ...Object.keys(driverForm.entries),
    ...Object.keys(vehicleTypeForm.entries),
    ...Object.keys(promoForm.entries),
  ]
  expect(forms.filter((name) => !FIELD_LABELS[name] && !UNIT_LABELS[name])).toEqual([])
})

test('has a text for every label and value of the audit in the office’s translations', () => {
  const texts: Record<string, string> = { ...shared, ...office, ...payments }
  const keys = [
    ...Object.values(FIELD_LABELS),
    ...Object.values(UNIT_LABELS).flatMap((labels) => Object.values(labels)),
    ...Object.values(VALUE_TEXTS).flatMap((values) => Object.values(values)),
  ]
  expect(keys.filter((key) => !texts[key])).toEqual([])
})

test('shows the values of fixed words, times and reasons in words', async () => {
  const by = 'admin'
  const booking = { by, path: 'bookings/b1' }
  await renderApp('/audit', {
    as: 'admin',
    seed: anOfficeSeed({
      bookings: [aBooking({ id: 'b1', booking_id: 'b1', reference: 'K7M-4QX' })],
      more: {
        audit: {
          a: {
            ...booking,
            at: 6,
            action: 'booking_cancel',
            from: { status: 'NEW' },
            to: { status: 'CANCELLED', reason: 'incomplete_booking' },
          },
          b: {
            ...booking,
            at: 5,
            action: 'booking_amend',
            from: { trip_cost: 43.13 },
            to: { fields: ['pickup', 'tripdate'], trip_cost: 50 },
          },
          c: { ...booking, at: 4, action: 'fare_review', to: { decision: 'planned', credited: 3 } },
          f: {
            by: SERVER_UID,
            at: 1,
            action: 'bonus_drop',
            path: booking.path,
            from: { amount: 10 },
            to: { drop_reason: 'accounts_tied' },
          },
          d: {
            by,
            at: 3,
            action: 'promos_update',
            path: 'promos/p',
            to: {
              promo_validity: Date.UTC(2026, 10, 30, 12),
              promo_discount_type: 'percentage',
            },
          },
          e: {
            by,
            at: 2,
            action: 'settings_update',
            path: 'settings',
            to: { dispatchMode: 'broadcast', FacebookLoginEnabled: true },
          },
        },
      },
    }),
  })
  const table = await screen.findByRole('table')
  await waitFor(() => expect(table).toHaveTextContent('Status:Looking for a driver→Canceled'))
  expect(table).not.toHaveTextContent('incomplete_booking')
  expect(table).toHaveTextContent('Pickup, Pickup time')
  expect(table).toHaveTextContent('Trip cost:$43.13→$50.00')
  expect(table).toHaveTextContent('Decision:As planned')
  expect(table).toHaveTextContent(/Valid until:.*Nov.* 2026/)
  expect(table).toHaveTextContent('Discount type:Percentage')
  expect(table).toHaveTextContent('Offer bookings to:All nearby drivers at once')
  expect(table).toHaveTextContent('Referral bonus dropped')
  expect(table).toHaveTextContent(
    'Reason:The customer, the driver and the referrer are not strangers',
  )
  expect(table).toHaveTextContent('Sign-in with Facebook, Apple and Google:Yes')
})
