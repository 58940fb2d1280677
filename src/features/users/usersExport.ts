import { selectProfile } from '~/src/store/auth'
import { createServiceThunk } from '~/src/store/serviceThunk'
import type { User } from '~/domain/accounts/types'
import type { UserType } from '~/domain/access/types'

const PAGE_SIZE = 200
/** Maximum number of a fleet admin's drivers, because their query has no pages. */
const MAX_FLEET_SIZE = 1000

/**
 * Asks for a fresh sign-in, then returns everyone of a type, newest first, fetched page by page;
 * for fleet admins only their own drivers.
 */
export const fetchPeopleToExport = createServiceThunk<
  { usertype: UserType; onProgress?: (count: number) => void },
  User[]
>('usersdata/export', async ({ usertype, onProgress }, { database, functions }, { getState }) => {
  await functions.call('begin_export', { list: usertype })
  const profile = selectProfile(getState())
  const isFleet = profile?.usertype === 'fleetadmin'
  const allUsers = new Map<string, User>()
  let before: string | undefined
  for (;;) {
    const rawUsers = await database.read({
      path: 'users',
      limitToLast: isFleet ? MAX_FLEET_SIZE : PAGE_SIZE,
      ...(isFleet
        ? { orderBy: { child: 'fleetadmin' }, equalTo: profile.id }
        : {
            orderBy: { child: 'usertype' },
            ...(before
              ? { startAt: usertype, endBefore: usertype, endBeforeKey: before }
              : { equalTo: usertype }),
          }),
    })
    const page = Object.entries((rawUsers ?? {}) as Record<string, User>).sort(([a], [b]) =>
      a < b ? 1 : -1,
    )
    for (const [id, user] of page) if (user.usertype === usertype) allUsers.set(id, { ...user, id })
    onProgress?.(allUsers.size)
    before = page.at(-1)?.[0]
    if (isFleet || page.length < PAGE_SIZE) return [...allUsers.values()]
  }
})
