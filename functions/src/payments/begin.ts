import type { Settings } from '~/domain/entities'
import { at } from '~/domain/paths'
import type { PaymentAttempt } from '~/domain/payments/attempt'
import { minorOf } from '~/domain/payments/currency'
import type { Ports } from '../definition'
import { pushKey } from '../ports/random'
import { refuse } from '../refused'

type Wanted = Pick<PaymentAttempt, 'uid' | 'kind' | 'booking' | 'gateway' | 'amount'> &
  Partial<Pick<PaymentAttempt, 'promo' | 'details'>>

/**
 * Writes an attempt down; what it asks for is fixed from here on. Refused: not_found (no such provider for this
 * currency), bad_input (an amount with more decimals than the currency has).
 */
export const beginAttempt = async (
  { db, payments, random }: Pick<Ports, 'db' | 'payments' | 'random'>,
  wanted: Wanted,
  settings: Pick<Settings, 'code'>,
  now: number,
): Promise<PaymentAttempt> => {
  const { code: currency } = settings
  if (!payments.adapter(wanted.gateway)?.supports(currency)) refuse('not_found', 'provider')
  if (!minorOf(wanted.amount, currency)) refuse('bad_input', 'amount', { currency })
  const { booking, promo, details, ...rest } = wanted
  const attempt: PaymentAttempt = {
    id: pushKey(now, random),
    ...rest,
    ...(booking && { booking }),
    ...(promo && { promo }),
    ...(details && { details }),
    currency,
    createdAt: now,
    revision: 1,
    status: 'created',
  }
  const { details: bound, ...fields } = attempt
  await db.update({
    [at.payment(attempt.id)]: {
      ...fields,
      ...(bound?.usedWalletMoney && { details: { usedWalletMoney: bound.usedWalletMoney } }),
    },
  })
  return attempt
}
