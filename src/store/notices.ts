import { type PayloadAction, createSlice, nanoid } from '@reduxjs/toolkit'

/** A short message shown over the page and read out. */
export interface Notice {
  id: string
  tone: 'success' | 'problem' | 'news'
  /** A translation key, unless it `isWords`. */
  text: string
  /** The text is in words already: nothing is looked up in it. */
  isWords?: boolean
  params?: Record<string, string | number>
  /** Where a click leads. */
  to?: string
  /** The way back, as `undoable` names it. */
  undo?: string
}

export const noticesSlice = createSlice({
  name: 'notices',
  initialState: [] as Notice[],
  reducers: {
    noticeRaised: {
      prepare: (notice: Omit<Notice, 'id'>) => ({ payload: { ...notice, id: nanoid(8) } }),
      reducer: (state, { payload }: PayloadAction<Notice>) => {
        // The same sentence twice on the screen says nothing more.
        const others = state.filter((n) => n.text !== payload.text || n.to !== payload.to || n.undo)
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
