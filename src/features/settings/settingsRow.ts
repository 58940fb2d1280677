import * as v from 'valibot'
import type { Settings } from '~/domain/entities'
import { recordOf } from '~/src/store/rows'

export const settingsRow = recordOf<Settings>({
  appName: v.string(),
  symbol: v.string(),
  code: v.string(),
  decimal: v.number(),
  appcat: v.picklist(['taxi', 'delivery']),
  timezone: v.string(),
})
