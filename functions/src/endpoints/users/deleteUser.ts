import type { DeleteUserInput } from '~/domain/api/inputs/people'
import {
  buildAccountRemoval,
  checkRemainingBalance,
  checkDeletion,
  listUsedPromos,
} from '~/domain/accounts/accountDeletion'
import { dbPaths } from '~/domain/data/databasePaths'
import { mayManageUser } from '~/domain/access/permissions'
import { buildAuditEntry } from '../../services/office/auditEntry'
import { restoreUser, suspendUser } from '../../services/users/approvalDecisions'
import { listWithdrawals } from '../../services/users/bankDetails'
import { iterateUserBookings, eraseAccountData } from '../../services/users/accountErasure'
import { assertDriversHaveFleet, moveFleetDrivers } from '../../services/users/fleetDrivers'
import { ALL_USER_TYPES, defineUserEndpoint } from '../../http/endpointTypes'
import { buildEmailRelease } from '../../services/users/emailReservations'
import { buildBenefitRecords } from '../../services/users/formerUsers'
import { logError } from '../../logs'
import { WriteConflictError, readUser } from '../../ports/database'
import type { DatabasePort } from '../../ports/database'
import { fail, throwIfError } from '../../domainException'
import { buildOfficeAccessNotice } from '../../services/users/officeAccess'
import { removeRegistration } from '../../services/users/pendingRegistrations'
import { readSettings } from '../../services/office/settings'
import { buildAllDevicesRemoval } from '../../services/messages/pushDevices'
import type { UserRequestContext } from '../../ports/requestContext'
import type { UserHandlerContext } from '../../ports/handlerContext'
import type { Settings } from '~/domain/catalog/types'
import type { User } from '~/domain/accounts/types'
import type { Withdrawal } from '~/domain/money/types'

const MAX_TRIES = 10

/** Deletes a user: the account, the record and their personal data in bookings. */
export const delete_user = defineUserEndpoint({
  name: 'delete_user',
  summary:
    'Deletes a user: users their own account, a fleet admin their drivers, an admin all others. Bookings stay, without name, contact, addresses, pictures and chat. Refused while a booking is under way, a withdrawal is unpaid or the wallet is below zero. `waive_balance` gives up the money in the wallet; `balance` is the amount that the caller saw, and a different amount is refused; the owner or an admin decides that, never a fleet admin. The drivers of a fleet admin go to the fleet admin `drivers_to`, or to no fleet with null; without it a fleet admin with drivers is not deleted. The scheduled job finishes an interrupted deletion.',
  allow: ALL_USER_TYPES,
  limit: 30,
  spends: ['messages'],
  dailyLimit: 200,
  needsFreshSignIn: true,
  errors: [
    'fresh_sign_in_needed',
    'not_found',
    'not_allowed',
    'demo_mode',
    'event_not_possible',
    'balance_owed',
    'balance_left',
    'waiver_not_yours',
    'drivers_left',
    'changed_meanwhile',
  ],
  async handle({ id: who, drivers_to, ...balanceDecision }, context) {
    const { actor, db } = context
    const [user, settings] = await Promise.all([readUser<User>(db, who), readSettings(db)])
    if (!user) return fail('not_found', 'id')
    await assertMayDelete(user, context)
    if (who !== actor.uid && !settings.AllowCriticalEditsAdmin) fail('demo_mode')
    if (balanceDecision.waive_balance && who !== actor.uid && actor.role !== 'admin')
      fail('waiver_not_yours', 'waive_balance')
    throwIfError(checkRemainingBalance(user, balanceDecision, settings))
    await assertDriversHaveFleet(user, drivers_to, context)

    await assertNothingOpen(db, user, await listWithdrawals(db, who))
    // Suspends the user first, so that they cannot start a booking during the remaining checks.
    const suspension = await suspendUser(db, who)
    try {
      const withdrawn = await listWithdrawals(db, who)
      const promos = await assertNothingOpen(db, user, withdrawn)
      // Last, because a refusal above must not take the drivers away from a fleet admin who stays.
      if (drivers_to !== undefined) await moveFleetDrivers(context, who, drivers_to)
      await removeRecord(context, user, {
        leaving: balanceDecision,
        settings,
        withdraws: withdrawn,
        promos,
      })
    } catch (refused) {
      if (suspension) await restoreUser(db, suspension)
      throw refused
    }
    if (user.mobile) await removeRegistration(context, user.mobile)
    return { id: who, bookings: await eraseImmediately(context, who) }
  },
})

