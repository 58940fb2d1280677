import type { Settings } from '../entities'
import { refusal, type Refusal } from '../errors'
import { err, ok, type Result } from '../result'
import { pushText } from '../booking/pushes'
import { walletUpdates, type Effect } from '../wallet'
import { attemptUpdates } from './applyPaymentEvent'
import { isPaid, type PaymentAttempt } from './attempt'

/**
 * The office settles what was parked: the money goes to its payer's wallet, or (`dismiss`) was settled elsewhere. An
 * attempt that was never paid ends. Refused: not_found, already_processed, payment_mismatch (another currency has no wallet).
 */
export const resolveParked = (
  attempt: PaymentAttempt | null,
  how: 'credit' | 'dismiss',
  { settings, payerExists }: { settings: Pick<Settings, 'code'>; payerExists: boolean },
  now: number,
): Result<Effect, Refusal> => {
  if (!attempt) return err(refusal('not_found', 'payment_id'))
  const { parked, problem, uid, id } = attempt
  if (!problem) return err(refusal('already_processed', 'payment_id'))
  const fields = { problem: null, ...(!isPaid(attempt.status) && { status: 'cancelled' as const }) }
  const settled = attemptUpdates(attempt, fields, now)
  if (how === 'dismiss') return ok({ updates: settled, pushes: [] })
  if (!parked || !payerExists) return err(refusal('not_found', 'parked'))
  if (parked.currency !== settings.code) return err(refusal('payment_mismatch', 'currency'))
  const { amount } = parked
  const entry = { type: 'Credit', amount, date: now, txRef: id } as const
  return ok({
    updates: { ...settled, ...walletUpdates(uid, `${id}-parked-${parked.at}`, entry) },
    pushes: [{ to: uid, ...pushText('wallet_credited'), params: { amount }, screen: 'Wallet' }],
  })
}
