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
  limitToFirst,
  limitToLast,
  onValue,
  orderByChild,
  orderByKey,
  push,
  query,
  ref,
  startAt,
  update,
} from 'firebase/database'
import { config } from '../config'
import { onceMade } from '../onceMade'
import { type DatabasePort, type Query, ServiceError } from '../services'
import { startWith } from '../starting'
import { firebaseApp } from './app'
import { firebaseAuth } from './auth'
import { listenToEither, listenToParts } from './listening'

const firebaseDatabase = onceMade(async (): Promise<Database> => {
  const { emulators } = await config()
  // After a lost connection the SDK would go on by long polling, which loads scripts the pages' policy refuses: it
  // would never come back.
  forceWebSockets()
  const database = getDatabase(await firebaseApp())
  if (emulators) connectDatabaseEmulator(database, emulators.database.host, emulators.database.port)
  // A listener opened before the session is restored would be refused as a visitor's.
  await (await firebaseAuth()).authStateReady()
  return database
})

const toFirebase = (database: Database, asked: Query): FirebaseQuery => {
  const bounds: QueryConstraint[] = []
  if (asked.orderBy === 'key') bounds.push(orderByKey())
  else if (asked.orderBy) bounds.push(orderByChild(asked.orderBy.child))
  if (asked.equalTo !== undefined) bounds.push(equalTo(asked.equalTo))
  if (asked.startAt !== undefined) bounds.push(startAt(asked.startAt))
  if (asked.endAt !== undefined) bounds.push(endAt(asked.endAt))
  if (asked.endBefore !== undefined) bounds.push(endBefore(asked.endBefore, asked.endBeforeKey))
  if (asked.limitToFirst !== undefined) bounds.push(limitToFirst(asked.limitToFirst))
  if (asked.limitToLast !== undefined) bounds.push(limitToLast(asked.limitToLast))
  return query(ref(database, asked.path), ...bounds)
}

const refused = (error: unknown, path: string): ServiceError => {
  const message = error instanceof Error ? error.message : String(error)
  const denied = /permission.denied/i.test(message)
  return new ServiceError(
    denied ? 'permission-denied' : 'unavailable',
    denied ? 'not_allowed' : 'unavailable',
    // The first segment is enough to find the listener, and holds nobody's id.
    `${path.split('/')[0]}: ${message.split(' at /')[0]}`,
  )
}

/** The names of what lies at a path that everybody may read, without what it holds. */
const keysAt = async (path: string): Promise<string[]> => {
  const where = new URL((await config()).firebase.databaseURL)
  where.pathname = `/${path}.json`
  // The SDK knows no shallow question.
  where.searchParams.set('shallow', 'true')
  const response = await fetch(where)
  if (!response.ok) throw new Error(`answered ${response.status}`)
  return Object.keys(((await response.json()) ?? {}) as object)
}

export const databasePort: DatabasePort = {
  live: (asked, onChange, onError) => {
    const { path, records, orElse } = asked
    const fail = (error: unknown) => onError(refused(error, path))
    return startWith(
      Promise.all([
        firebaseDatabase(),
        records?.keys === 'all' ? keysAt(path) : (records?.keys ?? []),
      ]),
      ([database, keys]) => {
        if (records)
          return listenToParts(database, path, { keys, fields: records.fields }, onChange)
        const other = orElse ? toFirebase(database, { ...asked, path: orElse }) : undefined
        return listenToEither(toFirebase(database, asked), other, onChange, fail)
      },
      fail,
    )
  },
  async once(asked) {
    const database = await firebaseDatabase()
    const snapshot = await get(toFirebase(database, asked)).catch((error: unknown) => {
      throw refused(error, asked.path)
    })
    return snapshot.val() as unknown
  },
  async update(changes) {
    const database = await firebaseDatabase()
    await update(ref(database), changes).catch((error: unknown) => {
      throw refused(error, Object.keys(changes)[0] ?? '')
    })
  },
  async newKey() {
    const { key } = push(ref(await firebaseDatabase(), 'bookings'))
    if (!key) throw new ServiceError('internal', 'unavailable')
    return key
  },
  connected: (onChange) =>
    startWith(
      firebaseDatabase(),
      (database) => onValue(ref(database, '.info/connected'), (s) => onChange(s.val() === true)),
      () => onChange(false),
    ),
}
