import { internalPaths } from '~/domain/data/internalPaths'
import { dbPaths } from '~/domain/data/databasePaths'
import { requestWithdrawal } from '~/domain/money/withdrawals'
import { defineUserEndpoint } from '../../http/endpointTypes'
import { commitOrFail } from '../../services/bookings/commitRetry'
import { getWrittenBalance, readUser, readWallet } from '../../ports/database'
import { unwrap, fail } from '../../domainException'
import { readSettings } from '../../services/office/settings'
import { readHeldShare } from '../../services/wallet/heldShares'
import type { BankChange, User } from '~/domain/accounts/types'
import type { Withdrawal } from '~/domain/money/types'

/** Requests a withdrawal from the caller's wallet. The amount leaves the balance immediately. */
export const request_withdraw = defineUserEndpoint({
  name: 'request_withdraw',
  summary:
    "Requests a payout from the caller's own wallet: drivers, and riders when RiderWithDraw is on. Repeating a withdraw_id requests nothing more. A driver’s share of a trip that waits for a fare review cannot be withdrawn yet. For `bankWaitHours` after a change of the bank details, a request gets the time `payable_at` before which it is not paid out.",
  allow: ['driver', 'rider'],
  limit: 30,
  spends: [],
  needsFreshSignIn: false,
  errors: ['no_details_error', 'withdraw_too_much', 'withdraw_in_review', 'changed_meanwhile'],
  fieldErrors: { amount: 'no_details_error' },
  async handle({ withdraw_id, amount }, context) {
    const { actor, db, now } = context
    const log = { subject: actor.uid, event: 'withdraw_request' }
    return commitOrFail(context, log, async () => {
      const [settings, user, bankChange, earlier] = await Promise.all([
        readSettings(db),
        readUser<User>(db, actor.uid),
        db.read<BankChange>(internalPaths.bankChange(actor.uid)),
        db.read<Withdrawal>(dbPaths.withdraw(withdraw_id)),
      ])
      const stateRead = [settings, user, bankChange]
      if (!user) return fail('user_issue_contact_admin')
      if (earlier) {
        if (earlier.uid !== actor.uid) fail('not_allowed', 'withdraw_id')
        // The first call may have been written after the balance was read above.
        const { walletBalance } = (await readWallet(db, actor.uid)) ?? user
        return {
          stateRead,
          now,
          result: { withdraw_id, amount: earlier.amount, walletBalance },
        }
      }
      const held =
        user.usertype === 'driver' ? await readHeldShare(db, actor.uid, settings.decimal) : 0
      const { withdraw, ...effect } = unwrap(
        requestWithdrawal(user, { id: withdraw_id, amount, now, held, bankChange }, settings),
      )
      const walletBalance = getWrittenBalance(effect.updates, actor.uid)
      return {
        stateRead,
        now,
        effect,
        result: { withdraw_id, amount: withdraw.amount, walletBalance },
      }
    })
  },
})
