import type { DatabaseClient, InProcessDatabase, ListQuery } from '~/emulator/src/inProcess'
import { RequestError } from '~/emulator/src/inProcess'
import { subscribeToFields } from '../firebase/fieldSubscriptions'
import { type DatabasePort, type Query, ServiceError, type Unsubscribe } from '../services'

/** Returns the query in the terms of the database; null for a whole node. */
const toListQuery = (query: Query): ListQuery | null => {
  const { orderBy, startAfter, startAfterKey, endBefore, endBeforeKey } = query
  const { equalTo, startAt, endAt, limitToFirst, limitToLast } = query
  if (!orderBy && limitToFirst === undefined && limitToLast === undefined) return null
  const position = (value: string | number | boolean, key: string | undefined) =>
    key === undefined ? value : { value, key }
  return {
    orderBy: typeof orderBy === 'object' ? orderBy.child : '$key',
    ...(equalTo !== undefined && { equalTo }),
    ...(startAt !== undefined && { startAt }),
    ...(startAfter !== undefined && { startAfter: position(startAfter, startAfterKey) }),
    ...(endAt !== undefined && { endAt }),
    ...(endBefore !== undefined && { endBefore: position(endBefore, endBeforeKey) }),
    ...(limitToFirst !== undefined && { limitToFirst }),
    ...(limitToLast !== undefined && { limitToLast }),
  }
}

const toRecord = (rows: [key: string, value: unknown][]) =>
  rows.length > 0 ? Object.fromEntries(rows) : null

const read = (client: DatabaseClient, query: Query): unknown => {
  const list = toListQuery(query)
  return list ? toRecord(client.list(query.path, list)) : client.get(query.path)
}

/**
 * Returns a refusal of the rules as the app sees it. Any other error, such as a missing index, is a
 * mistake that must fail the test.
 */
const toRefusal = (error: unknown, path: string): ServiceError => {
  if (!(error instanceof RequestError) || error.status !== 'permission_denied') throw error
  return new ServiceError(
    'permission-denied',
    'not_allowed',
    `${path.split('/')[0]}: ${error.message}`,
  )
}

/** Throws for an undefined value, as the SDK does: JSON would drop it and hide the mistake. */
const refuseUndefined = (value: unknown, path: string) => {
  if (value === undefined) throw new Error(`The update contains undefined at ${path}`)
  if (value === null || typeof value !== 'object') return
  for (const [key, child] of Object.entries(value)) refuseUndefined(child, `${path}/${key}`)
}

type MemoryDatabasePort = Pick<
  DatabasePort,
  'subscribe' | 'read' | 'update' | 'newKey' | 'reconnect'
>

/** Returns the app's connection to a database in process, as the user who is signed in. */
export const createMemoryDatabasePort = (
  database: InProcessDatabase,
  { getUid, serverTimeOffset }: { getUid: () => string | null; serverTimeOffset: number },
): { port: MemoryDatabasePort; checkSubscriptions: () => void } => {
  const connect = (): DatabaseClient => {
    const uid = getUid()
    return uid === null ? database.as(null) : database.asUser(uid)
  }
  const subscriptions = new Set<() => void>()
  let keys = 0

  const listen = (
    query: Query,
    onValue: (value: unknown) => void,
    onError: (error: ServiceError) => void,
  ): Unsubscribe => {
    const { path, records } = query
    const client = connect()
    const onRevoked = () =>
      onError(new ServiceError('permission-denied', 'not_allowed', `${path}: revoked`))
    try {
      if (records) {
        // As with the SDK, which reads the keys without a user.
        const storedRecords = records.keys === 'all' ? database.as(null).get(path) : null
        return subscribeToFields(
          (at, onPart, onHidden) => listen({ path: at }, onPart, onHidden),
          path,
          {
            keys: records.keys === 'all' ? Object.keys(storedRecords ?? {}) : records.keys,
            fields: records.fields,
          },
          onValue,
        )
      }
      if (path === '.info/serverTimeOffset') {
        onValue(serverTimeOffset)
        return () => undefined
      }
      const list = toListQuery(query)
      return list
        ? client.listenToList(path, list, (rows) => onValue(toRecord(rows)), onRevoked)
        : client.listen(path, onValue, onRevoked)
    } catch (error) {
      onError(toRefusal(error, path))
      return () => undefined
    }
  }

  const port: MemoryDatabasePort = {
    subscribe(query, onValue, onError) {
      let sentText: string | undefined
      let stop: Unsubscribe = () => undefined
      const end = () => {
        subscriptions.delete(open)
        stop()
      }
      const open = () => {
        if (!subscriptions.has(open)) return
        stop()
        stop = () => undefined
        stop = listen(
          query,
          (value) => {
            const text = JSON.stringify(value)
            if (text === sentText) return
            sentText = text
            onValue(JSON.parse(text))
          },
          (error) => {
            end()
            onError(error)
          },
        )
        // A refusal or a callback can end the subscription before `listen` returns.
        if (!subscriptions.has(open)) stop()
      }
      subscriptions.add(open)
      // A database never answers before `subscribe` returns.
      queueMicrotask(open)
      return end
    },
    async read(query) {
      try {
        return read(connect(), query)
      } catch (error) {
        throw toRefusal(error, query.path)
      }
    },
    async update(changes) {
      refuseUndefined(changes, '')
      try {
        connect().update('', changes)
      } catch (error) {
        throw toRefusal(error, Object.keys(changes)[0] ?? '')
      }
    },
    // Like a real key, it sorts after the earlier ones, which are those of the seed.
    newKey: async () => `-zMemory${String(++keys).padStart(12, '0')}`,
    reconnect: async () => {},
  }
  return {
    port,
    /** Subscribes again as the present user; the rules may refuse what they allowed before. */
    checkSubscriptions: () => {
      for (const open of [...subscriptions]) queueMicrotask(open)
    },
  }
}
