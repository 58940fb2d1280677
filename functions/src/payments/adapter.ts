import type { PaymentEvent } from '~/domain/payments/attempt'
import type { Speech } from './language'

export const PROVIDERS = [
  'paypal',
  'braintree',
  'stripe',
  'paytm',
  'payulatam',
  'flutterwave',
  'paystack',
  'securepay',
  'payfast',
  'liqpay',
  'culqi',
  'mercadopago',
  'test',
] as const
export type ProviderId = (typeof PROVIDERS)[number]

/** What is to be paid, as the server knows it; nothing of it comes from the browser. */
export interface CheckoutOrder {
  /** The attempt's id: what the provider calls the order. */
  id: string
  /** Minor units (ISO 4217). */
  minor: number
  currency: string
  /** For the provider, in English. */
  description: string
  /** The same for the payer, on pages of ours. */
  title: string
  speech: Speech
  customer: { id: string; first: string; last: string; email: string; phone: string }
  createdAt: number
  urls: {
    /** This provider's own page of ours. */
    pay: string
    return: string
    cancel: string
    webhook: string
  }
}

/** What the browser is given: elsewhere, a form to send at once, or a page of ours. */
export type Checkout =
  | { kind: 'redirect'; url: string; ref?: string }
  | { kind: 'form'; action: string; fields: readonly (readonly [string, string])[]; ref?: string }
  | { kind: 'page'; title: string; body: string; script?: PageScript; ref?: string }

/** A script of ours, which runs under a nonce, and the origins that it and its frames may reach. */
interface PageScript {
  code: string
  load: readonly string[]
  frames?: readonly string[]
  connects?: readonly string[]
  /** The provider's own script styles its frame inline. */
  inlineStyles?: boolean
  /** Where its forms may lead, frames included, beside ourselves. */
  forms?: readonly string[]
}

/** A request as it came: what is signed is the bytes, not what somebody parsed. */
export interface Incoming {
  method: string
  /** Behind the function's name, such as /stripe. */
  path: string
  query: URLSearchParams
  /** Lower-case names. */
  headers: Readonly<Record<string, string>>
  body: Buffer
  ip: string
}

/** What a provider's message said, and what it wants to hear back. */
interface Heard {
  events: PaymentEvent[]
  ack?: { status?: number; body: string; type?: string }
}

/** An attempt, as far as a provider is asked about it. Amount in minor units. */
export interface Asked {
  payment: string
  minor: number
  currency: string
  /** The provider's number of the checkout, where it gave one. */
  checkout_ref?: string
  /** The provider's number of the payment, once it is paid. */
  ref?: string
  /** What went back already, in minor units. */
  refunded: number
  /** ms since 1970. */
  createdAt: number
}

/** Turns our words into a provider's and back. It decides nothing and keeps nothing. */
export interface Adapter {
  id: ProviderId
  supports(currency: string): boolean
  checkout(order: CheckoutOrder): Promise<Checkout>
  /**
   * What its page on our own origin posted. With `charges` it moves money at once, so that the core lets only one in at a
   * time for one attempt. `return` ends at our return page.
   */
  submitted?(
    order: CheckoutOrder,
    form: URLSearchParams,
  ): Promise<{ event?: PaymentEvent; next: Checkout | 'return' }>
  charges?: true
  /** Where an attempt stands, from the provider himself; null when he knows nothing of it. */
  ask?(asked: Asked): Promise<PaymentEvent | null>
  /** Throws `Forged` when it does not prove that it is the provider's. */
  notified(incoming: Incoming): Promise<Heard>
  /** Gives money back; `key` is the same when the same refund is tried again, whose answer was lost. */
  refund?(asked: Asked, minor: number, key: string): Promise<PaymentEvent>
}

export type Env = Readonly<Record<string, string | undefined>>

/** What the `test` provider's bank remembers of an attempt. */
export interface BankEntry {
  ref: string
  minor: number
  currency: string
  status: 'paid' | 'declined'
  /** ms; before that the bank says it is on its way. */
  settlesAt: number
  refunded: number
  /** The key of its last refund. */
  refundKey?: string
}

/** The outside world of an adapter, so that its tests need none. */
export interface Outside {
  fetch: typeof fetch
  /** ms since 1970. */
  now(): number
  /** Unguessable, URL-safe. */
  token(): string
  bank: {
    read(payment: string): Promise<BankEntry | null>
    write(payment: string, entry: BankEntry): Promise<void>
  }
  /** Runs something after so many ms, without keeping anybody waiting. */
  later(ms: number, run: () => Promise<void>): void
}

/** Null when its keys are not complete: such a provider is not listed, and its messages are nobody's. */
export type MakeAdapter = (env: Env, outside: Outside) => Adapter | null

/** The keys by name; null when one is missing or empty. */
export const keysOf = <Name extends string>(
  env: Env,
  ...names: Name[]
): Record<Name, string> | null => {
  const found = names.map((name) => [name, env[name]?.trim() ?? ''] as const)
  return found.every(([, value]) => value !== '')
    ? (Object.fromEntries(found) as Record<Name, string>)
    : null
}

/** The message does not prove that it is the provider's. */
export class Forged extends Error {
  constructor(why: string) {
    super(why)
    this.name = 'Forged'
  }
}

/** The provider can't be reached, or refuses what we are sure of: to be tried again. */
export class ProviderFault extends Error {
  constructor(why: string, options?: ErrorOptions) {
    super(why, options)
    this.name = 'ProviderFault'
  }
}
