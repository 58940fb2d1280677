import type { EndpointOutput } from '~/domain/api/api'
import type { DeleteUserInput } from '~/domain/api/inputs/people'
import { domainError } from '~/domain/api/errors'
import { dbPaths } from '~/domain/data/databasePaths'
import { isLocalLoginCode, isLoginCode, isValidEmail } from '~/domain/accounts/userAccounts'
import { type Services, type SocialProvider, toDomainError } from '~/src/services/services'
import {
  codeRequested,
  codeSent,
  accountDeletionChanged,
  personalDataCleared,
  pendingRegistrationChanged,
  sessionEnded,
  sessionStarted,
  selectUid,
  signInFailed,
} from '~/src/store/auth'
import { noticeRaised } from '~/src/store/notices'
import { releasePushDevice } from '~/src/store/pushRegistration'
import { createServiceThunk } from '~/src/store/serviceThunk'
import type { AppState } from '~/src/store/reducer'
import { toFieldUpdates } from '~/src/store/live/records'
import type { AppDispatch, ThunkExtra } from '~/src/store/storeTypes'
import type { User } from '~/domain/accounts/types'

/**
 * Thunk: sends a code to a full international number and sets `auth.verificationId` once it is
 * sent.
 */
export const requestCode =
  (phone: string) =>
  async (dispatch: AppDispatch, _: unknown, { services }: ThunkExtra): Promise<void> => {
    dispatch(codeRequested())
    try {
      dispatch(codeSent(await services.auth.requestCode(phone)))
    } catch (error) {
      dispatch(signInFailed(toDomainError(error)))
    }
  }

/** Returns false for a text that the sign-in service cannot have sent as a code. */
const isPossibleCode = async (code: string, { isLocal }: Services): Promise<boolean> =>
  (await isLocal()) ? isLocalLoginCode(code) : isLoginCode(code)

/** Thunk: signs in with the code; the session then loads the profile. */
export const mobileSignIn =
  (verificationId: string, code: string) =>
  async (dispatch: AppDispatch, _: unknown, { services }: ThunkExtra): Promise<void> => {
    try {
      if (!(await isPossibleCode(code, services))) {
        dispatch(signInFailed(domainError('otp_validate_error', 'code')))
        return
      }
      dispatch(sessionStarted())
      await services.auth.verifyCode(verificationId, code)
    } catch (error) {
      dispatch(signInFailed(toDomainError(error)))
    }
  }

/** Thunk: signs in with Facebook, Apple or Google in a popup. */
export const socialSignIn =
  (provider: SocialProvider) =>
  async (dispatch: AppDispatch, _: unknown, { services }: ThunkExtra): Promise<void> => {
    dispatch(codeRequested())
    try {
      await services.auth.signInWith(provider)
    } catch (error) {
      dispatch(signInFailed(toDomainError(error)))
    }
  }

/**
 * Thunk: removes all private data from the page and the device before signing out, so that the
 * rules refuse no listener.
 */
export const signOut =
  () =>
  async (dispatch: AppDispatch, _: () => AppState, { services }: ThunkExtra): Promise<void> => {
    await dispatch(releasePushDevice())
    dispatch(sessionEnded())
    // The storages must be empty before a form reads its saved draft.
    const forgotten = services.offlineStorage.clear().catch(() => undefined)
    dispatch(personalDataCleared())
    await forgotten
    await services.auth.signOut()
  }

/**
 * Thunk: signs out with a notice when `findReason` returns a reason for the time (ms) of the
 * sign-in.
 */
export const signOutFor =
  (findReason: (signedInAt: number) => 'session_idle' | 'session_expired' | undefined) =>
  async (dispatch: AppDispatch, _: () => AppState, { services }: ThunkExtra): Promise<void> => {
    const signedInAt = await services.auth.fetchSignInTime()
    const reason = signedInAt === null ? undefined : findReason(signedInAt)
    if (!reason) return
    await dispatch(signOut())
    dispatch(noticeRaised({ tone: 'problem', text: reason, endedBy: [sessionStarted.type] }))
  }

type OwnFields = Partial<
  Pick<
    User,
    | 'firstName'
    | 'lastName'
    | 'email'
    | 'lang'
    | 'profile_image'
    | 'licenseImage'
    | 'bankName'
    | 'bankCode'
    | 'bankAccount'
    | 'vehicleMake'
    | 'vehicleModel'
    | 'vehicleNumber'
    | 'other_info'
    | 'driverActiveStatus'
  >
