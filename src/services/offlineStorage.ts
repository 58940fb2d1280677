import { lazySingleton } from './lazySingleton'
import { getWindowScope } from './windowScope'
import type { OfflineStoragePort } from './services'
import { OFFLINE_OWNER_KEY } from './storageOwner'

const STORE_NAME = 'kept'

const toPromise = <Value>(request: IDBRequest<Value>): Promise<Value> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('unreadable'))
  })

const openDatabase = lazySingleton(() => {
  const scope = import.meta.env.KERBSIDE_TOUR === 'yes' ? getWindowScope() : null
  const request = indexedDB.open(scope === null ? 'kerbside' : `kerbside-${scope}`, 1)
  request.onupgradeneeded = () => request.result.createObjectStore(STORE_NAME)
  return toPromise(request)
})
const openStore = async (mode: IDBTransactionMode) =>
  (await openDatabase()).transaction(STORE_NAME, mode).objectStore(STORE_NAME)

const getUserKeyRange = (uid: string) => IDBKeyRange.bound(`${uid} `, `${uid}!`, false, true)

/**
 * Increases whenever the storage is cleared, so that a pending write for the previous person is
 * dropped.
 */
let clearCount = 0

/**
 * Stores a person's offline data in its own browser database, because it can be large and changes
 * often.
 */
export const offlineStoragePort: Pick<OfflineStoragePort, 'read' | 'write' | 'clear'> = {
  async read(uid) {
    const rows = await openStore('readonly')
    const [keys, values] = await Promise.all([
      toPromise(rows.getAllKeys(getUserKeyRange(uid)) as IDBRequest<string[]>),
      toPromise(rows.getAll(getUserKeyRange(uid)) as IDBRequest<unknown[]>),
    ])
    return Object.fromEntries(keys.map((key, index) => [key.slice(uid.length + 1), values[index]]))
  },
  async write(uid, changes) {
    if (localStorage.getItem(OFFLINE_OWNER_KEY) !== uid) await offlineStoragePort.clear()
    const initialClearCount = clearCount
    const rows = await openStore('readwrite')
    if (initialClearCount !== clearCount) return
    localStorage.setItem(OFFLINE_OWNER_KEY, uid)
    await Promise.all<unknown>(
      Object.entries(changes).map(([name, value]) =>
        value === null
          ? toPromise(rows.delete(`${uid} ${name}`))
          : toPromise(rows.put(value, `${uid} ${name}`)),
      ),
    )
  },
  async clear() {
    clearCount += 1
    localStorage.removeItem(OFFLINE_OWNER_KEY)
    await toPromise((await openStore('readwrite')).clear())
  },
}
