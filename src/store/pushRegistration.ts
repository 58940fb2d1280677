import { DAY_MS } from '~/domain/language/timeUnits'
import type { AppState } from './reducer'
import type { AppDispatch, ThunkExtra } from '~/src/store/storeTypes'

const STORAGE_KEY = 'kerbside.push'
/** Milliseconds after which the device registers again, so that the server sees that it is used. */
const REFRESH_INTERVAL_MS = DAY_MS
/** Milliseconds that a sign-out waits for the server to remove the device. */
const RELEASE_TIMEOUT_MS = 2000

/** The registration of this device for pushes. */
export interface PushRegistration {
  uid: string
  token: string
  /** Time of the registration, ms. */
  at: number
}

/** Returns the registration stored on this device, or null. */
export const readPushRegistration = (): PushRegistration | null => {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_KEY) ?? 'null') as PushRegistration | null
  } catch {
    return null
  }
}

/**
 * Thunk: registers this device for the pushes of its signed-in user, and again once a day or when
 * its token changes. A failure only means that the pushes wait for the next start.
 */
export const registerPushDevice =
  (uid: string) =>
  async (_: AppDispatch, __: () => AppState, { services }: ThunkExtra): Promise<void> => {
    const storedRegistration = readPushRegistration()
    const isFresh =
      storedRegistration?.uid === uid && Date.now() - storedRegistration.at < REFRESH_INTERVAL_MS
    if (isFresh) return
    try {
      const token = await services.push.getToken()
      if (!token) return
      const replaces =
        storedRegistration && storedRegistration.token !== token
          ? { replaces: storedRegistration.token }
          : {}
      await services.functions.call('register_push_token', { token, platform: 'WEB', ...replaces })
      const registration: PushRegistration = { uid, token, at: Date.now() }
      localStorage.setItem(STORAGE_KEY, JSON.stringify(registration))
    } catch (error) {
      services.report('push registration', error)
    }
  }

/**
 * Thunk: ends the pushes to this device for `registration`, by default the stored one, so that the
 * next person on this device does not get them. The server removes the token only for a signed-in
 * caller; otherwise the push service later reports it as invalid. Continues after a timeout without
 * a response.
 */
export const releasePushDevice =
  (registration = readPushRegistration(), isSignedIn = true) =>
  async (_: AppDispatch, __: () => AppState, { services }: ThunkExtra): Promise<void> => {
    if (!registration) return
    localStorage.removeItem(STORAGE_KEY)
    const input = { token: null, replaces: registration.token }
    await Promise.race([
      Promise.allSettled([
        isSignedIn && services.functions.call('register_push_token', input),
        services.push.removeToken(),
      ]),
      new Promise((resolve) => setTimeout(resolve, RELEASE_TIMEOUT_MS)),
    ])
  }
