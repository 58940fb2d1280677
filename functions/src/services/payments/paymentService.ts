import { SYSTEM_ACTOR } from '~/domain/booking/eventTypes'
import { emptyContext } from '~/domain/booking/eventContext'
import { dbPaths } from '~/domain/data/databasePaths'
import type { DomainError } from '~/domain/api/errors'
import { applyPaymentEvent, toPayInput } from '~/domain/payments/applyPaymentEvent'
import type { PaymentAttempt, PaymentEvent } from '~/domain/payments/paymentAttempt'
import { createEventKey } from '~/domain/payments/paymentAttempt'
import type { PaymentChange, PaymentContext, PaymentOutcome } from '~/domain/payments/paymentChange'
import { buildAttemptUpdates } from '~/domain/payments/paymentChange'
import type { Result } from '~/domain/api/result'
import { ok } from '~/domain/api/result'
import { dispatchImmediately } from '../dispatch/driverDispatch'
import type { ClockPort } from '../../ports/clock'
import { commitOrFail } from '../bookings/commitRetry'
import { WriteConflictError, readWallet } from '../../ports/database'
import type { DatabasePort } from '../../ports/database'
import type { LazyMaps } from '../../ports/lazyMaps'
import type { PaymentPort } from '../../ports/payments'
import type { PushPort } from '../../ports/push'
import type { RandomPort } from '../../ports/random'
import { createLookups } from '../bookings/eventContext/lookups'
import { loadEventContext } from '../bookings/eventContext/loadEventContext'
import { readCardPayments } from '../bookings/eventContext/records'
import { unwrap } from '../../domainException'
import { readSettings } from '../office/settings'
import type {
  Adapter,
  AdapterDeps,
  AdapterFactory,
  Env,
  TestBankEntry,
} from '../../ports/paymentAdapter'
import { ProviderError } from '../../ports/paymentAdapter'
import { getChargeLimits } from './providerLimits'
import { createPaymentUrls } from './paymentUrls'
import type { BookingService } from '../../ports/bookings'
import type { PaymentProvider } from '~/domain/payments/types'

const ID_PATTERN = /^[A-Za-z0-9_-]{1,128}$/

interface PaymentServiceDeps {
  /** The adapters by provider, in the order in which they are listed. */
  adapters: Readonly<Record<string, AdapterFactory>>
  env: Env
  db: DatabasePort
  maps: LazyMaps
  push: PushPort
  clock: ClockPort
  random: RandomPort
  bookings: BookingService
  fetch?: typeof fetch
}

/** Returns the attempt at payments/{id}, or null when there is none or the id is invalid. */
export const readAttempt = async (db: DatabasePort, id: string): Promise<PaymentAttempt | null> => {
  if (!ID_PATTERN.test(id)) return null
  const storedAttempt = await db.read<Omit<PaymentAttempt, 'id'>>(dbPaths.payment(id))
  return storedAttempt && { ...storedAttempt, id }
}

/**
 * Returns the keys from the shared secret (JSON by name) and from the environment, which takes
 * precedence.
 */
export const readPaymentKeys = (env: Env): Env => {
  const { PAYMENT_KEYS: secret = '' } = env
  if (secret.trim() === '') return env
  return { ...(JSON.parse(secret) as Env), ...env }
}

/**
 * Returns true when the event has a payment reference and a valid amount. Invalid events throw, so
 * that money is never dropped silently.
 */
const isValidEvent = ({ ref, minor, currency }: PaymentEvent): boolean =>
  ref !== '' && Number.isSafeInteger(minor) && minor >= 0 && /^[A-Z]{3}$/.test(currency)

const createAdapterDeps = ({
  db,
  clock,
  random,
  fetch: fetcher,
}: PaymentServiceDeps): AdapterDeps => ({
  fetch: fetcher ?? fetch,
  now: clock.now,
  createToken: () => random.createToken(),
  testBank: {
    read: (payment) => db.read<TestBankEntry>(`${dbPaths.payment(payment)}/details/bank`),
    write: (payment, entry) =>
      db.update({ [`${dbPaths.payment(payment)}/details/bank`]: { ...entry } }),
  },
  runLater: (ms, run) => void clock.wait(ms).then(run),
})

/** Returns the adapter of a provider by its name, created at its first use; null without keys. */
const createAdapterFinder = (
  factories: PaymentServiceDeps['adapters'],
  env: Env,
  outside: AdapterDeps,
) => {
  const adapters = new Map<string, Adapter | null>()
  return (name: string): Adapter | null => {
    const make = Object.hasOwn(factories, name) ? factories[name] : null
    if (!make) return null
    const cachedAdapter = adapters.get(name)
    if (cachedAdapter !== undefined) return cachedAdapter
    const fresh = make(env, outside)
    adapters.set(name, fresh)
    return fresh
  }
}

