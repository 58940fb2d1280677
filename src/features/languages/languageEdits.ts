import { domainError } from '~/domain/api/errors'
import { createLiveSlice } from '~/src/store/live/liveSlice'
import { toFieldUpdates, toRecord } from '~/src/store/live/records'
import { createServiceThunk } from '~/src/store/serviceThunk'
import type { LanguageSummary } from './languages'
import { loadLanguageSchema } from './languageTexts'
import type { Language } from '~/domain/catalog/types'

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

/** Returns one language with its current texts, or null when it does not exist. */
export const fetchLanguage = createServiceThunk<string, Language | null>(
  'languagedata/fetchLanguage',
  async (id, { database }) => {
    const storedLanguage = (await database.read({ path: `languages/${id}` })) as Language | null
    return storedLanguage && { ...storedLanguage, id }
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
