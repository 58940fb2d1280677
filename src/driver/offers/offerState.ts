import { type PayloadAction, createSlice } from '@reduxjs/toolkit'
import { sessionEnded } from '~/src/store/auth'
import { rootReducer } from '~/src/store/reducer'

/** The offers that the driver closed or answered since the page was opened, by booking id. */
interface OfferState {
  /** Offers that no longer cover the screen; the console still lists them. */
  closed: string[]
  answered: string[]
}

declare module '~/src/store/reducer' {
  interface LazySlices {
    driverOffers: OfferState
  }
}

const initialState: OfferState = { closed: [], answered: [] }

const slice = createSlice({
  name: 'driverOffers',
  initialState,
  reducers: {
    offersClosed: (state, { payload }: PayloadAction<readonly string[]>) => {
      state.closed = [...payload]
    },
    offerAnswered: (state, { payload }: PayloadAction<string>) => {
      state.answered.push(payload)
    },
    answerRefused: (state, { payload }: PayloadAction<string>) => {
      state.answered = state.answered.filter((id) => id !== payload)
    },
    /** The same bookings may be offered again, as new offers. */
    offersEnded: (state, { payload }: PayloadAction<readonly string[]>) => {
      state.closed = state.closed.filter((id) => !payload.includes(id))
      state.answered = state.answered.filter((id) => !payload.includes(id))
    },
  },
  extraReducers: (builder) => {
    builder.addCase(sessionEnded, () => initialState)
  },
  selectors: { selectDriverOffers: (state) => state },
})
export const { answerRefused, offerAnswered, offersClosed, offersEnded } = slice.actions
export const { selectDriverOffers } = slice.injectInto(rootReducer).selectors
