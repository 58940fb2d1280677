import { dbPaths } from '~/domain/data/databasePaths'
import { checkAction } from '~/domain/access/permissions'
import { completeWithdrawal } from '~/domain/money/withdrawals'
import { buildAuditEntry } from '../../services/office/auditEntry'
import type { EndpointOutput } from '~/domain/api/api'
import { defineUserEndpoint } from '../../http/endpointTypes'
import { commitOrFail } from '../../services/bookings/commitRetry'
import { readWallet } from '../../ports/database'
import { fail, throwIfError, unwrap } from '../../domainException'
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
  needsFreshSignIn: true,
  errors: [
    'fresh_sign_in_needed',
    'not_found',
    'already_processed',
    'payout_waits',
    'payout_wallet_negative',
    'changed_meanwhile',
  ],
  async handle({ withdraw_id }, context) {
    const { actor, db, now } = context
    const path = dbPaths.withdraw(withdraw_id)
    const log = { subject: withdraw_id, event: 'withdraw_complete' }
    return commitOrFail(context, log, async () => {
      const [settings, stored] = await Promise.all([readSettings(db), db.read<Withdrawal>(path)])
      throwIfError(checkAction('withdraw_complete', actor.role, settings))
      if (!stored) return fail('not_found', 'withdraw_id')
      const wallet = await readWallet(db, stored.uid)
      const stateRead = [settings, stored, wallet]
      // Another admin, or this call before, completed it first.
      if (stored.processed && stored.returned_at === undefined)
        return { stateRead, now, result: toResponse(withdraw_id, stored.procesDate ?? 0) }
      const { updates, pushes } = unwrap(
        completeWithdrawal({ ...stored, id: withdraw_id }, { wallet, settings, now }),
      )
      const entry = { by: actor.uid, at: now, action: 'withdraw_complete', path }
      const moved = { from: { processed: false }, to: { processed: true } }
      const audit = buildAuditEntry({ ...entry, ...moved }, withdraw_id)
      return {
        stateRead,
        now,
        effect: { updates: { ...updates, ...audit }, pushes },
        result: toResponse(withdraw_id, now),
      }
    })
  },
})

const toResponse = (
  withdraw_id: string,
  procesDate: number,
): EndpointOutput<'complete_withdraw'> => ({ withdraw_id, processed: true, procesDate })
