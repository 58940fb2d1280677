import * as v from 'valibot'
import { id } from '~/domain/api'
import { at } from '~/domain/paths'
import { resolveParked } from '~/domain/payments/resolve'
import { actionRefused } from '~/domain/permissions'
import { audited } from '../audits'
import { forUsers } from '../definition'
import { readAttempt } from '../payments/desk'
import { Conflict } from '../ports/database'
import { perform } from '../ports/effects'
import { orThrow, refuse, refuseIf } from '../refused'
import { readSettings } from '../settings'

/** Settles a payment that was parked for the office. */
export const resolve_payment = forUsers({
  name: 'resolve_payment',
  summary:
    'Settles a payment with a `problem`: `credit` puts the parked money into the payer’s wallet, `dismiss` says it was settled elsewhere.',
  input: v.object({ payment_id: id, how: v.picklist(['credit', 'dismiss']) }),
  allow: ['admin'],
  limit: 60,
  answers: '{payment_id, status}',
  refuses: ['not_found', 'already_processed', 'payment_mismatch', 'changed_meanwhile'],
  async handle({ payment_id, how }, context) {
    const { actor, db, now } = context
    const [settings, attempt] = await Promise.all([readSettings(db), readAttempt(db, payment_id)])
    refuseIf(actionRefused('wallet_credit', actor.role, settings))
    const usertype = attempt && (await db.read<string>(`${at.user(attempt.uid)}/usertype`))
    const facts = { settings, payerExists: usertype !== null }
    const { updates, pushes } = orThrow(resolveParked(attempt, how, facts, now))
    const from = { problem: attempt?.problem, parked: attempt?.parked }
    const path = at.payment(payment_id)
    const entry = { by: actor.uid, at: now, action: `payment_${how}`, path, from }
    const audit = audited(entry, `${payment_id}-${attempt?.revision ?? 0}`)
    try {
      await perform(context, { updates: { ...updates, ...audit }, pushes }, now)
    } catch (error) {
      if (error instanceof Conflict) return refuse('changed_meanwhile')
      throw error
    }
    const done = await readAttempt(db, payment_id)
    return { payment_id, status: done?.status ?? 'cancelled' }
  },
})
