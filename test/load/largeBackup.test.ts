import { constants } from 'node:buffer'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DatabaseValue } from '~/domain/data/databaseValue'
import { chooseLength } from '~/domain/testing/endurance'
import { rehearseExport, writeExport } from '~/lab/rehearse/exportRehearsal'
import {
  restoreLargeBackup,
  saveLargeBackup,
  type ResourceUse,
  type SavedRehearsal,
} from '~/lab/rehearse/largeRehearsal'

/**
 * Copies of each booking's text in the export: 204 MB for a heap of 64; 600 MB, more than a text
 * that Node.js can hold.
 */
const EXPORT_COPIES = chooseLength(3, 4)
const MIN_EXPORT_BYTES = chooseLength(3 * 64e6, constants.MAX_STRING_LENGTH + 1)
/** More megabytes of bookings than the heap of each command: 68 and 64, 150 and 96. */
const SIZE = chooseLength(
  { minBookings: 200, instructionsLength: 340_000 },
  { minBookings: 600, instructionsLength: 250_000 },
)
const OPTIONS = { maxHeapMb: chooseLength(64, 96) }
const TIMEOUT_MS = 600_000

/** Makes bookings larger. */
const enlarge = (collection: string, record: DatabaseValue): DatabaseValue => {
  if (collection !== 'bookings') return record
  const booking = record as { [field: string]: DatabaseValue }
  const text = booking['dropAddress']
  return {
    ...booking,
    ...(typeof text === 'string' && { dropAddress: text.repeat(EXPORT_COPIES) }),
  }
}

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

  it(
    'is restored from an export in one file, to the letter',
    async () => {
      await saveOnce()
      const backup = join(folder, 'backup')
      const file = join(folder, 'export.json.gz')
      const saved = await writeExport(backup, file, enlarge)
      expect(saved.bytes).toBeGreaterThan(MIN_EXPORT_BYTES)
      const { uses, restored } = await rehearseExport(backup, file, OPTIONS.maxHeapMb)
      expect(listCommands(uses)).toEqual([
        'verify-data of the export',
        'backup restore of the export',
      ])
      expect(restored).toEqual(saved)
    },
    TIMEOUT_MS,
  )
})
