import * as v from 'valibot'
import { plain } from '~/domain/booking/draft'
import type { User } from '~/domain/entities'
import { at } from '~/domain/paths'
import { newRider, signInRefused } from '~/domain/people'
import { forAnyone } from '../definition'
import { writeWithEmail } from '../emails'
import { Conflict, readUser } from '../ports/database'
import { referralNumber, usersWith } from '../profiles'
import { refuse, refuseIf } from '../refused'

/** Gives a person who signed in his profile, making a rider's when there is none. */
export const ensure_profile = forAnyone({
  name: 'ensure_profile',
  summary: "The caller's profile; at the first sign-in an approved rider with an empty wallet.",
  input: v.object({}),
  allow: ['signed-in'],
  limit: 60,
  answers: 'User without walletHistory',
  refuses: ['require_approval', 'not_valid_user_type', 'user_issue_contact_admin'],
  async handle(_input, { caller, db, now, random, accounts }) {
    if (!caller) return refuse('must_login')
    const known = await readUser<User>(db, caller.uid)
    if (known?.usertype) {
      refuseIf(signInRefused(known))
      return known
    }
    const { uid, phone, email, name = '', provider } = caller
    // Whoever had his account deleted still has a token: it must not bring the profile back.
    if (!(await accounts.isOpen(uid))) refuse('must_login')
    // Somebody else's record has this phone number or e-mail: only the office can say who is who.
    if ((await usersWith(db, { mobile: phone, email })).length > 0) {
      refuse('user_issue_contact_admin')
    }
    const [firstName = '', ...others] = name.trim().split(/\s+/)
    const contact = {
      ...(phone && { mobile: phone }),
      ...(email && { email: email.toLowerCase() }),
      ...(provider && { loginType: provider }),
    }
    const number = await referralNumber(db, firstName, random)
    const rider = {
      ...newRider(contact, { uid, now, number }),
      firstName,
      lastName: others.join(' '),
    }
    try {
      await writeWithEmail(db, rider, { [at.user(uid)]: plain(rider) })
    } catch (error) {
      // Two tabs signed in at once: the other's record is his too.
      if (!(error instanceof Conflict)) throw error
    }
    return (await readUser<User>(db, uid)) ?? refuse('user_issue_contact_admin')
  },
})
