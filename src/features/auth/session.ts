import { type User, USER_TYPES } from '~/domain/entities'
import { domainError } from '~/domain/errors'
import { dbPaths } from '~/domain/databasePaths'
import { hasSessionEnded } from '~/domain/sessions'
import { type SignedInUser, type Unsubscribe, toDomainError } from '~/src/services/services'
import {
  unregisteredUserSignedIn,
  personalDataCleared,
  profileArrived,
  pendingRegistrationChanged,
  sessionEnded,
  sessionStarted,
  signInFailed,
} from '~/src/store/auth'
import type { AppDispatch, ThunkExtra } from '~/src/store/makeStore'
import { readPushRegistration, releasePushDevice } from '~/src/store/pushRegistration'
import { noticeRaised } from '~/src/store/notices'
import type { AppState } from '~/src/store/reducer'

const SIGN_IN_REJECTIONS = [
  'require_approval',
  'session_ended',
  'not_valid_user_type',
  'sign_in_not_offered',
  'user_issue_contact_admin',
] as const
type SignInRejection = (typeof SIGN_IN_REJECTIONS)[number]
const isSignInRejection = (key: string): key is SignInRejection =>
  (SIGN_IN_REJECTIONS as readonly string[]).includes(key)

/** Milliseconds to wait for the database before the device's offline copy is used. */
const OFFLINE_FALLBACK_MS = 3000
/** The key of the profile in the offline storage. */
export const PROFILE_CACHE_KEY = 'profile'

/**
 * Thunk: follows the signed-in user while the page lives, and keeps `auth.info` equal to their live
 * profile. Creates a missing profile. Signs out an unapproved user or one of an unknown type, and
 * says why.
 */
export const startSession =
  () =>
  (
    dispatch: AppDispatch,
    getState: () => AppState,
    { services, hydratedCache }: ThunkExtra,
  ): Unsubscribe => {
    let stopProfile: Unsubscribe = () => {}
    const clearPersonalData = () => {
      const forgotten = services.offlineStorage.clear().catch(() => undefined)
      dispatch(personalDataCleared())
      return forgotten
    }
    /**
     * Removes data that another person left on this device: their session may have ended in another
     * tab or while the page was closed.
     */
    const claimDevice = async (uid: string | null) => {
      const earlier = readPushRegistration()
      if (await services.offlineStorage.claim(uid).catch(() => false))
        dispatch(personalDataCleared())
      if (earlier && earlier.uid !== uid) await dispatch(releasePushDevice(earlier, uid !== null))
    }
    let ensured: string | null = null
    /** Creates the profile if needed, and stores a pending sign-up until its owner answers. */
    const ensureProfile = async (uid: string) => {
      ensured = uid
      const { pendingRegistration } = await services.functions.call('ensure_profile', {})
      if (pendingRegistration) dispatch(pendingRegistrationChanged(pendingRegistration))
    }

    const rejectSignIn = (key: SignInRejection) => {
      stopProfile()
      dispatch(signInFailed(domainError(key)))
      // The notice also appears on pages without a login form. The page of a driver's sign-up says
      // itself that approval is next.
      if (key !== 'require_approval' || !getState().auth.isRegistering)
        dispatch(noticeRaised({ tone: 'problem', text: key, endedBy: [sessionStarted.type] }))
      dispatch(sessionEnded())
      void clearPersonalData()
      void services.auth.signOut()
    }
    /** Ends this session when it began before its person ended all sessions. */
    const checkSession = async ({ id, sessionsEnd }: User) => {
      if (sessionsEnd === undefined) return
      const signedInAt = await services.auth.fetchSignInTime()
      const isSame = getState().auth.info?.id === id
      if (isSame && signedInAt !== null && hasSessionEnded(sessionsEnd, signedInAt))
        rejectSignIn('session_ended')
    }
    const onProfile = ({ uid, phone }: SignedInUser, value: unknown) => {
      // A deletion revokes the approval before it removes the profile.
      if (getState().auth.isDeletingAccount && !(value as User | null)?.approved) return
      if (typeof value !== 'object' || value === null) {
        // A person who is signing up as a driver writes their own profile.
        if (getState().auth.isRegistering) {
          dispatch(unregisteredUserSignedIn({ uid, mobile: phone ?? '' }))
          return
        }
        ensureProfile(uid).catch((error: unknown) => {
          const { key } = toDomainError(error)
          rejectSignIn(isSignInRejection(key) ? key : 'user_issue_contact_admin')
        })
        return
      }
      const profile = { ...value, id: uid } as User
      if (!USER_TYPES.includes(profile.usertype)) return rejectSignIn('not_valid_user_type')
      if (!profile.approved) return rejectSignIn('require_approval')
      dispatch(profileArrived(profile))
      checkSession(profile).catch(() => undefined)
      // The profile is still as the first sign-in created it, so a pending sign-up may still wait
      // for an answer.
      if (profile.usertype === 'rider' && !profile.firstName && ensured !== uid)
        ensureProfile(uid).catch(() => undefined)
    }
    const onUser = (user: SignedInUser | null) => {
      ensured = null
      stopProfile()
      stopProfile = () => {}
      void claimDevice(user?.uid ?? null)
      if (!user) {
        dispatch(sessionEnded())
        return
      }
      const previous = getState().auth.info
      // Another person signed in on the same page, so no data of the first may stay.
      if (previous && previous.id !== user.uid) dispatch(sessionEnded())
      dispatch(sessionStarted())
      const restore = async () => {
        const { [PROFILE_CACHE_KEY]: profile, ...answers } = await services.offlineStorage.read(
          user.uid,
        )
        if (!profile || !isWaiting) return
        hydratedCache.hydrate(answers)
        onProfile(user, profile)
      }
      let isWaiting = true
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
        { path: dbPaths.user(user.uid), orderBy: 'key', endAt: 'walletBalance' },
        (value) => {
          onServerResponse()
          onProfile(user, value)
        },
        (error) => {
          onServerResponse()
          services.report(error.message)
          rejectSignIn('user_issue_contact_admin')
        },
      )
      stopProfile = () => {
        onServerResponse()
        stopLive()
      }
    }
    const stopAuth = services.auth.subscribe(onUser)
    return () => {
      stopAuth()
      stopProfile()
    }
  }
