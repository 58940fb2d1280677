import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { SMALL } from '~/scripts/simulate/plan'
import { simulate } from '~/scripts/simulate/run'
import { startSuite } from '~/scripts/suite'

/** A city of its own, because nobody else's tests would like what happens here; docs/scaling.md tells of a large run. */
it('a town goes on while its database is killed and its disk is full, and nothing acknowledged is lost', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kerbside-faults-'))
  const suite = await startSuite({
    dataDir: folder,
    portBase: 'free',
    functions: 'processes',
    quiet: true,
  })
  try {
    const plan = {
      ...SMALL,
      riders: 8,
      drivers: 6,
      bookings: 16,
      faults: true,
      faultyDatabase: true,
      dispatch: 'both' as const,
    }
    const { bookings, mishaps, violations, surprises } = await simulate(plan, suite)
    expect({ violations, surprises }).toEqual({ violations: [], surprises: [] })
    expect(bookings).toMatchObject({ begun: 16, complete: expect.any(Number) as number })
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
