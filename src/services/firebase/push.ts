import { loadConfig } from '../config'
import { lazySingleton } from '../lazySingleton'
import type { PushPort } from '../services'
import { getFirebaseApp } from './app'

/** The token of this browser in local mode, where the double of the push service accepts any. */
const LOCAL_TOKEN_KEY = 'kerbside.local-push-token'

const getLocalToken = (): string => {
  const storedToken = localStorage.getItem(LOCAL_TOKEN_KEY)
  if (storedToken) return storedToken
  const token = `local-${crypto.randomUUID()}`
  localStorage.setItem(LOCAL_TOKEN_KEY, token)
  return token
}

// In a separate file, because few pages need it.
const loadMessaging = lazySingleton(async () => {
  const sdk = await import('firebase/messaging')
  if (!(await sdk.isSupported())) return null
  return { sdk, messaging: sdk.getMessaging(await getFirebaseApp()) }
})

export const pushPort: PushPort = {
  async getToken() {
    const { local, vapidKey } = await loadConfig()
    if (local) return getLocalToken()
    if (!vapidKey || !('serviceWorker' in navigator)) return null
    const loaded = await loadMessaging()
    if (!loaded) return null
    // Our own worker shows the pushes; the SDK would register a second one.
    const serviceWorkerRegistration = await navigator.serviceWorker.ready
    return loaded.sdk.getToken(loaded.messaging, { vapidKey, serviceWorkerRegistration })
  },
  async removeToken() {
    localStorage.removeItem(LOCAL_TOKEN_KEY)
    const { local, vapidKey } = await loadConfig()
    if (local || !vapidKey) return
    const loaded = await loadMessaging()
    if (loaded) await loaded.sdk.deleteToken(loaded.messaging)
  },
}
