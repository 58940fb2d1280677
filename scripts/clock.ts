// Why: nothing in the Emulator Suite runs scheduled functions, so a local Kerbside asks for its sweep itself: unpaid bookings
// expire, drivers are looked for, later bookings are remembered.
import { PROJECT, type LocalDatabase } from './localDatabase'

const EVERY_MS = 15_000

const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')

/** An ID token as the Functions emulator, which checks no signatures, takes it for this uid. */
const tokenFor = (uid: string, now: number): string => {
  const seconds = Math.floor(now / 1000)
  const claims = {
    sub: uid,
    user_id: uid,
    aud: PROJECT,
    iss: `https://securetoken.google.com/${PROJECT}`,
    iat: seconds,
    exp: seconds + 3600,
    auth_time: seconds,
    firebase: { identities: {}, sign_in_provider: 'custom' },
  }
  return `${encoded({ alg: 'none', typ: 'JWT' })}.${encoded(claims)}.`
}

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
      Authorization: `Bearer ${tokenFor(uid, Date.now())}`,
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
