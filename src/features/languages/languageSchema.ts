import * as v from 'valibot'
import { createRowSchema } from '~/src/store/live/rowSchemas'
import type { Language } from '~/domain/catalog/types'

const nameFields = { langName: v.string(), langLocale: v.string(), dateLocale: v.string() }
/**
 * A language without its texts. It adds no default texts, because a write would take them for all
 * texts.
 */
export const languageSummarySchema = createRowSchema<Omit<Language, 'keyValuePairs'>>(nameFields)
export const languageSchema = createRowSchema<Language>({
  ...nameFields,
  keyValuePairs: v.optional(v.record(v.string(), v.string()), {}),
})
