import { saveUser, type SaveUser } from '~/domain/api'
import type { Value } from '~/domain/booking/change'
import { plain } from '~/domain/booking/draft'
import type { CarType, User, UserType } from '~/domain/entities'
import { at } from '~/domain/paths'
import { createdByOffice, userExists } from '~/domain/people'
import { mayManage } from '~/domain/permissions'
import { audited } from '../audits'
import type { ActorContext } from '../definition'
import { ANY_USER, forUsers } from '../definition'
import { emailReleased, writeNewUser, writeWithEmail } from '../emails'
import { Conflict, readUser } from '../ports/database'
import * as profiles from '../profiles'
import { refuse, refuseIf } from '../refused'
import { readSettings } from '../settings'

/** Makes or edits a user. */
export const save_user = forUsers({
  name: 'save_user',
  summary:
    "Makes a user with a sign-in account (admin: every kind; fleet admin: his own drivers), or edits one. Mobile and e-mail are the office's to set only when adding; a person may change his own, the mobile to the number he signed in with.",
  input: saveUser,
  allow: ANY_USER,
  limit: 60,
  answers: '{id, approved}',
  refuses: [
    'user_exists',
    'email_or_mobile_issue',
    'proper_email',
    'phone_no_update',
    'not_found',
    'select_proper',
    'changed_meanwhile',
  ],
  fieldKeys: { email: 'proper_email' },
  handle: (given, context) =>
    given.id === undefined ? add(given, context) : edit(given.id, given, context),
})

const add = async (given: SaveUser, context: ActorContext) => {
  const { actor, db, now, random, accounts } = context
  const { usertype, firstName, lastName, email, mobile } = given
  if (!usertype || !firstName || !lastName || !email || !mobile) {
    const required = { usertype, firstName, lastName, email, mobile }
    const missing = Object.entries(required).find(([, value]) => !value)?.[0]
    return refuse('bad_input', missing ?? 'usertype')
  }
  const isOwnDriver = actor.role === 'fleetadmin' && usertype === 'driver'
  if (actor.role !== 'admin' && !isOwnDriver) refuse('not_allowed', 'usertype')
  const [existing, settings] = await Promise.all([
    profiles
      .usersWith(db, { email, mobile })
      .catch(() => refuse('email_or_mobile_issue', 'mobile')),
    readSettings(db),
    checkReferences(given, context),
  ])
  refuseIf(userExists(existing, { email, mobile }))
  const made = await accounts.create({ phone: mobile })
  const uid = made ?? (await accounts.byPhone(mobile)) ?? refuse('email_or_mobile_issue', 'mobile')
  // An account without a profile is what an interrupted earlier try left.
  if (made === null && (await db.read(`users/${uid}/usertype`)) !== null) refuse('user_exists')
  const number = await profiles.referralNumber(db, firstName, random)
  const user = createdByOffice(
    usertype,
    { firstName, lastName, email, mobile, ...extrasFor(usertype, given) },
    { uid, now, number },
    { uid: actor.uid, usertype: actor.role === 'admin' ? 'admin' : 'fleetadmin' },
    settings,
  )
  const { approved } = user
  const entry = { by: actor.uid, at: now, action: 'user_add', path: at.user(uid) }
  await writeNewUser(db, user, {
    [at.user(uid)]: plain(user),
    ...audited({ ...entry, to: { usertype, approved } }, uid),
  })
  return { id: uid, approved }
}

/** What only this kind of user has. */
const extrasFor = (usertype: UserType, given: SaveUser): Partial<User> => {
  const { lang, bankName, bankCode, bankAccount, profile_image } = given
  const everybody = {
    lang,
    bankName,
    bankCode,
    bankAccount,
    profile_image,
    approved: given.approved ?? true,
  }
  if (usertype !== 'driver') return everybody
  const { vehicleMake, vehicleModel, vehicleNumber, other_info, carType, licenseImage } = given
  const vehicle = { vehicleMake, vehicleModel, vehicleNumber, other_info, carType, licenseImage }
  return { ...everybody, ...vehicle, fleetadmin: given.fleetadmin }
}

