import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { RelativeTime } from './RelativeTime'

const NOW = new Date(2026, 10, 20, 12).getTime()
beforeEach(() => {
  vi.useFakeTimers({ now: NOW })
})
afterEach(() => {
  vi.useRealTimers()
})

test('shows times of today as relative, others as dates, and the exact time on hover', () => {
  render(
    <>
      <RelativeTime at={NOW - 5 * 60_000} />
      <RelativeTime at={NOW + 3 * 3_600_000} />
      <RelativeTime at={NOW - 3 * 86_400_000} only="date" />
    </>,
  )
  const recent = screen.getByText('5 minutes ago')
  expect(recent.tagName).toBe('TIME')
  expect(recent).toHaveAttribute('title', expect.stringContaining('Nov 20, 2026'))
  expect(screen.getByText('in 3 hours')).toBeInTheDocument()
  const old = screen.getByText('Nov 17, 2026')
  expect(old).toHaveAttribute('title', expect.stringMatching(/Nov 17, 2026, \d/))
  act(() => {
    vi.advanceTimersByTime(60_000)
  })
  expect(screen.getByText('6 minutes ago')).toBeInTheDocument()
})
