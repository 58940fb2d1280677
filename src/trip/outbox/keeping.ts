import type { Outgoing } from './outgoing'

// One entry for each item: adding and removing one never rewrites the others, so that a page that is closed in the
// middle of it loses nothing.
const ROOT = 'kerbside.outbox'
const listOf = (uid: string) => `${ROOT}.${uid}.item.`
const photoOf = (uid: string, key: string) => `${ROOT}.${uid}.photo.${key}`

/** What the device had no room for lives only as long as the page; by the name it would have had. */
const unkept = new Map<string, { item: Outgoing; photo: string | undefined }>()

/** Everything that has not been sent, in the order it was made. */
export const kept = (uid: string): Outgoing[] =>
  [...Object.keys(localStorage), ...unkept.keys()]
    .filter((name) => name.startsWith(listOf(uid)))
    .sort()
    .flatMap((name) => {
      const { item } = unkept.get(name) ?? {}
      if (item) return [item]
      try {
        return [JSON.parse(localStorage.getItem(name) ?? '') as Outgoing]
      } catch {
        return []
      }
    })

/** Keeps an item until it is forgotten; false when the device has no room left, and only this page keeps it. */
export const keep = (uid: string, item: Outgoing, photo?: string): boolean => {
  try {
    if (photo) localStorage.setItem(photoOf(uid, item.key), photo)
    localStorage.setItem(listOf(uid) + item.key, JSON.stringify(item))
    return true
  } catch {
    // A picture without its step would only take more room.
    localStorage.removeItem(photoOf(uid, item.key))
    unkept.set(listOf(uid) + item.key, { item, photo })
    return false
  }
}

export const forget = (uid: string, key: string) => {
  unkept.delete(listOf(uid) + key)
  localStorage.removeItem(listOf(uid) + key)
  localStorage.removeItem(photoOf(uid, key))
}

/** The picture kept with an item, as a data link. */
export const keptPhoto = (uid: string, key: string): string | null =>
  unkept.get(listOf(uid) + key)?.photo ?? localStorage.getItem(photoOf(uid, key))

/** Calls back when another page of this device has added or sent something. */
export const onKeptElsewhere = (uid: string, onChange: () => void) => {
  const look = ({ key }: StorageEvent) => key?.startsWith(listOf(uid)) && onChange()
  window.addEventListener('storage', look)
  return () => window.removeEventListener('storage', look)
}
