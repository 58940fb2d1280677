import type { SaveUserInput } from '~/domain/api/inputs/people'
import { mergeEffects } from '~/domain/accounts/contactClaims'
import { dbPaths } from '~/domain/data/databasePaths'
import { buildNotification } from '~/domain/messages/messageTable'
import type { Effect } from '~/domain/money/wallet'
import { fail } from '../../domainException'
import { assertEmailDomain, buildEmailRelease, type EmailClaim } from './emailReservations'
import { buildEmailChangeUpdates, buildPhoneChangeUpdates } from './formerUsers'
import { buildPhoneClaim } from './phoneClaims'
import { provePhone, type PhoneProof } from './phoneProof'
import { getProvedAddresses } from './provedAddresses'
import { signOutDevices } from './sessionsEnd'
import type { UserHandlerContext } from '../../ports/handlerContext'
import type { User } from '~/domain/accounts/types'

/**
 * Tells people of a new phone number or address, also where they were reached before. A first
 * address costs no SMS before it is verified, because no user can sign in with it.
 */
const buildContactNotice = (
  event: 'phone_changed' | 'email_changed',
  user: User,
  { now, outbox }: UserHandlerContext<'messages'>,
  { isFree = false } = {},
): Effect => ({
  updates: outbox.buildUpdates({
    scope: `${user.id}-${event}-${now}`,
    event,
    audience: 'account',
    uid: user.id,
    addresses: isFree ? {} : getProvedAddresses(user),
    at: now,
    now,
  }),
  pushes: [{ to: user.id, ...buildNotification(event, 'account') }],
})

/** The writes of a change of mobile or e-mail. */
interface ContactChange {
  effect: Effect
  claim: EmailClaim
  /** Present when the number changes. */
  proof: PhoneProof | undefined
}

/**
 * Checks a change of mobile or e-mail. After the back office has created the user, only the user
 * may change these. Returns the updates to other profiles and the claim to the address.
 */
export const buildContactChange = async (
  user: User,
  { email, mobile, mobile_token }: Pick<SaveUserInput, 'email' | 'mobile' | 'mobile_token'>,
  context: UserHandlerContext<'messages'>,
): Promise<ContactChange> => {
  const { caller, config, db } = context
  const { id: uid } = user
  const proof = mobile ? await provePhone(context, mobile, mobile_token) : undefined
  if (email) await assertEmailDomain(db, email)
  const effects: Effect[] = []
  if (mobile && proof) {
    const refusal = { key: 'user_exists', field: 'mobile' } as const
    const { effect, used } = await buildPhoneClaim(context, { uid, ...proof }, refusal)
    const former = { id: uid, mobile: user.mobile }
    const updates = await buildPhoneChangeUpdates(context, former, { mobile, used })
    effects.push(effect, { updates, pushes: [] })
    effects.push(buildContactNotice('phone_changed', user, context))
  }
  const emailVerified = email !== undefined && email === caller.email
  if (email)
    effects.push({
      updates: {
        ...(await buildEmailRelease(db, user)),
        ...buildEmailChangeUpdates(config, user),
        [`${dbPaths.user(uid)}/emailVerified`]: emailVerified || null,
      },
      pushes: [],
    })
  if (email) {
    const isFree = !user.email && !emailVerified
    effects.push(buildContactNotice('email_changed', user, context, { isFree }))
  }
  return { proof, effect: mergeEffects(effects), claim: { id: uid, email, emailVerified } }
}

/**
 * Gives the account in Firebase Auth the proved number, runs `write`, which gives it to the record,
 * and takes the number back when that fails. All sessions then end, because one that began with
 * the number in between would go on as one of the record's.
 */
export const withSignInNumber = async <Written>(
  context: Pick<UserHandlerContext, 'accounts' | 'clock' | 'db'>,
  { user, proof }: { user: User; proof: PhoneProof | undefined },
  write: () => Promise<Written>,
): Promise<Written> => {
  if (!proof) return write()
  const { accounts, db } = context
  if (proof.holder !== user.id) await accounts.remove(proof.holder)
  if (!(await accounts.changePhone(user.id, proof.phone))) fail('user_exists', 'mobile')
  try {
    return await write()
  } catch (error) {
    const mobile = await db.read<string>(`${dbPaths.user(user.id)}/mobile`)
    if (mobile !== proof.phone) await signOutDevices(context, { ...user, mobile: mobile ?? '' })
    throw error
  }
}
