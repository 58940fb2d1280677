import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { FairnessRow } from '~/domain/dispatch/matching/driverMonth'
import { anOfficeSeed, renderApp } from '../testing/officeFixtures'

const aRow = (driver: string, over: Partial<FairnessRow> = {}): FairnessRow => ({
  driver,
  name: driver,
  offers: 10,
  accepted: 8,
  declined: 1,
  expired: 1,
  active_s: 7200,
  trips: 8,
  income: 100,
  ...over,
})

const openReport = (
  pages: Record<string, { rows: FairnessRow[]; next: string | null }>,
  as = 'admin',
) =>
  renderApp('/driverearning?view=fairness&month=2026-10', {
    as,
    seed: anOfficeSeed({}),
    handlers: {
      fairness_report: ({ cursor = '' }: { cursor?: string }) =>
        pages[cursor] ?? { rows: [], next: null },
    },
  })

test('reads all pages of a month and shows each driver and how equal their incomes are', async () => {
  const { backend } = await openReport({
    '': { rows: [aRow('Ana'), aRow('Ben', { income: 300 })], next: 'after' },
    after: { rows: [aRow('Cid', { active_s: 600, income: 5 })], next: null },
  })
  const row = (await screen.findByRole('row', { name: /^Ben/ })).textContent
  expect(row).toMatch(/Ben10811.*\$300\.00\$150\.00/)
  expect(screen.getByRole('row', { name: /^Cid/ })).toHaveTextContent(/\$5\.00—$/)
  const summary = within(screen.getByRole('region', { name: 'Summary of the month' }))
  expect(summary.getByText('0.250')).toBeInTheDocument()
  expect(summary.getByText('80 %')).toBeInTheDocument()
  expect(summary.getByText('33.3 %')).toBeInTheDocument()
  expect(backend.calls.filter(({ name }) => name === 'fairness_report')).toEqual([
    { name: 'fairness_report', input: { month: '2026-10' } },
    { name: 'fairness_report', input: { month: '2026-10', cursor: 'after' } },
  ])
})

test('discloses how drivers are chosen and whom to ask for a review', async () => {
  const { user } = await openReport({})
  await user.click(await screen.findByText('How drivers are chosen, and who reviews a decision'))
  expect(screen.getByText('Income plays no part.')).toBeVisible()
  expect(screen.getByText(/review by a person:/)).toBeVisible()
})

test('says that a month has no counts', async () => {
  await openReport({}, 'fleet')
  expect(
    await screen.findByText('No offers or time on duty are counted for this month.'),
  ).toBeInTheDocument()
})

test('reads another month when it is chosen', async () => {
  const { user, backend } = await openReport({ '': { rows: [aRow('Ana')], next: null } })
  await screen.findByRole('row', { name: /^Ana/ })
  const choice = screen.getByRole('combobox', { name: 'Month' })
  const [other] = within(choice)
    .getAllByRole<HTMLOptionElement>('option')
    .filter(({ value }) => value !== '2026-10')
  await user.selectOptions(choice, other?.value ?? '')
  await screen.findByRole('row', { name: /^Ana/ })
  expect(backend.calls.at(-1)?.input).toEqual({ month: other?.value })
})

test('says that the report could not be read, and reads it again', async () => {
  let isBroken = true
  const { user } = await renderApp('/driverearning?view=fairness', {
    as: 'admin',
    seed: anOfficeSeed({}),
    handlers: {
      fairness_report: () => {
        if (isBroken) throw new Error('fault')
        return { rows: [aRow('Ana')], next: null }
      },
    },
  })
  const retry = await screen.findByRole('button', { name: 'Try again' })
  isBroken = false
  await user.click(retry)
  expect(await screen.findByRole('row', { name: /^Ana/ })).toBeInTheDocument()
})
