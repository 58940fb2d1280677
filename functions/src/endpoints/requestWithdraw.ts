import * as api from '~/domain/api'
import type { User, Withdraw } from '~/domain/entities'
import { at } from '~/domain/paths'
import { requestWithdraw } from '~/domain/withdraws'
import { forUsers } from '../definition'
import { Conflict, readUser } from '../ports/database'
import { perform } from '../ports/effects'
import { orThrow, refuse } from '../refused'
import { readSettings } from '../settings'

const TRIES = 10

/** Asks for money out of the caller's wallet; the amount leaves the balance at once. */
export const request_withdraw = forUsers({
  name: 'request_withdraw',
  summary:
    'Asks for money out of the own wallet: drivers, and riders when RiderWithDraw is on. The same withdraw_id again asks nothing more.',
  input: api.requestWithdraw,
  allow: ['driver', 'rider'],
  limit: 30,
  answers: '{withdraw_id, amount, walletBalance}',
  refuses: ['no_details_error', 'withdraw_too_much', 'changed_meanwhile'],
  fieldKeys: { amount: 'no_details_error' },
  async handle({ withdraw_id, amount }, context) {
    const { actor, db, now } = context
    for (let tries = 0; tries < TRIES; tries++) {
      const [settings, user, earlier] = await Promise.all([
        readSettings(db),
        readUser<User>(db, actor.uid),
        db.read<Withdraw>(at.withdraw(withdraw_id)),
      ])
      if (!user) return refuse('user_issue_contact_admin')
      if (earlier) {
        if (earlier.uid !== actor.uid) refuse('not_allowed', 'withdraw_id')
        return { withdraw_id, amount: earlier.amount, walletBalance: user.walletBalance }
      }
      const asked = { id: withdraw_id, amount, now }
      const { withdraw, ...effect } = orThrow(requestWithdraw(user, asked, settings))
      try {
        await perform(context, effect, now)
      } catch (error) {
        // Another withdraw was faster, or this one's own repeat: look again.
        if (error instanceof Conflict) continue
        throw error
      }
      const walletBalance = await db.read<number>(at.wallet(actor.uid))
      return { withdraw_id, amount: withdraw.amount, walletBalance }
    }
    return refuse('changed_meanwhile')
  },
})
