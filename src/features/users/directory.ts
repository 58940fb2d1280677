import { NO_ERROR, toSliceError } from '~/src/store/auth'
import { useContactsHidden } from '~/src/store/demoMode'
import { useLive } from '~/src/store/live/liveSlice'
import { createServiceThunk } from '~/src/store/serviceThunk'
import { useLoaded } from '~/src/store/useLoaded'
import {
  liveDirectory,
  directoryMatches,
  type DirectoryPerson,
  type DirectoryQuery,
  type DirectorySearch,
  fleetDrivers,
} from './users'
import type { UserType } from '~/domain/access/types'

const NO_PEOPLE: DirectoryPerson[] = []

/** People of one type or all, without their contacts; at most 1000. */
const listPeople = createServiceThunk<UserType | undefined, DirectoryPerson[]>(
  'usersdata/list',
  async (usertype, { functions }) => {
    const { rows } = await functions.call('list_people', { ...(usertype && { usertype }) })
    return rows.map((row) => ({ ...row, mobile: '', email: '' }))
  },
)

/** Returns people without their contacts, of one type or all; none while `isWanted` is false. */
export const useListedPeople = (usertype: UserType | undefined, isWanted: boolean) => {
  const { value, failure, isLoading, retry } = useLoaded(listPeople, usertype, isWanted)
  return {
    people: value ?? NO_PEOPLE,
    loading: isLoading,
    error: failure ? toSliceError(failure) : NO_ERROR,
    retry,
  }
}

/**
 * Returns people of one type for the office. In demo mode these are all of them in one page,
 * without their contacts, as they were when the page opened.
 */
export const useDirectory = (query: DirectoryQuery) => {
  const isDemo = useContactsHidden()
  const { usertype, size } = query
  const live = useLive(liveDirectory, isDemo === false ? query : { usertype, size: 0 })
  const { people, ...list } = useListedPeople(usertype, isDemo === true && size > 0)
  if (isDemo) return { ...list, entries: people }
  return { ...live, loading: live.loading || (isDemo === undefined && size > 0) }
}

/** Returns the people whose field begins with a text; none in demo mode. */
export const useDirectoryMatches = (search: DirectorySearch) =>
  useLive(directoryMatches, useContactsHidden() === false ? search : { ...search, text: '' })

/** Returns the drivers of a fleet admin; none in demo mode, which deletes no fleet admin. */
export const useFleetDrivers = (fleetAdmin: string) =>
  useLive(fleetDrivers, useContactsHidden() === false ? fleetAdmin : '')
