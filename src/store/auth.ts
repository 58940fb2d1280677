import { type PayloadAction, createSlice } from '@reduxjs/toolkit'
import type { DomainError } from '~/domain/api/errors'
import type { UnconfirmedRegistration } from '~/domain/accounts/pendingRegistration'
import type { UserType } from '~/domain/access/types'
import type { User } from '~/domain/accounts/types'

/** The error state of every slice. */
export interface SliceError {
  flag: boolean
  /** A translation key. */
  msg: string | null
  params?: DomainError['params']
}
export const NO_ERROR: SliceError = { flag: false, msg: null }
export const toSliceError = ({ key, params }: DomainError): SliceError => ({
  flag: true,
  msg: key,
  ...(params && { params }),
})

/**
 * Parts that an account which waits for approval has sent. It names no person, because the session
 * is over.
 */
export interface ApprovalRequest {
  usertype: UserType
  /** ISO 8601 text. */
  createdAt: string
  hasVehicle: boolean
  hasLicense: boolean
}

interface AuthState {
  /** The signed-in person's profile. */
  info: User | null
  /** True until the session is known, and during a sign-in. */
  loading: boolean
  error: SliceError
  verificationId: string | null
  /** True during a driver sign-up, so that the sign-in does not make the person a rider. */
  isRegistering: boolean
  /** The signed-in person who is registering and has no profile yet. */
  unregisteredUser: { uid: string; mobile: string } | null
  /** True during an account deletion, so that changes of the profile are ignored. */
  isDeletingAccount: boolean
  /**
   * Number of people who have left this page; forms use it as a key and reset for the next person.
   */
  sessionGeneration: number
  /**
   * A sign-up for the user's number that was sent without proof, until they answer the question.
   */
  pendingRegistration: UnconfirmedRegistration | null
  /** The request of a person who was signed out because the office has yet to approve them. */
  approvalRequest: ApprovalRequest | null
}
const initialState: AuthState = {
  info: null,
  loading: true,
  error: NO_ERROR,
  verificationId: null,
  isRegistering: false,
  unregisteredUser: null,
  isDeletingAccount: false,
  sessionGeneration: 0,
  pendingRegistration: null,
  approvalRequest: null,
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
      state.unregisteredUser = null
    },
    /**
     * Ends the session, by choice or by the server. Every slice with private rows clears itself.
     */
    sessionEnded: ({ error, isRegistering, approvalRequest, sessionGeneration }): AuthState => ({
      ...signedOutState,
      error,
      isRegistering,
      approvalRequest,
      sessionGeneration,
    }),
    /** Marks that personal data left the device; screens drop the data they still hold. */
    personLeft: (state) => {
      state.sessionGeneration += 1
    },
    leavingChanged: (state, { payload }: PayloadAction<boolean>) => {
      state.isDeletingAccount = payload
    },
    registrationStarted: (state) => {
      state.isRegistering = true
    },
    registrationEnded: (state) => {
      state.isRegistering = false
      state.unregisteredUser = null
    },
    newcomerSeen: (
      state,
      { payload }: PayloadAction<{ uid: string; mobile: string }>,
    ): AuthState => ({
      ...signedOutState,
      isRegistering: state.isRegistering,
      sessionGeneration: state.sessionGeneration,
      unregisteredUser: payload,
    }),
    /** Stores a sign-up that waits for the person's answer; null after the answer. */
    registrationWaiting: (state, { payload }: PayloadAction<UnconfirmedRegistration | null>) => {
      state.pendingRegistration = payload
    },
    codeRequested: (state) => {
      state.loading = true
      state.error = NO_ERROR
    },
    codeSent: (state, { payload }: PayloadAction<string>) => {
      state.loading = false
      state.verificationId = payload
    },
    signInFailed: (state, { payload }: PayloadAction<DomainError>) => {
      state.loading = false
      state.error = toSliceError(payload)
    },
    approvalAwaited: (state, { payload }: PayloadAction<ApprovalRequest>) => {
      state.approvalRequest = payload
    },
    /** Marks that the page says what the request waits for; no notice has to. */
    approvalRequestShown: (state) => state,
    /** Ends the attempt: the user leaves the code step or starts over. */
    signInCancelled: (state) => ({
      ...state,
      loading: false,
      error: NO_ERROR,
      verificationId: null,
      approvalRequest: null,
    }),
  },
  selectors: {
    selectDepartures: (state) => state.sessionGeneration,
    selectAuth: (state) => state,
    selectProfile: (state) => state.info,
    selectWaiting: (state) => state.pendingRegistration,
    selectUid: (state) => state.info?.id ?? null,
    /** Returns false until the session is known. */
    selectSessionKnown: (state) => !state.loading || state.info !== null,
  },
})
export const {
  sessionStarted,
  profileArrived,
  sessionEnded,
  personLeft: personalDataCleared,
  leavingChanged: accountDeletionChanged,
  registrationStarted,
  registrationEnded,
  newcomerSeen: unregisteredUserSignedIn,
  registrationWaiting: pendingRegistrationChanged,
  codeRequested,
  codeSent,
  signInFailed,
  approvalAwaited,
  approvalRequestShown,
  signInCancelled,
} = authSlice.actions
export const {
  selectAuth,
  selectDepartures: selectSessionGeneration,
  selectProfile,
  selectWaiting: selectPendingRegistration,
  selectUid,
  selectSessionKnown: selectIsSessionKnown,
} = authSlice.selectors
