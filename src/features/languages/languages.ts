import type { Language } from '~/domain/entities'
import { refusal } from '~/domain/errors'
import { at } from '~/domain/paths'
import { selectUid } from '~/src/store/auth'
import { liveSlice } from '~/src/store/liveSlice'
import { operation } from '~/src/store/operation'
import { fieldsAt, storable } from '~/src/store/storable'
import { chooseLocale } from '~/src/ui/language'

const row = async () => (await import('./languageRow')).languageRow

/** A language without its texts, which are tens of thousands of bytes. */
export type LanguageRow = Omit<Language, 'keyValuePairs'>

/** Every language there was when it was asked; live, but for those added since. */
export const languages = liveSlice<'langlist', LanguageRow>('languagedata', 'langlist', {
  at: () => ({
    path: 'languages',
    records: {
      keys: 'all',
      fields: ['langName', 'langLocale', 'dateLocale', 'default', 'createdAt'],
    },
  }),
  row: async () => (await import('./languageRow')).languageNameRow,
  open: true,
  order: (a, b) => a.langName.localeCompare(b.langName),
})

/** One language with its texts, by id. */
export const languageOpened = liveSlice<'opened', Language, string>('languageopened', 'opened', {
  at: (id: string) =>
    id ? { path: 'languages', orderBy: 'key', startAt: id, endAt: id, limitToFirst: 1 } : null,
  row,
  open: true,
})

/** The texts of one language: by its locale, or the default one. Live, so that an edit shows at once. */
export const languageTexts = liveSlice<'found', Language, string | null>('languagetexts', 'found', {
  at: (langLocale: string | null) =>
    langLocale
      ? {
          path: 'languages',
          orderBy: { child: 'langLocale' },
          equalTo: langLocale,
          limitToFirst: 1,
        }
      : { path: 'languages', orderBy: { child: 'default' }, equalTo: true, limitToFirst: 1 },
  row,
  open: true,
})

/** Speaks a language from now on: on this device, and wherever the signed-in person comes next. */
export const chooseLanguage = operation<Pick<Language, 'langLocale' | 'dateLocale'>>(
  'languagedata/chooseLanguage',
  async (lang, { database }, { getState }) => {
    chooseLocale(lang.langLocale)
    const uid = selectUid(getState())
    if (uid) await database.update({ [`${at.user(uid)}/lang`]: { ...lang } })
  },
)

/** One language with its texts as it is now; null when there is none. */
export const fetchLanguage = operation<string, Language | null>(
  'languagedata/fetchLanguage',
  async (id, { database }) => {
    const found = (await database.once({ path: `languages/${id}` })) as Language | null
    return found && { ...found, id }
  },
)

/** Adds or deletes a language, or changes what is given of it; the default one stays. */
export const editLanguage = operation<{
  language: Partial<Language>
  method: 'Add' | 'Update' | 'Delete'
  quiet?: boolean
}>('languagedata/editLanguage', async ({ language, method }, { database }) => {
  const id = language.id ?? (await database.newKey())
  if (method === 'Delete' && language.default) throw refusal('cannot_delete_default_language')
  const stored = storable(language, 'id')
  await database.update(
    method === 'Update'
      ? fieldsAt(`languages/${id}`, stored)
      : { [`languages/${id}`]: method === 'Delete' ? null : stored },
  )
})

/** Makes one language the default and clears the flag on all others, in one write. */
export const makeDefaultLanguage = operation<{ id: string; all: readonly LanguageRow[] }>(
  'languagedata/makeDefaultLanguage',
  async ({ id, all }, { database }) => {
    await database.update(
      Object.fromEntries(all.map((l) => [`languages/${l.id}/default`, l.id === id])),
    )
  },
)
