import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { aDriver, anOfficeSeed, renderApp } from '../testing/officeFixtures'
import type { MemoryOptions } from '~/src/services/memory/backendTypes'
import type { Settings } from '~/domain/catalog/types'

const handlers: MemoryOptions['handlers'] = {
  message_settings: () => ({
    settings: { address: 'Main Street 1', revision: 1 },
    month: '2026-11',
    total: { revision: 0 },
  }),
}
const open = (settings: Partial<Settings>, as: 'admin' | 'fleet' = 'admin') =>
  renderApp('/dashboard', { as, handlers, seed: anOfficeSeed({ settings }) })

const findList = () => screen.findByRole('region', { name: 'Next steps' })
const openSteps = (list: HTMLElement) =>
  within(list)
    .queryAllByRole('listitem')
    .filter((item) => within(item).queryByRole('img', { name: 'To do' }))
    .map((item) => within(item).getByRole('link').textContent)

test('lists what a new company still has to do, each with its page', async () => {
  await open({ setupChecklist: 'open', restrictCountry: 'DE', contact_email: '', CompanyTerms: '' })
  const list = await findList()
  await waitFor(() =>
    expect(openSteps(list)).toEqual([
      'Check the prices',
      'Contact address',
      'Terms and conditions',
      'Phone number for alerts',
      'Card payments',
      'Maps of your region',
    ]),
  )
  const pageOf = (name: string) => within(list).getByRole('link', { name }).getAttribute('href')
  expect(pageOf('Check the prices')).toBe('/cartypes')
  expect(pageOf('Contact address')).toBe('/appinfo')
  expect(within(list).getByText('2 of 8 steps done')).toBeInTheDocument()
})

test('waits for the first driver until one is approved', async () => {
  const seed = anOfficeSeed({ settings: { setupChecklist: 'open' } })
  const users = { ...(seed.users as object), driver: aDriver({ approved: false }) }
  const { backend } = await renderApp('/dashboard', {
    as: 'admin',
    handlers,
    seed: { ...seed, users: users as never },
  })
  const list = await findList()
  await waitFor(() => expect(openSteps(list)).toContain('First driver'))
  backend.update({ 'users/driver/approved': true })
  await waitFor(() => expect(openSteps(list)).not.toContain('First driver'))
})

test('keeps that the prices are right, and that the list is hidden', async () => {
  const { user, backend } = await open({ setupChecklist: 'open' })
  const list = await findList()
  await user.click(within(list).getByRole('button', { name: 'Prices are right' }))
  await waitFor(() => expect(openSteps(list)).not.toContain('Check the prices'))
  expect(backend.getTree().settings).toMatchObject({ setupChecklist: 'priced' })
  await user.click(within(list).getByRole('button', { name: 'Hide this list' }))
  await waitFor(() => expect(list).not.toBeInTheDocument())
  expect(backend.getTree().settings).not.toHaveProperty('setupChecklist')
})

test.each([
  ['an admin of a platform without one', {}, 'admin'],
  ['a fleet admin', { setupChecklist: 'open' }, 'fleet'],
] as const)('shows no list to %s, and loads nothing for it', async (_, settings, as) => {
  const { backend } = await open(settings, as)
  await screen.findByRole('figure', { name: 'Bookings' })
  expect(screen.queryByRole('region', { name: 'Next steps' })).not.toBeInTheDocument()
  expect(backend.calls.map(({ name }) => name)).not.toContain('message_settings')
})
