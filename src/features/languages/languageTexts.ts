import { createLiveSlice } from '~/src/store/live/liveSlice'
import type { Language } from '~/domain/catalog/types'

export const loadLanguageSchema = async () => (await import('./languageSchema')).languageSchema

/**
 * The texts of one language, by its locale, or those of the default language. Live, so that an edit
 * shows at once.
 */
export const languageTexts = createLiveSlice<'found', Language, string | null>(
  'languagetexts',
  'found',
  {
    toQuery: (langLocale: string | null) =>
      langLocale
        ? {
            path: 'languages',
            orderBy: { child: 'langLocale' },
            equalTo: langLocale,
            limitToFirst: 1,
          }
        : { path: 'languages', orderBy: { child: 'default' }, equalTo: true, limitToFirst: 1 },
    schema: loadLanguageSchema,
    isPublic: true,
  },
)
