import * as v from 'valibot'
import type { Language } from '~/domain/entities'
import { rowOf } from '~/src/store/rows'

const name = { langName: v.string(), langLocale: v.string(), dateLocale: v.string() }
/** A language without its texts: none of its own are given it, which a write would take for all. */
export const languageNameRow = rowOf<Omit<Language, 'keyValuePairs'>>(name)
export const languageRow = rowOf<Language>({
  ...name,
  keyValuePairs: v.optional(v.record(v.string(), v.string()), {}),
})
