import { userSignup } from '~/domain/api'
import { plain } from '~/domain/booking/draft'
import type { CarType } from '~/domain/entities'
import { at } from '~/domain/paths'
import { signedUp, userExists } from '~/domain/people'
import { forAnyone } from '../definition'
import type { Context } from '../definition'
import { writeNewUser } from '../emails'
import * as profiles from '../profiles'
import { refuse, refuseIf } from '../refused'
import { readSettings } from '../settings'

/** Signs a rider or a driver up. */
export const user_signup = forAnyone({
  name: 'user_signup',
  summary:
    'Makes a rider (approved) or a driver (approved unless `driver_approval`) and his sign-in account. The body is the registration, or `{regData: registration}`.',
  input: userSignup,
  allow: ['anyone'],
  limit: 30,
  answers: '{success: true, uid, approved}',
  refuses: ['user_exists', 'proper_email', 'select_proper', 'phone_no_update'],
  fieldKeys: { email: 'proper_email' },
  async handle({ usertype, referralId, ...person }, context) {
    const { db, now, random } = context
    const carType = 'carType' in person ? person.carType : undefined
    const [existing, settings, type, referrer] = await Promise.all([
      profiles.usersWith(db, person),
      readSettings(db),
      carType ? db.read<CarType>(at.carType(carType)) : null,
      referralId ? profiles.referrerOf(db, referralId) : null,
    ])
    refuseIf(userExists(existing, person))
    if (carType && !type) refuse('select_proper', 'carType')
    if (referralId && !referrer) refuse('bad_input', 'referralId')

    const uid = await accountFor(person.mobile, context)
    const number = await profiles.referralNumber(db, person.firstName, random)
    const fields = { ...person, ...(referrer && { signupViaReferral: referrer }) }
    const user = signedUp(usertype, fields, { uid, now, number }, settings)
    await writeNewUser(db, user, { [at.user(uid)]: plain(user) })
    return { success: true, uid, approved: user.approved }
  },
})

/**
 * The uid the person will sign in with: his own when he is signed in with this phone number, else a new
 * account. An account without a profile is what an interrupted sign-up leaves, and is taken up again.
 */
const accountFor = async (mobile: string, { accounts, caller, db }: Context): Promise<string> => {
  if (caller) {
    if (caller.phone && caller.phone !== mobile) refuse('phone_no_update', 'mobile')
    if ((await db.read(`users/${caller.uid}/usertype`)) !== null) refuse('user_exists')
    // A deleted account's token is good for the rest of its hour, but nobody could sign in to what it made.
    if (!(await accounts.isOpen(caller.uid))) refuse('must_login')
    return caller.uid
  }
  const made = await accounts.create({ phone: mobile })
  if (made !== null) return made
  const existing = await accounts.byPhone(mobile)
  if (existing === null || (await db.read(`users/${existing}/usertype`)) !== null) {
    return refuse('user_exists', 'mobile')
  }
  return existing
}
