import { startDatabase } from '../src/server'
import type { RunningDatabase } from '../src/server'

/**
 * Returns the database under test: its own stand-in, or the emulator that
 * FIREBASE_DATABASE_EMULATOR_HOST names. Both must respond alike.
 */
export const openTestServer = (): Promise<RunningDatabase> => {
  const [, port] = (process.env['FIREBASE_DATABASE_EMULATOR_HOST'] ?? '').split(':')
  if (port) return Promise.resolve({ port: Number(port), close: () => Promise.resolve() })
  return startDatabase({ host: '127.0.0.1', port: 0 })
}
