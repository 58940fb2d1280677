import { expect, test } from 'vitest'
import { renderLifecycleDiagram } from './lifecycleDiagram'
import { BOOKING_EVENTS } from './transitions'
import { STATUSES } from './types'

test('draws every status and every event of the table', () => {
  const drawn = renderLifecycleDiagram()
  expect(drawn.startsWith('stateDiagram-v2\n')).toBe(true)
  for (const status of STATUSES) expect(drawn).toContain(status)
  for (const event of BOOKING_EVENTS) expect(drawn).toContain(`: ${event} (`)
  expect(drawn).toContain('  [*] --> NEW: create (rider, admin)\n')
  expect(drawn).toContain('  PENDING --> PAID: pay (rider, system)\n')
  expect(drawn).not.toContain('  PENDING --> NEW')
  expect(drawn).toContain('  NEW --> CANCELLED: cancel (rider, admin)\n')
  expect(drawn).toContain('  ARRIVED --> CANCELLED: cancel (rider, admin)\n')
})
