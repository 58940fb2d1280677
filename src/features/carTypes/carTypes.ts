import type { CarType } from '~/domain/entities'
import { at } from '~/domain/paths'
import { liveSlice } from '~/src/store/liveSlice'
import { operation } from '~/src/store/operation'
import { fieldsAt, storable } from '~/src/store/storable'

export const carTypes = liveSlice<'cars', CarType>('cartypes', 'cars', {
  at: () => ({ path: 'cartypes' }),
  row: async () => (await import('./carTypeRow')).carTypeRow,
  open: true,
  order: (a, b) => a.min_fare - b.min_fare,
})

/** `Update` writes the given fields alone: what another has changed meanwhile stays. */
export const editCarType = operation<
  (
    | { method: 'Add' | 'Delete'; carType: Omit<CarType, 'id'> & { id?: string } }
    | { method: 'Update'; carType: Partial<CarType> & { id: string } }
  ) & { quiet?: boolean }
>('cartypes/editCarType', async ({ carType, method }, { database }) => {
  const { id = await database.newKey(), ...fields } = carType
  await database.update(
    method === 'Update'
      ? fieldsAt(at.carType(id), fields)
      : { [at.carType(id)]: method === 'Delete' ? null : storable(fields) },
  )
})
