import { screen } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { aBooking, aDriver, aSettings } from '~/domain/testing/builders'
import type { Tree } from '~/src/services/memory/tree'
import { renderApp } from './renderApp'

beforeEach(() => localStorage.clear())

test('the tab of a driver’s vehicle says so, whatever page he came from', async () => {
  document.title = 'Bookings · Kerbside'
  const seed = { settings: aSettings(), users: { beto: aDriver({ id: 'beto' }) } }
  await renderApp('/vehicle', { as: 'beto', seed: JSON.parse(JSON.stringify(seed)) as Tree })
  const { textContent } = await screen.findByRole('heading', { level: 1 })
  expect(document.title).toContain(textContent)
})

test('a driver who opens one of his bookings finds whom he carries, not himself', async () => {
  const beto = aDriver({ id: 'beto' })
  const booking = aBooking({
    status: 'ACCEPTED',
    driver: 'beto',
    driver_name: 'Beto Silva',
    customer_name: 'Rita Ramos',
    customer_contact: '+59899123456',
  })
  const seed = {
    settings: aSettings(),
    users: { beto },
    bookings: { [booking.id]: booking },
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
  expect(await screen.findByRole('heading', { name: 'Customer' })).toBeTruthy()
  expect(screen.getByText('Rita Ramos')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Call' }).getAttribute('href')).toBe('tel:+59899123456')
  expect(await screen.findByText('until the pickup')).toBeTruthy()
  expect(screen.queryByText(/your driver/i)).toBeNull()
})
