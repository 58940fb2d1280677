import { expect, it } from 'vitest'
import { SMALL_PLAN } from '~/scripts/city/simulationPlan'
import { simulate } from '~/lab/simulate/simulationRun'
import { getSuite } from '../support/testSuite'

/**
 * Runs the short version, which only checks that nothing breaks on any machine; `npm run simulate`
 * runs longer and reports figures.
 */
it('a busy small town stays consistent while function processes die', async () => {
  const target = { webConfig: getSuite().webConfig, ports: getSuite().ports }
  const { bookings, calls, violations, surprises } = await simulate(
    { ...SMALL_PLAN, faults: true },
    target,
  )
  expect({ violations, surprises }).toEqual({ violations: [], surprises: [] })
  expect(bookings).toMatchObject({
    begun: SMALL_PLAN.bookings,
    complete: expect.any(Number) as number,
  })
  expect(calls.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['create_booking', 'advance_booking assign', 'advance_booking finish']),
  )
}, 1_800_000)
