import { type PayloadAction, createSlice } from '@reduxjs/toolkit'
import * as v from 'valibot'
import type { PaymentProvider } from '~/domain/entities'
import { at } from '~/domain/paths'
import type { PaymentAttempt } from '~/domain/payments/attempt'
import { PAYMENT_STATUSES } from '~/domain/payments/attempt'
import { type CycleError, NO_ERROR, errorOf, sessionEnded } from '~/src/store/auth'
import { liveRecord, liveSlice } from '~/src/store/liveSlice'
import { operation } from '~/src/store/operation'
import { rootReducer } from '~/src/store/reducer'
import { rowOf } from '~/src/store/rows'

/** The providers whose keys are set on the server. */
export const fetchPaymentMethods = operation<void, PaymentProvider[]>(
  'paymentmethods/fetch',
  async (_, { functions }) => functions.get<PaymentProvider[]>('get_providers'),
)

interface PaymentMethods {
  providers: PaymentProvider[]
  /** The chosen provider, by its place in the list. */
  selected: number
  message: string | null
  loading: boolean
  error: CycleError
}
const initialState: PaymentMethods = {
  providers: [],
  selected: 0,
  message: null,
  loading: false,
  error: NO_ERROR,
}
declare module '~/src/store/reducer' {
  interface LazySlices {
    paymentmethods: PaymentMethods
  }
}
const slice = createSlice({
  name: 'paymentmethods',
  initialState,
  reducers: {
    providerSelected: (state, { payload }: PayloadAction<number>) => ({
      ...state,
      selected: payload,
    }),
  },
  extraReducers: (builder) => {
    builder
      .addCase(fetchPaymentMethods.pending, (state) => ({ ...state, loading: true }))
      .addCase(fetchPaymentMethods.fulfilled, (_, { payload }) => ({
        ...initialState,
        providers: payload,
        message: payload.length > 0 ? null : 'no_provider_found',
      }))
      .addCase(fetchPaymentMethods.rejected, (_, { payload }) => ({
        ...initialState,
        ...(payload && { error: errorOf(payload) }),
      }))
      .addCase(sessionEnded, () => initialState)
  },
  selectors: { selectPaymentMethods: (state) => state },
})
export const { providerSelected } = slice.actions
export const { selectPaymentMethods } = slice.injectInto(rootReducer).selectors

const attemptFields = {
  uid: v.string(),
  gateway: v.string(),
  amount: v.number(),
  currency: v.string(),
  status: v.picklist(PAYMENT_STATUSES),
  createdAt: v.number(),
}
/** One attempt to pay: its page waits here for the truth. */
export const payment = liveRecord('paymentdata', 'payment', {
  at: (id: string) => (/^[A-Za-z0-9_-]{1,128}$/.test(id) ? { path: at.payment(id) } : null),
  row: rowOf<PaymentAttempt>(attemptFields),
})

/** The office's: the newest attempts, or those that somebody has to look at. */
export const payments = liveSlice('paymentsdata', 'payments', {
  at: ({ problems, size }: { problems: boolean; size: number }, profile) =>
    profile?.usertype !== 'admin'
      ? null
      : problems
        ? { path: 'payments', orderBy: { child: 'problem' }, startAt: 'a', limitToLast: size }
        : { path: 'payments', orderBy: 'key', limitToLast: size },
  row: rowOf<PaymentAttempt>(attemptFields),
  order: (a, b) => b.createdAt - a.createdAt,
})

/** The attempts to pay one booking, newest first; admins only. */
export const bookingPayments = liveSlice('bookingpayments', 'attempts', {
  at: (booking: string, profile) =>
    profile?.usertype === 'admin'
      ? { path: 'payments', orderBy: { child: 'booking' }, equalTo: booking, limitToLast: 20 }
      : null,
  row: rowOf<PaymentAttempt>(attemptFields),
  order: (a, b) => b.createdAt - a.createdAt,
})

/** What a checkout is for. Amounts are the server's; only a top-up names its own. */
export type Purpose =
  | {
      payment_mode: 'card'
      booking_id: string
      promo?: string | undefined
      usedWalletMoney?: number | undefined
    }
  | { payment_mode: 'topup'; amount: number }

export interface StartedPayment {
  payment_id: string
  /** Where the form goes. */
  url: string
  amount: number
  currency: string
}

/** Begins an attempt at a provider; `postCheckout` then takes the browser there. */
export const startPayment = operation<
  Purpose & { provider: string; quiet?: boolean },
  StartedPayment
>('paymentdata/startPayment', ({ quiet: _, ...input }, { functions }) =>
  functions.call('start_payment', input),
)

export const resolvePayment = operation<{ payment_id: string; how: 'credit' | 'dismiss' }>(
  'paymentsdata/resolvePayment',
  async (input, { functions }) => {
    await functions.call('resolve_payment', input)
  },
)
/** The whole of what is left of it, unless an amount is given. */
export const refundPayment = operation<{ payment_id: string; amount?: number }>(
  'paymentsdata/refundPayment',
  async (input, { functions }) => {
    await functions.call('refund_payment', input)
  },
)
