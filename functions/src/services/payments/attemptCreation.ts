import { dbPaths } from '~/domain/data/databasePaths'
import {
  ATTEMPT_REUSE_MS,
  isPaidStatus,
  MAX_UNPAID_ATTEMPTS,
  type PaymentAttempt,
} from '~/domain/payments/paymentAttempt'
import { isChargeable } from '~/domain/payments/chargeLimits'
import { toCurrencyMinorUnits } from '~/domain/payments/currencyUnits'
import { DAY_MS } from '~/domain/language/timeUnits'
import { WriteConflictError } from '../../ports/database'
import { generatePushKey } from '../../ports/random'
import { fail } from '../../domainException'
import { getChargeLimits } from './providerLimits'
import { readAttempt } from './paymentService'
import type { Ports } from '../../ports/ports'
import type { Settings } from '~/domain/catalog/types'

/**
 * Maximum number of tries. Of fifty identical requests at once, one writes the attempt and the
 * others find it.
 */
const MAX_TRIES = 20

type AttemptRequest = Pick<PaymentAttempt, 'uid' | 'kind' | 'booking' | 'gateway' | 'amount'> &
  Partial<Pick<PaymentAttempt, 'promo'>> & { details?: { usedWalletMoney?: number } }

/**
 * A payer's last attempt for one purpose at one provider, at open_payments/{uid}/{booking |
 * wallet}/{gateway}.
 */
interface LastAttemptRecord {
  payment: string
  /**
   * Increases by one with every attempt. Of two attempts created from the same state, the second is
   * refused.
   */
  n: number
  /**
   * Start of the counted period (milliseconds since 1970), and the number of unpaid attempts in it,
   * including this one.
   */
  since: number
  begun: number
}

/**
 * Returns true when an attempt is for exactly this payment and can still send its payer to the
 * provider.
 */
const isReusable = (
  attempt: PaymentAttempt,
  request: AttemptRequest,
  currency: string,
  now: number,
): boolean =>
  attempt.status === 'created' &&
  now - attempt.createdAt < ATTEMPT_REUSE_MS &&
  attempt.uid === request.uid &&
  attempt.kind === request.kind &&
  attempt.booking === request.booking &&
  attempt.gateway === request.gateway &&
  attempt.amount === request.amount &&
  attempt.currency === currency &&
  attempt.promo === request.promo &&
  attempt.details?.usedWalletMoney === request.details?.usedWalletMoney

/**
 * Returns this payer's open attempt for the same payment, or a new one whose details are fixed from
 * then on. Safe to run twice at once: both calls get the same attempt. Refuses with not_found (no
 * such provider for this currency), bad_input (more decimals than the currency has),
 * amount_not_chargeable (off the provider's step or below its minimum) or too_many_requests (too
 * many unpaid attempts in a day).
 */
export const findOrCreateAttempt = async (
  { db, payments, random }: Pick<Ports, 'db' | 'payments' | 'random'>,
  request: AttemptRequest,
  { code: currency }: Pick<Settings, 'code'>,
  now: number,
): Promise<PaymentAttempt> => {
  const adapter = payments.getAdapter(request.gateway)
  if (!adapter?.isCurrencySupported(currency)) return fail('not_found', 'provider')
  if (!toCurrencyMinorUnits(request.amount, currency)) fail('bad_input', 'amount', { currency })
  const limits = getChargeLimits(adapter, currency)
  if (!isChargeable(request.amount, limits)) fail('amount_not_chargeable', 'amount', { ...limits })
  const path = dbPaths.openPayment(request.uid, request.booking ?? 'wallet', request.gateway)
  for (let tries = 1; ; tries++) {
    const last = await db.read<LastAttemptRecord>(path)
    const open = last && (await readAttempt(db, last.payment))
    if (open && isReusable(open, request, currency, now)) return open
    const goesOn = last && now - last.since < DAY_MS && !(open && isPaidStatus(open.status))
    const begun = goesOn ? last.begun + 1 : 1
    if (begun > MAX_UNPAID_ATTEMPTS[request.kind]) fail('too_many_requests')
    const attempt = createAttempt(request, { id: generatePushKey(now, random), currency, now })
    const { details, ...fields } = attempt
    const begins: LastAttemptRecord = {
      payment: attempt.id,
      n: (last?.n ?? 0) + 1,
      since: goesOn ? last.since : now,
      begun,
    }
    try {
      await db.update({
        [dbPaths.payment(attempt.id)]: {
          ...fields,
          ...(details?.usedWalletMoney && {
            details: { usedWalletMoney: details.usedWalletMoney },
          }),
        },
        [path]: { ...begins },
      })
      return attempt
    } catch (error) {
      if (!(error instanceof WriteConflictError)) throw error
      if (tries >= MAX_TRIES) return fail('changed_meanwhile')
    }
  }
}

const createAttempt = (
  { booking, promo, details, ...rest }: AttemptRequest,
  { id, currency, now }: { id: string; currency: string; now: number },
): Omit<PaymentAttempt, 'refund' | 'refunds' | 'parked'> => ({
  id,
  ...rest,
  ...(booking && { booking }),
  ...(promo && { promo }),
  ...(details && { details }),
  currency,
  createdAt: now,
  revision: 1,
  status: 'created',
})
