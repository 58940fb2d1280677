import {
  type Database,
  type Query as FirebaseQuery,
  type QueryConstraint,
  connectDatabaseEmulator,
  endAt,
  endBefore,
  equalTo,
  forceWebSockets,
  get,
  getDatabase,
  goOffline,
  goOnline,
  limitToFirst,
  limitToLast,
  onValue,
  orderByChild,
  orderByKey,
  push,
  query,
  ref,
  startAfter,
  startAt,
  update,
} from 'firebase/database'
import { loadConfig } from '../config'
import { lazySingleton } from '../lazySingleton'
import { type DatabasePort, type Query, ServiceError } from '../services'
import { subscribeAfter } from '../deferredSubscriptions'
import { getFirebaseApp } from './app'
import { getFirebaseAuth } from './auth'
import { type Listen, subscribeToFields } from './fieldSubscriptions'

const getFirebaseDatabase = lazySingleton(async (): Promise<Database> => {
  const { emulators } = await loadConfig()
  // Without this, the SDK falls back to long polling after a lost connection. The content security
  // policy blocks its scripts, so it would never reconnect.
  forceWebSockets()
  const database = getDatabase(await getFirebaseApp())
  if (emulators) connectDatabaseEmulator(database, emulators.database.host, emulators.database.port)
  // The rules would refuse a listener that starts before the session is restored.
  await (await getFirebaseAuth()).authStateReady()
  return database
})

/** Returns the query in the terms of the SDK. */
export const toFirebaseQuery = (database: Database, boundedQuery: Query): FirebaseQuery => {
  const bounds: QueryConstraint[] = []
  if (boundedQuery.orderBy === 'key') bounds.push(orderByKey())
  else if (boundedQuery.orderBy) bounds.push(orderByChild(boundedQuery.orderBy.child))
  if (boundedQuery.equalTo !== undefined) bounds.push(equalTo(boundedQuery.equalTo))
  if (boundedQuery.startAt !== undefined) bounds.push(startAt(boundedQuery.startAt))
  if (boundedQuery.startAfter !== undefined)
    bounds.push(startAfter(boundedQuery.startAfter, boundedQuery.startAfterKey))
  if (boundedQuery.endAt !== undefined) bounds.push(endAt(boundedQuery.endAt))
  if (boundedQuery.endBefore !== undefined)
    bounds.push(endBefore(boundedQuery.endBefore, boundedQuery.endBeforeKey))
  if (boundedQuery.limitToFirst !== undefined) bounds.push(limitToFirst(boundedQuery.limitToFirst))
  if (boundedQuery.limitToLast !== undefined) bounds.push(limitToLast(boundedQuery.limitToLast))
  return query(ref(database, boundedQuery.path), ...bounds)
}

/** Returns the function that subscribes to the value at one path. */
export const toListen =
  (database: Database): Listen =>
  (path, onPart, onHidden) =>
    onValue(ref(database, path), (snapshot) => onPart(snapshot.val()), onHidden)

const toServiceError = (error: unknown, path: string): ServiceError => {
  const message = error instanceof Error ? error.message : String(error)
  const denied = /permission.denied/i.test(message)
  return new ServiceError(
    denied ? 'permission-denied' : 'unavailable',
    denied ? 'not_allowed' : 'unavailable',
    // The first segment is enough to find the listener and contains no personal id.
    `${path.split('/')[0]}: ${message.split(' at /')[0]}`,
  )
}

/** Returns the keys at a publicly readable path, without their values. */
const fetchKeys = async (path: string): Promise<string[]> => {
  const where = new URL((await loadConfig()).firebase.databaseURL)
  where.pathname = `/${path}.json`
  // The SDK has no shallow queries.
  where.searchParams.set('shallow', 'true')
  const response = await fetch(where)
  if (!response.ok) throw new Error(`the database returned status ${response.status}`)
  return Object.keys(((await response.json()) ?? {}) as object)
}

export const databasePort: DatabasePort = {
  subscribe: (boundedQuery, onChange, onError) => {
    const { path, records } = boundedQuery
    const fail = (error: unknown) => onError(toServiceError(error, path))
    return subscribeAfter(
      Promise.all([
        getFirebaseDatabase(),
        records?.keys === 'all' ? fetchKeys(path) : (records?.keys ?? []),
      ]),
      ([database, keys]) => {
        if (records)
          return subscribeToFields(
            toListen(database),
            path,
            { keys, fields: records.fields },
            onChange,
          )
        return onValue(
          toFirebaseQuery(database, boundedQuery),
          (snapshot) => onChange(snapshot.val()),
          fail,
        )
      },
      fail,
    )
  },
  async read(boundedQuery) {
    const database = await getFirebaseDatabase()
    const snapshot = await get(toFirebaseQuery(database, boundedQuery)).catch((error: unknown) => {
      throw toServiceError(error, boundedQuery.path)
    })
    return snapshot.val() as unknown
  },
  async update(changes) {
    const database = await getFirebaseDatabase()
    await update(ref(database), changes).catch((error: unknown) => {
      throw toServiceError(error, Object.keys(changes)[0] ?? '')
    })
  },
  async newKey() {
    const { key } = push(ref(await getFirebaseDatabase(), 'bookings'))
    if (!key) throw new ServiceError('internal', 'unavailable')
    return key
  },
  subscribeToConnection: (onChange) =>
    subscribeAfter(
      getFirebaseDatabase(),
      (database) => onValue(ref(database, '.info/connected'), (s) => onChange(s.val() === true)),
      () => onChange(false),
    ),
  async reconnect() {
    const database = await getFirebaseDatabase()
    goOffline(database)
    goOnline(database)
  },
}
