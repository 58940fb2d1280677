// Why: nothing in the Emulator Suite runs scheduled functions, so a local Kerbside asks for its sweep itself: unpaid bookings
// expire, drivers are looked for, later bookings are remembered.
import type { LocalDatabase } from './localDatabase'
import { claimsOf, unsigned } from './tokens'

const EVERY_MS = 15_000

/** Some admin's uid, or undefined before setup. */
const anAdmin = async (database: LocalDatabase): Promise<string | undefined> => {
  const found = await database.get('users', {
    orderBy: '"usertype"',
    equalTo: '"admin"',
    limitToFirst: '1',
  })
  return Object.keys((found ?? {}) as object)[0]
}

/** Runs the sweep now; false when there is nobody to run it for, or it failed. */
export const sweepOnce = async (
  database: LocalDatabase,
  functionsUrl: string,
): Promise<boolean> => {
  const uid = await anAdmin(database)
  if (uid === undefined) return false
  const response = await fetch(`${functionsUrl}/run_sweep`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Authorization: `Bearer ${unsigned(claimsOf(uid))}`,
    },
    body: JSON.stringify({ data: {} }),
  })
  return response.ok
}

/** Sweeps every quarter of a minute until the function it gives is called. */
export const startClock = (database: LocalDatabase, functionsUrl: string): (() => void) => {
  let busy = false
  const timer = setInterval(() => {
    if (busy) return
    busy = true
    void sweepOnce(database, functionsUrl)
      // A suite that is stopping answers nothing any more.
      .catch(() => false)
      .finally(() => (busy = false))
  }, EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}
