/** The localStorage key for the uid whose offline data the device keeps. */
export const OFFLINE_OWNER_KEY = 'kerbside.kept'
/** The key for the owner of a storage's data; each tab's session storage has its own. */
export const OWNER_KEY = 'kerbside.person'

export const getStorages = (): Storage[] => {
  try {
    return [localStorage, sessionStorage]
  } catch {
    // A browser that blocks storage has stored nothing.
    return []
  }
}

/** Returns the uid of the person whose data a storage has, or null. */
export const readOwner = (storage: Storage): string | null =>
  storage.getItem(OWNER_KEY) ?? storage.getItem(OFFLINE_OWNER_KEY)

/** Returns whether the browser has data of a person, whose session may go on. */
export const hasOwner = (): boolean => getStorages().some((storage) => readOwner(storage) !== null)
