import { startDatabase } from '../../emulator/src/server'
import type { Database } from '../../emulator/src/server'

/**
 * The database that clients are tried on: a stand-in of its own, or the emulator of this machine that
 * FIREBASE_DATABASE_EMULATOR_HOST names, which must answer the same.
 */
export const openServer = (): Promise<Database> => {
  const [, port] = (process.env['FIREBASE_DATABASE_EMULATOR_HOST'] ?? '').split(':')
  if (port) return Promise.resolve({ port: Number(port), close: () => Promise.resolve() })
  return startDatabase({ host: '127.0.0.1', port: 0 })
}
