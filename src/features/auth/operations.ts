import type { User } from '~/domain/entities'
import { refusal } from '~/domain/errors'
import { withListing } from '~/domain/listing'
import { at } from '~/domain/paths'
import { isProperEmail } from '~/domain/people'
import { type SocialProvider, refusalOf } from '~/src/services/services'
import {
  codeRequested,
  codeSent,
  leavingChanged,
  sessionEnded,
  sessionStarted,
  signInFailed,
} from '~/src/store/auth'
import type { AppDispatch, Extra } from '~/src/store/makeStore'
import { operation } from '~/src/store/operation'
import { fieldsAt } from '~/src/store/storable'

/** Thunk: sends a code to a full international number; `auth.verificationId` is set when it is on its way. */
export const requestCode =
  (phone: string) =>
  async (dispatch: AppDispatch, _: unknown, { services }: Extra): Promise<void> => {
    dispatch(codeRequested())
    try {
      dispatch(codeSent(await services.auth.requestCode(phone)))
    } catch (error) {
      dispatch(signInFailed(refusalOf(error)))
    }
  }

/** Exactly six digits between 100000 and 999999, both ends excluded (specification 5). */
export const isSignInCode = (code: string) =>
  /^\d{6}$/.test(code) && Number(code) > 100_000 && Number(code) < 999_999

/** Thunk: signs in with the code; the session then brings the profile. */
export const mobileSignIn =
  (verificationId: string, code: string) =>
  async (dispatch: AppDispatch, _: unknown, { services }: Extra): Promise<void> => {
    if (!isSignInCode(code)) {
      dispatch(signInFailed(refusal('otp_validate_error', 'code')))
      return
    }
    dispatch(sessionStarted())
    try {
      await services.auth.verifyCode(verificationId, code)
    } catch (error) {
      dispatch(signInFailed(refusalOf(error)))
    }
  }

/** Thunk: Facebook, Apple or Google, in a popup. */
export const socialSignIn =
  (provider: SocialProvider) =>
  async (dispatch: AppDispatch, _: unknown, { services }: Extra): Promise<void> => {
    dispatch(codeRequested())
    try {
      await services.auth.signInWith(provider)
    } catch (error) {
      dispatch(signInFailed(refusalOf(error)))
    }
  }

/** Thunk: everything private leaves the page first, so that no listener is refused on the way out. */
export const signOut =
  () =>
  async (dispatch: AppDispatch, _: unknown, { services }: Extra): Promise<void> => {
    dispatch(sessionEnded())
    await services.auth.signOut()
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
    | 'pushToken'
    | 'userPlatform'
    | 'driverActiveStatus'
  >
>

/** Writes one's own profile; a wrong e-mail is refused at its field. */
export const updateProfile = operation<{ uid: string; changes: OwnFields; quiet?: boolean }>(
  'auth/updateProfile',
  async ({ uid, changes }, { database }) => {
    if (changes.email !== undefined && !isProperEmail(changes.email))
      throw refusal('proper_email', 'email')
    await database.update(withListing(fieldsAt(at.user(uid), changes)))
  },
)

/**
 * Gives the signed-in person another number: the code sent to it proves that it is his. First the sign-in account,
 * then the profile, which only a function may write.
 */
export const changeMobile = operation<{
  uid: string
  verificationId: string
  code: string
  mobile: string
  quiet?: boolean
}>('auth/changeMobile', async ({ uid, verificationId, code, mobile }, { auth, functions }) => {
  if (!isSignInCode(code)) throw refusal('otp_validate_error', 'code')
  await auth.changePhone(verificationId, code)
  await functions.call('save_user', { id: uid, mobile })
})

/** Removes one's own account for good; bookings stay without name and contact. */
export const deleteMyAccount = operation<{ quiet?: boolean }>(
  'auth/deleteMyAccount',
  async (_, { auth, functions }, { dispatch }) => {
    dispatch(leavingChanged(true))
    try {
      await functions.call('delete_user', {})
      // The way out first: nothing may ask for a profile of one who has none.
      await auth.signOut()
      dispatch(sessionEnded())
    } finally {
      dispatch(leavingChanged(false))
    }
  },
)

/**
 * Uploads an image of one's own (profile, licence) and answers its link. Each has a name of its own: bookings keep
 * the link a driver's picture had, and to write over a file ends its link.
 */
export const uploadOwnImage = operation<
  { uid: string; kind: 'profile_image' | 'licenseImage'; file: Blob; quiet?: boolean },
  string
>('auth/uploadOwnImage', async ({ uid, kind, file }, { storage }) =>
  storage.upload(`users/${uid}/${kind}/${Date.now().toString(36)}`, file),
)

/** Signs up a rider or a driver with the given registration. */
export const userSignup = operation<
  Partial<User> & { usertype: 'rider' | 'driver'; quiet?: boolean },
  unknown
>('auth/userSignup', ({ quiet: _, ...regData }, { functions }) =>
  functions.post('user_signup', {
    regData: { ...regData, createdAt: new Date().toISOString() },
  }),
)
