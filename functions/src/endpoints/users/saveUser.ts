import { toSortKey } from '~/domain/accounts/directory'
import type { SaveUserInput } from '~/domain/api/inputs/people'
import { toJson, type DatabaseValue } from '~/domain/data/databaseValue'
import { mergeEffects } from '~/domain/accounts/contactClaims'
import { buildUnavailabilityUpdates } from '~/domain/dispatch/dispatch'
import { dbPaths } from '~/domain/data/databasePaths'
import { createOfficeUser, checkUserIsUnique } from '~/domain/accounts/userAccounts'
import { isOfficePowerChange } from '~/domain/access/officeAccess'
import { isOfficeRole, mayManageUser } from '~/domain/access/permissions'
import { checkReferral, isReferralIdRenewed } from '~/domain/accounts/referral'
import { FIELDS_NEEDING_APPROVAL, isReapprovalNeeded } from '~/domain/accounts/driverApproval'
import { buildApprovalUpdates } from '~/domain/access/roles'
import { getFieldSetter } from '~/domain/accounts/fieldOwners'
import { buildAuditEntry } from '../../services/office/auditEntry'
import { ALL_USER_TYPES, defineUserEndpoint } from '../../http/endpointTypes'
import {
  assertEmailDomain,
  writeNewUser,
  writeWithEmailReservation,
} from '../../services/users/emailReservations'
import { findFormerBenefits } from '../../services/users/formerUsers'
import {
  assertMayEnterFields,
  assertMaySetFields,
  getChangedFields,
} from '../../services/users/editableFields'
import { withinChangeLimits } from '../../services/users/changeLimits'
import { buildContactChange, withSignInNumber } from '../../services/users/contactChange'
import { WriteConflictError, readUser } from '../../ports/database'
import {
  buildApprovalDecision,
  buildRestoredApproval,
  type Suspension,
} from '../../services/users/approvalDecisions'
import { buildBankChange } from '../../services/users/bankDetails'
import { assertOwnUserImages } from '../../services/users/imageLinks'
import { buildOfficeAccessNotice } from '../../services/users/officeAccess'
import { findReferrer, reserveReferralId } from '../../services/users/referralIds'
import { buildSessionsEnd, signOutDevices } from '../../services/users/sessionsEnd'
import * as profiles from '../../services/users/userLookup'
import { assertFreshSignIn } from '../../http/assertFreshSignIn'
import { fail, throwIfError } from '../../domainException'
import { readSettings } from '../../services/office/settings'
import type { UserRequestContext } from '../../ports/requestContext'
import type { UserHandlerContext } from '../../ports/handlerContext'
import { BANK_FIELDS, type User } from '~/domain/accounts/types'
import type { VehicleType } from '~/domain/catalog/types'
import type { UserType } from '~/domain/access/types'

/** Creates or edits a user. */
export const save_user = defineUserEndpoint({
  name: 'save_user',
  summary:
    "Creates a user with a sign-in account (admin: every type; fleet admin: their own drivers), or edits one. Bank details are changed by their owner or an admin only; the owner reads a message, and payouts wait for `bankWaitHours`. An empty or null `fleetadmin` or `carType` removes it. The back office sets the phone number and email address only when it creates a user; later, users change their own, the phone number to one that `mobile_token` or their own token proves; an admin or a fleet admin needs a fresh sign-in with the old number for it. A person changes their own email address, phone number and bank details three times a day each (`too_many_changes` with the minutes until the next day), because each change sends warnings. `referralId` names the referrer of the caller's own new account. Where `driver_approval` is on, a change of a driver's name, vehicle or license by themselves or their fleet admin resets the approval (`approved: false`).",
  allow: ALL_USER_TYPES,
  limit: 60,
  spends: ['messages'],
  dailyLimit: 1000,
  needsFreshSignIn: ({ id, usertype, mobile, ...fields }, { role }) =>
    // `editUser` asks for it too when the fleet changes or the role of the edited account needs it.
    id === undefined
      ? isOfficePowerChange(null, { usertype })
      : BANK_FIELDS.some((field) => fields[field] !== undefined) ||
        (mobile !== undefined && isOfficeRole(role)),
  errors: [
    'fresh_sign_in_needed',
    'user_exists',
    'email_or_mobile_issue',
    'proper_email',
    'email_domain_refused',
    'plate_not_allowed',
    'phone_no_update',
    'not_found',
    'select_proper',
    'changed_meanwhile',
    'busy_with_booking',
    'too_many_changes',
    'too_many_files',
  ],
  fieldErrors: { email: 'proper_email' },
  handle: (input, context) =>
    input.id === undefined ? addUser(input, context) : editUser(input.id, input, context),
})

