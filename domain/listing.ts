import type { Value } from './booking/change'
import { LISTED, type ListedPerson } from './entities'
import { at } from './paths'

/** What of a record is listed at people/{uid}; null when there is none. */
export const listingOf = (
  user: { [Field in keyof ListedPerson]?: Value | undefined } | null,
): Record<string, Value> | null => {
  const parts = LISTED.flatMap((field): [string, Value][] => {
    const value = user?.[field]
    return value === undefined || value === null ? [] : [[field, value]]
  })
  return parts.length > 0 ? Object.fromEntries(parts) : null
}

const RECORD = /^users\/([^/]+)(?:\/([^/]+))?$/

/** The same update, and in it what the list of people has to say of it. */
export const withListing = (updates: Readonly<Record<string, Value>>): Record<string, Value> => {
  const listed = Object.entries(updates).flatMap(([path, value]): [string, Value][] => {
    const [, uid, field] = RECORD.exec(path) ?? []
    if (uid === undefined) return []
    if (field === undefined)
      return [[at.listed(uid), listingOf(value as Record<string, Value> | null)]]
    return (LISTED as readonly string[]).includes(field)
      ? [[`${at.listed(uid)}/${field}`, value]]
      : []
  })
  return { ...updates, ...Object.fromEntries(listed) }
}
