import { dbPaths } from '~/domain/data/databasePaths'
import { selectUid } from '~/src/store/auth'
import { createLiveSlice } from '~/src/store/live/liveSlice'
import { createServiceThunk } from '~/src/store/serviceThunk'
import { chooseLocale } from '~/src/ui/format/savedLanguage'
import type { Language } from '~/domain/catalog/types'

/** A language without its texts, which are tens of thousands of bytes. */
export type LanguageSummary = Omit<Language, 'keyValuePairs'>

/** All languages that existed when the query started; live except for later additions. */
export const liveLanguages = createLiveSlice<'langlist', LanguageSummary>(
  'languagedata',
  'langlist',
  {
    toQuery: () => ({
      path: 'languages',
      records: {
        keys: 'all',
        fields: ['langName', 'langLocale', 'dateLocale', 'default', 'createdAt'],
      },
    }),
    schema: async () => (await import('./languageSchema')).languageSummarySchema,
    isPublic: true,
    order: (a, b) => a.langName.localeCompare(b.langName),
  },
)

/** Switches the language on this device and, for a signed-in user, in their profile. */
export const chooseLanguage = createServiceThunk<Pick<Language, 'langLocale' | 'dateLocale'>>(
  'languagedata/chooseLanguage',
  async (lang, { database }, { getState }) => {
    chooseLocale(lang.langLocale)
    const uid = selectUid(getState())
    if (uid) await database.update({ [`${dbPaths.user(uid)}/lang`]: { ...lang } })
  },
)
