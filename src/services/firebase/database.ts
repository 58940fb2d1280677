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
import { type DatabasePort, type Query, ServiceError, type Stop } from '../services'
import { firebaseApp } from './app'
import { firebaseAuth } from './auth'
import { listenToEither, listenToParts } from './listening'

let wanted: Promise<Database> | undefined

const open = async (): Promise<Database> => {
  const { emulators } = await config()
  // After a lost connection the SDK would go on by long polling, which loads scripts the pages' policy refuses: it
  // would never come back.
  forceWebSockets()
  const database = getDatabase(await firebaseApp())
  if (emulators) connectDatabaseEmulator(database, emulators.database.host, emulators.database.port)
  // A listener opened before the session is restored would be refused as a visitor's.
  await (await firebaseAuth()).authStateReady()
  return database
}
const firebaseDatabase = () => (wanted ??= open())

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

/** Starts once what it needs is there, unless it was stopped before. */
const startWith = <Needed>(
  needed: Promise<Needed>,
  start: (value: Needed) => Stop,
  onError: (error: unknown) => void,
): Stop => {
  let stopped = false
  let stop: Stop = () => {}
  needed.then((value) => {
    if (!stopped) stop = start(value)
  }, onError)
  return () => {
    stopped = true
    stop()
  }
}

const listen = (start: (database: Database) => Stop, onError: (error: unknown) => void): Stop =>
  startWith(firebaseDatabase(), start, onError)

export const databasePort: DatabasePort = {
  live: (asked, onChange, onError) => {
    const fail = (error: unknown) => onError(refused(error, asked.path))
    const { records } = asked
    if (records?.keys === 'all') {
      const { fields } = records
      return startWith(
        databasePort.keys(asked.path),
        (keys) => databasePort.live({ ...asked, records: { keys, fields } }, onChange, onError),
        fail,
      )
    }
    return listen((database) => {
      if (records && records.keys !== 'all')
        return listenToParts(database, asked.path, { ...records, keys: records.keys }, onChange)
      const { orElse } = asked
      const other = orElse ? toFirebase(database, { ...asked, path: orElse }) : undefined
      return listenToEither(toFirebase(database, asked), other, onChange, fail)
    }, fail)
  },
  async once(asked) {
    const database = await firebaseDatabase()
    const snapshot = await get(toFirebase(database, asked)).catch((error: unknown) => {
      throw refused(error, asked.path)
    })
    return snapshot.val() as unknown
  },
  async keys(path) {
    const where = new URL((await config()).firebase.databaseURL)
    where.pathname = `/${path}.json`
    // The SDK knows no shallow question.
    where.searchParams.set('shallow', 'true')
    const response = await fetch(where).catch((error: unknown) => {
      throw refused(error, path)
    })
    if (!response.ok) throw refused(`answered ${response.status}`, path)
    return Object.keys(((await response.json()) ?? {}) as object)
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
    listen(
      (database) => onValue(ref(database, '.info/connected'), (s) => onChange(s.val() === true)),
      () => onChange(false),
    ),
}
