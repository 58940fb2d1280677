import { expect, it } from 'vitest'
import { createRunRecorder } from './runRecorder'
import { SMALL_PLAN } from '~/scripts/city/simulationPlan'
import { renderHtmlReport } from './htmlReport'
import type { SimulationReport } from './simulationRun'
import { formatReport } from './textReport'

const createReport = (more: Partial<SimulationReport> = {}): SimulationReport => {
  const observed = createRunRecorder({ now: () => 0 })
  observed.called('create_booking', 12, 'ok')
  observed.called('create_booking', 20, '<b>bold</b>')
  observed.began()
  observed.ended('complete')
  return {
    plan: SMALL_PLAN,
    startedAt: 0,
    seconds: 3,
    bookings: observed.counted('bookings'),
    calls: observed.figures(),
    refusals: observed.counted('refusals'),
    mishaps: {},
    timeline: observed.seconds(),
    surprises: [],
    violations: [],
    ...more,
  }
}

it('the page loads nothing external and escapes text', () => {
  const page = renderHtmlReport(createReport())
  expect(page).toContain('<svg')
  expect(page).not.toMatch(/src=|href=|<script|<b>/)
  expect(page).toContain('The data is sound')
  expect(page).not.toMatch(/NaN|Infinity|undefined/)
})

it('the report shows violations first', () => {
  const bad = createReport({
    violations: ['users/ana: the balance is 1, its history adds up to 2'],
  })
  expect(renderHtmlReport(bad)).toContain('The data is not sound')
  expect(renderHtmlReport(bad)).not.toContain('The data is sound')
  expect(formatReport(bad)).toContain('users/ana: the balance is 1')
})