> & {
  /** The referral code that the new person was invited with. */
  referralId?: string | undefined
}

/** Fields whose empty value removes a picture. */
const PICTURE_FIELDS = ['profile_image', 'licenseImage'] as const satisfies (keyof OwnFields)[]

/** Fields that their owner writes directly. A function checks all others. */
const OWN_FIELDS: readonly string[] = ['lang', 'driverActiveStatus']

/** Changes the user's own profile; refuses a wrong e-mail at its field. */
export const updateProfile = createServiceThunk<{
  uid: string
  changes: OwnFields
}>('auth/updateProfile', async ({ uid, changes }, { database, functions }) => {
  if (changes.email !== undefined && !isValidEmail(changes.email))
    throw domainError('proper_email', 'email')
  if (Object.keys(changes).every((field) => OWN_FIELDS.includes(field))) {
    await database.update(toFieldUpdates(dbPaths.user(uid), changes))
    return
  }
  const removed = PICTURE_FIELDS.filter((field) => field in changes && !changes[field])
  const pictures = Object.fromEntries(removed.map((field) => [field, null]))
  await functions.call('save_user', { id: uid, ...changes, ...pictures })
})

/**
 * Gives the signed-in user another number, which the code sent to it verifies. A function changes
 * the sign-in account and the profile.
 */
export const changeMobile = createServiceThunk<{
  uid: string
  verificationId: string
  code: string
  mobile: string
}>('auth/changeMobile', async ({ uid, verificationId, code, mobile }, services) => {
  const { auth, functions } = services
  if (!(await isPossibleCode(code, services))) throw domainError('otp_validate_error', 'code')
  await auth.changePhone(verificationId, code, (mobile_token) =>
    functions.call('save_user', { id: uid, mobile, mobile_token }),
  )
})

/**
 * Permanently removes the user's own account. Bookings stay, without name and contact. With
 * `waive_balance` the user gives up the balance they have seen.
 */
export const deleteMyAccount = createServiceThunk<
  Pick<DeleteUserInput, 'waive_balance' | 'balance'>
>('auth/deleteMyAccount', async (input, services, { dispatch, getState }) => {
  const { auth, offlineStorage, functions } = services
  dispatch(accountDeletionChanged(true))
  try {
    const id = selectUid(getState())
    if (id === null) throw domainError('must_login')
    await functions.call('delete_user', { id, ...input })
    // Signs out first, so that nothing requests the deleted profile.
    await auth.signOut()
    dispatch(sessionEnded())
    const forgotten = offlineStorage.clear().catch(() => undefined)
    dispatch(personalDataCleared())
    await forgotten
  } finally {
    dispatch(accountDeletionChanged(false))
  }
})

/**
 * Uploads an image of the user (profile, license) and returns its link. Each file has its own name:
 * bookings keep the link of a driver's picture, and overwriting a file would break it.
 */
export const uploadOwnImage = createServiceThunk<
  { uid: string; kind: 'profile_image' | 'licenseImage'; file: Blob },
  string
>('auth/uploadOwnImage', async ({ uid, kind, file }, { storage }) =>
  storage.upload(`users/${uid}/${kind}/${Date.now().toString(36)}`, file),
)

/** Uploads the license of a person who signs up as a driver; returns its link. */
export const uploadLicense = createServiceThunk<{ uid: string; file: Blob }, string>(
  'auth/uploadLicence',
  ({ uid, file }, { storage }) => storage.uploadAtSignUp(uid, file),
)

/** Signs up a rider or a driver with the given registration. */
export const userSignup = createServiceThunk<
  Partial<User> & { usertype: 'rider' | 'driver' },
  EndpointOutput<'user_signup'>
>('auth/userSignup', (regData, { functions }) =>
  functions.post('user_signup', {
    regData: { ...regData, createdAt: new Date().toISOString() },
  }),
)

/** Removes the pending sign-up of the user's number. */
export const discardRegistration = createServiceThunk(
  'auth/discardRegistration',
  async (_, { functions }, { dispatch }) => {
    await functions.call('discard_registration', {})
    dispatch(pendingRegistrationChanged(null))
  },
)

/** Signs a person out on all devices, this one included when it is their own. */
export const endSessions = createServiceThunk<string, EndpointOutput<'end_sessions'>>(
  'auth/endSessions',
  (uid, { functions }) => functions.call('end_sessions', { uid }),
)
