import * as v from 'valibot'
import { createRecordSchema } from '~/src/store/live/rowSchemas'
import type { Settings } from '~/domain/catalog/types'

export const settingsSchema = createRecordSchema<Settings>({
  appName: v.string(),
  symbol: v.string(),
  code: v.string(),
  decimal: v.number(),
  appcat: v.picklist(['taxi', 'delivery']),
  timezone: v.string(),
})
