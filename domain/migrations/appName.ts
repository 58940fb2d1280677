import type { RowChange, StoredRecord } from './migration'

/** Keys of the texts that contained the product's name before it came from the settings. */
const NAMED = ['site_title', 'store_title', 'about_lead', 'about_p3', 'setup_done', 'home_link']

/**
 * Replaces the product's name in these texts with the name in the settings. Keeps texts in which
 * the office wrote another name.
 */
export const nameSite: RowChange = {
  collections: ['languages'],
  apply: (row) => {
    const language = row.languages as StoredRecord | null
    const texts = language?.keyValuePairs as StoredRecord | null | undefined
    if (!language || !texts) return row
    const named = Object.fromEntries(
      NAMED.flatMap((key) => {
        const text = texts[key]
        return typeof text === 'string' ? [[key, text.replaceAll('Kerbside', '{{appName}}')]] : []
      }),
    )
    return { languages: { ...language, keyValuePairs: { ...texts, ...named } } }
  },
}
