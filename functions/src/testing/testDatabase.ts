// The Realtime Database in process with the product's rules. Deployed code never imports this file.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { DatabaseValue } from '~/domain/data/databaseValue'
import { FUNCTIONS_UID } from '~/domain/data/databasePaths'
import { withDirectory } from '~/domain/accounts/directory'
import { checkWritesAllowed, SCHEMA_VERSION, type SchemaNode } from '~/domain/data/schemaVersion'
import { NOON } from '~/domain/testing/builders'
import { addDerivedData } from '~/domain/testing/derivedData'
import { createDatabase, type ListQuery, RequestError } from '~/emulator/src/inProcess'
import { DomainException } from '../domainException'
import { WriteConflictError } from '../ports/database'
import type { DatabasePort, Query } from '../ports/database'

export interface TestDatabase extends DatabasePort {
  /** Returns the value at a path, for assertions. */
  at(path: string): unknown
  /** Writes paths past the rules, for the start of a test and for writes by other programs. */
  put(updates: Readonly<Record<string, DatabaseValue>>): void
  /** Returns the number of committed updates. */
  getCommitCount(): number
}

let rules: string | undefined
/** Reads the rules on first use: a bundled test process has no such file beside it. */
const readRules = () =>
  (rules ??= readFileSync(resolve(import.meta.dirname, '../../../database.rules.json'), 'utf8'))

const toListQuery = (query: Query): ListQuery => {
  const { by, equalTo, startAt, afterKey, afterValue = equalTo, endAt, first, last } = query
  const position = afterValue === undefined ? afterKey : { value: afterValue, key: afterKey ?? '' }
  return {
    orderBy: by,
    ...(equalTo !== undefined && { equalTo }),
    ...(startAt !== undefined && { startAt }),
    ...(afterKey !== undefined && position !== undefined && { startAfter: position }),
    ...(endAt !== undefined && { endAt }),
    ...(first !== undefined && { limitToFirst: first }),
    ...(last !== undefined && { limitToLast: last }),
  }
}

/**
 * Creates the functions' connection to a database for handler tests. The rules check each write, as
 * they do in production. `now` is the rules' time in ms.
 */
export const createTestDatabase = (
  start: object = {},
  { now = () => NOON }: { now?: () => number } = {},
): TestDatabase => {
  const database = createDatabase({ rules: readRules(), now, data: addDerivedData(start) })
  const admin = database.asAdmin()
  const client = database.as({ uid: FUNCTIONS_UID, schema: SCHEMA_VERSION })
  let commits = 0
  return {
    at: (path) => admin.get(path),
    put: (updates) => admin.update('', withDirectory(updates)),
    getCommitCount: () => commits,
    read: async <T>(path: string) => client.get(path) as T | null,
    list: async <T>(path: string, query: Query) =>
      client.list(path, toListQuery(query)) as [string, T][],
    update: async (updates) => {
      try {
        client.update('', withDirectory(updates))
        commits += 1
      } catch (error) {
        if (!(error instanceof RequestError) || error.status !== 'permission_denied') throw error
        const refused = checkWritesAllowed(admin.get('schema') as SchemaNode | null, now())
        if (refused && admin.get('settings/appName') !== null) throw new DomainException(refused)
        throw new WriteConflictError({ cause: error })
      }
    },
  }
}
