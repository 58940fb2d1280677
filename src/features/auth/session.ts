import { type User, USER_TYPES } from '~/domain/entities'
import { refusal } from '~/domain/errors'
import { at } from '~/domain/paths'
import { type SignedIn, type Stop, refusalOf } from '~/src/services/services'
import {
  newcomerSeen,
  profileArrived,
  sessionEnded,
  sessionStarted,
  signInFailed,
} from '~/src/store/auth'
import type { AppDispatch, Extra } from '~/src/store/makeStore'
import { noticeRaised } from '~/src/store/notices'
import type { AppState } from '~/src/store/reducer'

/** How long the database may take before what the device has kept of a driver stands in for it. */
const PATIENCE_MS = 3000
/** Under which name his profile is kept. */
export const KEPT_PROFILE = 'profile'

/**
 * Thunk: follows who is signed in for as long as the page lives, and keeps `auth.info` his live profile.
 * A missing profile is made; an unapproved one, or one of no known type, is signed out again and told why.
 */
export const startSession =
  () =>
  (dispatch: AppDispatch, getState: () => AppState, { services, restored }: Extra): Stop => {
    let stopProfile: Stop = () => {}
    const forgetKept = () => services.device.forget().catch(() => undefined)

    const turnAway = (
      key: 'require_approval' | 'not_valid_user_type' | 'user_issue_contact_admin',
    ) => {
      stopProfile()
      dispatch(signInFailed(refusal(key)))
      // Also where no login form is on the screen.
      dispatch(noticeRaised({ tone: 'problem', text: key }))
      dispatch(sessionEnded())
      void forgetKept()
      void services.auth.signOut()
    }
    const onProfile = ({ uid, phone }: SignedIn, value: unknown) => {
      // A deletion closes the account before it takes it away.
      if (getState().auth.leaving && !(value as User | null)?.approved) return
      if (typeof value !== 'object' || value === null) {
        // Who is about to sign up as a driver writes his own profile.
        if (getState().auth.registering) {
          dispatch(newcomerSeen({ uid, mobile: phone ?? '' }))
          return
        }
        services.functions.call('ensure_profile', {}).catch((error: unknown) => {
          const { key } = refusalOf(error)
          turnAway(
            key === 'require_approval' || key === 'not_valid_user_type'
              ? key
              : 'user_issue_contact_admin',
          )
        })
        return
      }
      const profile = { ...value, id: uid } as User
      if (!USER_TYPES.includes(profile.usertype)) return turnAway('not_valid_user_type')
      if (!profile.approved) return turnAway('require_approval')
      dispatch(profileArrived(profile))
    }
    const onUser = (user: SignedIn | null) => {
      stopProfile()
      stopProfile = () => {}
      if (!user) {
        dispatch(sessionEnded())
        void forgetKept()
        return
      }
      const previous = getState().auth.info
      // Another person on the same page: nothing of the first may stay.
      if (previous && previous.id !== user.uid) {
        dispatch(sessionEnded())
        void forgetKept()
      }
      dispatch(sessionStarted())
      const restore = async () => {
        const { [KEPT_PROFILE]: profile, ...answers } = await services.device.kept(user.uid)
        if (!profile || !isWaiting) return
        restored.arrive(answers)
        onProfile(user, profile)
      }
      let isWaiting = true
      const patience = setTimeout(
        () => void restore().catch(() => undefined),
        navigator.onLine ? PATIENCE_MS : 0,
      )
      const answered = () => {
        isWaiting = false
        clearTimeout(patience)
        restored.forget()
      }
      const stopLive = services.database.live(
        { path: at.user(user.uid) },
        (value) => {
          answered()
          onProfile(user, value)
        },
        (error) => {
          answered()
          services.report(error.message)
          turnAway('user_issue_contact_admin')
        },
      )
      stopProfile = () => {
        answered()
        stopLive()
      }
    }
    const stopAuth = services.auth.watch(onUser)
    return () => {
      stopAuth()
      stopProfile()
    }
  }
