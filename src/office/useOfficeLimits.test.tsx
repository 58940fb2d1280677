import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '~/domain/language/timeUnits'
import { anOfficeSeed, renderApp } from './testing/officeFixtures'
import type { Settings } from '~/domain/catalog/types'

beforeEach(() => localStorage.clear())

/** Opens the office with a sign-in of two hours ago. */
const open = (settings: Partial<Settings>, as: 'admin' | 'fleet' = 'admin') =>
  renderApp('/cartypes', {
    as,
    seed: anOfficeSeed({ settings }),
    now: () => Date.now() - 2 * HOUR_MS,
  })
const acted = (minutesAgo: number) =>
  localStorage.setItem('kerbside.officeActionAt', String(Date.now() - minutesAgo * MINUTE_MS))

test.each([
  ['an old sign-in', { officeSessionHours: 1 }, 'admin', /sign-in is too old/],
  ['the old sign-in of a fleet admin', { officeSessionHours: 2 }, 'fleet', /sign-in is too old/],
  ['a page without an action', { officeIdleMinutes: 30 }, 'admin', /a time without an action/],
] as const)('signs out %s and says why', async (_, settings, as, text) => {
  acted(31)
  const { backend } = await open(settings, as)
  expect(await screen.findByText(text)).toBeInTheDocument()
  await waitFor(() => expect(backend.getUid()).toBeNull())
})

test.each([
  ['a sign-in within its hours', { officeSessionHours: 3 }],
  ['an action a moment ago, also on another page', { officeIdleMinutes: 30 }],
  ['no limit', {}],
])('keeps the office open with %s', async (_, settings) => {
  acted(29)
  const { backend } = await open(settings)
  expect(await screen.findByRole('heading', { name: 'Vehicle types' })).toBeInTheDocument()
  expect(backend.getUid()).toBe('admin')
})

test('counts an action on the page', async () => {
  acted(29)
  const { user } = await open({ officeIdleMinutes: 30 })
  await user.click(await screen.findByRole('heading', { name: 'Vehicle types' }))
  const last = Number(localStorage.getItem('kerbside.officeActionAt'))
  expect(last).toBeGreaterThan(Date.now() - MINUTE_MS)
})
