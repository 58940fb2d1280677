import type { DomainError } from '~/domain/api/errors'
import type { PaymentAttempt, PaymentEvent } from '~/domain/payments/paymentAttempt'
import type { PaymentChange, PaymentContext, PaymentOutcome } from '~/domain/payments/paymentChange'
import type { Result } from '~/domain/api/result'
import { ok } from '~/domain/api/result'
import type { Adapter } from './paymentAdapter'
import type { PaymentProvider } from '~/domain/payments/types'

/** URLs at which browsers and providers reach us. */
export interface PaymentUrls {
  checkout(provider: string): string
  return(provider: string, payment: string): string
  cancel(provider: string, payment: string): string
  webhook(provider: string): string
  /** The address of a message service's webhook, which its signature includes. */
  messageWebhook(service: string): string
  /** The web app's return page. */
  appReturnPage(payment: string, hint?: string): string
  /** The web app's origin. */
  appOrigin: string
}

/** The configured payment providers, and the core that applies their events. */
export interface PaymentPort {
  /** Returns the providers that support the currency; empty when none is configured. */
  listProviders(currency: string): PaymentProvider[]
  /** Returns null for an unknown provider or incomplete keys. */
  getAdapter(provider: string): Adapter | null
  urls: PaymentUrls
  /**
   * Applies a verified event once. Rejects when the write fails, so that the provider redelivers
   * the event.
   */
  applyEvent(event: PaymentEvent): Promise<PaymentOutcome>
  /**
   * Writes a decision about a payment that is based on its current state. Decides again when
   * another process wrote first. A refusal writes nothing.
   */
  commitDecision(
    payment: string,
    how: (facts: PaymentContext, now: number) => Result<PaymentChange, DomainError>,
  ): Promise<Result<PaymentOutcome, DomainError>>
  /**
   * Writes fields of an attempt, and the provider's page opened for it. Returns false when the
   * attempt has changed since it was read.
   */
  updateAttempt(
    attempt: PaymentAttempt,
    fields: Partial<Pick<PaymentAttempt, 'status' | 'checkout_ref'>>,
    page?: string,
  ): Promise<boolean>
}

const getEmptyUrl = () => ''

/** A port without configured providers: only cash and wallet payments work. */
export const noProviders: PaymentPort = {
  listProviders: () => [],
  getAdapter: () => null,
  urls: {
    checkout: getEmptyUrl,
    return: getEmptyUrl,
    cancel: getEmptyUrl,
    webhook: getEmptyUrl,
    messageWebhook: getEmptyUrl,
    appReturnPage: getEmptyUrl,
    appOrigin: '',
  },
  applyEvent: () => Promise.resolve('unknown'),
  commitDecision: () => Promise.resolve(ok('unknown')),
  updateAttempt: () => Promise.resolve(false),
}
