import { getApps, initializeApp } from 'firebase-admin/app'
import type { App } from 'firebase-admin/app'
import { getDatabase } from 'firebase-admin/database'
import { withListing } from '~/domain/listing'
import { SERVER_UID } from '~/domain/paths'
import { Conflict } from './database'
import type { DatabasePort, Query } from './database'

/** The emulators' own guesses at a demo project's names are the old kind, not what a new project gets. */
const emulated = (): { databaseURL?: string; storageBucket?: string } => {
  const { FIREBASE_DATABASE_EMULATOR_HOST: host, GCLOUD_PROJECT: project } = process.env
  if (!host || !project) return {}
  return {
    databaseURL: `http://${host}?ns=${project}-default-rtdb`,
    storageBucket: `${project}.firebasestorage.app`,
  }
}

const NAME = 'kerbside'

/**
 * The Admin SDK's app, opened as `kerbside-server`: the rules check the functions too, which makes
 * one `update()` a compare-and-set. Project and addresses come from FIREBASE_CONFIG and the
 * emulators' variables. It has a name of its own, because the functions SDK opens an app too, past the rules.
 */
export const firebaseApp = (): App =>
  getApps().find(({ name }) => name === NAME) ??
  initializeApp(
    {
      ...(JSON.parse(process.env.FIREBASE_CONFIG ?? '{}') as Record<string, string>),
      ...emulated(),
      databaseAuthVariableOverride: { uid: SERVER_UID },
    },
    NAME,
  )

const isRefusedByRules = (error: unknown) =>
  error instanceof Error &&
  /permission_denied/i.test(`${error.message} ${String(Reflect.get(error, 'code'))}`)

/** The Realtime Database through the Admin SDK; it connects at the first use. */
export const firebaseDatabase = (): DatabasePort => {
  const root = () => getDatabase(firebaseApp()).ref()
  return {
    async read<T>(path: string) {
      return (await root().child(path).get()).val() as T | null
    },
    async list<T>(path: string, asked: Query) {
      const { by, equalTo, startAt, afterKey, afterValue, endAt, first, last } = asked
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
      const rows: [string, T][] = []
      ;(await query.get()).forEach((child) => {
        if (child.key !== null) rows.push([child.key, child.val() as T])
      })
      return rows
    },
    async update(updates) {
      try {
        await root().update(withListing(updates))
      } catch (error) {
        throw isRefusedByRules(error) ? new Conflict({ cause: error }) : error
      }
    },
  }
}
