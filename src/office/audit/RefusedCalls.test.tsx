import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { RefusalDay } from '~/domain/access/refusals'
import { ServiceError } from '~/src/services/services'
import { anOfficeSeed, renderApp } from '../testing/officeFixtures'

const openRefusals = async (...answers: (RefusalDay[] | ServiceError)[]) => {
  const app = await renderApp('/audit', {
    as: 'admin',
    seed: anOfficeSeed(),
    handlers: {
      list_refusals: () => {
        const answer = answers.length > 1 ? answers.shift() : answers[0]
        if (answer instanceof Error) throw answer
        return { days: answer }
      },
    },
  })
  const summary = await screen.findByText('Refused calls of the last seven days')
  expect(app.backend.calls.map(({ name }) => name)).not.toContain('list_refusals')
  await app.user.click(summary)
  return app
}

test('shows the refused calls of the last days, the most frequent first', async () => {
  await openRefusals([
    { day: '2026-11-20', counts: { demo_mode: 2, not_allowed: 1200 } },
    { day: '2026-11-19', counts: { demo_mode: 3 } },
  ])
  const names = (await screen.findAllByRole('term')).map(({ textContent }) => textContent)
  expect(names).toEqual(['not_allowed', 'demo_mode'])
  const counts = screen.getAllByRole('definition').map(({ textContent }) => textContent)
  expect(counts).toEqual(['1,200', '5'])
})

test('says when no call was refused', async () => {
  await openRefusals([])
  expect(await screen.findByText('No call was refused.')).toBeInTheDocument()
})

test('loads the refused calls again after an error', async () => {
  const { user } = await openRefusals(new ServiceError('unavailable', 'update_failed'), [
    { day: '2026-11-20', counts: { session_ended: 1 } },
  ])
  await user.click(await screen.findByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('session_ended')).toBeInTheDocument()
})