/** Removes the record with its wallet. The rules refuse this when the balance has changed. */
const removeRecord = async (
  { actor, config, db, now, outbox }: UserHandlerContext<'messages'>,
  account: User,
  deletion: {
    leaving: Pick<DeleteUserInput, 'waive_balance' | 'balance'>
    settings: Settings
    withdraws: readonly Withdrawal[]
    promos: readonly string[]
  },
) => {
  const { leaving: balanceDecision, settings, withdraws, promos } = deletion
  const { id } = account
  // Those who delete their own account need no warning.
  const after = id === actor.uid ? account : null
  const access = { before: account, after }
  const notice = buildOfficeAccessNotice(account, access, { scope: 'deleted', now, outbox })
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const user = await readUser<User>(db, id)
    // Another call has already removed the account.
    if (!user) return
    throwIfError(checkRemainingBalance(user, balanceDecision, settings))
    const removed = buildAccountRemoval(user, withdraws, settings, now)
    const entry = {
      by: actor.uid,
      at: now,
      action: 'user_delete',
      path: dbPaths.user(id),
      from: { usertype: user.usertype },
      ...(user.walletBalance > 0 && { to: { waived: user.walletBalance } }),
    }
    try {
      return await db.update({
        ...(await buildEmailRelease(db, user)),
        ...(await buildAllDevicesRemoval(db, id)),
        ...buildBenefitRecords(config, user, promos, now),
        ...removed,
        // Without a push: the person's inbox and devices go with the account.
        ...notice.updates,
        // The id holds the first name, so it goes with the person.
        ...(user.referralId && { [dbPaths.referralId(user.referralId)]: null }),
        ...buildAuditEntry(entry, id),
      })
    } catch (error) {
      if (!(error instanceof WriteConflictError)) throw error
    }
  }
  fail('changed_meanwhile')
}

/**
 * Clears the account's remaining data. The scheduled job retries a failure, because the account is
 * already removed.
 */
const eraseImmediately = async (context: UserRequestContext, uid: string): Promise<number> => {
  try {
    return await eraseAccountData(context, uid)
  } catch (error) {
    logError('delete_user', error)
    return 0
  }
}

const assertMayDelete = async (user: User, { actor, db }: UserRequestContext) => {
  const isSelf = user.id === actor.uid
  const isOffice = mayManageUser({ uid: actor.uid, usertype: actor.role }, user)
  if (!isSelf && !isOffice) fail('not_allowed', 'id')
  if (user.usertype !== 'admin') return
  // Without the last admin, no user could open the back office. A suspended admin cannot either.
  const admins = await db.list<User>('users', { by: 'usertype', equalTo: 'admin' })
  const isReplaced = admins.some(([id, { approved }]) => id !== user.id && approved === true)
  if (!isReplaced) fail('not_allowed', 'id')
}

/** Returns the promos used in all bookings. Refuses while a booking is active. */
const assertNothingOpen = async (
  db: DatabasePort,
  user: User,
  withdraws: readonly Withdrawal[],
): Promise<string[]> => {
  const promos = new Set<string>()
  for await (const page of iterateUserBookings(db, user.id)) {
    throwIfError(checkDeletion(user.id, page, withdraws))
    for (const promo of listUsedPromos(user, page)) promos.add(promo)
  }
  return [...promos]
}
