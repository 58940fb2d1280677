import { onceMade } from './onceMade'
import { type DevicePort, KEPT_FOR } from './services'

const STORE = 'kept'

const settled = <Value>(request: IDBRequest<Value>): Promise<Value> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('unreadable'))
  })

const opened = onceMade(() => {
  const request = indexedDB.open('kerbside', 1)
  request.onupgradeneeded = () => request.result.createObjectStore(STORE)
  return settled(request)
})
const store = async (mode: IDBTransactionMode) =>
  (await opened()).transaction(STORE, mode).objectStore(STORE)

const ofPerson = (uid: string) => IDBKeyRange.bound(`${uid} `, `${uid}!`, false, true)

/** What the browser keeps of a driver's work, in a database of its own: it may be large, and changes all the time. */
export const devicePort: DevicePort = {
  async kept(uid) {
    const rows = await store('readonly')
    const [keys, values] = await Promise.all([
      settled(rows.getAllKeys(ofPerson(uid))),
      settled(rows.getAll(ofPerson(uid)) as IDBRequest<unknown[]>),
    ])
    return Object.fromEntries(
      keys.map((key, index) => [String(key).slice(uid.length + 1), values[index]]),
    )
  },
  async keep(uid, changes) {
    if (localStorage.getItem(KEPT_FOR) !== uid) await devicePort.forget()
    localStorage.setItem(KEPT_FOR, uid)
    const rows = await store('readwrite')
    await Promise.all<unknown>(
      Object.entries(changes).map(([name, value]) =>
        value === null
          ? settled(rows.delete(`${uid} ${name}`))
          : settled(rows.put(value, `${uid} ${name}`)),
      ),
    )
  },
  async forget() {
    localStorage.removeItem(KEPT_FOR)
    await settled((await store('readwrite')).clear())
  },
}
