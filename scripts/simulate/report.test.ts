import { expect, it } from 'vitest'
import { observing } from './observed'
import { SMALL } from './plan'
import { htmlOf } from './report'
import type { Report } from './run'
import { textOf } from './summary'

const report = (more: Partial<Report> = {}): Report => {
  const observed = observing({ now: () => 0 })
  observed.called('create_booking', 12, 'ok')
  observed.called('create_booking', 20, '<b>bold</b>')
  observed.began()
  observed.ended('complete')
  return {
    plan: SMALL,
    at: 0,
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

it('the page needs nothing from elsewhere and shows text as text', () => {
  const page = htmlOf(report())
  expect(page).toContain('<svg')
  expect(page).not.toMatch(/src=|href=|<script|<b>/)
  expect(page).toContain('The data is sound')
  expect(page).not.toMatch(/NaN|Infinity|undefined/)
})

it('what must not happen is said first', () => {
  const bad = report({ violations: ['users/ana: the balance is 1, its history adds up to 2'] })
  expect(htmlOf(bad)).toContain('The data is not sound')
  expect(htmlOf(bad)).not.toContain('The data is sound')
  expect(textOf(bad)).toContain('users/ana: the balance is 1')
})
