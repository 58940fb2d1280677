import * as v from 'valibot'
import type { User } from '~/domain/entities'
import { USER_TYPES } from '~/domain/entities'
import { at } from '~/domain/paths'
import { forAnyone } from '../definition'
import { readUser } from '../ports/database'
import { newUser, usersWith } from '../profiles'
import { refuse } from '../refused'

/** Gives a person who signed in his profile, making a rider's when there is none. */
export const ensure_profile = forAnyone({
  name: 'ensure_profile',
  summary: "The caller's profile; at the first sign-in an approved rider with an empty wallet.",
  input: v.object({}),
  allow: ['signed-in'],
  limit: 60,
  answers: 'User without walletHistory',
  refuses: ['require_approval', 'not_valid_user_type', 'user_issue_contact_admin'],
  async handle(_input, { caller, db, now, random }) {
    if (!caller) return refuse('must_login')
    const known = await readUser<User>(db, caller.uid)
    if (known?.usertype) {
      if (!USER_TYPES.includes(known.usertype)) refuse('not_valid_user_type')
      if (!known.approved) refuse('require_approval')
      return known
    }
    const { uid, phone = '', email = '', name = '' } = caller
    // Somebody else's record has this phone number: only the office can say who is who.
    if (phone && (await usersWith(db, { mobile: phone })).length > 0) {
      refuse('user_issue_contact_admin')
    }
    const [firstName = '', ...others] = name.trim().split(/\s+/)
    const lastName = others.join(' ')
    const fresh = {
      usertype: 'rider',
      firstName,
      lastName,
      mobile: phone,
      email,
      approved: true,
    } as const
    const login = caller.provider && { loginType: caller.provider }
    const user = await newUser({ ...fresh, ...login }, { uid, now, db, random })
    await db.update({ [at.user(uid)]: user })
    return (await readUser<User>(db, uid)) ?? refuse('user_issue_contact_admin')
  },
})
