import * as v from 'valibot'
import { USER_TYPES, type User, type UserType } from '~/domain/entities'
import { type CheckUserExists } from '~/domain/api'
import { refusal } from '~/domain/errors'
import { at } from '~/domain/paths'
import { liveRecord, liveSlice } from '~/src/store/liveSlice'
import { operation } from '~/src/store/operation'
import { rowOf } from '~/src/store/rows'

export const userRow = rowOf<User>({
  usertype: v.picklist(USER_TYPES),
  firstName: v.optional(v.string(), ''),
  lastName: v.optional(v.string(), ''),
  email: v.optional(v.string(), ''),
  mobile: v.optional(v.string(), ''),
  approved: v.optional(v.boolean(), false),
  walletBalance: v.optional(v.number(), 0),
})

/** People of one type, newest last in the database's order; a fleet admin sees only his own drivers. */
export const users = liveSlice('usersdata', 'users', {
  at: ({ usertype, size = 500 }: { usertype: UserType; size?: number }, profile) =>
    profile?.usertype === 'fleetadmin'
      ? {
          path: 'users',
          orderBy: { child: 'fleetadmin' },
          equalTo: profile.id,
          limitToLast: size,
        }
      : { path: 'users', orderBy: { child: 'usertype' }, equalTo: usertype, limitToLast: size },
  row: userRow,
  order: (a, b) => (a.createdAt < b.createdAt ? 1 : -1),
})

/** One person. */
export const user = liveRecord('userdata', 'user', {
  at: (uid: string) => (uid ? { path: at.user(uid) } : null),
  row: v.pipe(
    v.looseObject({ usertype: v.picklist(USER_TYPES) }),
    v.transform((row) => row as unknown as User),
  ),
})

/** Refuses with user_exists or email_or_mobile_issue; else answers nothing. */
export const checkUserExists = operation<CheckUserExists>(
  'usersdata/checkUserExists',
  async (asked, { functions }) => {
    const answer = await functions
      .post<{ users?: unknown[]; error?: string }>('check_user_exists', asked)
      .catch(() => {
        throw refusal('email_or_mobile_issue')
      })
    if (answer.error) throw refusal('email_or_mobile_issue')
    if (answer.users && answer.users.length > 0) throw refusal('user_exists')
  },
)

/** Checks that nobody has the number or address yet, then adds. */
export const addUser = operation<Partial<User> & { usertype: UserType }>(
  'usersdata/addUser',
  async (person, { functions }, { dispatch }) => {
    await dispatch(checkUserExists({ email: person.email, mobile: person.mobile })).unwrap()
    await functions.call('save_user', { user: person })
  },
)
export const editUser = operation<{ id: string; changes: Partial<User> }>(
  'usersdata/editUser',
  async ({ id, changes }, { functions }) => {
    await functions.call('save_user', { id, user: changes })
  },
)
export const deleteUser = operation<string>('usersdata/deleteUser', async (id, { functions }) => {
  await functions.call('delete_user', { id })
})

/** Credits a wallet (txRef AdminCredit). */
export const addToWallet = operation<{ uid: string; amount: number }>(
  'usersdata/addToWallet',
  async ({ uid, amount }, { functions }) => {
    if (!uid || !(amount > 0)) throw refusal('no_details_error')
    await functions.call('add_to_wallet', { uid, amount })
  },
)
