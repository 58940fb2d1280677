import { useMemo } from 'react'
import { toSortKeyPrefix } from '~/domain/accounts/directory'
import { formatFullName } from '~/domain/accounts/userAccounts'
import { toTextCursor } from '~/src/services/services'
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
 * Number of people searched for part of a name; the start of a name is searched among all.
 */
const MAX_SEARCHED = 200
/**
 * People per page for a fleet admin. Their query cannot be paged: they get this number of the
 * newest, and more on request.
 */
const FLEET_PAGE_SIZE = 25
export const PAGE_SIZE = 25
/** The column of names, by which the server sorts. */
export const NAME_COLUMN = 'name'

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

/** Compares people as the database sorts them. */
const bySortKey = (a: DirectoryPerson, b: DirectoryPerson) => {
  const [x = '', y = ''] = [a.sortKey, b.sortKey]
  return x === y ? (a.id < b.id ? -1 : 1) : x < y ? -1 : 1
}

/** Returns the first people by name, or the last in reverse. */
const getPageByName = (
  people: readonly DirectoryPerson[],
  size: number,
  isReversed: boolean,
): DirectoryPerson[] => {
  const ordered = [...people].sort(bySortKey)
  return (isReversed ? ordered.reverse() : ordered).slice(0, size)
}

const splitWords = (text: string) => text.toLocaleLowerCase().split(/\s+/).filter(Boolean)

/** Returns the people whose number, e-mail address or name begins with the search. */
const useSearchMatches = (search: string, usertype: UserType): DirectoryPerson[] => {
  const text = toNamePrefix(search)
  const { found: byPhone } = usePhoneMatches(usePhoneSearch(search))
  const { found: byEmail } = useDirectoryMatches({
    by: 'email',
    text: search.includes('@') ? search.trim() : '',
  })
  const { found: byWhole } = useDirectoryMatches({
    by: 'sortKey',
    text: text && toSortKeyPrefix(usertype, search),
  })
  const { found: byLast } = useDirectoryMatches({ by: 'lastName', text })
  return useMemo(
    () => [...byPhone, ...byEmail, ...byWhole, ...byLast],
    [byPhone, byEmail, byWhole, byLast],
  )
}

/** Returns the people of a type from both lists, each once: by name, or newest first. */
const mergePeople = (
  entries: readonly DirectoryPerson[],
  matches: readonly DirectoryPerson[],
  usertype: UserType,
  isByName: boolean,
): DirectoryPerson[] => {
  const once = new Map([...entries, ...matches].map((person) => [person.id, person]))
  const ofType = [...once.values()].filter((person) => person.usertype === usertype)
  return isByName ? ofType.sort(byName) : ofType
}

const filterBySearch = (people: readonly DirectoryPerson[], search: string): DirectoryPerson[] =>
  people.filter((person) => {
    const text = toSearchText(person).toLocaleLowerCase()
    return splitWords(search).every((word) => text.includes(word))
  })

/** Returns the people of a user type who match the search, with the way to page them. */
export const usePeople = (usertype: UserType, isAdmin: boolean) => {
  const [{ page, size, search, sort, descending }] = useTableState({ size: PAGE_SIZE })
  const cursor = useCursor()
  const isDemo = useContactsHidden() === true
  // In demo mode a function lists everyone at once.
  const paged = isAdmin && search.trim() === '' && !isDemo
  const fleet = useFleetRows(FLEET_PAGE_SIZE, cursor)
  const unpaged = isAdmin ? MAX_SEARCHED : fleet.size
  const isReversed = paged && sort === NAME_COLUMN && descending
  const { entries, ...listQuery } = useDirectory({
    usertype,
    size: paged ? size + 1 : unpaged,
    descending: isReversed,
    ...((paged || !isAdmin) && { cursor: cursor.before }),
  })
  const hasPages = paged && (entries.length > size || cursor.hasPrevious)
  const matches = useSearchMatches(search, usertype)
  const pageOfPeople = useMemo(
    () => getPageByName(entries, size, isReversed),
    [entries, size, isReversed],
  )
  const matching = useMemo(
    () => mergePeople(entries, matches, usertype, isAdmin),
    [entries, matches, usertype, isAdmin],
  )
  const people = hasPages ? pageOfPeople : matching
  // A search reads about one page at a time; a list without pages reads everyone.
  const read = paged
    ? pageOfPeople
    : isAdmin
      ? filterBySearch(people, search).slice(page * size, (page + 1) * size)
      : people
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
  const last = pageOfPeople.at(-1)
  return {
    rows,
    ...listQuery,
    onOlder: isAdmin ? undefined : fleet.getLoadOlder(entries),
    onNewer: !isAdmin && cursor.hasPrevious ? cursor.onPrevious : undefined,
    // The rows of a single page are all there are, so that the table itself can sort them.
    remote: hasPages
      ? {
          sortedBy: { column: NAME_COLUMN, descending: isReversed },
          hasNext: entries.length > size,
          hasPrevious: cursor.hasPrevious,
          onNext: () => cursor.onNext(last && toTextCursor(last.sortKey ?? '', last.id)),
          onPrevious: cursor.onPrevious,
        }
      : undefined,
  }
}
