import * as v from 'valibot'
import { dbPaths } from '~/domain/data/databasePaths'
import { createLiveSlice } from '~/src/store/live/liveSlice'
import { createServiceThunk } from '~/src/store/serviceThunk'
import { createRowSchema } from '~/src/store/live/rowSchemas'
import { toFieldUpdates, toRecord } from '~/src/store/live/records'
import type { Promo } from '~/domain/catalog/types'

export const livePromos = createLiveSlice('promodata', 'promos', {
  toQuery: () => ({ path: 'promos', orderBy: 'key', limitToLast: 300 }),
  schema: createRowSchema<Promo>({ promo_name: v.string(), promo_discount_value: v.number() }),
  order: (a, b) => (b.createdAt ?? 0) - (a.createdAt ?? 0),
})

/**
 * Adds, updates or deletes a promo. `Update` writes only the given fields, so that concurrent
 * changes stay.
 */
export const editPromo = createServiceThunk<
  | { method: 'Add' | 'Delete'; promo: Omit<Promo, 'id'> & { id?: string } }
  | { method: 'Update'; promo: Partial<Promo> & { id: string } }
>('promodata/editPromo', async ({ promo, method }, { database }) => {
  const id = promo.id ?? (await database.newKey())
  // Only the functions count how often a promo was used.
  const stored = toRecord(promo, 'id', 'user_avail')
  await database.update(
    method === 'Update'
      ? toFieldUpdates(dbPaths.promo(id), stored)
      : { [dbPaths.promo(id)]: method === 'Delete' ? null : stored },
  )
})
