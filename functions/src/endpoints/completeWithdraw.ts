import * as api from '~/domain/api'
import type { Withdraw } from '~/domain/entities'
import { at } from '~/domain/paths'
import { actionRefused } from '~/domain/permissions'
import { completeWithdraw } from '~/domain/withdraws'
import { audited } from '../audits'
import { forUsers } from '../definition'
import { Conflict } from '../ports/database'
import { perform } from '../ports/effects'
import { orThrow, refuseIf } from '../refused'
import { readSettings } from '../settings'

/** Marks a withdraw as paid out. */
export const complete_withdraw = forUsers({
  name: 'complete_withdraw',
  summary:
    'Marks a withdraw request as paid out, with its process date. Once done, it stays as it is.',
  input: api.completeWithdraw,
  allow: ['admin'],
  limit: 120,
  answers: '{withdraw_id, processed: true, procesDate}',
  refuses: ['not_found'],
  async handle({ withdraw_id }, context) {
    const { actor, db, now } = context
    const path = at.withdraw(withdraw_id)
    const [settings, withdraw] = await Promise.all([readSettings(db), db.read<Withdraw>(path)])
    refuseIf(actionRefused('withdraw_complete', actor.role, settings))
    if (withdraw?.processed) return answerOf(withdraw)
    const { updates, pushes } = orThrow(
      completeWithdraw(withdraw && { ...withdraw, id: withdraw_id }, now),
    )
    const entry = { by: actor.uid, at: now, action: 'withdraw_complete', path }
    const moved = { from: { processed: false }, to: { processed: true } }
    const audit = audited({ ...entry, ...moved }, withdraw_id)
    try {
      await perform(context, { updates: { ...updates, ...audit }, pushes }, now)
    } catch (error) {
      // Another admin was faster: his answer is ours.
      const done = error instanceof Conflict ? await db.read<Withdraw>(path) : null
      if (!done?.processed) throw error
      return answerOf({ ...done, id: withdraw_id })
    }
    return { withdraw_id, processed: true, procesDate: now }
  },
})

const answerOf = ({ id: withdraw_id, procesDate }: Withdraw) => ({
  withdraw_id,
  processed: true,
  procesDate: procesDate ?? 0,
})
