import { type PayloadAction, createSlice, nanoid } from '@reduxjs/toolkit'

/** A short message shown over the page and announced by screen readers. */
interface NoticeOptions {
  params?: Record<string, string | number>
  /** The path that a click opens. */
  to?: string
  /** The id that `registerUndo` returned. */
  undoId?: string
  /** True for a notice that stays until the code or the person dismisses it. */
  isLasting?: boolean
}

/** A sentence of the app itself, by its translation key. */
interface Sentence {
  text: string
  title?: never
}
/** A message in its final words: its text alone ("From Nina") would not say what happened. */
interface Message {
  title: string
  text: string
}

/** The type of the action with which the app reports that the person left the page. */
const PAGE_LEFT = 'notices/pageLeft'

/** A problem stays until the person dismisses it or its cause is over. */
interface Problem {
  tone: 'problem'
  /** The types of the actions after which the problem no longer exists. */
  endedBy: readonly string[]
}
interface News {
  tone: 'success' | 'news'
  endedBy?: never
}
/** The end of a problem that concerns one page. */
export const ENDED_BY_PAGE_CHANGE = [PAGE_LEFT]

type NewNotice = NoticeOptions & (Sentence | Message) & (Problem | News)
export type Notice = NewNotice & { id: string }

export const noticesSlice = createSlice({
  name: 'notices',
  initialState: [] as Notice[],
  reducers: {
    noticeRaised: {
      prepare: (notice: NewNotice) => ({ payload: { ...notice, id: nanoid(8) } }),
      reducer: (state, { payload }: PayloadAction<Notice>) => {
        // Showing the same notice twice adds nothing.
        const others = state.filter(
          (n) =>
            n.text !== payload.text || n.title !== payload.title || n.to !== payload.to || n.undoId,
        )
        return [...others, payload].slice(-4)
      },
    },
    noticeDismissed: (state, { payload }: PayloadAction<string>) =>
      state.filter((notice) => notice.id !== payload),
    pageLeft: (state) => state,
  },
  extraReducers: (builder) =>
    builder.addMatcher(
      () => true,
      (state, { type }) => {
        const rest = state.filter(({ endedBy }) => !endedBy?.includes(type))
        return rest.length < state.length ? rest : state
      },
    ),
  selectors: { selectNotices: (state) => state },
})
export const { noticeRaised, noticeDismissed, pageLeft } = noticesSlice.actions
export const { selectNotices } = noticesSlice.selectors
