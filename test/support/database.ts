import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { initializeTestEnvironment } from '@firebase/rules-unit-testing'
import { setLogLevel } from 'firebase/app'
import type { Value } from '~/domain/booking/change'
import { startDatabase } from '~/emulator/src/server'

/** What a context of rules-unit-testing gives to work with. */
type Client = ReturnType<
  ReturnType<
    Awaited<ReturnType<typeof initializeTestEnvironment>>['unauthenticatedContext']
  >['database']
>

export interface TestDatabase {
  /** Where other processes find it: host:port and namespace. */
  address: { host: string; namespace: string }
  /** A client signed in with this uid, or not at all; the same one when asked again. */
  as(uid: string | null): Client
  /** Past the rules: replaces the whole database, or what is at one path. */
  put(value: Value, path?: string): Promise<void>
  /** Past the rules: what is at a path. */
  peek(path: string): Promise<unknown>
  stop(): Promise<void>
}

export const RULES = resolve(import.meta.dirname, '../../database.rules.json')

/** Whether the rules let a read or a write through; any other trouble is thrown. */
export const isAllowed = (deed: Promise<unknown>): Promise<boolean> =>
  deed.then(
    () => true,
    (error: unknown) => {
      if (/permission[_ ]denied/i.test(String(error))) return false
      throw error
    },
  )

const running = (): { host: string; port: number } | undefined => {
  const [host, port] = (process.env['FIREBASE_DATABASE_EMULATOR_HOST'] ?? '').split(':')
  return host && port ? { host, port: Number(port) } : undefined
}

/**
 * A database of its own under the product's rules: on the stand-in, or on the emulator that
 * FIREBASE_DATABASE_EMULATOR_HOST names, which must judge the same.
 */
export const startTestDatabase = async (rules?: string): Promise<TestDatabase> => {
  // Every refusal this suite asks for would otherwise be a warning on the console.
  setLogLevel('silent')
  const elsewhere = running()
  const standIn = elsewhere ? undefined : await startDatabase({ host: '127.0.0.1', port: 0 })
  const address = elsewhere ?? { host: '127.0.0.1', port: standIn?.port ?? 0 }
  const projectId = `demo-${randomUUID().slice(0, 8)}`
  const environment = await initializeTestEnvironment({
    projectId,
    database: { ...address, rules: rules ?? readFileSync(RULES, 'utf8') },
  })
  const clients = new Map<string | null, Client>()
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
    as(uid) {
      const known = clients.get(uid)
      if (known) return known
      const context =
        uid === null ? environment.unauthenticatedContext() : environment.authenticatedContext(uid)
      const client = context.database()
      clients.set(uid, client)
      return client
    },
    put: async (value, path = '') => void (await owner('PUT', path, JSON.stringify(value))),
    peek: (path) => owner('GET', path),
    async stop() {
      await environment.cleanup()
      await standIn?.close()
    },
  }
}
