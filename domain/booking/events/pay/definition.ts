import * as v from 'valibot'
import { domainError } from '../../../api/errors'
import { amount, idSchema } from '../../../api/inputFields'
import { defineEvent, inputType } from '../defineEvent'

/** A payment proved by a provider's webhook. Amounts are in the settings' currency. */
interface VerifiedPayment {
  id: string
  gateway: string
  amount: number
  currency: string
}
interface PayFields {
  event: 'pay'
  promo?: string | undefined
  /** The amount from the wallet. Cash or the verified card payment covers the rest. */
  usedWalletMoney?: number | undefined
}
export type PayInput = PayFields &
  ({ payment_mode: 'cash' | 'wallet' } | { payment: VerifiedPayment })

/** Returns the attempt of a card payment; undefined for cash and wallet. */
const getPaymentId = (input: PayInput): string | undefined =>
  'payment' in input ? input.payment.id : undefined

/** A rider promises cash or pays from the wallet; `system` reports a verified card payment. */
export const pay = defineEvent({
  from: ['PAYMENT_PENDING', 'PENDING'],
  to: ['NEW', 'PAID'],
  isResultPossible: (from, to) => (from === 'PENDING') === (to === 'PAID'),
  by: ['rider', 'system'],
  logKey: 'perStatus',
  startsDispatch: () => true,
  input: {
    payment_mode: v.picklist(['cash', 'wallet']),
    promo: v.optional(idSchema),
    /** With cash: the amount from the wallet. The rest is cash. */
    usedWalletMoney: v.optional(amount),
  },
  ownInput: inputType<PayInput>(),
  needs: ['customer', 'driver', 'referrer', 'driverReferrer', 'promo', 'isPromoUsed'],
  errors: [
    'wallet_too_low',
    'payment_mismatch',
    'promo_invalid',
    'promo_expired',
    'promo_min_order',
    'promo_used_up',
    'promo_already_used',
  ],
  // A card payment counts only in a provider's verified webhook, and such a webhook carries nothing
  // else.
  findRefusal: (_, { role }, input: PayInput) =>
    (role === 'system') === 'payment' in input ? undefined : domainError('not_allowed'),
  findRepeat: ([last], input: PayInput, { status }) =>
    status !== 'PAYMENT_PENDING' && status !== 'PENDING' && last?.ref === getPaymentId(input)
      ? last
      : undefined,
})
