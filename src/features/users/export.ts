import type { User, UserType } from '~/domain/entities'
import { selectProfile } from '~/src/store/auth'
import { operation } from '~/src/store/operation'

const PAGE = 200
/** A fleet admin's question has no pages. */
const FLEET = 1000

/** Everybody of a type, newest first, fetched page by page; of a fleet admin his own drivers. */
export const fetchPeopleToExport = operation<
  { usertype: UserType; onProgress?: (count: number) => void },
  User[]
>('usersdata/export', async ({ usertype, onProgress }, { database }, { getState }) => {
  const profile = selectProfile(getState())
  const isFleet = profile?.usertype === 'fleetadmin'
  const everybody = new Map<string, User>()
  let before: string | undefined
  for (;;) {
    const found = await database.once({
      path: 'users',
      limitToLast: isFleet ? FLEET : PAGE,
      ...(isFleet
        ? { orderBy: { child: 'fleetadmin' }, equalTo: profile.id }
        : {
            orderBy: { child: 'usertype' },
            ...(before
              ? { startAt: usertype, endBefore: usertype, endBeforeKey: before }
              : { equalTo: usertype }),
          }),
    })
    const page = Object.entries((found ?? {}) as Record<string, User>).sort(([a], [b]) =>
      a < b ? 1 : -1,
    )
    for (const [id, user] of page)
      if (user.usertype === usertype) everybody.set(id, { ...user, id })
    onProgress?.(everybody.size)
    before = page.at(-1)?.[0]
    if (isFleet || page.length < PAGE) return [...everybody.values()]
  }
})