/** Creates a user with a sign-in account for the back office. */
export const addUser = async (input: SaveUserInput, context: UserHandlerContext<'messages'>) => {
  const { actor, db, now, outbox } = context
  // The user has not signed in yet, so they cannot own an image.
  await assertOwnUserImages(input, null, context)
  const { usertype, firstName, lastName, email, mobile } = input
  if (!usertype || !firstName || !lastName || !email || !mobile) {
    const required = { usertype, firstName, lastName, email, mobile }
    const missing = Object.entries(required).find(([, value]) => !value)?.[0]
    return fail('bad_input', missing ?? 'usertype')
  }
  if (input.referralId !== undefined) fail('not_allowed', 'referralId')
  const isOwnDriver = actor.role === 'fleetadmin' && usertype === 'driver'
  if (actor.role !== 'admin' && !isOwnDriver) fail('not_allowed', 'usertype')
  // The user type was decided above.
  assertMayEnterFields({ ...input, usertype: undefined }, getFieldSetter(actor, null))
  const [existing, settings] = await Promise.all([
    profiles.findUsers(db, { email, mobile }).catch(() => fail('email_or_mobile_issue', 'mobile')),
    readSettings(db),
    assertReferencesExist(input, context),
    assertEmailDomain(db, email),
  ])
  throwIfError(checkUserIsUnique(existing, { email, mobile }))
  const uid = await profiles.claimAccount(context, mobile)
  const referralId = await reserveReferralId(context, { uid, firstName })
  const user = createOfficeUser(
    usertype,
    {
      ...{ firstName, lastName, email, mobile },
      ...getTypeSpecificFields(usertype, input),
      ...(await findFormerBenefits(context, { mobile })),
    },
    { uid, now, referralId },
    {
      actor: { uid: actor.uid, usertype: actor.role === 'admin' ? 'admin' : 'fleetadmin' },
      settings,
    },
  )
  const { approved } = user
  const entry = { by: actor.uid, at: now, action: 'user_add', path: dbPaths.user(uid) }
  const updates = {
    [dbPaths.user(uid)]: toJson(user),
    ...buildAuditEntry({ ...entry, to: { usertype, approved } }, uid),
  }
  const access = { before: null, after: user }
  const notice = buildOfficeAccessNotice(user, access, { scope: 'new', now, outbox })
  await writeNewUser(context, user, mergeEffects([{ updates, pushes: [] }, notice]))
  return { id: uid, approved }
}

/** Returns the fields that only this user type has. */
const getTypeSpecificFields = (usertype: UserType, input: SaveUserInput): Partial<User> => {
  const { lang, bankName, bankCode, bankAccount } = input
  const everybody = {
    lang,
    bankName,
    bankCode,
    bankAccount,
    approved: input.approved ?? true,
  }
  if (usertype !== 'driver') return everybody
  const { vehicleMake, vehicleModel, vehicleNumber, other_info, carType, fleetadmin } = input
  const vehicle = { vehicleMake, vehicleModel, vehicleNumber, other_info }
  const references = { ...(carType && { carType }), ...(fleetadmin && { fleetadmin }) }
  return { ...everybody, ...vehicle, ...references }
}

