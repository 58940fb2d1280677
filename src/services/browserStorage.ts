import { getStorages, OWNER_KEY, readOwner } from './storageOwner'

/** Colors and language settings, which stay when a person leaves the device. */
const PRESERVED_KEYS: readonly string[] = [
  'kerbside.scheme',
  'kerbside.locale',
  'kerbside.language',
]
const KEY_PREFIX = 'kerbside.'
/**
 * Paths of the service worker's personal entries: the screens that it keeps, which reveal that a
 * driver used the device, and the driver's answer to a request.
 */
const PERSONAL_CACHE_PATHS: readonly string[] = ['/kept/', '/push/answer']

const clearStorage = (storage: Storage): void => {
  for (const name of Object.keys(storage))
    if (name.startsWith(KEY_PREFIX) && !PRESERVED_KEYS.includes(name)) storage.removeItem(name)
}

const clearCaches = async (): Promise<void> => {
  if (!('caches' in globalThis)) return
  for (const name of await caches.keys()) {
    if (!name.startsWith('kerbside-')) continue
    const cache = await caches.open(name)
    for (const request of await cache.keys()) {
      const { pathname } = new URL(request.url)
      if (PERSONAL_CACHE_PATHS.some((path) => pathname.startsWith(path)))
        await cache.delete(request)
    }
  }
}

/** Closes the shown notifications, which name people and places of the person's bookings. */
const closeNotifications = async (): Promise<void> => {
  if (!('serviceWorker' in navigator)) return
  // A browser that refuses service workers has shown nothing.
  const registration = await navigator.serviceWorker.getRegistration().catch(() => undefined)
  for (const notification of (await registration?.getNotifications()) ?? []) notification.close()
}

const clearWorkerData = async (): Promise<void> => {
  await Promise.all([clearCaches(), closeNotifications()])
}

/** Removes personal data from the browser's storages, caches and notifications. */
export const clearBrowserStorage = async (): Promise<void> => {
  for (const storage of getStorages()) clearStorage(storage)
  await clearWorkerData()
}

/**
 * Records the device's owner (null for a visitor) and removes data of another person. Returns true
 * when it removed something. A visitor's own draft stays when they sign in.
 */
export const claimBrowserStorage = (uid: string | null): boolean => {
  let removed = false
  for (const storage of getStorages()) {
    const owner = readOwner(storage)
    if (owner !== null && owner !== uid) {
      clearStorage(storage)
      removed = true
    }
    try {
      if (uid !== null) storage.setItem(OWNER_KEY, uid)
    } catch {
      // Without room nothing else of the person is kept either.
    }
  }
  if (removed) void clearWorkerData().catch(() => undefined)
  return removed
}
