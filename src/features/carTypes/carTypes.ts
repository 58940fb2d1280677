import * as v from 'valibot'
import type { CancelSlab, CarType, ChoiceOption } from '~/domain/entities'
import { at } from '~/domain/paths'
import { liveSlice } from '~/src/store/liveSlice'
import { operation } from '~/src/store/operation'
import { listOf, rowOf, storable } from '~/src/store/rows'

const choice = { description: v.string(), amount: v.number() }

export const carTypes = liveSlice('cartypes', 'cars', {
  at: () => ({ path: 'cartypes' }),
  row: rowOf<CarType>({
    name: v.string(),
    base_fare: v.number(),
    rate_per_unit_distance: v.number(),
    rate_per_hour: v.number(),
    min_fare: v.number(),
    convenience_fees: v.number(),
    convenience_fee_type: v.picklist(['flat', 'percentage']),
    parcelTypes: listOf<ChoiceOption>(choice),
    options: listOf<ChoiceOption>(choice),
    cancelSlab: listOf<CancelSlab>({ minsDelayed: v.number(), amount: v.number() }),
  }),
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