const assertReferencesExist = async (
  { carType, fleetadmin }: SaveUserInput,
  { db, actor }: UserRequestContext,
) => {
  if (fleetadmin && actor.role !== 'admin') fail('not_allowed', 'fleetadmin')
  const [type, owner] = await Promise.all([
    carType ? db.read<VehicleType>(dbPaths.carType(carType)) : null,
    fleetadmin ? db.read<string>(`users/${fleetadmin}/usertype`) : null,
  ])
  if (carType && !type) fail('select_proper', 'carType')
  if (fleetadmin && owner !== 'fleetadmin') fail('bad_input', 'fleetadmin')
}

/** Changes the given fields of a user. */
export const editUser = async (
  uid: string,
  input: SaveUserInput,
  context: UserHandlerContext<'messages'>,
) => {
  const { actor, db } = context
  const [user] = await Promise.all([readUser<User>(db, uid), assertReferencesExist(input, context)])
  if (!user) return fail('not_found', 'id')
  const isSelf = uid === actor.uid
  const isOffice = mayManageUser({ uid: actor.uid, usertype: actor.role }, user)
  if (!isSelf && !isOffice) fail('not_allowed', 'id')
  if (input.usertype && input.usertype !== user.usertype) fail('not_allowed', 'usertype')
  const changed = getChangedFields(user, input)
  await assertOwnUserImages(changed, uid, context)
  const names = Object.keys(changed)
  assertMaySetFields(names, uid, actor)
  const referral = await resolveReferral(user, input, isSelf, context)
  // Written even when the record says the same: a deletion that is under way has taken the approval
  // away, and may restore it after this read.
  const isDecided = input.approved !== undefined && actor.role === 'admin' && !isSelf
  const approval = isDecided ? input.approved : changed.approved
  // The fleet decides who reads a driver's earnings.
  const isPowerChange = isDecided && isOfficePowerChange(user, input)
  if (isPowerChange || 'fleetadmin' in changed) assertFreshSignIn(context)
  if (names.length === 0 && !referral && !isDecided) return { id: uid, approved: user.approved }

  const { mobile_token } = input
  const contact = await buildContactChange(user, { ...changed, mobile_token }, context)
  // A fleet admin enters the same data as the driver, and earns from the driver's trips.
  const reviewed = actor.role !== 'admin' && isReapprovalNeeded(user, names)
  // A platform that does not require approval before the first drive does not require it after a
  // change either.
  const review = reviewed && (await readSettings(db)).driver_approval
  if (review && user.queue) fail('busy_with_booking')
  const approved = review ? false : (approval ?? user.approved)
  const isBlocked = isDecided && input.approved === false
  const decision = isDecided || review ? await buildApprovalDecision(db, uid) : undefined
  const referralId = await renewReferralId(user, changed, context)
  const access = { before: user, after: { ...user, approved } }
  const { now, outbox } = context
  const change = { scope: `${decision?.revision ?? 0}`, now, outbox }
  const updates = {
    ...toUserUpdates(user, { ...changed, ...referral, ...referralId }),
    ...(approval !== undefined && buildApprovalUpdates(user, approval)),
    ...decision?.updates,
    ...(isBlocked && buildSessionsEnd(uid, now)),
    // A suspended driver, or one with another vehicle type or fleet, leaves the lists of available
    // drivers. The driver's page adds them again with the new values.
    ...((approved === false || 'carType' in changed || 'fleetadmin' in changed) &&
      buildUnavailabilityUpdates(user)),
    ...(review && {
      ...buildApprovalUpdates(user, false),
      [`${dbPaths.user(uid)}/driverActiveStatus`]: false,
    }),
    ...(names.length > 0 &&
      (!isSelf || reviewed) &&
      buildEditAudit(user, names, context, reviewed && { approved })),
  }
  try {
    const effect = mergeEffects([
      contact.effect,
      await buildBankChange(user, changed, context),
      buildOfficeAccessNotice(user, access, change),
      { updates, pushes: [] },
    ])
    await withinChangeLimits(context, isSelf ? names : [], () =>
      withSignInNumber(context, { user, proof: contact.proof }, () =>
        writeWithEmailReservation(context, contact.claim, effect),
      ),
    )
  } catch (error) {
    // The account was removed, or the new fleet admin no longer has that role.
    if (error instanceof WriteConflictError) return fail('changed_meanwhile')
    throw error
  }
  if (isBlocked) await signOutDevices(context, user)
  if (review && decision) await undoIfBusy({ user, revision: decision.revision }, context)
  return { id: uid, approved }
}

