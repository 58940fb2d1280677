import type { TestDatabase } from '../support/database'
import type { Row } from './row'
import { uidOf, world } from './world'

const isRefusal = (error: unknown): boolean =>
  error instanceof Error && /permission[_ ]denied/i.test(error.message)

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

/** Whether the database lets the row's person do it in a fresh world. */
export const attempt = async (database: TestDatabase, row: Row): Promise<boolean> => {
  // A read leaves no traces, so the world of the last reset still stands.
  if (row.does !== 'read' || row.given) await database.put(world())
  for (const [path, value] of Object.entries(row.given ?? {})) await database.put(value, path)
  try {
    await deed(database.as(uidOf(row.who)), row)
    return true
  } catch (error) {
    if (isRefusal(error)) return false
    throw error
  }
}
