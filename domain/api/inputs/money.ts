import * as v from 'valibot'
import { complaintSchema, idSchema, isInherited, money, pushKey, required } from '../inputFields'
import { NOTE_LENGTH } from '../../money/types'
import { currencyCode } from './office'

/** `credit_id` is a push key from the client: the same key again credits nothing more. */
export const addToWalletSchema = v.strictObject({
  credit_id: pushKey,
  uid: idSchema,
  amount: money,
  note: v.optional(required(NOTE_LENGTH)),
})
/** `debit_id` is a push key from the client: the same key again debits nothing more. */
export const takeFromWallet = v.strictObject({
  debit_id: pushKey,
  uid: idSchema,
  amount: money,
  note: required(NOTE_LENGTH),
})
/** `withdraw_id` is a push key from the client: the same key again withdraws nothing more. */
export const requestWithdrawSchema = v.strictObject({ withdraw_id: pushKey, amount: money })
export const completeWithdrawSchema = v.strictObject({ withdraw_id: idSchema })
export const returnWithdrawSchema = v.strictObject({
  withdraw_id: idSchema,
  note: required(NOTE_LENGTH),
})

export const quotePaymentSchema = v.strictObject({
  booking_id: idSchema,
  promo: v.optional(idSchema),
  /** The amount to take from the wallet; card or cash covers the rest. */
  usedWalletMoney: v.optional(v.pipe(v.number(), v.finite(), v.minValue(0), v.maxValue(1e9))),
})
const providerName = v.pipe(
  v.string(),
  v.regex(/^[a-z]{1,40}$/),
  v.check((name) => !isInherited(name)),
)
export const startPaymentSchema = v.variant('payment_mode', [
  v.strictObject({ ...quotePaymentSchema.entries, payment_mode: v.literal('cash') }),
  v.strictObject({ ...quotePaymentSchema.entries, payment_mode: v.literal('wallet') }),
  v.strictObject({
    ...quotePaymentSchema.entries,
    payment_mode: v.literal('card'),
    provider: providerName,
  }),
  v.strictObject({
    payment_mode: v.literal('topup'),
    provider: providerName,
    amount: v.pipe(v.number(), v.finite(), v.gtValue(0), v.maxValue(1e7)),
  }),
])
export const refundPaymentSchema = v.strictObject({
  payment_id: idSchema,
  /** Defaults to the amount not yet refunded. */
  amount: v.optional(money),
  /** A push key from the client: the same key again refunds nothing more. */
  request_id: v.optional(pushKey),
  /** The complaint that the refund settles. */
  complaint: v.optional(complaintSchema),
})
export const resolvePaymentSchema = v.strictObject({
  payment_id: idSchema,
  how: v.picklist(['credit', 'dismiss', 'refunded', 'not_refunded', 'check']),
})

/** The decimals follow from the code. With `dry_run` nothing changes. */
export const changeCurrencySchema = v.strictObject({
  code: currencyCode,
  symbol: v.optional(required(10, 'line')),
  dry_run: v.optional(v.boolean(), false),
})
export type ChangeCurrencyInput = v.InferInput<typeof changeCurrencySchema>
