import * as v from 'valibot'
import type { Language } from '~/domain/entities'
import { rowOf } from '~/src/store/rows'

export const languageRow = rowOf<Language>({
  langName: v.string(),
  langLocale: v.string(),
  dateLocale: v.string(),
  keyValuePairs: v.optional(v.record(v.string(), v.string()), {}),
})
