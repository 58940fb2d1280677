import { createSlice } from '@reduxjs/toolkit'
import type { PaymentProvider } from '~/domain/entities'
import { type CycleError, NO_ERROR, errorOf, sessionEnded } from '~/src/store/auth'
import { operation } from '~/src/store/operation'
import { rootReducer } from '~/src/store/reducer'

/** The providers whose keys are set on the server. */
export const fetchPaymentMethods = operation<void, PaymentProvider[]>(
  'paymentmethods/fetch',
  async (_, { functions }) => functions.get<PaymentProvider[]>('get_providers'),
)

interface PaymentMethods {
  providers: PaymentProvider[]
  message: string | null
  loading: boolean
  error: CycleError
}
const initialState: PaymentMethods = {
  providers: [],
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
  reducers: {},
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
export const { selectPaymentMethods } = slice.injectInto(rootReducer).selectors
