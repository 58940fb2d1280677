import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { compareInModelCity, type ModelTask } from '~/domain/replay/modelCity'
import { anOfficeSeed, renderApp } from '../testing/officeFixtures'
import type { ReplayMessage } from './replayMessages'

/** The workers that pages have started. They answer when a test tells them to. */
let workers: TestWorker[]
class TestWorker {
  onmessage: ((event: { data: ReplayMessage }) => void) | null = null
  onerror: (() => void) | null = null
  task: ModelTask | undefined
  isEnded = false
  constructor() {
    workers.push(this)
  }
  postMessage(task: ModelTask) {
    this.task = task
  }
  terminate() {
    this.isEnded = true
  }
  send(data: ReplayMessage) {
    this.onmessage?.({ data })
  }
}
beforeEach(() => {
  workers = []
  vi.stubGlobal('Worker', TestWorker)
})
afterEach(() => {
  vi.unstubAllGlobals()
})

const openTrial = async () => {
  const app = await renderApp('/settings', {
    as: 'admin',
    seed: anOfficeSeed({
      more: { stats: { days: { '2026-10-01': { created: 360 }, '2026-10-02': { created: 120 } } } },
    }),
  })
  const heading = await screen.findByRole('heading', { name: 'Try a dispatch mode' })
  const form = within(heading.closest('form') ?? document.body)
  const begin = async () => {
    await app.user.click(form.getByRole('button', { name: 'Compare' }))
    return waitFor(() => {
      const worker = workers.at(-1)
      if (!worker?.task) throw new Error('The page has started no comparison.')
      return { worker, task: worker.task }
    })
  }
  return { ...app, form, begin }
}

test('compares the mode of the settings with another one at the bookings of the last days', async () => {
  const { form, begin } = await openTrial()
  const { worker, task } = await begin()
  expect(task).toMatchObject({
    bookingsPerHour: 20,
    drivers: 10,
    policies: ['broadcast', 'matched:600'],
  })
  worker.send({ type: 'progress', share: 0.5 })
  expect(await form.findByText(/^Comparing… 50/)).toBeInTheDocument()
  worker.send({ type: 'done', comparison: compareInModelCity(task, () => undefined) })
  const table = within(await form.findByRole('table', { name: '' }))
  const rows = table.getAllByRole('rowheader').map((cell) => cell.textContent)
  expect(rows).toEqual([
    'Mean wait',
    'Longest wait of nine in ten riders',
    'Lost bookings',
    'Empty kilometers for each trip',
    'Income per hour on duty',
    'Inequality of income (Gini)',
    'Takings',
  ])
  expect(worker.isEnded).toBe(true)
})

test.each([
  ['Bookings in a busy hour', '0', 'Please enter a number above 0.'],
  ['Drivers on duty', '301', 'This number is too large. Please enter a smaller one.'],
  ['Fairness weight, seconds', '1.5', 'Please enter a whole number.'],
])('refuses %s of %s beside the field', async (label, typed, message) => {
  const { form, user } = await openTrial()
  const input = form.getByRole('textbox', { name: new RegExp(`^${label}`) })
  await user.clear(input)
  await user.type(input, typed)
  await user.click(form.getByRole('button', { name: 'Compare' }))
  await waitFor(() => expect(input).toHaveAccessibleDescription(message))
  expect(workers).toEqual([])
})

test('compares with a mode that has no weight, whatever was typed there', async () => {
  const { form, begin, user } = await openTrial()
  await user.clear(form.getByRole('textbox', { name: /^Fairness weight/ }))
  await user.selectOptions(form.getByRole('combobox', { name: /^Compare with/ }), 'nearest')
  const { task } = await begin()
  expect(task.policies).toEqual(['broadcast', 'nearest'])
})

test('ends the comparison when it is canceled', async () => {
  const { form, begin, user } = await openTrial()
  const { worker } = await begin()
  await user.click(await form.findByRole('button', { name: 'Cancel' }))
  expect(worker.isEnded).toBe(true)
  expect(await form.findByRole('button', { name: 'Compare' })).toBeInTheDocument()
})

test('says that a comparison failed', async () => {
  const { form, begin } = await openTrial()
  const { worker } = await begin()
  worker.send({ type: 'failed' })
  expect(await form.findByText('The comparison failed. Try fewer drivers.')).toBeInTheDocument()
})
