import * as v from 'valibot'
import { id } from '~/domain/api'
import { isFrom } from '~/domain/booking/party'
import type { Booking, User } from '~/domain/entities'
import { at } from '~/domain/paths'
import { attemptUpdates, isInWallet } from '~/domain/payments/applyPaymentEvent'
import { amountOf, minorOf } from '~/domain/payments/currency'
import { actionRefused } from '~/domain/permissions'
import { audited } from '../audits'
import { forUsers } from '../definition'
import { ProviderFault } from '../payments/adapter'
import { readAttempt } from '../payments/desk'
import { PAYMENT_SECRETS } from '../payments/secrets'
import { askedOf } from '../payments/visits'
import { Conflict, readUser } from '../ports/database'
import { refuse, refuseIf } from '../refused'
import { readSettings } from '../settings'

/** ms; nobody refunds a payment beside somebody else, unless that one's process was lost so long ago. */
const HOLD_MS = 60_000

/** Sends a payment's money back to the card. */
export const refund_payment = forUsers({
  name: 'refund_payment',
  summary:
    'Sends a payment back to the card, whole or in part, where its provider can. Money that is in the payer’s wallet leaves it. A booking that can still be cancelled is cancelled first, unless its payment has a `problem`.',
  input: v.object({
    payment_id: id,
    /** What is left of it, unless given. */
    amount: v.optional(v.pipe(v.number(), v.finite(), v.gtValue(0), v.maxValue(1e9))),
  }),
  allow: ['admin'],
  limit: 30,
  answers: '{payment_id, status, refunded}',
  refuses: [
    'not_found',
    'bad_input',
    'wallet_too_low',
    'event_not_possible',
    'cancel_first',
    'changed_meanwhile',
  ],
  secrets: PAYMENT_SECRETS,
  async handle({ payment_id, amount }, { actor, db, now, payments }) {
    const [settings, attempt] = await Promise.all([readSettings(db), readAttempt(db, payment_id)])
    refuseIf(actionRefused('wallet_credit', actor.role, settings))
    if (!attempt) return refuse('not_found', 'payment_id')
    const { status, currency, gateway, refunded = 0 } = attempt
    const adapter = payments.adapter(gateway)
    if (!adapter?.refund || (status !== 'paid' && status !== 'partially_refunded'))
      return refuse('event_not_possible', undefined, { status })
    const before = minorOf(refunded, currency) ?? 0
    const left = (minorOf(attempt.amount, currency) ?? 0) - before
    const minor = amount === undefined ? left : minorOf(amount, currency)
    if (minor === null || minor <= 0 || minor > left) return refuse('bad_input', 'amount')
    const booking = attempt.booking ? await db.read<Booking>(at.booking(attempt.booking)) : null
    const pays = attempt.applied_to === 'booking' && !attempt.problem ? booking : null
    // Cancelling gives it back to the wallet: what is on the card by then would be given back twice.
    if (pays && isFrom('cancel', pays.status))
      refuse('cancel_first', 'booking', { status: pays.status })
    if (isInWallet(attempt, booking)) {
      const payer = await readUser<User>(db, attempt.uid)
      if ((payer?.walletBalance ?? 0) < amountOf(minor, currency))
        refuse('wallet_too_low', 'amount', { needed: amountOf(minor, currency) })
    }
    // One at a time: not every provider knows a refund again that is sent to him twice.
    if (now - (attempt.details?.refunding ?? 0) < HOLD_MS) return refuse('changed_meanwhile')
    const path = at.payment(payment_id)
    const hold = `${path}/details/refunding`
    const to = { amount: amountOf(minor, currency) }
    const entry = { by: actor.uid, at: now, action: 'payment_refund', path, to }
    try {
      await db.update({
        ...attemptUpdates(attempt, {}, now),
        [hold]: now,
        // Before the money moves: who sent it must be known even if this process dies on the way.
        ...audited(entry, `${payment_id}-${attempt.revision}`),
      })
    } catch (error) {
      if (error instanceof Conflict) return refuse('changed_meanwhile')
      throw error
    }
    try {
      // The same refund after the same ones has the same key: a lost answer refunds nothing more.
      const key = `${attempt.id}-r${before}-${minor}`
      await payments.receive(await adapter.refund(askedOf(attempt), minor, key))
    } catch (error) {
      if (error instanceof ProviderFault) return refuse('event_not_possible', 'provider')
      throw error
    } finally {
      await db.update({ [hold]: null })
    }
    const done = await readAttempt(db, payment_id)
    return { payment_id, status: done?.status ?? status, refunded: done?.refunded ?? refunded }
  },
})
