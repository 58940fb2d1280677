import type { Push, Value } from './booking/change'
import { increment } from './booking/change'
import { pushText } from './booking/pushes'
import type { Settings, User, WalletEntry } from './entities'
import { refusal, type Refusal } from './errors'
import { round, sum, toMinor } from './money'
import { at } from './paths'
import { err, ok, type Result } from './result'

/** Paths to write at once, and the pushes after them. */
export interface Effect {
  updates: Record<string, Value>
  pushes: Push[]
}

/** The reference of money an admin put into a wallet. */
export const ADMIN_CREDIT = 'AdminCredit'

/** What an entry does to the balance. */
export const signed = ({ type, amount }: Pick<WalletEntry, 'type' | 'amount'>): number =>
  type === 'Credit' ? amount : -amount

/** A history entry and the balance it moves, in one write. The key makes a second one impossible. */
export const walletUpdates = (
  uid: string,
  key: string,
  entry: WalletEntry,
): Record<string, Value> => ({
  [at.walletEntry(uid, key)]: { ...entry },
  [at.wallet(uid)]: increment(signed(entry)),
})

/** What a wallet's history adds up to; the balance must say the same. */
export const balanceOf = (history: User['walletHistory'], decimal: number): number =>
  sum(Object.values(history ?? {}).map(signed), decimal)

const credit = (
  user: Pick<User, 'id'>,
  key: string,
  amount: number,
  txRef: string,
  now: number,
): Effect => ({
  updates: walletUpdates(user.id, key, { type: 'Credit', amount, date: now, txRef }),
  pushes: [{ to: user.id, ...pushText('wallet_credited'), params: { amount }, screen: 'Wallet' }],
})

/** An admin puts money into a wallet; `id` is the request's, so a repeat adds nothing. Refused: no_details_error. */
export const addToWallet = (
  user: User | null,
  { id, amount, now }: { id: string; amount: number; now: number },
  settings: Pick<Settings, 'decimal'>,
): Result<Effect, Refusal> => {
  if (!user) return err(refusal('no_details_error', 'uid'))
  if (!(toMinor(amount, settings.decimal) > 0)) return err(refusal('no_details_error', 'amount'))
  return ok(credit(user, `${id}-admin`, round(amount, settings.decimal), ADMIN_CREDIT, now))
}

/** A verified payment goes into its payer's wallet: a top-up, or one that came too late for its booking. */
export const topUp = (
  user: Pick<User, 'id'>,
  payment: { id: string; amount: number },
  now: number,
): Effect => credit(user, `${payment.id}-topup`, payment.amount, payment.id, now)
