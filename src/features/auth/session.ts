import { domainError } from '~/domain/api/errors'
import { dbPaths } from '~/domain/data/databasePaths'
import { hasSessionEnded } from '~/domain/access/sessions'
import { type SignedInUser, type Unsubscribe, toDomainError } from '~/src/services/services'
import {
  type ApprovalRequest,
  approvalAwaited,
  approvalRequestShown,
  unregisteredUserSignedIn,
  personalDataCleared,
  profileArrived,
  pendingRegistrationChanged,
  sessionEnded,
  sessionStarted,
  signInFailed,
} from '~/src/store/auth'
import { readPushRegistration, releasePushDevice } from '~/src/store/pushRegistration'
import { noticeRaised } from '~/src/store/notices'
import type { AppState } from '~/src/store/reducer'
import type { AppDispatch, ThunkExtra } from '~/src/store/storeTypes'
import type { User } from '~/domain/accounts/types'
import { USER_TYPES } from '~/domain/access/types'

const SIGN_IN_REJECTIONS = [
  'require_approval',
  'session_ended',
  'not_valid_user_type',
  'sign_in_not_offered',
  'user_issue_contact_admin',
] as const
type SignInRejection = (typeof SIGN_IN_REJECTIONS)[number]
const toRejection = (error: unknown): SignInRejection => {
  const { key } = toDomainError(error)
  return SIGN_IN_REJECTIONS.find((rejection) => rejection === key) ?? 'user_issue_contact_admin'
}

/** Milliseconds to wait for the database before the device's offline copy is used. */
const OFFLINE_FALLBACK_MS = 3000
/** The key of the profile in the offline storage. */
export const PROFILE_CACHE_KEY = 'profile'

/**
 * Thunk: removes data that another person left on this device: their session may have ended in
 * another tab or while the page was closed.
 */
const claimDevice =
  (uid: string | null) =>
  async (dispatch: AppDispatch, _: unknown, { services }: ThunkExtra) => {
    const earlier = readPushRegistration()
    if (await services.offlineStorage.claim(uid).catch(() => false)) dispatch(personalDataCleared())
    if (earlier && earlier.uid !== uid) await dispatch(releasePushDevice(earlier, uid !== null))
  }

/** Thunk: creates a missing profile, and stores a pending sign-up until its owner answers. */
const ensureProfile =
  () =>
  async (dispatch: AppDispatch, _: unknown, { services }: ThunkExtra) => {
    const { pendingRegistration } = await services.functions.call('ensure_profile', {})
    if (pendingRegistration) dispatch(pendingRegistrationChanged(pendingRegistration))
  }

const toApprovalRequest = (profile: User): ApprovalRequest => ({
  usertype: profile.usertype,
  createdAt: profile.createdAt,
  hasVehicle: Boolean(profile.vehicleNumber),
  hasLicense: Boolean(profile.licenseImage),
})

/** Thunk: signs the user out and says why. */
const rejectSignIn =
  (key: SignInRejection, profile?: User) =>
  (dispatch: AppDispatch, _: unknown, { services }: ThunkExtra) => {
    dispatch(signInFailed(domainError(key)))
    if (key === 'require_approval' && profile) dispatch(approvalAwaited(toApprovalRequest(profile)))
    // The notice appears on pages without a login form.
    const endedBy = [sessionStarted.type, approvalRequestShown.type]
    dispatch(noticeRaised({ tone: 'problem', text: key, endedBy }))
    dispatch(sessionEnded())
    void services.offlineStorage.clear().catch(() => undefined)
    dispatch(personalDataCleared())
    void services.auth.signOut()
  }

/** Thunk: returns true when this session began before its person ended all sessions. */
const isEndedSession =
  ({ id, sessionsEnd }: User) =>
  async (_: AppDispatch, getState: () => AppState, { services }: ThunkExtra) => {
    if (sessionsEnd === undefined) return false
    const signedInAt = await services.auth.fetchSignInTime()
    const isSame = getState().auth.info?.id === id
    return isSame && signedInAt !== null && hasSessionEnded(sessionsEnd, signedInAt)
  }

/**
 * Thunk: begins the session of a user; null ends the last one. Of another user on the same page no
 * data may stay.
 */
