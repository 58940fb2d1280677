import * as v from 'valibot'
import { createListSchema, createRowSchema } from '~/src/store/live/rowSchemas'
import type { CancellationFeeTier, TranslatedChoice, VehicleType } from '~/domain/catalog/types'

const translations = v.optional(v.record(v.string(), v.string()))
const choiceFields = { description: v.string(), names: translations, amount: v.number() }

export const vehicleTypeSchema = createRowSchema<VehicleType>({
  name: v.string(),
  names: translations,
  infos: translations,
  base_fare: v.number(),
  rate_per_unit_distance: v.number(),
  rate_per_hour: v.number(),
  min_fare: v.number(),
  convenience_fees: v.number(),
  convenience_fee_type: v.picklist(['flat', 'percentage']),
  parcelTypes: createListSchema<TranslatedChoice>(choiceFields),
  options: createListSchema<TranslatedChoice>(choiceFields),
  cancelSlab: createListSchema<CancellationFeeTier>({
    minsDelayed: v.number(),
    amount: v.number(),
  }),
})
