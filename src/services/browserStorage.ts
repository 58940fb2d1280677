import { OFFLINE_OWNER_KEY } from './services'

/** Colors and language settings, which stay when a person leaves the device. */
const PRESERVED_KEYS: readonly string[] = [
  'kerbside.scheme',
  'kerbside.locale',
  'kerbside.language',
]
const KEY_PREFIX = 'kerbside.'
/** The key for the owner of a storage's data; each tab's session storage has its own. */
const OWNER_KEY = 'kerbside.person'
/**
 * Paths where the service worker notes which screens it keeps, which reveal that a driver used the
 * device.
 */
const PRECACHE_NOTES_PATH = '/kept/'

const getStorages = (): Storage[] => {
  try {
    return [localStorage, sessionStorage]
  } catch {
    // A browser that blocks storage has stored nothing to remove.
    return []
  }
}

const clearStorage = (storage: Storage): void => {
  for (const name of Object.keys(storage))
    if (name.startsWith(KEY_PREFIX) && !PRESERVED_KEYS.includes(name)) storage.removeItem(name)
}

const clearPrecacheNotes = async (): Promise<void> => {
  if (!('caches' in globalThis)) return
  for (const name of await caches.keys()) {
    if (!name.startsWith('kerbside-')) continue
    const cache = await caches.open(name)
    for (const request of await cache.keys())
      if (new URL(request.url).pathname.startsWith(PRECACHE_NOTES_PATH)) await cache.delete(request)
  }
}

/** Removes personal data from the browser's storages and caches. */
export const clearBrowserStorage = async (): Promise<void> => {
  for (const storage of getStorages()) clearStorage(storage)
  await clearPrecacheNotes()
}

/**
 * Records the device's owner (null for a visitor) and removes data of another person. Returns true
 * when it removed something. A visitor's own draft stays when they sign in.
 */
export const claimBrowserStorage = (uid: string | null): boolean => {
  let removed = false
  for (const storage of getStorages()) {
    const owner = storage.getItem(OWNER_KEY) ?? storage.getItem(OFFLINE_OWNER_KEY)
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
  if (removed) void clearPrecacheNotes().catch(() => undefined)
  return removed
}
