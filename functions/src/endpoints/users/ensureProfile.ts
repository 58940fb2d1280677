import { toJson } from '~/domain/data/databaseValue'
import { mergeEffects } from '~/domain/accounts/contactClaims'
import { dbPaths } from '~/domain/data/databasePaths'
import { createRider, checkSignIn } from '~/domain/accounts/userAccounts'
import { cleanWords } from '~/domain/language/words'
import { syncCallerRoleClaim } from '../../services/users/roleClaims'
import { defineOpenEndpoint } from '../../http/endpointTypes'
import { writeWithEmailReservation } from '../../services/users/emailReservations'
import { buildAccountHashes, findFormerBenefits } from '../../services/users/formerUsers'
import { buildPhoneClaim, type PhoneClaim } from '../../services/users/phoneClaims'
import type { Caller } from '../../ports/accounts'
import { WriteConflictError, readUser } from '../../ports/database'
import { recoverOfficeAccount } from '../../services/users/phoneRecovery'
import { reserveReferralId } from '../../services/users/referralIds'
import { DomainException, fail, throwIfError } from '../../domainException'
import { findRegistration } from '../../services/users/pendingRegistrations'
import type { RequestContext } from '../../ports/requestContext'
import type { User } from '~/domain/accounts/types'

/** Returns the profile of a signed-in person. Creates a rider profile when they have none. */
export const ensure_profile = defineOpenEndpoint({
  name: 'ensure_profile',
  summary:
    "Returns the caller's profile. The first sign-in creates an approved rider with an empty wallet from the token's claims. `pendingRegistration` is a sign-up for the caller's number, which they confirm (`user_signup`) or discard (`discard_registration`). The caller's next token has the role that uploads need.",
  allow: ['signed-in'],
  limit: 60,
  spends: [],
  errors: ['require_approval', 'not_valid_user_type', 'user_issue_contact_admin'],
  async handle(_input, context) {
    const { accounts, caller, db } = context
    if (!caller) return fail('must_login')
    const existingUser = await readUser<User>(db, caller.uid)
    if (existingUser?.usertype) {
      await syncCallerRoleClaim({ accounts }, caller, existingUser)
      throwIfError(checkSignIn(existingUser))
      await saveVerifiedEmail(existingUser, caller, context)
      await saveSocialAccount(existingUser, caller, context)
    } else await createRiderProfile(caller, context)
    const user = (await readUser<User>(db, caller.uid)) ?? fail('user_issue_contact_admin')
    if (!existingUser?.usertype) await syncCallerRoleClaim({ accounts }, caller, user)
    const waiting = await findRegistration(context, user, caller.phone)
    return { ...user, ...(waiting && { pendingRegistration: waiting }) }
  },
})

/** The name of a social account may be longer than a profile's. */
const MAX_NAME_LENGTH = 100

const createRiderProfile = async (caller: Caller, context: RequestContext): Promise<void> => {
  const { config, now, accounts } = context
  const { uid, phone, email, name = '', provider } = caller
  // The token of a deleted account stays valid for up to an hour, and must not restore the profile.
  if (!(await accounts.isActive(uid))) fail('must_login')
  // An open page signs out on this refusal and asks the person to sign in again.
  if (phone && (await recoverOfficeAccount(context, { uid, phone }))) fail('session_ended')
  const phoneClaim: PhoneClaim = phone
    ? await buildPhoneClaim(context, { uid, phone }, { key: 'user_issue_contact_admin' })
    : { effect: { updates: {}, pushes: [] }, used: [] }
  const [firstName = '', ...others] = cleanWords(name, 'name')
    .slice(0, MAX_NAME_LENGTH)
    .split(/\s+/)
  const referralId = await reserveReferralId(context, { uid, firstName })
  const benefits = await findFormerBenefits(context, { ...caller, mobile: phone }, phoneClaim.used)
  const write = (contact: Pick<Partial<User>, 'email' | 'emailVerified'>) => {
    const rider: User = {
      ...createRider(
        {
          ...(phone && { mobile: phone }),
          ...(provider && { loginType: provider }),
          ...contact,
        },
        { uid, now, referralId },
      ),
      ...benefits,
      ...buildAccountHashes(config, caller),
      firstName,
      lastName: others.join(' '),
    }
    const effect = { updates: { [dbPaths.user(uid)]: toJson(rider) }, pushes: [] }
    return writeWithEmailReservation(context, rider, mergeEffects([phoneClaim.effect, effect]))
  }
  try {
    await write(email ? { email, emailVerified: true } : {}).catch((error: unknown) => {
      // Another profile has verified the same address, or the office takes none of its domain.
      if (isEmailRefused(error)) return write({})
      throw error
    })
  } catch (error) {
    // Two tabs signed in at the same time, and the other tab's record belongs to the same person.
    if (!(error instanceof WriteConflictError)) throw error
  }
}

/**
 * Marks the profile's address as verified when the token verifies it. Adds the verified address to
 * a profile without one.
 */
const saveVerifiedEmail = async (
  user: User,
  caller: Caller,
  context: RequestContext,
): Promise<void> => {
  const { uid, email } = caller
  if (!email || user.emailVerified || (user.email && user.email !== email)) return
  const claim = { id: uid, email, emailVerified: true }
  const fields = {
    [`${dbPaths.user(uid)}/email`]: email,
    [`${dbPaths.user(uid)}/emailVerified`]: true,
  }
  try {
    await writeWithEmailReservation(context, claim, { updates: fields, pushes: [] })
  } catch (error) {
    // The same, or this profile changed at the same moment.
    if (!isEmailRefused(error) && !(error instanceof WriteConflictError)) throw error
  }
}

/** Adds the social account to a profile that was created before it was stored, or by phone. */
const saveSocialAccount = async (
  { id, formerPhones }: User,
  caller: Caller,
  { config, db }: RequestContext,
): Promise<void> => {
  const [hash] = Object.keys(buildAccountHashes(config, caller).formerPhones ?? {})
  if (hash === undefined || formerPhones?.[hash]) return
  try {
    await db.update({ [`${dbPaths.user(id)}/formerPhones/${hash}`]: true })
  } catch (error) {
    // This profile changed at the same moment; the next sign-in adds the account.
    if (!(error instanceof WriteConflictError)) throw error
  }
}

const isEmailRefused = (error: unknown): boolean =>
  error instanceof DomainException &&
  (error.error.key === 'user_exists' || error.error.key === 'email_domain_refused')
