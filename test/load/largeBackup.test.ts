import { expect, it } from 'vitest'
import { chooseLength } from '~/domain/testing/endurance'
import { rehearseLargeBackup } from '~/tools/rehearse/largeRehearsal'

/** More megabytes of bookings than the heap of each command: 68 and 64, 150 and 96. */
const SIZE = chooseLength(
  { minBookings: 200, instructionsLength: 340_000 },
  { minBookings: 600, instructionsLength: 250_000 },
)
const MAX_HEAP_MB = chooseLength(64, 96)

it('migrates, saves, restores and verifies a database that is larger than the memory of each command', async () => {
  const { uses } = await rehearseLargeBackup(SIZE, () => undefined, MAX_HEAP_MB)
  expect(uses.map(({ command }) => command)).toEqual([
    'migrate',
    'backup save',
    'verify-data of the backup',
    'backup restore',
    'verify-data of the restored data',
    'backup restore of one file',
  ])
}, 600_000)
