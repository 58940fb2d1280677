import { domainError } from '~/domain/api/errors'
import {
  isStartedCheckout,
  type EndpointInput,
  type EndpointOutput,
  type StartedCheckout,
} from '~/domain/api/api'
import { type PayloadAction, createSlice } from '@reduxjs/toolkit'
import * as v from 'valibot'
import { dbPaths } from '~/domain/data/databasePaths'
import type { PaymentAttempt } from '~/domain/payments/paymentAttempt'
import { PAYMENT_STATUSES } from '~/domain/payments/paymentAttempt'
import { type SliceError, NO_ERROR, toSliceError, sessionEnded } from '~/src/store/auth'
import { createLiveRecord, createLiveSlice } from '~/src/store/live/liveSlice'
import { createServiceThunk } from '~/src/store/serviceThunk'
import { type AppState, rootReducer } from '~/src/store/reducer'
import { createRowSchema } from '~/src/store/live/rowSchemas'
import type { AppDispatch } from '~/src/store/storeTypes'
import type { ChargeLimits, PaymentProvider } from '~/domain/payments/types'

const NO_LIMITS: ChargeLimits = { step: 0.0001, minimum: 0 }

/** Returns the providers whose keys are set on the server. */
export const fetchPaymentMethods = createServiceThunk<void, PaymentProvider[]>(
  'paymentmethods/fetch',
  // Functions of an earlier release return no limits.
  async (_, { functions }) =>
    (await functions.get('get_providers', {})).map((provider) => ({ ...NO_LIMITS, ...provider })),
)

interface PaymentMethods {
  providers: PaymentProvider[]
  /** Index of the chosen provider. */
  selected: number
  message: string | null
  loading: boolean
  error: SliceError
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
        ...(payload && { error: toSliceError(payload) }),
      }))
      .addCase(sessionEnded, () => initialState)
  },
  selectors: { selectPaymentMethods: (state) => state },
})
export const { providerSelected } = slice.actions
export const { selectPaymentMethods } = slice.injectInto(rootReducer).selectors

/**
 * Loads the providers unless they are known or loading; repeats the request after a failed or empty
 * response.
 */
export const loadPaymentMethods = () => (dispatch: AppDispatch, getState: () => AppState) => {
  const { providers, loading } = selectPaymentMethods(getState())
  if (providers.length === 0 && !loading) void dispatch(fetchPaymentMethods.quiet())
}

const attemptFields = {
  uid: v.string(),
  gateway: v.string(),
  amount: v.number(),
  currency: v.string(),
  status: v.picklist(PAYMENT_STATUSES),
  createdAt: v.number(),
}
/** One payment attempt; its page waits here for the result. */
export const livePayment = createLiveRecord('paymentdata', 'payment', {
  toQuery: (id: string) =>
    /^[A-Za-z0-9_-]{1,128}$/.test(id) ? { path: dbPaths.payment(id) } : null,
  schema: createRowSchema<PaymentAttempt>(attemptFields),
})

/** The newest attempts, or those that need review; for the back office. */
export const livePayments = createLiveSlice('paymentsdata', 'payments', {
  toQuery: ({ problems, size }: { problems: boolean; size: number }, profile) =>
    profile?.usertype !== 'admin'
      ? null
      : problems
        ? { path: 'payments', orderBy: { child: 'problem' }, startAt: 'a', limitToLast: size }
        : { path: 'payments', orderBy: 'key', limitToLast: size },
  schema: createRowSchema<PaymentAttempt>(attemptFields),
  order: (a, b) => b.createdAt - a.createdAt,
})

/** The payment attempts of one booking, newest first; admins only. */
export const bookingPayments = createLiveSlice('bookingpayments', 'attempts', {
  toQuery: (booking: string, profile) =>
    profile?.usertype === 'admin'
      ? { path: 'payments', orderBy: { child: 'booking' }, equalTo: booking, limitToLast: 20 }
      : null,
  schema: createRowSchema<PaymentAttempt>(attemptFields),
  order: (a, b) => b.createdAt - a.createdAt,
})

/** The purpose of a checkout. The server sets the amounts, except for a top-up. */
export type PaymentPurpose =
  | {
      payment_mode: 'card'
      booking_id: string
      promo?: string | undefined
      usedWalletMoney?: number | undefined
    }
  | { payment_mode: 'topup'; amount: number }

/** Starts an attempt at a provider; `submitCheckoutForm` then takes the browser there. */
export const startPayment = createServiceThunk<
  PaymentPurpose & { provider: string },
  StartedCheckout
>('paymentdata/startPayment', async (input, { functions }) => {
  const started = await functions.call('start_payment', input)
  if (!isStartedCheckout(started)) throw domainError('event_not_possible')
  return started
})

export const resolvePayment = createServiceThunk<{
  payment_id: string
  how: 'credit' | 'dismiss' | 'refunded' | 'not_refunded' | 'check'
}>('paymentsdata/resolvePayment', async (input, { functions }) => {
  await functions.call('resolve_payment', input)
})
/** Refunds an attempt: the whole remainder, unless an amount is given. */
export const refundPayment = createServiceThunk<
  EndpointInput<'refund_payment'>,
  EndpointOutput<'refund_payment'>
>('paymentsdata/refundPayment', (input, { functions }) => functions.call('refund_payment', input))
