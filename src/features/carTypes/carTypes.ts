import type { CarType } from '~/domain/entities'
import { at } from '~/domain/paths'
import { liveSlice } from '~/src/store/liveSlice'
import { operation } from '~/src/store/operation'
import { storable } from '~/src/store/storable'

export const carTypes = liveSlice<'cars', CarType>('cartypes', 'cars', {
  at: () => ({ path: 'cartypes' }),
  row: async () => (await import('./carTypeRow')).carTypeRow,
  open: true,
  order: (a, b) => a.min_fare - b.min_fare,
})

export const editCarType = operation<{
  carType: Omit<CarType, 'id'> & { id?: string }
  method: 'Add' | 'Update' | 'Delete'
  quiet?: boolean
}>('cartypes/editCarType', async ({ carType, method }, { database }) => {
  const id = carType.id ?? (await database.newKey())
  await database.update({
    [at.carType(id)]: method === 'Delete' ? null : storable(carType, 'id'),
  })
})
