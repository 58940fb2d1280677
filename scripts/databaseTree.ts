import { readFile } from 'node:fs/promises'
import type { DatabaseTree } from '~/domain/invariants'
import { localDatabase } from './localDatabase'
import { runningPorts } from './ports'
import { projectDatabase, type ProjectDatabase } from './projectDatabase'
import { urlsOf } from './suiteConfig'

/** The parts the invariants are about; whole branches, because a total is checked against everything it counts. */
const PARTS = [
  'settings',
  'users',
  'bookings',
  'promos',
  'promo_uses',
  'driver_tasks',
  'busy_drivers',
  'withdraws',
  'stats',
  'payments',
  'payment_events',
] as const satisfies (keyof DatabaseTree)[]

const ofProject = async ({ url, headers }: ProjectDatabase): Promise<DatabaseTree> => {
  const read = async (part: string): Promise<[string, unknown]> => {
    const response = await fetch(new URL(`${part}.json`, url), { headers })
    if (!response.ok) throw new Error(`The database refused to show /${part}: ${response.status}`)
    return [part, (await response.json()) ?? undefined]
  }
  return Object.fromEntries(await Promise.all(PARTS.map(read))) as DatabaseTree
}

/**
 * The database to verify: an exported file, a project (KERBSIDE_DATABASE_URL and KERBSIDE_ACCESS_TOKEN), or the local suite.
 * A busy project moves while it is read in parts: verify an export, or a quiet hour.
 */
export const databaseTree = async (
  file: string | undefined,
  env: NodeJS.ProcessEnv,
): Promise<DatabaseTree> => {
  if (file !== undefined) return JSON.parse(await readFile(file, 'utf8')) as DatabaseTree
  const project = projectDatabase(env)
  if (project) return ofProject(project)
  const database = localDatabase(urlsOf(await runningPorts(env)).database)
  return ((await database.get('')) ?? {}) as DatabaseTree
}
