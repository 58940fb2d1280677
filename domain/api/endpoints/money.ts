import * as v from 'valibot'
import type { PaymentPacket } from '../../booking/types'
import {
  addToWalletSchema,
  completeWithdrawSchema,
  quotePaymentSchema,
  refundPaymentSchema,
  requestWithdrawSchema,
  resolvePaymentSchema,
  returnWithdrawSchema,
  startPaymentSchema,
  takeFromWallet,
} from '../inputs/money'
import { record, id, changedWallet, revisedBooking, paymentStatus, noInput } from '../outputFields'

export const MONEY_ENDPOINTS = {
  add_to_wallet: { input: addToWalletSchema, output: v.object(changedWallet) },
  take_from_wallet: { input: takeFromWallet, output: v.object(changedWallet) },
  request_withdraw: {
    input: requestWithdrawSchema,
    output: v.object({ withdraw_id: id, amount: v.number(), walletBalance: v.number() }),
  },
  complete_withdraw: {
    input: completeWithdrawSchema,
    output: v.object({ withdraw_id: id, processed: v.literal(true), procesDate: v.number() }),
  },
  return_withdraw: {
    input: returnWithdrawSchema,
    output: v.object({ withdraw_id: id, returned_at: v.number() }),
  },
  quote_payment: {
    input: quotePaymentSchema,
    output: v.object({
      packet: record<PaymentPacket>('PaymentPacket'),
      /** The remaining amount to pay, in the settings' currency. */
      due: v.number(),
      walletBalance: v.number(),
    }),
  },
  start_payment: {
    input: startPaymentSchema,
    output: v.union([
      v.object(revisedBooking),
      v.object({
        payment_id: id,
        /** The URL that the form posts to. */
        url: v.string(),
        amount: v.number(),
        currency: v.string(),
      }),
    ]),
  },
  refund_payment: {
    input: refundPaymentSchema,
    output: v.object({
      payment_id: id,
      status: paymentStatus,
      /** The total refunded so far. */
      refunded: v.number(),
      refund: v.picklist(['confirmed', 'pending', 'unknown']),
    }),
  },
  resolve_payment: {
    input: resolvePaymentSchema,
    output: v.object({ payment_id: id, status: paymentStatus }),
  },
  get_providers: {
    input: noInput,
    output: v.array(
      v.object({
        name: v.string(),
        link: v.string(),
        /** The provider charges multiples of this amount, in the settings' currency. */
        step: v.number(),
        /** The smallest amount that the provider charges. */
        minimum: v.number(),
      }),
    ),
  },
} as const
