import { screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { anOfficeSeed, renderApp } from '../testing/officeFixtures'

test('shows a bar for each of the last days, including just after a daylight saving change', async () => {
  // Half an hour into the 30th; the 29th had 23 hours.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-03-29T22:30:00Z') })
  onTestFinished(() => void vi.useRealTimers())
  await renderApp('/dashboard', {
    as: 'admin',
    seed: anOfficeSeed({
      settings: { timezone: 'Europe/Berlin' },
      more: { stats: { days: { '2026-03-29': { created: 7 } } } },
    }),
  })
  const chart = await screen.findByRole('figure', { name: 'Bookings' })
  const bars = () =>
    within(chart)
      .getAllByRole('row')
      .map(({ textContent }) => textContent ?? '')
  await waitFor(() => expect(bars().at(-2)).toMatch(/7$/))
  expect(new Set(bars().map((bar) => bar.slice(0, -1))).size).toBe(30)
})

test('counts bookings in whole numbers, also on a chart without any', async () => {
  await renderApp('/dashboard', { as: 'admin', seed: anOfficeSeed({}) })
  const chart = await screen.findByRole('figure', { name: 'Bookings' })
  const marks = [...chart.querySelectorAll('svg text[text-anchor=end]')]
  expect(marks.map(({ textContent }) => textContent)).toEqual(['0', '1', '2'])
})
