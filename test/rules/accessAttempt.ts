import { isAllowed, type TestDatabase } from '../support/testDatabase'
import type { AccessCase } from './accessCase'
import { getUid, createWorld } from './rulesFixtures'

type Client = ReturnType<TestDatabase['getClient']>

const createQuery = (client: Client, { at, asked = {} }: AccessCase) => {
  const { orderBy, startAt, endAt, equalTo, limitToFirst, limitToLast } = asked
  const place = client.ref(at || '/')
  let query = orderBy === undefined ? place.orderByKey() : place.orderByChild(orderBy)
  if (startAt !== undefined) query = query.startAt(startAt)
  if (endAt !== undefined) query = query.endAt(endAt)
  if (equalTo !== undefined) query = query.equalTo(equalTo)
  if (limitToFirst !== undefined) query = query.limitToFirst(limitToFirst)
  if (limitToLast !== undefined) query = query.limitToLast(limitToLast)
  return query
}

const performOperation = async (client: Client, row: AccessCase): Promise<unknown> => {
  const place = client.ref(row.at || '/')
  switch (row.does) {
    case 'read':
      return row.asked ? createQuery(client, row).get() : place.get()
    case 'set':
      return place.set(row.value)
    case 'update':
      return place.update(row.value as Record<string, unknown>)
    case 'remove':
      return place.remove()
  }
}

/**
 * Databases that still hold the initial data, because reads and refused writes leave it unchanged.
 */
const unchangedDatabases = new WeakSet<TestDatabase>()

/** Returns true when the database allows the row's attempt on fresh initial data. */
export const isAttemptAllowed = async (
  database: TestDatabase,
  row: AccessCase,
): Promise<boolean> => {
  if (!unchangedDatabases.has(database)) await database.put(createWorld())
  const given = Object.entries(row.given ?? {})
  for (const [path, value] of given) await database.put(value, path)
  unchangedDatabases.delete(database)
  const allowed = await isAllowed(performOperation(database.getClient(getUid(row.who)), row))
  if (given.length === 0 && (row.does === 'read' || !allowed)) unchangedDatabases.add(database)
  return allowed
}
