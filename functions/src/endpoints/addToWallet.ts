import * as api from '~/domain/api'
import type { User, WalletEntry } from '~/domain/entities'
import { at } from '~/domain/paths'
import { actionRefused } from '~/domain/permissions'
import { addToWallet } from '~/domain/wallet'
import { audited } from '../audits'
import { forUsers } from '../definition'
import { Conflict, readUser } from '../ports/database'
import { perform } from '../ports/effects'
import { orThrow, refuse, refuseIf } from '../refused'
import { readSettings } from '../settings'

/** Credits a user's wallet by hand. */
export const add_to_wallet = forUsers({
  name: 'add_to_wallet',
  summary:
    "Credits a wallet (txRef AdminCredit). `credit_id` is the client's own push key: the same one again credits nothing more.",
  input: api.addToWallet,
  allow: ['admin'],
  limit: 120,
  answers: '{uid, amount, walletBalance}',
  refuses: ['no_details_error', 'changed_meanwhile'],
  fieldKeys: { uid: 'no_details_error', amount: 'no_details_error' },
  async handle({ credit_id, uid, amount }, context) {
    const { actor, db, now } = context
    const [settings, user] = await Promise.all([readSettings(db), readUser<User>(db, uid)])
    refuseIf(actionRefused('wallet_credit', actor.role, settings))
    const { updates, pushes } = orThrow(addToWallet(user, { id: credit_id, amount, now }, settings))
    const path = at.user(uid)
    const entry = { by: actor.uid, at: now, action: 'wallet_credit', path, to: { amount } }
    try {
      await perform(context, { updates: { ...updates, ...audited(entry, credit_id) }, pushes }, now)
    } catch (error) {
      // Refused because it is done: the answer is the first one's.
      if (!(error instanceof Conflict)) throw error
    }
    const [done, walletBalance] = await Promise.all([
      db.read<WalletEntry>(at.walletEntry(uid, `${credit_id}-admin`)),
      db.read<number>(at.wallet(uid)),
    ])
    return done ? { uid, amount: done.amount, walletBalance } : refuse('changed_meanwhile')
  },
})
