import type { Language } from '~/domain/entities'
import { refusal } from '~/domain/errors'
import { liveSlice } from '~/src/store/liveSlice'
import { operation } from '~/src/store/operation'
import { storable } from '~/src/store/storable'

const row = async () => (await import('./languageRow')).languageRow

/** Every language with all its texts: large, so only for the back office's editor. */
export const languages = liveSlice<'langlist', Language>('languagedata', 'langlist', {
  at: () => ({ path: 'languages' }),
  row,
  open: true,
  order: (a, b) => a.langName.localeCompare(b.langName),
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

/** Adds, changes or deletes a language; the default one stays. */
export const editLanguage = operation<{
  language: Omit<Language, 'id'> & { id?: string | undefined }
  method: 'Add' | 'Update' | 'Delete'
  quiet?: boolean
}>('languagedata/editLanguage', async ({ language, method }, { database }) => {
  const id = language.id ?? (await database.newKey())
  if (method === 'Delete' && language.default) throw refusal('cannot_delete_default_language')
  await database.update({
    [`languages/${id}`]: method === 'Delete' ? null : storable(language, 'id'),
  })
})

/** Makes one language the default and clears the flag on all others, in one write. */
export const makeDefaultLanguage = operation<{ id: string; all: Language[] }>(
  'languagedata/makeDefaultLanguage',
  async ({ id, all }, { database }) => {
    await database.update(
      Object.fromEntries(all.map((l) => [`languages/${l.id}/default`, l.id === id])),
    )
  },
)
