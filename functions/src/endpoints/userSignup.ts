import * as v from 'valibot'
import type { CarType } from '~/domain/entities'
import { at } from '~/domain/paths'
import { forAnyone } from '../definition'
import type { Context } from '../definition'
import * as fields from '../profiles'
import { refuse } from '../refused'
import { readSettings } from '../settings'

const registration = v.object({
  usertype: v.picklist(['rider', 'driver']),
  firstName: fields.name,
  lastName: fields.name,
  email: fields.email,
  mobile: fields.mobile,
  /** Another user's referral id. */
  referralId: v.optional(fields.shortText(60)),
  loginType: v.optional(v.picklist(['facebook', 'apple', 'google'])),
  userPlatform: v.optional(v.picklist(['ANDROID', 'IOS', 'WEB'])),
  profile_image: fields.profileImage,
  lang: fields.language,
  ...fields.bankFields,
  ...fields.driverFields,
})

const VEHICLE: readonly string[] = Object.keys(fields.driverFields)
const withoutVehicle = <Person extends object>(person: Person): Person =>
  Object.fromEntries(Object.entries(person).filter(([field]) => !VEHICLE.includes(field))) as Person

/** Signs a rider or a driver up. */
export const user_signup = forAnyone({
  name: 'user_signup',
  summary:
    'Makes a rider (approved) or a driver (approved unless `driver_approval`) and his sign-in account. The body is the registration, or `{regData: registration}`.',
  input: v.pipe(
    v.looseObject({}),
    v.transform((body) => (typeof body.regData === 'object' ? body.regData : body)),
    registration,
  ),
  allow: ['anyone'],
  limit: 10,
  answers: '{success: true, uid, approved}',
  refuses: ['user_exists', 'proper_email', 'select_proper'],
  fieldKeys: { email: 'proper_email' },
  async handle({ referralId, ...person }, context) {
    const { db, now, random } = context
    const [existing, settings, carType, referrer] = await Promise.all([
      fields.usersWith(db, person),
      readSettings(db),
      person.carType ? db.read<CarType>(at.carType(person.carType)) : null,
      referralId ? fields.referrerOf(db, referralId) : null,
    ])
    if (existing.length > 0) refuse('user_exists')
    if (person.carType && !carType) refuse('select_proper', 'carType')
    if (referralId && !referrer) refuse('bad_input', 'referralId')

    const uid = await accountFor(person.mobile, context)
    const isDriver = person.usertype === 'driver'
    const approved = !isDriver || !settings.driver_approval
    const user = await fields.newUser(
      {
        ...(isDriver ? person : withoutVehicle(person)),
        approved,
        ...(referrer && { signupViaReferral: referrer }),
      },
      { uid, now, db, random },
    )
    await db.update({ [at.user(uid)]: user })
    return { success: true, uid, approved }
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
    return caller.uid
  }
  const made = await accounts.create({ phone: mobile })
  if (made !== null) return made
  const existing = await accounts.byPhone(mobile)
  if (existing === null || (await db.read(`users/${existing}/usertype`)) !== null) {
    return refuse('user_exists')
  }
  return existing
}
