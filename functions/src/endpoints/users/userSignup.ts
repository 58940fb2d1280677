import type { EndpointOutput } from '~/domain/api/api'
import type { Registration } from '~/domain/api/inputs/people'
import { toJson } from '~/domain/data/databaseValue'
import { mergeEffects } from '~/domain/accounts/contactClaims'
import { dbPaths } from '~/domain/data/databasePaths'
import { createSignedUpUser, checkUserIsUnique } from '~/domain/accounts/userAccounts'
import { buildProfileReplacement } from '~/domain/accounts/pendingRegistration'
import type { Effect } from '~/domain/money/wallet'
import { buildAuditEntry } from '../../services/office/auditEntry'
import { defineOpenEndpoint } from '../../http/endpointTypes'
import {
  assertEmailDomain,
  buildEmailRelease,
  writeNewUser,
  writeWithEmailReservation,
} from '../../services/users/emailReservations'
import { hashAddress } from '../../services/messages/optOuts'
import { buildPhoneClaim } from '../../services/users/phoneClaims'
import { assertOwnUserImages, copyDraftLicense } from '../../services/users/imageLinks'
import type { Caller } from '../../ports/accounts'
import { WriteConflictError, readUser } from '../../ports/database'
import { assertMayEnterFields } from '../../services/users/editableFields'
import { findFormerBenefits } from '../../services/users/formerUsers'
import { findReferrer, reserveReferralId } from '../../services/users/referralIds'
import * as profiles from '../../services/users/userLookup'
import { fail, throwIfError } from '../../domainException'
import {
  removeRegistration,
  saveRegistration,
  findRegistration,
  getRegistrationPath,
} from '../../services/users/pendingRegistrations'
import { readSettings } from '../../services/office/settings'
import type { HandlerContext } from '../../ports/handlerContext'
import type { Settings, VehicleType } from '~/domain/catalog/types'
import type { User } from '~/domain/accounts/types'

/** Signs up a rider or a driver. */
export const user_signup = defineOpenEndpoint({
  name: 'user_signup',
  summary:
    'Creates a rider (approved) or a driver (approved unless `driver_approval`) for a caller whose token has the phone number. Without a token the sign-up waits 48 hours (`uid: null, pending: true`): `ensure_profile` shows it to the owner of the number, and the same call with their token confirms it. The body is the registration, or `{regData: registration}`.',
  allow: ['anyone'],
  limit: 30,
  spends: ['messages'],
  dailyLimit: 200,
  errors: [
    'user_exists',
    'proper_email',
    'email_domain_refused',
    'plate_not_allowed',
    'select_proper',
    'phone_no_update',
    'too_many_files',
  ],
  fieldErrors: { email: 'proper_email' },
  async handle(registration, context) {
    const { caller, db } = context
    const { mobile, referralId } = registration
    const carType = 'carType' in registration ? registration.carType : undefined
    if (caller && caller.phone !== mobile) fail('phone_no_update', 'mobile')
    assertMayEnterFields(toPersonFields(registration), 'person')
    await assertOwnUserImages(registration, caller?.uid ?? null, context, { isSignUp: true })
    const [settings, type, referrer] = await Promise.all([
      readSettings(db),
      carType ? db.read<VehicleType>(dbPaths.carType(carType)) : null,
      referralId ? findReferrer(db, referralId) : null,
      assertEmailDomain(db, registration.email),
    ])
    if (carType && !type) fail('select_proper', 'carType')
    if (referralId && !referrer) fail('bad_input', 'referralId')
    if (caller) return registerUser(registration, { caller, settings, referrer }, context)
    throwIfError(checkUserIsUnique(await profiles.findUsers(db, registration), registration))
    await saveRegistration(context, registration)
    return { success: true, uid: null, approved: false, pending: true }
  },
})

/**
 * Returns the fields of the profile. The sign-in method comes from the token, and the referrer from
 * a lookup.
 */
