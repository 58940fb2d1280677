import type { OutboxItem } from './outboxItem'

// Each item has its own entry: adding or removing one never rewrites the others, so a page that
// closes midway loses nothing.
const STORAGE_PREFIX = 'kerbside.outbox'
const toItemPrefix = (uid: string) => `${STORAGE_PREFIX}.${uid}.item.`
const toPhotoKey = (uid: string, key: string) => `${STORAGE_PREFIX}.${uid}.photo.${key}`

/** Items that did not fit on the device, by storage key; they live only as long as the page. */
const memoryItems = new Map<string, { item: OutboxItem; photo: string | undefined }>()

/** Returns all unsent items in the order of creation. */
export const loadItems = (uid: string): OutboxItem[] =>
  [...Object.keys(localStorage), ...memoryItems.keys()]
    .filter((name) => name.startsWith(toItemPrefix(uid)))
    .sort()
    .flatMap((name) => {
      const { item } = memoryItems.get(name) ?? {}
      if (item) return [item]
      try {
        return [JSON.parse(localStorage.getItem(name) ?? '') as OutboxItem]
      } catch {
        return []
      }
    })

/**
 * Stores an item until it is deleted. Returns false when the device is full and only this page
 * keeps it.
 */
export const saveItem = (uid: string, item: OutboxItem, photo?: string): boolean => {
  try {
    if (photo) localStorage.setItem(toPhotoKey(uid, item.key), photo)
    localStorage.setItem(toItemPrefix(uid) + item.key, JSON.stringify(item))
    return true
  } catch {
    // A photo without its event would only take up space.
    localStorage.removeItem(toPhotoKey(uid, item.key))
    memoryItems.set(toItemPrefix(uid) + item.key, { item, photo })
    return false
  }
}

export const deleteItem = (uid: string, key: string) => {
  memoryItems.delete(toItemPrefix(uid) + key)
  localStorage.removeItem(toItemPrefix(uid) + key)
  localStorage.removeItem(toPhotoKey(uid, key))
}

/** Returns the photo stored with an item, as a data URL. */
export const loadPhoto = (uid: string, key: string): string | null =>
  memoryItems.get(toItemPrefix(uid) + key)?.photo ?? localStorage.getItem(toPhotoKey(uid, key))

/** Calls `onChange` when another page of this device has added or sent an item. */
export const subscribeToOtherTabs = (uid: string, onChange: () => void) => {
  const onStorage = ({ key }: StorageEvent) => key?.startsWith(toItemPrefix(uid)) && onChange()
  window.addEventListener('storage', onStorage)
  return () => window.removeEventListener('storage', onStorage)
}
