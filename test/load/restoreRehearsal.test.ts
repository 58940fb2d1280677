import { expect, it } from 'vitest'
import { chooseLength } from '~/domain/testing/endurance'
import { rehearseRestore } from '~/lab/rehearse/restoreRehearsal'

it('a city backed up while in use is restored after its data is lost, and continues', async () => {
  const lines: string[] = []
  const counts = await rehearseRestore((line) => lines.push(line), chooseLength(1, 5))
  expect(lines).toHaveLength(4)
  expect(counts.bookings).toBeGreaterThanOrEqual(200)
}, 1_800_000)