const checkReferences = async ({ carType, fleetadmin }: SaveUser, { db, actor }: ActorContext) => {
  if (fleetadmin && actor.role !== 'admin') refuse('not_allowed', 'fleetadmin')
  const [type, owner] = await Promise.all([
    carType ? db.read<CarType>(at.carType(carType)) : null,
    fleetadmin ? db.read<string>(`users/${fleetadmin}/usertype`) : null,
  ])
  if (carType && !type) refuse('select_proper', 'carType')
  if (fleetadmin && owner !== 'fleetadmin') refuse('bad_input', 'fleetadmin')
}

const edit = async (uid: string, given: SaveUser, context: ActorContext) => {
  const { actor, caller, db, now, accounts } = context
  const [user] = await Promise.all([readUser<User>(db, uid), checkReferences(given, context)])
  if (!user) return refuse('not_found', 'id')
  const isSelf = uid === actor.uid
  const isOffice = mayManage({ uid: actor.uid, usertype: actor.role }, user)
  if (!isSelf && !isOffice) refuse('not_allowed', 'id')
  if (given.usertype && given.usertype !== user.usertype) refuse('not_allowed', 'usertype')
  const changed = changesTo(user, given)
  const privileged = ['approved', 'fleetadmin', 'carType'].find((field) => field in changed)
  if (privileged && (actor.role !== 'admin' || isSelf)) refuse('not_allowed', privileged)
  await checkContact(changed, { isSelf, phone: caller.phone }, context)
  if (changed.mobile && !(await accounts.changePhone(uid, changed.mobile))) refuse('user_exists')
  if (Object.keys(changed).length > 0) {
    const contact = { id: uid, email: changed.email }
    const updates = {
      ...(changed.email && (await emailReleased(db, user))),
      ...Object.fromEntries(
        Object.entries(changed).map(([field, value]) => [`${at.user(uid)}/${field}`, value]),
      ),
      // Whoever may not drive, or drives something else, is not offered any more.
      ...((changed.approved === false || changed.carType) && { [at.available(uid)]: null }),
      ...(!isSelf &&
        audited(
          {
            by: actor.uid,
            at: now,
            action: 'user_edit',
            path: at.user(uid),
            // Which fields, not their content: the audit outlives the person's data.
            to: { fields: Object.keys(changed) },
          },
          uid,
        )),
    }
    try {
      await writeWithEmail(db, contact, updates)
    } catch (error) {
      // He was removed, or the fleet admin he was to drive for is none any more.
      if (error instanceof Conflict) return refuse('changed_meanwhile')
      throw error
    }
  }
  return { id: uid, approved: changed.approved ?? user.approved }
}

/** Mobile and e-mail: on adding the office's, afterwards the person's own. */
const checkContact = async (
  { email, mobile }: SaveUser,
  { isSelf, phone }: { isSelf: boolean; phone: string | undefined },
  { db }: ActorContext,
) => {
  if (!email && !mobile) return
  if (!isSelf) refuse('not_allowed', mobile ? 'mobile' : 'email')
  if (mobile && mobile !== phone) refuse('phone_no_update', 'mobile')
  const contact = { ...(email && { email }), ...(mobile && { mobile }) }
  refuseIf(userExists(await profiles.usersWith(db, contact), contact))
}

const EDITABLE = [
  'firstName',
  'lastName',
  'email',
  'mobile',
  'approved',
  'fleetadmin',
  'lang',
  'bankName',
  'bankCode',
  'bankAccount',
  'profile_image',
  'vehicleMake',
  'vehicleModel',
  'vehicleNumber',
  'other_info',
  'carType',
  'licenseImage',
] as const satisfies (keyof SaveUser & keyof User)[]

const changesTo = (user: User, given: SaveUser): Partial<SaveUser> & Record<string, Value> =>
  Object.fromEntries(
    EDITABLE.filter(
      (field) =>
        given[field] !== undefined && JSON.stringify(given[field]) !== JSON.stringify(user[field]),
    ).map((field): [string, Value] => [field, given[field] as Value]),
  )
