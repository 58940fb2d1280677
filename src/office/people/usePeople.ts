import { useMemo } from 'react'
import { formatFullName } from '~/domain/accounts/userAccounts'
import { useDirectory, useDirectoryMatches } from '~/src/features/users/directory'
import { type DirectoryPerson, toNamePrefix, liveUsers } from '~/src/features/users/users'
import { useContactsHidden } from '~/src/store/demoMode'
import { useLive } from '~/src/store/live/liveSlice'
import { useCursor, useTableState } from '~/src/ui/table/tableState'
import { useFleetRows } from '../fleetRows'
import { toNationalForms, usePhoneMatches, usePhoneSearch } from './phoneSearch'
import type { User } from '~/domain/accounts/types'
import type { UserType } from '~/domain/access/types'

/**
 * Number of newest people searched for part of a name; the start of a name is searched among all.
 */
const MAX_SEARCHED = 200
/**
 * People per page for a fleet admin. Their query cannot be paged: they get this number of the
 * newest, and more on request.
 */
const FLEET_PAGE_SIZE = 25
export const PAGE_SIZE = 25

/** A person from the directory, plus the fields of their record once it has been read. */
export type PersonRow = DirectoryPerson & Partial<User>

export const toSearchText = (person: PersonRow) =>
  `${formatFullName(person)} ${person.mobile} ${toNationalForms(person.mobile)} ${person.email} ${person.vehicleNumber ?? ''} ${person.referralId ?? ''}`

const rowCache = new WeakMap<User, { person: DirectoryPerson; row: PersonRow }>()
/** Merges both, and caches the result so that unchanged people do not render again. */
const mergeRecord = (person: DirectoryPerson, record: User | undefined): PersonRow => {
  if (!record) return person
  const cachedRow = rowCache.get(record)
  if (cachedRow?.person === person) return cachedRow.row
  const row = { ...person, ...record }
  rowCache.set(record, { person, row })
  return row
}

const byName = (a: DirectoryPerson, b: DirectoryPerson) =>
  formatFullName(a).localeCompare(formatFullName(b))

const splitWords = (text: string) => text.toLocaleLowerCase().split(/\s+/).filter(Boolean)

/** Returns the people whose number, e-mail address or name begins with the search. */
const useSearchMatches = (search: string): DirectoryPerson[] => {
  const text = toNamePrefix(search)
  const { found: byPhone } = usePhoneMatches(usePhoneSearch(search))
  const { found: byEmail } = useDirectoryMatches({
    by: 'email',
    text: search.includes('@') ? search.trim() : '',
  })
  const { found: byFirst } = useDirectoryMatches({ by: 'firstName', text })
  const { found: byLast } = useDirectoryMatches({ by: 'lastName', text })
  return useMemo(
    () => [...byPhone, ...byEmail, ...byFirst, ...byLast],
    [byPhone, byEmail, byFirst, byLast],
  )
}

/** Returns the people of a user type who match the search, with the way to page them. */
export const usePeople = (usertype: UserType, isAdmin: boolean) => {
  const [{ page, size, search }] = useTableState({ size: PAGE_SIZE })
  const cursor = useCursor()
  const searching = search.trim() !== ''
  const isDemo = useContactsHidden() === true
  // In demo mode a function lists everyone at once.
  const paged = isAdmin && !searching && !isDemo
  const fleet = useFleetRows(FLEET_PAGE_SIZE, cursor)
  const unpaged = isAdmin ? MAX_SEARCHED : fleet.size
  const { entries, ...listQuery } = useDirectory({
    usertype,
    size: paged ? size + 1 : unpaged,
    ...((paged || !isAdmin) && { cursor: cursor.before }),
  })
  const hasPages = paged && (entries.length > size || cursor.hasPrevious)
  const matches = useSearchMatches(search)
  const people = useMemo(() => {
    if (hasPages) return entries
    const once = new Map([...entries, ...matches].map((person) => [person.id, person]))
    const ofType = [...once.values()].filter((person) => person.usertype === usertype)
    // A fleet admin loads more people page by page, newest first.
    return isAdmin ? ofType.sort(byName) : ofType
  }, [entries, matches, hasPages, isAdmin, usertype])
  const byKey = [...entries].sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, size)
  const matching = people.filter((person) => {
    const text = toSearchText(person).toLocaleLowerCase()
    return splitWords(search).every((word) => text.includes(word))
  })
  // A search reads about one page at a time; a list without pages reads everyone.
  const read = paged ? byKey : isAdmin ? matching.slice(page * size, (page + 1) * size) : people
  const { users } = useLive(liveUsers, {
    ids: read.map(({ id }) => id),
    drivers: usertype === 'driver',
    contacts: !isDemo,
    photos: true,
  })
  const rows = useMemo(() => {
    const records = new Map(users.map((user) => [user.id, user]))
    return people.map((person) => mergeRecord(person, records.get(person.id)))
  }, [people, users])
  return {
    rows: paged ? rows.filter(({ id }) => byKey.some((person) => person.id === id)) : rows,
    ...listQuery,
    onOlder: isAdmin ? undefined : fleet.getLoadOlder(entries),
    onNewer: !isAdmin && cursor.hasPrevious ? cursor.onPrevious : undefined,
    // The rows of a single page are all there are, so that the table itself can sort them.
    remote: hasPages
      ? {
          // The pages are in the order of the uids, which says nothing about a person.
          sortedBy: null,
          hasNext: entries.length > size,
          hasPrevious: cursor.hasPrevious,
          onNext: () => cursor.onNext(byKey.at(-1)?.id),
          onPrevious: cursor.onPrevious,
        }
      : undefined,
  }
}
