import { isAllowed, type TestDatabase } from '../support/database'
import type { Row } from './row'
import { uidOf, world } from './world'

type Client = ReturnType<TestDatabase['as']>

const queryOf = (client: Client, { at, asked = {} }: Row) => {
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

const deed = async (client: Client, row: Row): Promise<unknown> => {
  const place = client.ref(row.at || '/')
  switch (row.does) {
    case 'read':
      return row.asked ? queryOf(client, row).get() : place.get()
    case 'set':
      return place.set(row.value)
    case 'update':
      return place.update(row.value as Record<string, unknown>)
    case 'remove':
      return place.remove()
  }
}

/** Databases that hold the world as it is before each attempt: a read or a refused write leaves it so. */
const untouched = new WeakSet<TestDatabase>()

/** Whether the database lets the row's person do it in a fresh world. */
export const attempt = async (database: TestDatabase, row: Row): Promise<boolean> => {
  if (!untouched.has(database)) await database.put(world())
  const given = Object.entries(row.given ?? {})
  for (const [path, value] of given) await database.put(value, path)
  untouched.delete(database)
  const allowed = await isAllowed(deed(database.as(uidOf(row.who)), row))
  if (given.length === 0 && (row.does === 'read' || !allowed)) untouched.add(database)
  return allowed
}
