import { expect, it } from 'vitest'
import { rehearseLargeBackup } from '~/tools/rehearse/largeRehearsal'

/** 125 MB of bookings, more than the heap of each command. */
const SIZE = { bookings: 500, instructionsLength: 250_000 }
const MAX_HEAP_MB = 96

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
