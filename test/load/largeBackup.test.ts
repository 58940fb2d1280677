import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chooseLength } from '~/domain/testing/endurance'
import {
  restoreLargeBackup,
  saveLargeBackup,
  type ResourceUse,
  type SavedRehearsal,
} from '~/tools/rehearse/largeRehearsal'

/** More megabytes of bookings than the heap of each command: 68 and 64, 150 and 96. */
const SIZE = chooseLength(
  { minBookings: 200, instructionsLength: 340_000 },
  { minBookings: 600, instructionsLength: 250_000 },
)
const OPTIONS = { maxHeapMb: chooseLength(64, 96) }
const TIMEOUT_MS = 600_000

const listCommands = (uses: readonly ResourceUse[]) => uses.map(({ command }) => command)

describe('data larger than the memory of each command', () => {
  let folder: string
  let saved: Promise<SavedRehearsal> | undefined
  const saveOnce = () => (saved ??= saveLargeBackup(SIZE, join(folder, 'backup'), OPTIONS))
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'kerbside-large-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it(
    'is migrated, saved and verified',
    async () => {
      const { uses } = await saveOnce()
      expect(listCommands(uses)).toEqual(['migrate', 'backup save', 'verify-data of the backup'])
    },
    TIMEOUT_MS,
  )

  it(
    'is restored and verified, as a whole and by one file',
    async () => {
      await saveOnce()
      expect(listCommands(await restoreLargeBackup(join(folder, 'backup'), OPTIONS))).toEqual([
        'backup restore',
        'verify-data of the restored data',
        'backup restore of one file',
      ])
    },
    TIMEOUT_MS,
  )
})
