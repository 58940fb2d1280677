import { getApps, initializeApp } from 'firebase-admin/app'
import type { App } from 'firebase-admin/app'
import { getDatabase } from 'firebase-admin/database'
import { withDirectory } from '~/domain/accounts/directory'
import { FUNCTIONS_UID } from '~/domain/data/databasePaths'
import {
  SCHEMA_VERSION,
  schemaPaths,
  checkWritesAllowed,
  type SchemaNode,
} from '~/domain/data/schemaVersion'
import { DomainException } from '../../domainException'
import { WriteConflictError } from '../../ports/database'
import type { DatabasePort, Query } from '../../ports/database'
import { createSharedReads } from './sharedReads'

/**
 * Returns the database URL and bucket of an emulated project. The emulators' default names are an
 * old kind that new projects do not get.
 */
const getEmulatorOptions = (): { databaseURL?: string; storageBucket?: string } => {
  const { FIREBASE_DATABASE_EMULATOR_HOST: host, GCLOUD_PROJECT: project } = process.env
  if (!host || !project) return {}
  return {
    databaseURL: `http://${host}?ns=${project}-default-rtdb`,
    storageBucket: `${project}.firebasestorage.app`,
  }
}

const APP_NAME = 'kerbside'

/**
 * Opens the Admin SDK's app as `FUNCTIONS_UID`. The rules also check the functions, which makes
 * one `update()` a compare-and-set, and they compare `schema` with the version of the data. Project
 * and addresses come from FIREBASE_CONFIG and the emulators' variables. The app has its own name,
 * because the functions SDK also opens an app, which bypasses the rules.
 */
export const getFirebaseApp = (): App =>
  getApps().find(({ name }) => name === APP_NAME) ??
  initializeApp(
    {
      ...(JSON.parse(process.env.FIREBASE_CONFIG ?? '{}') as Record<string, string>),
      ...getEmulatorOptions(),
      databaseAuthVariableOverride: { uid: FUNCTIONS_UID, schema: SCHEMA_VERSION },
    },
    APP_NAME,
  )

const isPermissionDenied = (error: unknown) =>
  error instanceof Error &&
  /permission_denied/i.test(`${error.message} ${String(Reflect.get(error, 'code'))}`)

/**
 * Tracks the writes of this process that the database has not yet confirmed. The SDK answers a read
 * from such a write before the rules accept it. Without this, a call could find its own entry,
 * report success, and have the entry refused a moment later.
 */
const createPendingWrites = () => {
  const writes = new Map<Promise<void>, readonly string[]>()
  /** Reads without an answer, and whether a write of their place has begun since. */
  const reads = new Set<{ place: string; isDisturbed: boolean }>()
  const isWritten = (place: string, paths: readonly string[]) =>
    paths.some((path) => place === path || place.startsWith(`${path}/`))
  /** Resolves when no write is pending at the place or above it. */
  const waitForWrites = async (place: string): Promise<void> => {
    for (;;) {
      const pending = [...writes].filter(([, paths]) => isWritten(place, paths))
      if (pending.length === 0) return
      await Promise.all(pending.map(([settled]) => settled))
    }
  }
  return {
    async trackWrite(paths: readonly string[], write: Promise<void>): Promise<void> {
      const settled = write.catch(() => undefined)
      writes.set(settled, paths)
      for (const read of reads) if (isWritten(read.place, paths)) read.isDisturbed = true
      try {
        await write
      } finally {
        writes.delete(settled)
      }
    },
    /** Reads a place, and again when a write of it began before the answer came. */
    async readConfirmed<T>(place: string, send: () => Promise<T>): Promise<T> {
      for (;;) {
        await waitForWrites(place)
        const read = { place, isDisturbed: false }
        reads.add(read)
        try {
          const value = await send()
          if (!read.isDisturbed) return value
        } finally {
          reads.delete(read)
        }
      }
    },
  }
}

/** Places that every booking event reads and few ever write. */
const SHARED_PLACES = /^(settings|cartypes\/[^/]+)$/

/** Creates the Realtime Database port on the Admin SDK. It connects on first use. */
export const createFirebaseDatabase = (): DatabasePort => {
  const root = () => getDatabase(getFirebaseApp()).ref()
  const isSetUp = async () => (await root().child('settings/appName').get()).exists()
  const writes = createPendingWrites()
  const readShared = createSharedReads()
  return {
    async read<T>(path: string) {
      const send = async () => (await root().child(path).get()).val() as T | null
      return writes.readConfirmed(path, () =>
        SHARED_PLACES.test(path) ? readShared(path, send) : send(),
      )
    },
    async list<T>(path: string, queried: Query) {
      const { by, equalTo, startAt, afterKey, afterValue, endAt, first, last } = queried
      const ref = root().child(path)
      let query = by === '$key' ? ref.orderByKey() : ref.orderByChild(by)
      if (afterKey !== undefined && equalTo !== undefined) {
        query = query.startAfter(equalTo, afterKey).endAt(equalTo)
      } else if (equalTo !== undefined) query = query.equalTo(equalTo)
      else if (afterKey !== undefined && afterValue !== undefined) {
        query = query.startAfter(afterValue, afterKey)
      } else if (afterKey !== undefined) query = query.startAfter(afterKey)
      else if (startAt !== undefined) query = query.startAt(startAt)
      if (endAt !== undefined) query = query.endAt(endAt)
      if (first !== undefined) query = query.limitToFirst(first)
      if (last !== undefined) query = query.limitToLast(last)
      return writes.readConfirmed(path, async () => {
        const rows: [string, T][] = []
        ;(await query.get()).forEach((child) => {
          if (child.key !== null) rows.push([child.key, child.val() as T])
        })
        return rows
      })
    },
    async update(updates) {
      const all = withDirectory(updates)
      const write = () => writes.trackWrite(Object.keys(all), root().update(all))
      try {
        await write()
      } catch (error) {
        if (!isPermissionDenied(error)) throw error
        // A retry helps after a race, but not while the database is closed or has another schema
        // version.
        const schema = (await root().child(schemaPaths.root).get()).val() as SchemaNode | null
        const refused = checkWritesAllowed(schema, Date.now())
        if (refused && (await isSetUp())) throw new DomainException(refused)
        // The database may have been closed until now. Safe because the rules refuse the same write
        // again after a race.
        await write().catch((cause: unknown) => {
          throw isPermissionDenied(cause) ? new WriteConflictError({ cause }) : cause
        })
      }
    },
  }
}
