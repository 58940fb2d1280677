import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Manifest } from '~/scripts/database/backupFormat'
import { ROOT } from '~/scripts/local/build'
import { readInterfaceTexts } from '~/scripts/database/interfaceTexts'
import { openLocalDatabase, NAMESPACE } from '~/scripts/local/localDatabase'
import { restore } from '~/scripts/database/backupRestore'
import { saveBackup } from '~/scripts/database/backupSave'
import { killDatabase } from '../simulate/databaseProcess'
import { SMALL_PLAN } from '~/scripts/city/simulationPlan'
import { simulate } from '../simulate/simulationRun'
import { startOwnSuite, type Suite } from '~/scripts/local/suite'
import {
  createDatabaseSource,
  verifyData,
  type DataSource,
} from '~/scripts/database/dataVerification'

const OWNER_HEADERS = { Authorization: 'Bearer owner' }

const MAX_ERROR_LINES = 5

/** Returns the last errors that the functions logged. */
const readLoggedErrors = (log: string): string[] =>
  readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line.includes('"severity":"ERROR"'))
    .slice(-MAX_ERROR_LINES)

/**
 * Simulates a few bookings; throws when a call fails or the resulting data is inconsistent. The
 * message includes logged errors, because the log is deleted with the city.
 */
const simulateBookings = async (
  city: Suite,
  { seed, bookings }: { seed: number; bookings: number },
  isUnderWay?: () => void,
): Promise<void> => {
  const { violations: wrong, surprises } = await simulate({ ...SMALL_PLAN, bookings, seed }, city, {
    onProgress: (observed) => observed.underWay() > 0 && isUnderWay?.(),
  })
  const all = [...wrong, ...surprises]
  if (all.length === 0) return
  const lines = [...all, ...readLoggedErrors(city.log)]
  throw new Error(`The city did not work as it should:\n${lines.join('\n')}`)
}

const assertSound = async (source: DataSource): Promise<void> => {
  const { violationCount, sentences } = await verifyData(source)
  if (violationCount > 0) throw new Error(sentences.join('\n'))
}

/**
 * Rehearses a disaster on a separate city: saves it while people use it, destroys its database with
 * all data, restores it and lets people continue. Throws a readable error when a record is missing
 * or data does not agree. Returns the number of restored records. `bookings` is the number of
 * bookings before the disaster and after it.
 */
export const rehearseRestore = async (
  say: (line: string) => void,
  bookings = 5,
): Promise<Record<string, number>> => {
  const city = await startOwnSuite('rehearsal', { isForLoad: true, isQuiet: true })
  const folder = join(city.folder, 'backup')
  const database = openLocalDatabase(city.urls.database)
  try {
    say('Saving a city that is in use …')
    let saved: Promise<Manifest> | undefined
    await simulateBookings(
      city,
      { seed: 1, bookings },
      () => void (saved ??= saveBackup(database, folder)),
    )
    await (saved ??= saveBackup(database, folder))
    await assertSound(createDatabaseSource(database))

    say('Killing its database and deleting the data …')
    const startAgain = await killDatabase(city.ports)
    rmSync(join(city.folder, 'data'), { recursive: true })
    await startAgain()
    if ((await database.get('')) !== null)
      throw new Error('The database still has data after it was deleted. Run the rehearsal again.')

    say('Restoring the rules, then the backup …')
    const rules = readFileSync(join(ROOT, 'database.rules.json'), 'utf8')
    const place = `${city.urls.database}/.settings/rules.json?ns=${NAMESPACE}`
    const response = await fetch(place, { method: 'PUT', headers: OWNER_HEADERS, body: rules })
    if (!response.ok) throw new Error(`The database refused the rules: ${await response.text()}`)
    const { counts } = await restore(database, folder, { texts: readInterfaceTexts() })

    say('Using the restored city …')
    await simulateBookings(city, { seed: 2, bookings })
    return counts
  } finally {
    await city.stop()
  }
}
