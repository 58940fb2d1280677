import * as v from 'valibot'
import type { CancelSlab, CarType, ChoiceOption } from '~/domain/entities'
import { listOf, rowOf } from '~/src/store/rows'

const choice = { description: v.string(), amount: v.number() }

export const carTypeRow = rowOf<CarType>({
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
})
