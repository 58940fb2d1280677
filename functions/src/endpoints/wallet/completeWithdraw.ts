import { dbPaths } from '~/domain/data/databasePaths'
import { checkAction } from '~/domain/access/permissions'
import { completeWithdrawal } from '~/domain/money/withdrawals'
import { buildAuditEntry } from '../../services/office/auditEntry'
import type { EndpointOutput } from '~/domain/api/api'
import { defineUserEndpoint } from '../../http/endpointTypes'
import { readWallet, WriteConflictError } from '../../ports/database'
import { commit } from '../../services/bookings/effects'
import { unwrap, throwIfError } from '../../domainException'
import { readSettings } from '../../services/office/settings'
import type { Withdrawal } from '~/domain/money/types'

/** Marks a withdrawal as paid out. */
export const complete_withdraw = defineUserEndpoint({
  name: 'complete_withdraw',
  summary:
    'Marks a withdrawal as paid out, with its process date. A repeat changes nothing. Refused with already_processed after its return to the wallet, with payout_waits until its `payable_at`, which it has when the bank details changed shortly before, and with payout_wallet_negative while the wallet of its owner is below zero.',
  allow: ['admin'],
  limit: 120,
  spends: [],
  needsFreshSignIn: () => true,
  errors: [
    'fresh_sign_in_needed',
    'not_found',
    'already_processed',
    'payout_waits',
    'payout_wallet_negative',
  ],
  async handle({ withdraw_id }, context) {
    const { actor, db, now } = context
    const path = dbPaths.withdraw(withdraw_id)
    const [settings, withdraw] = await Promise.all([readSettings(db), db.read<Withdrawal>(path)])
    throwIfError(checkAction('withdraw_complete', actor.role, settings))
    if (withdraw?.processed && !withdraw.returned_at) return toResponse(withdraw)
    const wallet = withdraw && (await readWallet(db, withdraw.uid))
    const { updates, pushes } = unwrap(
      completeWithdrawal(withdraw && { ...withdraw, id: withdraw_id }, { wallet, settings, now }),
    )
    const entry = { by: actor.uid, at: now, action: 'withdraw_complete', path }
    const moved = { from: { processed: false }, to: { processed: true } }
    const audit = buildAuditEntry({ ...entry, ...moved }, withdraw_id)
    try {
      await commit(context, { updates: { ...updates, ...audit }, pushes }, now)
    } catch (error) {
      // Another admin completed it first, so return their result.
      const storedWithdrawal =
        error instanceof WriteConflictError ? await db.read<Withdrawal>(path) : null
      if (!storedWithdrawal?.processed || storedWithdrawal.returned_at) throw error
      return toResponse({ ...storedWithdrawal, id: withdraw_id })
    }
    return { withdraw_id, processed: true, procesDate: now }
  },
})

const toResponse = ({
  id: withdraw_id,
  procesDate,
}: Withdrawal): EndpointOutput<'complete_withdraw'> => ({
  withdraw_id,
  processed: true,
  procesDate: procesDate ?? 0,
})
