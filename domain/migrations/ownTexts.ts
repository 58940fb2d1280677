import { getOwn } from '../data/ownValue'
import { pickOwnTexts } from '../catalog/languages'
import type { RowChange, StoredRecord } from './migration'

/**
 * Removes the texts of a language that ship with this release, so that only those that the back
 * office has changed are left. A language whose locale is not shipped stays unchanged.
 */
export const dropShippedTexts: RowChange = {
  collections: ['languages'],
  apply: (row, _, { texts }) => {
    const language = row.languages as StoredRecord | null
    const locale = language?.langLocale
    const shipped = typeof locale === 'string' ? getOwn(texts, locale) : undefined
    if (!language || !shipped) return row
    const stored = (language.keyValuePairs ?? {}) as Record<string, string>
    return { languages: { ...language, keyValuePairs: pickOwnTexts(stored, shipped) } }
  },
}
