import type { Language } from '~/domain/entities'
import { domainError } from '~/domain/errors'
import { dbPaths } from '~/domain/databasePaths'
import { selectUid } from '~/src/store/auth'
import { createLiveSlice } from '~/src/store/liveSlice'
import { createServiceThunk } from '~/src/store/serviceThunk'
import { toFieldUpdates, toRecord } from '~/src/store/records'
import { chooseLocale } from '~/src/ui/savedLanguage'

const loadLanguageSchema = async () => (await import('./languageSchema')).languageSchema

/** A language without its texts, which are tens of thousands of bytes. */
export type LanguageSummary = Omit<Language, 'keyValuePairs'>

/** All languages that existed when the query started; live except for later additions. */
export const languages = createLiveSlice<'langlist', LanguageSummary>('languagedata', 'langlist', {
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
})

/** One language with its texts, by id. */
export const languageById = createLiveSlice<'opened', Language, string>(
  'languageopened',
  'opened',
  {
    toQuery: (id: string) =>
      id ? { path: 'languages', orderBy: 'key', startAt: id, endAt: id, limitToFirst: 1 } : null,
    schema: loadLanguageSchema,
    isPublic: true,
  },
)

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

/** Switches the language on this device and, for a signed-in user, in their profile. */
export const chooseLanguage = createServiceThunk<Pick<Language, 'langLocale' | 'dateLocale'>>(
  'languagedata/chooseLanguage',
  async (lang, { database }, { getState }) => {
    chooseLocale(lang.langLocale)
    const uid = selectUid(getState())
    if (uid) await database.update({ [`${dbPaths.user(uid)}/lang`]: { ...lang } })
  },
)

/** Returns one language with its current texts, or null when it does not exist. */
export const fetchLanguage = createServiceThunk<string, Language | null>(
  'languagedata/fetchLanguage',
  async (id, { database }) => {
    const found = (await database.read({ path: `languages/${id}` })) as Language | null
    return found && { ...found, id }
  },
)

/** Adds or deletes a language, or changes the given fields; refuses to delete the default one. */
export const editLanguage = createServiceThunk<{
  language: Partial<Language>
  method: 'Add' | 'Update' | 'Delete'
}>('languagedata/editLanguage', async ({ language, method }, { database }) => {
  const id = language.id ?? (await database.newKey())
  if (method === 'Delete' && language.default) throw domainError('cannot_delete_default_language')
  const stored = toRecord(language, 'id')
  await database.update(
    method === 'Update'
      ? toFieldUpdates(`languages/${id}`, stored)
      : { [`languages/${id}`]: method === 'Delete' ? null : stored },
  )
})

/** Makes one language the default and clears the flag on all others, in one write. */
export const makeDefaultLanguage = createServiceThunk<{
  id: string
  all: readonly LanguageSummary[]
}>('languagedata/makeDefaultLanguage', async ({ id, all }, { database }) => {
  await database.update(
    Object.fromEntries(all.map((l) => [`languages/${l.id}/default`, l.id === id])),
  )
})
