import type { ProviderId } from '~/domain/payments/providers'
import type { PaymentEvent } from '~/domain/payments/paymentAttempt'
import type { ProviderRefund } from '~/domain/payments/refunds/reconciliation'
import type { Translator } from './translator'
import type { ChargeLimits } from '~/domain/payments/types'
import type { Milliseconds, MinorUnits } from '~/domain/language/units'

/** The payment to make, as the server knows it. Nothing here comes from the browser. */
export interface CheckoutOrder {
  /** The attempt's id, which the provider uses as its order id. */
  id: string
  /** Amount in minor units (ISO 4217). */
  minor: MinorUnits
  currency: string
  /** Description for the provider, in English. */
  description: string
  /** Description for the payer, on our own pages. */
  title: string
  translator: Translator
  customer: { id: string; first: string; last: string; email: string; phone: string }
  createdAt: number
  urls: {
    /** Our own page for this provider. */
    pay: string
    return: string
    cancel: string
    webhook: string
  }
}

/** The next step for the browser: another address, a form to send at once, or one of our pages. */
export type Checkout =
  | { kind: 'redirect'; url: string; ref?: string }
  | { kind: 'form'; action: string; fields: readonly (readonly [string, string])[]; ref?: string }
  | { kind: 'page'; title: string; body: string; script?: PageScript; ref?: string }

/** A script of ours that runs under a nonce, with the origins that it and its frames may reach. */
interface PageScript {
  code: string
  scriptUrls: readonly string[]
  frameOrigins?: readonly string[]
  connectOrigins?: readonly string[]
  /** The provider's own script styles its frame inline. */
  hasInlineStyles?: boolean
  /** Addresses, besides our own, that its forms may target, including forms in frames. */
  formTargets?: readonly string[]
}

/** A request as received. Signatures cover the raw bytes, not the parsed body. */
export interface WebhookRequest {
  method: string
  /** The path after the function's name, such as /stripe. */
  path: string
  query: URLSearchParams
  /** Header names are in lower case. */
  headers: Readonly<Record<string, string>>
  body: Buffer
  ip: string
}

/** The content of a provider's message, and the response that the provider expects. */
export interface WebhookResult {
  events: PaymentEvent[]
  /** Payments whose refunds changed; we query the provider for details. */
  paymentsToCheck?: readonly string[]
  response?: { status?: number; body: string; type?: string }
}

/** The data of an attempt that a query to a provider needs. Amounts are in minor units. */
export interface PaymentRef {
  payment: string
  minor: MinorUnits
  currency: string
  /** The provider's number for the checkout, if it gave one. */
  checkout_ref?: string
  /** The provider's number for the payment, once it is paid. */
  ref?: string
  /** Amount already refunded, in minor units. */
  refunded: number
  /** The idempotency key of the pending refund. */
  refund_key?: string
  /** Milliseconds since 1970. */
  createdAt: number
}

/**
 * Limits of a provider by currency, in units of the currency. A currency that is missing has the
 * steps of ISO 4217 and no minimum that the provider documents.
 */
export type ChargeRules = Readonly<Record<string, Partial<ChargeLimits>>>

/** Translates between our terms and a provider's. It makes no decisions and stores nothing. */
export interface Adapter {
  id: ProviderId
  isCurrencySupported(currency: string): boolean
  /** The amounts that the provider takes, where they differ from every amount of ISO 4217. */
  chargeRules?: ChargeRules
  checkout(order: CheckoutOrder): Promise<Checkout>
  /**
   * Handles a form that the provider's page on our own origin posted. With `chargesImmediately`, it
   * moves money at once, so the core admits only one submission of an attempt at a time. `return`
   * redirects to our return page.
   */
  submitForm?(
    order: CheckoutOrder,
    form: URLSearchParams,
  ): Promise<{ event?: PaymentEvent; next: Checkout | 'return' }>
  chargesImmediately?: true
  /**
   * Returns the state of an attempt from the provider itself, or null when the provider does not
   * know it.
   */
  fetchStatus?(paymentRef: PaymentRef): Promise<PaymentEvent | null>
  /**
   * Throws `InvalidSignatureError` when the message does not prove that it comes from the provider.
   */
  parseWebhook(incoming: WebhookRequest): Promise<WebhookResult>
  /**
   * Refunds an amount under a key that stays the same when the same refund is sent again. Returns
   * `pending` when the provider has accepted the refund and will report the outcome later. Throws
   * `ProviderRejectedError` when no money goes back; after any other error, the outcome is unknown.
   */
  refund?(paymentRef: PaymentRef, minor: MinorUnits, key: string): Promise<PaymentEvent | 'pending'>
  /**
   * Lists all refunds of a paid payment, ours and others. Missing when the provider documents no
   * such query.
   */
  listRefunds?(paymentRef: PaymentRef): Promise<ProviderRefund[]>
}

export type Env = Readonly<Record<string, string | undefined>>

/** The record that the `test` provider's bank keeps of an attempt. */
export interface TestBankEntry {
  ref: string
  minor: MinorUnits
  currency: string
  status: 'paid' | 'declined'
  /** Milliseconds since 1970; before this time the bank reports the payment as pending. */
  settlesAt: number
  refunded: number
  /** Its refunds by key, in minor units. */
  refunds?: Record<string, number>
}

/** The external dependencies of an adapter, so that its tests need no network. */
export interface AdapterDeps {
  fetch: typeof fetch
  /** Milliseconds since 1970. */
  now(): number
  /** Returns an unguessable, URL-safe token. */
  createToken(): string
  testBank: {
    read(payment: string): Promise<TestBankEntry | null>
    write(payment: string, entry: TestBankEntry): Promise<void>
  }
  /** Runs a task after this many milliseconds, without delaying the caller. */
  runLater(ms: Milliseconds, run: () => Promise<void>): void
}

/**
 * Returns null when its keys are incomplete. Such a provider is not listed, and we ignore its
 * messages.
 */
export type AdapterFactory = (env: Env, outside: AdapterDeps) => Adapter | null

/** Returns the keys by name, or null when one is missing or empty. */
export const readKeys = <Name extends string>(
  env: Env,
  ...names: Name[]
): Record<Name, string> | null => {
  const entries = names.map((name) => [name, env[name]?.trim() ?? ''] as const)
  return entries.every(([, value]) => value !== '')
    ? (Object.fromEntries(entries) as Record<Name, string>)
    : null
}

/** Thrown when a message does not prove that it comes from the provider. */
export class InvalidSignatureError extends Error {
  constructor(why: string) {
    super(why)
    this.name = 'InvalidSignatureError'
  }
}

/**
 * Thrown when the provider can't be reached or does not respond as documented. The outcome of the
 * request is unknown; try again.
 */
export class ProviderError extends Error {
  constructor(why: string, options?: ErrorOptions) {
    super(why, options)
    this.name = 'ProviderError'
  }
}

/** Thrown when the provider refused the request, which then had no effect. */
export class ProviderRejectedError extends ProviderError {}
