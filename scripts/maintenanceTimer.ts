// Runs maintenance in a local Kerbside, because the Emulator Suite does not run scheduled
// functions: expires unpaid bookings, searches for drivers and sends reminders of scheduled
// bookings.
import type { LocalDatabase } from './database/localDatabase'
import { createClaims, createUnsignedToken } from './tokens'

const INTERVAL_MS = 15_000
/** Runs the file cleanup once in this many maintenance runs, which is once an hour. */
const FILE_CLEANUP_EVERY = 240

/** Returns the token of any admin, or undefined before setup. */
const createAdminToken = async (database: LocalDatabase): Promise<string | undefined> => {
  const admins = (await database.get('users', {
    orderBy: '"usertype"',
    equalTo: '"admin"',
    limitToFirst: '1',
  })) as Record<string, { mobile?: string }> | null
  const [admin] = Object.entries(admins ?? {})
  if (!admin) return undefined
  const [uid, { mobile }] = admin
  // The functions accept only a sign-in with the number of the record.
  return createUnsignedToken({ ...createClaims(uid), ...(mobile && { phone_number: mobile }) })
}

/** Runs maintenance now. Returns false when no admin exists to run it or it failed. */
export const runMaintenanceOnce = async (
  database: LocalDatabase,
  functionsUrl: string,
  { files = false } = {},
): Promise<boolean> => {
  const token = await createAdminToken(database)
  if (token === undefined) return false
  const response = await fetch(`${functionsUrl}/run_sweep`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Authorization: `Bearer ${token}`,
    },
    body: JSON.stringify({ data: { files } }),
  })
  return response.ok
}

/** Runs maintenance every 15 seconds until the returned function is called. */
export const startMaintenanceTimer = (
  database: LocalDatabase,
  functionsUrl: string,
): (() => void) => {
  let busy = false
  let runs = 0
  const timer = setInterval(() => {
    if (busy) return
    busy = true
    void runMaintenanceOnce(database, functionsUrl, { files: runs++ % FILE_CLEANUP_EVERY === 0 })
      // A suite that is stopping no longer responds.
      .catch(() => false)
      .finally(() => (busy = false))
  }, INTERVAL_MS)
  timer.unref()
  return () => clearInterval(timer)
}
