import { expect, inject, it } from 'vitest'
import { SMALL } from '~/scripts/simulate/plan'
import { simulate } from '~/scripts/simulate/run'

/** Longer runs, with figures: `npm run simulate`. Here it counts that nothing breaks, on any machine, however slow. */
it('a small town is used by everybody while function processes die, and everything adds up', async () => {
  const target = { webConfig: inject('webConfig'), ports: inject('ports') }
  const { bookings, calls, violations, surprises } = await simulate(
    { ...SMALL, faults: true },
    target,
  )
  expect({ violations, surprises }).toEqual({ violations: [], surprises: [] })
  expect(bookings).toMatchObject({ begun: SMALL.bookings, complete: expect.any(Number) as number })
  expect(calls.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['create_booking', 'advance_booking assign', 'advance_booking finish']),
  )
}, 1_800_000)
