import { type PayloadAction, createSlice } from '@reduxjs/toolkit'
import type { User } from '~/domain/entities'
import type { Refusal } from '~/domain/errors'

/** The specification's error part of every slice. */
export interface CycleError {
  flag: boolean
  /** A translation key. */
  msg: string | null
  params?: Refusal['params']
}
export const NO_ERROR: CycleError = { flag: false, msg: null }
export const errorOf = ({ key, params }: Refusal): CycleError => ({
  flag: true,
  msg: key,
  ...(params && { params }),
})

interface AuthState {
  /** The signed-in person's profile. */
  info: User | null
  /** True until it is known who is here, and while a sign-in runs. */
  loading: boolean
  error: CycleError
  verificationId: string | null
  /** Somebody signs up as a driver: he must not become a rider by signing in. */
  registering: boolean
  /** Signed in, registering, and without a profile yet. */
  newcomer: { uid: string; mobile: string } | null
  /** His account is being deleted: what happens to his profile meanwhile is no news. */
  leaving: boolean
}
const initialState: AuthState = {
  info: null,
  loading: true,
  error: NO_ERROR,
  verificationId: null,
  registering: false,
  newcomer: null,
  leaving: false,
}
const signedOutState: AuthState = { ...initialState, loading: false }

export const authSlice = createSlice({
  name: 'auth',
  initialState,
  reducers: {
    sessionStarted: (state) => {
      state.loading = true
    },
    profileArrived: (state, { payload }: PayloadAction<User>) => {
      state.info = payload
      state.loading = false
      state.error = NO_ERROR
      state.verificationId = null
      state.newcomer = null
    },
    /** Signed out, by choice or by the server. Every slice with private rows empties itself. */
    sessionEnded: ({ error, registering }) => ({ ...signedOutState, error, registering }),
    leavingChanged: (state, { payload }: PayloadAction<boolean>) => {
      state.leaving = payload
    },
    registrationStarted: (state) => {
      state.registering = true
    },
    registrationEnded: (state) => {
      state.registering = false
      state.newcomer = null
    },
    newcomerSeen: (state, { payload }: PayloadAction<{ uid: string; mobile: string }>) => ({
      ...signedOutState,
      registering: state.registering,
      newcomer: payload,
    }),
    codeRequested: (state) => {
      state.loading = true
      state.error = NO_ERROR
    },
    codeSent: (state, { payload }: PayloadAction<string>) => {
      state.loading = false
      state.verificationId = payload
    },
    signInFailed: (state, { payload }: PayloadAction<Refusal>) => {
      state.loading = false
      state.error = errorOf(payload)
    },
    /** What was tried is over: the code step is left, or begun anew. */
    signInCancelled: (state) => ({
      ...state,
      loading: false,
      error: NO_ERROR,
      verificationId: null,
    }),
  },
  selectors: {
    selectAuth: (state) => state,
    selectProfile: (state) => state.info,
    selectUid: (state) => state.info?.id ?? null,
    /** False while it is not yet known who is here. */
    selectSessionKnown: (state) => !state.loading || state.info !== null,
  },
})
export const {
  sessionStarted,
  profileArrived,
  sessionEnded,
  leavingChanged,
  registrationStarted,
  registrationEnded,
  newcomerSeen,
  codeRequested,
  codeSent,
  signInFailed,
  signInCancelled,
} = authSlice.actions
export const { selectAuth, selectProfile, selectUid, selectSessionKnown } = authSlice.selectors
