import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Ago } from './Ago'

const NOW = Date.parse('2026-11-20T12:00:00Z')
beforeEach(() => {
  vi.useFakeTimers({ now: NOW })
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

test('a moment of today is told by how long ago it was, another by its date; the exact one is on hover', () => {
  render(
    <>
      <Ago at={NOW - 5 * 60_000} />
      <Ago at={NOW + 3 * 3_600_000} />
      <Ago at={NOW - 3 * 86_400_000} only="date" />
    </>,
  )
  const recent = screen.getByText('5 minutes ago')
  expect(recent.tagName).toBe('TIME')
  expect(recent.getAttribute('title')).toContain('Nov 20, 2026')
  expect(screen.getByText('in 3 hours')).toBeTruthy()
  const old = screen.getByText('Nov 17, 2026')
  expect(old.getAttribute('title')).toMatch(/Nov 17, 2026, \d/)
  act(() => {
    vi.advanceTimersByTime(60_000)
  })
  expect(screen.getByText('6 minutes ago')).toBeTruthy()
})
