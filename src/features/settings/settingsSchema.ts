import * as v from 'valibot'
import type { Settings } from '~/domain/entities'
import { createRecordSchema } from '~/src/store/live/rowSchemas'

export const settingsSchema = createRecordSchema<Settings>({
  appName: v.string(),
  symbol: v.string(),
  code: v.string(),
  decimal: v.number(),
  appcat: v.picklist(['taxi', 'delivery']),
  timezone: v.string(),
})