const switchSession = (uid: string | null) => (dispatch: AppDispatch, getState: () => AppState) => {
  const previous = getState().auth.info
  if (uid === null || (previous && previous.id !== uid)) dispatch(sessionEnded())
  if (uid !== null) dispatch(sessionStarted())
}

const findRejection = ({ usertype, approved }: User): SignInRejection | undefined => {
  if (!USER_TYPES.includes(usertype)) return 'not_valid_user_type'
  return approved ? undefined : 'require_approval'
}

/**
 * Calls `onProfile` with the live profile, or with the device's offline copy while the database
 * does not respond.
 */
const followProfile = (
  uid: string,
  { services, hydratedCache }: ThunkExtra,
  onProfile: (profile: unknown) => void,
  onRefused: () => void,
): Unsubscribe => {
  let isWaiting = true
  const restore = async () => {
    const { [PROFILE_CACHE_KEY]: profile, ...answers } = await services.offlineStorage.read(uid)
    if (!profile || !isWaiting) return
    hydratedCache.hydrate(answers)
    onProfile(profile)
  }
  const fallbackTimer = setTimeout(
    () => void restore().catch(() => undefined),
    navigator.onLine ? OFFLINE_FALLBACK_MS : 0,
  )
  const onServerResponse = () => {
    isWaiting = false
    clearTimeout(fallbackTimer)
    hydratedCache.clear()
  }
  const stopLive = services.database.subscribe(
    // Without the wallet's history, which grows without limit and whose key sorts last.
    { path: dbPaths.user(uid), orderBy: 'key', endAt: 'walletBalance' },
    (value) => {
      onServerResponse()
      onProfile(value)
    },
    (error) => {
      onServerResponse()
      services.report(error.message)
      onRefused()
    },
  )
  return () => {
    onServerResponse()
    stopLive()
  }
}

/**
 * Thunk: follows the signed-in user while the page lives, and keeps `auth.info` equal to their live
 * profile. Creates a missing profile. Signs out an unapproved user or one of an unknown type, and
 * says why.
 */
export const startSession =
  () =>
  (dispatch: AppDispatch, getState: () => AppState, extra: ThunkExtra): Unsubscribe => {
    let stopProfile: Unsubscribe = () => {}
    let ensured: string | null = null
    const ensure = (uid: string) => {
      ensured = uid
      return dispatch(ensureProfile())
    }
    const reject = (key: SignInRejection, profile?: User) => {
      stopProfile()
      dispatch(rejectSignIn(key, profile))
    }
    const onMissing = ({ uid, phone }: SignedInUser) => {
      // A person who is signing up as a driver writes their own profile.
      if (getState().auth.isRegistering) {
        dispatch(unregisteredUserSignedIn({ uid, mobile: phone ?? '' }))
        return
      }
      ensure(uid).catch((error: unknown) => reject(toRejection(error)))
    }
    const onProfile = (user: SignedInUser, value: unknown) => {
      // A deletion revokes the approval before it removes the profile.
      if (getState().auth.isDeletingAccount && !(value as User | null)?.approved) return
      if (typeof value !== 'object' || value === null) return onMissing(user)
      const { uid } = user
      const profile = { ...value, id: uid } as User
      const rejection = findRejection(profile)
      if (rejection) return reject(rejection, profile)
      dispatch(profileArrived(profile))
      dispatch(isEndedSession(profile)).then(
        (isEnded) => isEnded && reject('session_ended'),
        () => undefined,
      )
      // The profile is still as the first sign-in created it, so a pending sign-up may still wait
      // for an answer.
      if (profile.usertype === 'rider' && !profile.firstName && ensured !== uid)
        ensure(uid).catch(() => undefined)
    }
    const onUser = (user: SignedInUser | null) => {
      ensured = null
      stopProfile()
      stopProfile = () => {}
      const uid = user?.uid ?? null
      void dispatch(claimDevice(uid))
      dispatch(switchSession(uid))
      if (!user) return
      stopProfile = followProfile(
        user.uid,
        extra,
        (value) => onProfile(user, value),
        () => reject('user_issue_contact_admin'),
      )
    }
    const stopAuth = extra.services.auth.subscribe(onUser)
    return () => {
      stopAuth()
      stopProfile()
    }
  }
