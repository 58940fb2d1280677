import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { chooseLength } from '~/domain/testing/endurance'
import { SMALL_PLAN } from '~/scripts/city/simulationPlan'
import { simulate } from '~/lab/simulate/simulationRun'
import { startSuite } from '~/scripts/local/suite'

/**
 * Uses its own city, because its outages would break other tests; docs/scaling.md describes a large
 * run.
 */
it('a town survives database kills and a full disk, and no acknowledged write is lost', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kerbside-faults-'))
  const suite = await startSuite({
    dataDir: folder,
    portBase: 'free',
    isForLoad: true,
    isQuiet: true,
  })
  try {
    const plan = {
      ...SMALL_PLAN,
      // At least one fault of each kind occurs within six bookings.
      ...chooseLength(
        { riders: 4, drivers: 4, bookings: 6 },
        { riders: 8, drivers: 6, bookings: 16 },
      ),
      faults: true,
      faultyDatabase: true,
      dispatch: 'both' as const,
    }
    const { bookings, mishaps, violations, surprises } = await simulate(plan, suite)
    expect({ violations, surprises }).toEqual({ violations: [], surprises: [] })
    expect(bookings).toMatchObject({ begun: plan.bookings, complete: expect.any(Number) as number })
    expect(Object.keys(mishaps)).toEqual(
      expect.arrayContaining([
        'database killed and restarted',
        'disk full',
        'function process killed',
      ]),
    )
  } finally {
    await suite.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}, 1_800_000)
