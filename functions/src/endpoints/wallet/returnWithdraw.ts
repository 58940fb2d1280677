import { dbPaths } from '~/domain/data/databasePaths'
import { checkAction } from '~/domain/access/permissions'
import { returnWithdrawal } from '~/domain/money/withdrawals'
import { buildAuditEntry } from '../../services/office/auditEntry'
import { defineUserEndpoint } from '../../http/endpointTypes'
import { commitOrFail } from '../../services/bookings/commitRetry'
import { readWallet } from '../../ports/database'
import { fail, throwIfError, unwrap } from '../../domainException'
import { readSettings } from '../../services/office/settings'
import type { Withdrawal } from '~/domain/money/types'

/** Returns an unpaid withdrawal to the wallet that it left. */
export const return_withdraw = defineUserEndpoint({
  name: 'return_withdraw',
  summary:
    'Returns an unpaid withdrawal to the wallet of its owner, with the reason in `note`: the bank knows no such account, or the owner did not ask for it. The owner gets a message. A repeat changes nothing.',
  allow: ['admin'],
  limit: 120,
  spends: [],
  needsFreshSignIn: false,
  errors: ['not_found', 'already_processed', 'changed_meanwhile'],
  async handle({ withdraw_id, note }, context) {
    const { actor, db, now } = context
    const path = dbPaths.withdraw(withdraw_id)
    const log = { subject: withdraw_id, event: 'withdraw_return' }
    return commitOrFail(context, log, async () => {
      const [settings, stored] = await Promise.all([readSettings(db), db.read<Withdrawal>(path)])
      throwIfError(checkAction('withdraw_return', actor.role, settings))
      if (!stored) return fail('not_found', 'withdraw_id')
      const wallet = await readWallet(db, stored.uid)
      const stateRead = [settings, stored, wallet]
      // Another call, or this one before, returned it first.
      if (stored.returned_at !== undefined)
        return { stateRead, now, result: { withdraw_id, returned_at: stored.returned_at } }
      const { updates, pushes } = unwrap(
        returnWithdrawal({ ...stored, id: withdraw_id }, { wallet, note, settings, now }),
      )
      const entry = { by: actor.uid, at: now, action: 'withdraw_return', path }
      const moved = { from: { processed: false }, to: { returned_at: now } }
      const audit = buildAuditEntry({ ...entry, ...moved }, withdraw_id)
      return {
        stateRead,
        now,
        effect: { updates: { ...updates, ...audit }, pushes },
        result: { withdraw_id, returned_at: now },
      }
    })
  },
})