/** Reads what the decision about an attempt depends on. */
const readFacts = async (
  { db, maps, clock, random }: PaymentServiceDeps,
  id: string,
  event: PaymentEvent | null,
): Promise<PaymentContext> => {
  const settings = await readSettings(db)
  const attempt = await readAttempt(db, id)
  if (!attempt)
    return {
      attempt,
      isAlreadyProcessed: false,
      booking: null,
      eventContext: emptyContext(settings),
      payer: null,
    }
  const input = toPayInput(attempt)
  const [processedEvent, payer, read] = await Promise.all([
    event && db.read(`payment_events/${createEventKey(event)}`),
    readWallet(db, attempt.uid),
    attempt.booking
      ? loadEventContext({
          db,
          id: attempt.booking,
          input,
          actor: SYSTEM_ACTOR,
          lookups: createLookups(input, maps, random),
          now: clock.now(),
        })
      : { booking: null, eventContext: emptyContext(settings) },
  ])
  // The office's decision about one payment depends on the open refunds of the others.
  const cardPayments = event === null ? await readCardPayments(db, read.booking) : []
  const eventContext = { ...read.eventContext, cardPayments }
  return { attempt, isAlreadyProcessed: processedEvent !== null, payer, ...read, eventContext }
}

/**
 * Reads, decides and writes, and starts over when another process was faster. Throws
 * changed_meanwhile when it never succeeds. Stores `event` to recognize a repeat.
 */
const settle = async (
  parts: PaymentServiceDeps,
  id: string,
  event: PaymentEvent | null,
  decide: (facts: PaymentContext, now: number) => Result<PaymentChange, DomainError>,
): Promise<Result<PaymentOutcome, DomainError>> => {
  const { db, maps, push, clock, random, bookings } = parts
  const log = { subject: id, event: `payment ${event?.status ?? 'refund'}` }
  const result = await commitOrFail({ db, push, clock, random }, log, async () => {
    const facts = await readFacts(parts, id, event)
    const now = clock.now()
    const decided = decide(facts, now)
    const effect = decided.ok ? decided.value : undefined
    const booking = facts.attempt?.booking
    const waits = booking && effect?.updates[`${dbPaths.booking(booking)}/status`] === 'NEW'
    return {
      stateRead: facts,
      now,
      effect,
      result: { decided, now, waiting: waits ? booking : null },
    }
  })
  // Only the delivery whose write succeeded returns a waiting booking, so the search for drivers
  // runs once.
  if (result.waiting !== null)
    await dispatchImmediately({ db, maps, change: bookings.applyEvent }, result.waiting, result.now)
  return result.decided.ok ? ok(result.decided.value.outcome) : result.decided
}

/**
 * Creates the payment service of a project. Safe because every write carries the attempt's next
 * revision and the event's own key.
 */
export const createPaymentService = (parts: PaymentServiceDeps): PaymentPort => {
  const { db, clock } = parts
  const env = readPaymentKeys(parts.env)
  const urls = createPaymentUrls(env)
  const adapter = createAdapterFinder(parts.adapters, env, createAdapterDeps(parts))
  return {
    urls,
    getAdapter: adapter,
    listProviders: (currency): PaymentProvider[] =>
      Object.keys(parts.adapters)
        .map((name) => adapter(name))
        .filter((each): each is Adapter => each?.isCurrencySupported(currency) ?? false)
        .map((each) => ({
          name: each.id,
          link: urls.checkout(each.id),
          ...getChargeLimits(each, currency),
        })),

    async applyEvent(event): Promise<PaymentOutcome> {
      if (!isValidEvent(event))
        throw new ProviderError(
          'The event has no readable amount. Check it in the provider’s dashboard.',
        )
      const settled = await settle(parts, event.payment, event, (facts, now) =>
        ok(applyPaymentEvent(event, facts, now)),
      )
      return unwrap(settled)
    },

    commitDecision: (payment, how) => settle(parts, payment, null, how),

    async updateAttempt(attempt, fields, page) {
      const now = clock.now()
      const opened = page && {
        [`${dbPaths.payment(attempt.id)}/details/page`]: { url: page, at: now },
      }
      try {
        await db.update({ ...buildAttemptUpdates(attempt, fields, now), ...opened })
        return true
      } catch (error) {
        if (error instanceof WriteConflictError) return false
        throw error
      }
    },
  }
}
