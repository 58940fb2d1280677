import { createSlice } from '@reduxjs/toolkit'
import { useEffect } from 'react'
import type { Language } from '~/domain/entities'
import { useAppDispatch, useAppSelector } from '~/src/store/hooks'
import { operation } from '~/src/store/operation'
import { rootReducer } from '~/src/store/reducer'

/** What one chooses a language by. */
export type LanguageName = Pick<Language, 'id' | 'langName' | 'langLocale' | 'dateLocale'>

/** The languages there are, by name only: each has tens of thousands of bytes of texts. */
export const fetchLanguageNames = operation<void, LanguageName[]>(
  'languagenames/fetch',
  async (_, { database }) => {
    const ids = await database.keys('languages')
    const field = async (id: string, name: keyof LanguageName) =>
      String((await database.once({ path: `languages/${id}/${name}` })) ?? '')
    const names = await Promise.all(
      ids.map(async (id): Promise<LanguageName> => {
        const [langName, langLocale, dateLocale] = await Promise.all([
          field(id, 'langName'),
          field(id, 'langLocale'),
          field(id, 'dateLocale'),
        ])
        return { id, langName, langLocale, dateLocale }
      }),
    )
    // One that was deleted in this moment has no name any more.
    return names
      .filter(({ langName, langLocale }) => langName && langLocale)
      .sort((a, b) => a.langName.localeCompare(b.langName))
  },
)

interface LanguageNames {
  names: LanguageName[]
  loading: boolean
}
const initialState: LanguageNames = { names: [], loading: false }
declare module '~/src/store/reducer' {
  interface LazySlices {
    languagenames: LanguageNames
  }
}
const slice = createSlice({
  name: 'languagenames',
  initialState,
  reducers: {},
  extraReducers: (builder) => {
    builder
      .addCase(fetchLanguageNames.pending, (state) => ({ ...state, loading: true }))
      .addCase(fetchLanguageNames.fulfilled, (_, { payload }) => ({
        names: payload,
        loading: false,
      }))
      // Those known from before can still be chosen; the refusal is a notice.
      .addCase(fetchLanguageNames.rejected, (state) => ({ ...state, loading: false }))
  },
  selectors: { selectLanguageNames: (state) => state },
})
const { selectLanguageNames } = slice.injectInto(rootReducer).selectors

/** The languages to choose from, asked for anew each time a choice is opened. */
export const useLanguageNames = (): LanguageNames => {
  const dispatch = useAppDispatch()
  useEffect(() => {
    void dispatch(fetchLanguageNames())
  }, [dispatch])
  return useAppSelector(selectLanguageNames)
}
