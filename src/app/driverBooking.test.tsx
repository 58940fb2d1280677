import { screen } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { aBooking, aDriver, aSettings } from '~/domain/testing/builders'
import type { Tree } from '~/src/services/memory/tree'
import { renderApp } from './renderApp'

beforeEach(() => localStorage.clear())

test('a driver who opens one of his bookings finds whom he carries, not himself', async () => {
  const beto = aDriver({ id: 'beto' })
  const booking = aBooking({
    status: 'STARTED',
    driver: 'beto',
    driver_name: 'Beto Silva',
    customer_name: 'Rita Ramos',
    customer_contact: '+59899123456',
  })
  const seed = { settings: aSettings(), users: { beto }, bookings: { [booking.id]: booking } }
  await renderApp(`/bookings/${booking.id}`, {
    as: 'beto',
    seed: JSON.parse(JSON.stringify(seed)) as Tree,
  })
  expect(await screen.findByRole('heading', { name: 'Customer' })).toBeTruthy()
  expect(screen.getByText('Rita Ramos')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Call' }).getAttribute('href')).toBe('tel:+59899123456')
  expect(screen.queryByRole('heading', { name: 'Your driver' })).toBeNull()
})
