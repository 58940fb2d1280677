import type { Outgoing } from './outgoing'

// One entry for each item: adding and removing one never rewrites the others, so that a page that is closed in the
// middle of it loses nothing.
const ROOT = 'kerbside.outbox'
const listOf = (uid: string) => `${ROOT}.${uid}.item.`
const photoOf = (uid: string, key: string) => `${ROOT}.${uid}.photo.${key}`

/** Everything that has not been sent, in the order it was made. */
export const kept = (uid: string): Outgoing[] =>
  Object.keys(localStorage)
    .filter((name) => name.startsWith(listOf(uid)))
    .sort()
    .flatMap((name) => {
      try {
        return [JSON.parse(localStorage.getItem(name) ?? '') as Outgoing]
      } catch {
        return []
      }
    })

/** Keeps an item until it is forgotten; false when the device has no room left. */
export const keep = (uid: string, item: Outgoing, photo?: string): boolean => {
  try {
    if (photo) localStorage.setItem(photoOf(uid, item.key), photo)
    localStorage.setItem(listOf(uid) + item.key, JSON.stringify(item))
    return true
  } catch {
    return false
  }
}

export const forget = (uid: string, key: string) => {
  localStorage.removeItem(listOf(uid) + key)
  localStorage.removeItem(photoOf(uid, key))
}

/** The picture kept with an item, as a data link. */
export const photoFor = (uid: string, key: string): string | null =>
  localStorage.getItem(photoOf(uid, key))

/** Calls back when another page of this device has added or sent something. */
export const onKeptElsewhere = (uid: string, onChange: () => void) => {
  const look = ({ key }: StorageEvent) => key?.startsWith(listOf(uid)) && onChange()
  window.addEventListener('storage', look)
  return () => window.removeEventListener('storage', look)
}
