import * as v from 'valibot'
import type { Promo } from '~/domain/entities'
import { at } from '~/domain/paths'
import { liveSlice } from '~/src/store/liveSlice'
import { operation } from '~/src/store/operation'
import { rowOf } from '~/src/store/rows'
import { fieldsAt, storable } from '~/src/store/storable'

export const promos = liveSlice('promodata', 'promos', {
  at: () => ({ path: 'promos', orderBy: 'key', limitToLast: 300 }),
  row: rowOf<Promo>({ promo_name: v.string(), promo_discount_value: v.number() }),
  order: (a, b) => (b.createdAt ?? 0) - (a.createdAt ?? 0),
})

export const editPromo = operation<{
  promo: Omit<Promo, 'id'> & { id?: string }
  method: 'Add' | 'Update' | 'Delete'
  quiet?: boolean
}>('promodata/editPromo', async ({ promo, method }, { database }) => {
  const id = promo.id ?? (await database.newKey())
  // How often it was used is counted by the functions alone.
  const stored = storable(promo, 'id', 'user_avail')
  await database.update(
    method === 'Update'
      ? fieldsAt(at.promo(id), stored)
      : { [at.promo(id)]: method === 'Delete' ? null : stored },
  )
})
