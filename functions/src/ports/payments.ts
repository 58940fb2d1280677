import type { PaymentProvider } from '~/domain/entities'
import type { PaymentOutcome } from '~/domain/payments/applyPaymentEvent'
import type { PaymentAttempt, PaymentEvent } from '~/domain/payments/attempt'
import type { Adapter } from '../payments/adapter'

/** Where browsers and providers find us. */
export interface PaymentUrls {
  pay(provider: string): string
  return(provider: string, payment: string): string
  cancel(provider: string, payment: string): string
  webhook(provider: string): string
  /** The web app's own return page. */
  app(payment: string, hint?: string): string
  /** The web app's origin. */
  origin: string
}

/** The payment providers whose keys are configured, and the one core that applies what they say. */
export interface PaymentPort {
  /** Those who take the currency; empty when none is configured. */
  providers(currency: string): PaymentProvider[]
  /** Null when there is no such provider or its keys are not complete. */
  adapter(provider: string): Adapter | null
  urls: PaymentUrls
  /** Applies a proved event, once. Rejects when it could not be written: the provider has to say it again. */
  receive(event: PaymentEvent): Promise<PaymentOutcome>
  /** Writes fields of an attempt as it was read; false when it is not that any more. */
  change(
    attempt: PaymentAttempt,
    fields: Partial<Pick<PaymentAttempt, 'status' | 'checkout_ref'>>,
  ): Promise<boolean>
}

const nowhere = () => ''

/** No provider is configured: cash and wallet only. */
export const noProviders: PaymentPort = {
  providers: () => [],
  adapter: () => null,
  urls: {
    pay: nowhere,
    return: nowhere,
    cancel: nowhere,
    webhook: nowhere,
    app: nowhere,
    origin: '',
  },
  receive: () => Promise.resolve('unknown'),
  change: () => Promise.resolve(false),
}
