import type { PaymentProvider } from '~/domain/entities'

/** A checkout the server worked out; amounts in the settings' currency. */
export interface CheckoutOrder {
  id: string
  kind: 'booking' | 'wallet'
  amount: number
  currency: string
  uid: string
}

/** The payment providers whose keys are configured. */
export interface PaymentPort {
  /** Empty when none is configured. */
  providers(): Promise<PaymentProvider[]>
  /** The page that takes the payment, or null when there is no such provider. */
  checkout(provider: string, order: CheckoutOrder): Promise<{ url: string } | null>
}

/** No provider is configured: cash and wallet only. */
export const noProviders: PaymentPort = {
  providers: () => Promise.resolve([]),
  checkout: () => Promise.resolve(null),
}