const toPersonFields = ({
  usertype: _usertype,
  referralId: _referralId,
  loginType: _loginType,
  userPlatform: _userPlatform,
  ...person
}: Registration) => person

/**
 * Signs up a caller whose token proves the number. Creates a new profile, or replaces the profile
 * from their first sign-in.
 */
const registerUser = async (
  registration: Registration,
  facts: { caller: Caller; settings: Settings; referrer: string | null },
  context: HandlerContext<'messages'>,
): Promise<EndpointOutput<'user_signup'>> => {
  const { accounts, db, now, config } = context
  const { caller, settings, referrer } = facts
  const { usertype } = registration
  const person = toPersonFields(registration)
  const { uid } = caller
  const before = await readUser<User>(db, uid)
  const replaces = before?.usertype !== undefined
  if (replaces && !(await findRegistration(context, before, caller.phone))) fail('user_exists')
  // A deleted account's token stays valid for up to an hour, but its owner could not sign in to the
  // profile.
  if (!(await accounts.isActive(uid))) fail('must_login')
  const phoneClaim = await buildPhoneClaim(
    context,
    { uid, phone: person.mobile },
    { key: 'user_exists', field: 'mobile' },
  )
  const referralId = await reserveReferralId(context, { uid, firstName: person.firstName })
  const contact = { ...caller, mobile: person.mobile }
  const license = 'licenseImage' in person ? person.licenseImage : undefined
  const fields = {
    ...person,
    ...(license && { licenseImage: await copyDraftLicense(license, uid, context) }),
    ...(caller.email === person.email && { emailVerified: true }),
    ...(caller.provider && { loginType: caller.provider }),
    ...(referrer && { signupViaReferral: referrer }),
    ...(await findFormerBenefits(context, contact, phoneClaim.used)),
  }
  const user = createSignedUpUser(usertype, fields, { uid, now, referralId }, settings)
  if (!replaces) {
    await writeNewUser(
      context,
      user,
      mergeEffects([
        phoneClaim.effect,
        toEffect({ [dbPaths.user(uid)]: toJson(user), ...buildOfficeMessage(user, context) }),
      ]),
    )
    await removeRegistration(context, user.mobile)
    return { success: true, uid, approved: user.approved }
  }
  const { approved } = user
  const entry = { by: uid, at: now, action: 'registration_confirmed', path: dbPaths.user(uid) }
  const effect = toEffect({
    ...(before.email !== user.email && (await buildEmailRelease(db, before))),
    [`${dbPaths.user(uid)}/emailVerified`]: null,
    ...buildProfileReplacement(user),
    ...buildOfficeMessage(user, context),
    // Removed once, so that the rules refuse the second of two simultaneous confirmations
    // completely.
    [getRegistrationPath(user.mobile, config)]: null,
    ...buildAuditEntry({ ...entry, to: { usertype, approved } }, uid),
  })
  try {
    await writeWithEmailReservation(context, user, mergeEffects([phoneClaim.effect, effect]))
  } catch (error) {
    if (!(error instanceof WriteConflictError)) throw error
    fail('user_exists')
  }
  return { success: true, uid, approved }
}

/** Returns the updates that tell the office of a new driver. */
const buildOfficeMessage = (
  { id, usertype, firstName, lastName, mobile }: User,
  { now, outbox, config }: Pick<HandlerContext<'messages'>, 'now' | 'outbox' | 'config'>,
): Effect['updates'] =>
  usertype === 'driver'
    ? outbox.buildUpdates({
        // A person may sign up again after they deleted their account.
        scope: `${id}-${now}`,
        event: 'driver_signed_up',
        audience: 'office',
        // The limits count by number, because each sign-up after a deletion may have a new id.
        by: hashAddress(mobile, config),
        params: { driver: `${firstName} ${lastName}`.trim() },
        at: now,
        now,
      })
    : {}

const toEffect = (updates: Effect['updates']): Effect => ({ updates, pushes: [] })
