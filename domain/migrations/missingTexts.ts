import type { RowChange, StoredRecord } from './migration'

/**
 * Adds the texts of this release that a language lacks. Existing texts stay, because the back
 * office may have edited them. A language whose locale is not shipped uses the default's texts and
 * stays unchanged.
 */
export const addMissingTexts: RowChange = {
  collections: ['languages'],
  apply: (row, _, { texts }) => {
    const language = row.languages as StoredRecord | null
    const locale = language?.langLocale
    const shipped = typeof locale === 'string' ? texts[locale] : undefined
    if (!language || !shipped) return row
    const own = (language.keyValuePairs ?? {}) as StoredRecord
    return { languages: { ...language, keyValuePairs: { ...shipped, ...own } } }
  },
}
