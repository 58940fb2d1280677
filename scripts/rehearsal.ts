import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { violations, type DatabaseTree } from '~/domain/invariants'
import { open, restore, save, storeAt } from './backups'
import { ROOT } from './build'
import { NAMESPACE } from './localDatabase'
import { killDatabase } from './simulate/databaseProcess'
import { SMALL } from './simulate/plan'
import { simulate, type Target } from './simulate/run'
import { startOwnSuite } from './suite'

const OWNER = { Authorization: 'Bearer owner' }

/** Plays a few bookings; throws when anything is wrong with what is left. */
const play = async (city: Target, seed: number, isUnderWay?: () => void): Promise<void> => {
  const { violations: wrong, surprises } = await simulate({ ...SMALL, bookings: 5, seed }, city, {
    progress: (observed) => observed.underWay() > 0 && isUnderWay?.(),
  })
  const all = [...wrong, ...surprises]
  if (all.length > 0) throw new Error(`The city is not sound:\n${all.join('\n')}`)
}

/**
 * Lives through the worst on a city of its own: saves it while people use it, destroys its database with all its data, brings it
 * back, and lets people go on. Throws a sentence when a record is missing or anything does not agree; answers how much came back.
 */
export const rehearse = async (say: (line: string) => void): Promise<Record<string, number>> => {
  const city = await startOwnSuite('rehearsal', { functions: 'processes', quiet: true })
  const file = join(city.folder, 'city.json.gz')
  const store = storeAt(city.urls.database, OWNER, { ns: NAMESPACE })
  try {
    say('A city is in use; it is saved meanwhile …')
    let saved: Promise<Record<string, number>> | undefined
    await play(city, 1, () => void (saved ??= save(store, file)))
    await (saved ??= save(store, file))
    const lost = violations((await store.read()) as DatabaseTree)
    if (lost.length > 0) throw new Error(lost.join('\n'))

    say('Its database is killed, and its data deleted …')
    const startAgain = await killDatabase(city.ports)
    rmSync(join(city.folder, 'data'), { recursive: true })
    await startAgain()
    if ((await store.read()) !== null) throw new Error('The database was not empty after all.')

    say('Rules first, then the backup …')
    const rules = readFileSync(join(ROOT, 'database.rules.json'), 'utf8')
    const place = `${city.urls.database}/.settings/rules.json?ns=${NAMESPACE}`
    const response = await fetch(place, { method: 'PUT', headers: OWNER, body: rules })
    if (!response.ok) throw new Error(`The rules were refused: ${await response.text()}`)
    const counts = await restore(store, file)
    const wrong = violations(await open(file))
    if (wrong.length > 0) throw new Error(wrong.join('\n'))

    say('People go on …')
    await play(city, 2)
    return counts
  } finally {
    await city.stop()
  }
}
