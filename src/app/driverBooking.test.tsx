import { cleanup, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import {
  aBooking,
  aCardPacket,
  aDriver,
  aRider,
  aSettings,
  someBookingContacts,
} from '~/domain/testing/builders'
import { MINUTE_MS } from '~/domain/language/timeUnits'
import { renderApp } from './renderApp'
import type { Tree } from '~/src/services/memory/backendTypes'

test('sets the tab title of the driver’s vehicle page, whichever page they came from', async () => {
  document.title = 'Bookings · Kerbside'
  const seed = { settings: aSettings(), users: { beto: aDriver({ id: 'beto' }) } }
  await renderApp('/vehicle', { as: 'beto', seed: JSON.parse(JSON.stringify(seed)) as Tree })
  const { textContent } = await screen.findByRole('heading', { level: 1 })
  await waitFor(() => expect(document.title).toContain(textContent))
})

test('shows the driver of a booking their rider instead of themselves', async () => {
  const beto = aDriver({ id: 'beto' })
  const booking = aBooking({
    status: 'ACCEPTED',
    driver: 'beto',
    driver_name: 'Beto Silva',
    customer_name: 'Rita Ramos',
  })
  const seed = {
    settings: aSettings(),
    users: { beto },
    bookings: { [booking.id]: booking },
    booking_contacts: { [booking.id]: someBookingContacts({ customer_contact: '+59899123456' }) },
    tracking: { [booking.id]: { t: { at: 1, status: 'ACCEPTED', lat: -34.9, lng: -56.2 } } },
  }
  await renderApp(`/bookings/${booking.id}`, {
    as: 'beto',
    seed: JSON.parse(JSON.stringify(seed)) as Tree,
    handlers: {
      'googleapis-getdistancematrix': () => ({
        data: [[{ found: true, distance_in_km: 2, time_in_secs: 300 }]],
      }),
    },
  })
  expect(await screen.findByRole('heading', { name: 'Customer' })).toBeInTheDocument()
  expect(screen.getByText('Rita Ramos')).toBeInTheDocument()
  expect(await screen.findByRole('link', { name: 'Call' })).toHaveAttribute(
    'href',
    'tel:+59899123456',
  )
  expect(await screen.findByText('until the pickup')).toBeInTheDocument()
  expect(screen.queryByText(/your driver/i)).not.toBeInTheDocument()
})

/** Opens a finished booking of rider Rita with driver Beto, `minutes` after its end. */
const openedAfter = (minutes: number, as: 'beto' | 'rita') => {
  const booking = aBooking({
    status: 'PENDING',
    customer: 'rita',
    customer_name: 'Rita Ramos',
    driver: 'beto',
    driver_name: 'Beto Silva',
    endTime: Date.now() - minutes * MINUTE_MS,
  })
  const seed = {
    settings: aSettings(),
    users: { beto: aDriver({ id: 'beto' }), rita: aRider({ id: 'rita' }) },
    bookings: { [booking.id]: booking },
    booking_contacts: {
      [booking.id]: someBookingContacts({ deliveryPersonPhone: '099 123 456' }),
    },
  }
  return renderApp(`/bookings/${booking.id}`, {
    as,
    seed: JSON.parse(JSON.stringify(seed)) as Tree,
  })
}

test.each(['beto', 'rita'] as const)(
  'hides call and chat one hour after the end without an error (%s)',
  async (who) => {
    await openedAfter(61, who)
    expect(
      await screen.findByText(who === 'beto' ? 'Rita Ramos' : 'Beto Silva'),
    ).toBeInTheDocument()
    expect(screen.queryByRole('link', { name: 'Call' })).not.toBeInTheDocument()
    expect(screen.queryByRole('link', { name: 'Chat' })).not.toBeInTheDocument()
    expect(screen.queryByRole('alert')).not.toBeInTheDocument()
  },
)

test.each([
  ['beto', 'tel:+15555550199'],
  ['rita', 'tel:+15555550102'],
] as const)('lets %s call about lost property within the hour', async (who, link) => {
  await openedAfter(30, who)
  const call = await screen.findByRole('link', { name: 'Call' })
  expect(call).toHaveAttribute('href', link)
})

test('after one hour, still shows the recipient’s phone to the rider but not to the driver', async () => {
  await openedAfter(61, 'rita')
  expect(await screen.findByText('099 123 456')).toBeInTheDocument()
  cleanup()
  await openedAfter(61, 'beto')
  expect(await screen.findByText('Rita Ramos')).toBeInTheDocument()
  expect(screen.queryByText('099 123 456')).not.toBeInTheDocument()
})

test('each party of a booking reads what complaints moved for themselves', async () => {
  const at = Date.now()
  const booking = aBooking({
    status: 'COMPLETE',
    customer: 'rita',
    driver: 'beto',
    paid_at: at - 1000,
    paymentPacket: aCardPacket(),
    words: { taken: 'Took a detour', gone: 'Sorry for the detour' },
    event_log: {
      taken: { event: 'compensate', by: 'admin', at, status: 'COMPLETE', revision: 8, ref: 'r1' },
      gone: { event: 'refund', by: 'admin', at, status: 'COMPLETE', revision: 9, ref: 'pay1' },
    },
    adjustments: { r1: { at, reason: 'detour', driver: -4 } },
    fare_history: {
      refund: {
        kind: 'refund',
        at,
        cause: 'detour',
        lines: [{ label: 'fare_refund', amount: -7 }],
        total: -7,
      },
    },
  })
  const seed = {
    settings: aSettings(),
    users: { beto: aDriver({ id: 'beto' }), rita: aRider({ id: 'rita' }) },
    bookings: { [booking.id]: booking },
  }
  const openAs = async (as: 'beto' | 'rita') => {
    await renderApp(`/bookings/${booking.id}`, {
      as,
      seed: JSON.parse(JSON.stringify(seed)) as Tree,
    })
    return screen.findByRole('list', { name: 'Payments' })
  }
  const forDriver = await openAs('beto')
  expect(forDriver).toHaveTextContent(/Driver share.*\$37\.50/)
  expect(forDriver).toHaveTextContent(/Money taken backDetour.*−\$4\.00/)
  expect(forDriver).not.toHaveTextContent(/card/)
  expect(screen.getByText('Took a detour')).toBeInTheDocument()
  expect(screen.queryByText('Sorry for the detour')).not.toBeInTheDocument()
  expect(screen.queryByText('Card payment refunded')).not.toBeInTheDocument()
  cleanup()

  const forRider = await openAs('rita')
  expect(forRider).toHaveTextContent(/Refunded to the cardDetour.*−\$7\.00/)
  expect(forRider).not.toHaveTextContent('−$4.00')
  expect(screen.getByText('Sorry for the detour')).toBeInTheDocument()
  expect(screen.queryByText('Took a detour')).not.toBeInTheDocument()
})
