import { loadConfig } from './config'
import type { DeviceStorage, Services } from './services'
import { subscribeWithRetry } from './deferredSubscriptions'
import { OFFLINE_OWNER_KEY } from './storageOwner'

// Firebase stays out of the initial bundle: each port loads on first use.
const loadAuth = () => import('./firebase/auth').then((m) => m.authPort)
const loadDatabase = async () => {
  // The database needs both, and they load in parallel.
  const [{ databasePort }] = await Promise.all([import('./firebase/database'), loadConfig()])
  return databasePort
}
const loadFunctions = () => import('./firebase/functions').then((m) => m.functionsPort)
const loadStorage = () => import('./firebase/storage').then((m) => m.storagePort)
const loadPush = () => import('./firebase/push').then((m) => m.pushPort)
let deviceStorage: DeviceStorage | undefined
const loadDeviceStorage = () =>
  import('./deviceStorage').then((m) => (deviceStorage = m.deviceStoragePort))
/**
 * Loads the session with the file that clears the device, so that data of an ended session goes
 * before the next person can type.
 */
const loadSession = async () => (await Promise.all([loadAuth(), loadDeviceStorage()]))[0]
const loadOfflineStorage = () => import('./offlineStorage').then((m) => m.offlineStoragePort)

/**
 * Returns the services over Firebase: Google's in production, the emulator suite's in local mode.
 */
export const makeFirebaseServices = (): Services => ({
  auth: {
    subscribe: (onChange) => subscribeWithRetry(loadSession, (port) => port.subscribe(onChange)),
    requestCode: async (phone) => (await loadAuth()).requestCode(phone),
    verifyCode: async (id, code) => (await loadAuth()).verifyCode(id, code),
    fetchSentCode: async (phone) => (await loadAuth()).fetchSentCode(phone),
    fetchSignInTime: async () => (await loadAuth()).fetchSignInTime(),
    signInWith: async (provider) => (await loadAuth()).signInWith(provider),
    changePhone: async (...args) => (await loadAuth()).changePhone(...args),
    signOut: async () => (await loadAuth()).signOut(),
  },
  database: {
    subscribe: (query, onValue, onError) =>
      subscribeWithRetry(loadDatabase, (port) => port.subscribe(query, onValue, onError)),
    read: async (query) => (await loadDatabase()).read(query),
    update: async (changes) => (await loadDatabase()).update(changes),
    newKey: async () => (await loadDatabase()).newKey(),
    subscribeToConnection: (onChange) =>
      subscribeWithRetry(
        loadDatabase,
        (port) => port.subscribeToConnection(onChange),
        () => onChange(false),
      ),
    reconnect: async () => (await loadDatabase()).reconnect(),
  },
  functions: {
    call: async (...args) => (await loadFunctions()).call(...args),
    post: async (...args) => (await loadFunctions()).post(...args),
    get: async (...args) => (await loadFunctions()).get(...args),
  },
  storage: {
    upload: async (path, file, onProgress) => (await loadStorage()).upload(path, file, onProgress),
    uploadAtSignUp: async (uid, file) => (await loadStorage()).uploadAtSignUp(uid, file),
  },
  offlineStorage: {
    // Loads that file only on a device that keeps this person's data.
    read: async (uid) =>
      localStorage.getItem(OFFLINE_OWNER_KEY) === uid ? (await loadOfflineStorage()).read(uid) : {},
    write: async (uid, changes) => (await loadOfflineStorage()).write(uid, changes),
    // A browser takes a while to import a loaded file again, and a page that says that the session
    // has ended must have no more of its data.
    claim: async (uid) => (deviceStorage ?? (await loadDeviceStorage())).claim(uid),
    clear: async () => (deviceStorage ?? (await loadDeviceStorage())).clear(),
  },
  push: {
    getToken: async () => (await loadPush()).getToken(),
    removeToken: async () => (await loadPush()).removeToken(),
  },
  isLocal: async () => (await loadConfig()).local,
  getMapConfig: async () => (await loadConfig()).maps,
  isSiteReachable: (limitMs) =>
    // The service worker ignores HEAD requests, so this never gets a cached response.
    fetch('/config.json', {
      method: 'HEAD',
      cache: 'no-store',
      signal: AbortSignal.timeout(limitMs),
    }).then(
      () => true,
      () => false,
    ),
  report: (what, error) => {
    // The one place that writes to the console.
    // oxlint-disable-next-line no-console
    console.warn(JSON.stringify({ what, error: error instanceof Error ? error.message : error }))
  },
})
