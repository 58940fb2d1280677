import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { initializeTestEnvironment } from '@firebase/rules-unit-testing'
import { setLogLevel } from 'firebase/app'
import { deleteApp } from 'firebase-admin/app'
import { vi } from 'vitest'
import type { DatabaseValue } from '~/domain/data/databaseValue'
import { startDatabase } from '~/emulator/src/server'
import { getFirebaseApp } from '~/functions/src/adapters/firebase/firebaseDatabase'

/** The database client that a rules-unit-testing context returns. */
type Client = ReturnType<
  ReturnType<
    Awaited<ReturnType<typeof initializeTestEnvironment>>['unauthenticatedContext']
  >['database']
>

export interface TestDatabase {
  /** The address for other processes: host:port and namespace. */
  address: { host: string; namespace: string }
  /**
   * Returns a client signed in with this uid, or signed out for null; the same client each time.
   */
  getClient(uid: string | null): Client
  /** Replaces the whole database, or the value at one path, past the rules. */
  put(value: DatabaseValue, path?: string): Promise<void>
  /** Reads the value at a path, past the rules. */
  read(path: string): Promise<unknown>
  /** Makes the functions' database port of this process use this database until it stops. */
  connectFunctions(): void
  stop(): Promise<void>
}

export const PRODUCT_RULES = resolve(import.meta.dirname, '../../database.rules.json')

/** Returns true when the rules allow a read or a write; throws on any other error. */
export const isAllowed = (access: Promise<unknown>): Promise<boolean> =>
  access.then(
    () => true,
    (error: unknown) => {
      if (/permission[_ ]denied/i.test(String(error))) return false
      throw error
    },
  )

const getRunningEmulator = (): { host: string; port: number } | undefined => {
  const [host, port] = (process.env['FIREBASE_DATABASE_EMULATOR_HOST'] ?? '').split(':')
  return host && port ? { host, port: Number(port) } : undefined
}

/**
 * Starts a separate database with the product's rules: on the stand-in, or on the emulator that
 * FIREBASE_DATABASE_EMULATOR_HOST names. Both must decide alike.
 */
export const startTestDatabase = async (rules?: string): Promise<TestDatabase> => {
  // Otherwise the console would show a warning for each expected refusal.
  setLogLevel('silent')
  const elsewhere = getRunningEmulator()
  const standIn = elsewhere ? undefined : await startDatabase({ host: '127.0.0.1', port: 0 })
  const address = elsewhere ?? { host: '127.0.0.1', port: standIn?.port ?? 0 }
  const projectId = `demo-${randomUUID().slice(0, 8)}`
  const environment = await initializeTestEnvironment({
    projectId,
    database: { ...address, rules: rules ?? readFileSync(PRODUCT_RULES, 'utf8') },
  })
  const clients = new Map<string | null, Client>()
  let isConnected = false
  const owner = async (method: string, path: string, body?: string): Promise<unknown> => {
    const place = `http://${address.host}:${address.port}/${path}.json?ns=${projectId}`
    const answer = await fetch(place, {
      method,
      headers: { Authorization: 'Bearer owner', 'Content-Type': 'application/json' },
      ...(body !== undefined && { body }),
    })
    if (!answer.ok) throw new Error(`${method} /${path}: ${await answer.text()}`)
    return answer.json()
  }
  return {
    address: { host: `${address.host}:${address.port}`, namespace: projectId },
    getClient(uid) {
      const known = clients.get(uid)
      if (known) return known
      const context =
        uid === null ? environment.unauthenticatedContext() : environment.authenticatedContext(uid)
      const client = context.database()
      clients.set(uid, client)
      return client
    },
    put: async (value, path = '') => void (await owner('PUT', path, JSON.stringify(value))),
    read: (path) => owner('GET', path),
    connectFunctions() {
      const host = `${address.host}:${address.port}`
      isConnected = true
      vi.stubEnv('FIREBASE_DATABASE_EMULATOR_HOST', host)
      vi.stubEnv(
        'FIREBASE_CONFIG',
        JSON.stringify({ projectId, databaseURL: `http://${host}?ns=${projectId}` }),
      )
    },
    async stop() {
      if (isConnected) {
        await deleteApp(getFirebaseApp())
        vi.unstubAllEnvs()
      }
      await environment.cleanup()
      await standIn?.close()
    },
  }
}
