import { expect, it } from 'vitest'
import { rehearse } from '~/scripts/rehearsal'

it('a city that is saved while it is used comes back after its data is gone, and goes on', async () => {
  const told: string[] = []
  const counts = await rehearse((line) => told.push(line))
  expect(told).toHaveLength(4)
  expect(counts.bookings).toBeGreaterThanOrEqual(200)
}, 1_800_000)