/** Returns the audit entry of an edit, and of the review that it starts. */
const buildEditAudit = (
  { id }: User,
  names: readonly string[],
  { actor, now }: UserRequestContext,
  review: { approved: boolean } | false,
) =>
  buildAuditEntry(
    {
      by: actor.uid,
      at: now,
      action: review ? 'driver_data_change' : 'user_edit',
      path: dbPaths.user(id),
      // Records the field names but not the values, because the audit outlives the personal data.
      to: { fields: [...names], ...review },
    },
    id,
  )

/** Returns the referrer that a new account names, to write with the other fields. */
const resolveReferral = async (
  user: User,
  { referralId }: SaveUserInput,
  isSelf: boolean,
  { db }: UserRequestContext,
): Promise<Pick<User, 'signupViaReferral'> | undefined> => {
  if (referralId === undefined) return undefined
  if (!isSelf) fail('not_allowed', 'referralId')
  const first = { equalTo: user.id, first: 1 }
  const [referrer, booked, driven] = await Promise.all([
    findReferrer(db, referralId),
    db.list('bookings', { by: 'customer', ...first }),
    db.list('bookings', { by: 'driver', ...first }),
  ])
  const createdAt = referrer && (await db.read<string>(`${dbPaths.user(referrer)}/createdAt`))
  const referrerProfile = referrer ? { id: referrer, createdAt: createdAt ?? '' } : null
  throwIfError(checkReferral(user, referrerProfile, booked.length + driven.length))
  return referrer ? { signupViaReferral: referrer } : undefined
}

/**
 * Returns the referral id from the first name of a user who signed in without one. Their old id
 * stays reserved for them and leads to them.
 */
const renewReferralId = async (
  user: User,
  { firstName }: Partial<SaveUserInput>,
  context: UserRequestContext,
): Promise<Pick<User, 'referralId'> | undefined> =>
  firstName && isReferralIdRenewed(user, firstName)
    ? { referralId: await reserveReferralId(context, { uid: user.id, firstName }) }
    : undefined

/** Returns the update of these fields, and of the person's place in the lists of the office. */
const toUserUpdates = (
  user: User,
  fields: Record<string, DatabaseValue | undefined>,
): Record<string, DatabaseValue> => ({
  ...Object.fromEntries(
    Object.entries(fields).map(([field, value]) => [
      `${dbPaths.user(user.id)}/${field}`,
      value ?? null,
    ]),
  ),
  ...(('firstName' in fields || 'lastName' in fields) && {
    [`${dbPaths.directoryEntry(user.id)}/sortKey`]: toSortKey({ ...user, ...fields }),
  }),
})

/**
 * Reverts a driver's change when they accepted a booking at the same moment, because they must
 * finish it. Safe because the rules refuse to mark an unapproved driver as busy: an accept either
 * committed before the change or fails.
 */
const undoIfBusy = async (suspension: Suspension, { db }: UserRequestContext): Promise<void> => {
  const { user } = suspension
  if ((await db.read<boolean>(`${dbPaths.user(user.id)}/queue`)) !== true) return
  const before = [...FIELDS_NEEDING_APPROVAL, 'driverActiveStatus'] as const
  await db.update({
    ...toUserUpdates(user, Object.fromEntries(before.map((field) => [field, user[field]]))),
    ...(await buildRestoredApproval(db, suspension)),
  })
  fail('busy_with_booking')
}
