import { type PayloadAction, createSlice, nanoid } from '@reduxjs/toolkit'

/** A short message shown over the page and announced by screen readers. */
export interface Notice {
  id: string
  tone: 'success' | 'problem' | 'news'
  /** A translation key, unless `isTranslated`. */
  text: string
  /** True when the text is final and needs no translation. */
  isTranslated?: boolean
  params?: Record<string, string | number>
  /** The path that a click opens. */
  to?: string
  /** The id that `registerUndo` returned. */
  undoId?: string
  /** True for a notice that stays until the code or the person dismisses it. */
  isLasting?: boolean
}

export const noticesSlice = createSlice({
  name: 'notices',
  initialState: [] as Notice[],
  reducers: {
    noticeRaised: {
      prepare: (notice: Omit<Notice, 'id'>) => ({ payload: { ...notice, id: nanoid(8) } }),
      reducer: (state, { payload }: PayloadAction<Notice>) => {
        // Showing the same notice twice adds nothing.
        const others = state.filter(
          (n) => n.text !== payload.text || n.to !== payload.to || n.undoId,
        )
        return [...others, payload].slice(-4)
      },
    },
    noticeDismissed: (state, { payload }: PayloadAction<string>) =>
      state.filter((notice) => notice.id !== payload),
  },
  selectors: { selectNotices: (state) => state },
})
export const { noticeRaised, noticeDismissed } = noticesSlice.actions
export const { selectNotices } = noticesSlice.selectors
