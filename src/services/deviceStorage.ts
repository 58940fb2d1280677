import { claimBrowserStorage, clearBrowserStorage } from './browserStorage'
import type { DeviceStorage } from './services'
import { OFFLINE_OWNER_KEY } from './storageOwner'

/** Removes the offline data of `owner`. Loads its file only on a device that keeps some. */
const clearOfflineData = async (owner: string | null): Promise<void> => {
  if (owner === null) return
  const { offlineStoragePort } = await import('./offlineStorage')
  await offlineStoragePort.clear()
}

/** Removes personal data from the browser's storages and from the offline data together. */
export const deviceStoragePort: DeviceStorage = {
  async claim(uid) {
    // Claiming the browser's storages removes this entry.
    const owner = localStorage.getItem(OFFLINE_OWNER_KEY)
    const removed = claimBrowserStorage(uid)
    if (owner !== uid) await clearOfflineData(owner)
    return removed
  },
  async clear() {
    const owner = localStorage.getItem(OFFLINE_OWNER_KEY)
    await clearBrowserStorage()
    await clearOfflineData(owner)
  },
}
