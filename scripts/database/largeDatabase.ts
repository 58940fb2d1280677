import type { StoredRecord } from '~/domain/migrations/migration'
import type { RestDatabase } from './restDatabase'

/** Collections of a fixed size. */
const FIXED_COLLECTIONS: readonly string[] = ['settings', 'languages', 'cartypes', 'cancel_reason', 'promos', 'notifications'] // prettier-ignore
/** Collections that a migration builds from the others. */
const DERIVED_COLLECTIONS: readonly string[] = ['schema', 'people', 'stats', 'booking_refs']
/** Matches keys of bookings and of their parts, and the uids of the demo city. */
const ID_PATTERN = /-[OP][0-9A-Za-z_-]{18}|\b(?:demo|seed)-(?:rider|driver-pending|driver|fleetadmin|admin)(?:-\d+)?/g // prettier-ignore
/** Maximum size of one update in bytes. */
const MAX_UPDATE_BYTES = 2 * 1024 * 1024

export interface LargeDatabaseOptions {
  minBookings: number
  /** Length of a text that makes each booking larger; 0 by default. */
  instructionsLength?: number
}

/**
 * Fills an empty database with copies of a city's bookings, people, wallets, tracks and inboxes
 * under other ids, until it has at least `minBookings` bookings. Every copy is whole, because its
 * data must agree. Leaves out totals and the directory, as in data of the first release. Returns
 * the number of bookings.
 */
export const fillLargeDatabase = async (
  db: RestDatabase,
  city: StoredRecord,
  { minBookings, instructionsLength = 0 }: LargeDatabaseOptions,
  progress: (writtenCount: number) => void = () => undefined,
): Promise<number> => {
  const collections = Object.entries(city).filter(([name]) => !DERIVED_COLLECTIONS.includes(name))
  const copied = JSON.stringify(
    Object.fromEntries(collections.filter(([name]) => !FIXED_COLLECTIONS.includes(name))),
  )
  const each = Object.keys((city.bookings ?? {}) as object).length
  const copies = Math.ceil(minBookings / each)
  await db.put(
    '',
    Object.fromEntries(collections.filter(([name]) => FIXED_COLLECTIONS.includes(name))),
  )
  const uses = Object.entries((city.promo_uses ?? {}) as Record<string, object>)
  for (const id of Object.keys((city.promos ?? {}) as object)) {
    const count = Object.keys(uses.find(([promo]) => promo === id)?.[1] ?? {}).length * copies
    await db.update({
      [`promos/${id}/user_avail`]: count,
      [`promos/${id}/promo_usage_limit`]: Math.max(1, count),
    })
  }
  for (let copy = 0; copy < copies; copy++) {
    const renamed = JSON.parse(
      copy === 0 ? copied : copied.replace(ID_PATTERN, (id) => `${id}x${copy}`),
    ) as Record<string, StoredRecord>
    if (instructionsLength > 0)
      for (const booking of Object.values(renamed['bookings'] ?? {}))
        (booking as StoredRecord)['dropAddress'] = 'x'.repeat(instructionsLength)
    let updates: StoredRecord = {}
    let bytes = 0
    for (const [collection, records] of Object.entries(renamed))
      for (const [key, record] of Object.entries(records)) {
        // One record holds all riders' uses of a promo.
        const parts: StoredRecord =
          collection === 'promo_uses' ? (record as StoredRecord) : { '': record }
        for (const [part, value] of Object.entries(parts)) {
          updates[[collection, key, part].filter(Boolean).join('/')] = value
          bytes += JSON.stringify(value).length
        }
        if (bytes < MAX_UPDATE_BYTES) continue
        await db.update(updates)
        updates = {}
        bytes = 0
      }
    await db.update(updates)
    progress((copy + 1) * each)
  }
  return copies * each
}
