import { emptyWorld } from '~/domain/booking/world'
import type { PaymentProvider } from '~/domain/entities'
import { at } from '~/domain/paths'
import type { PaymentFacts, PaymentOutcome } from '~/domain/payments/applyPaymentEvent'
import { applyPaymentEvent, attemptUpdates, payInput } from '~/domain/payments/applyPaymentEvent'
import type { PaymentAttempt, PaymentEvent } from '~/domain/payments/attempt'
import { eventKey } from '~/domain/payments/attempt'
import { dispatchAtOnce, SYSTEM } from '../dispatching'
import { logDisagreement } from '../logs'
import type { Bookings } from '../ports/bookings'
import type { ClockPort } from '../ports/clock'
import { Conflict } from '../ports/database'
import type { DatabasePort } from '../ports/database'
import { perform } from '../ports/effects'
import type { LazyMaps } from '../ports/maps'
import type { PaymentPort } from '../ports/payments'
import type { PushPort } from '../ports/push'
import type { RandomPort } from '../ports/random'
import { lookups, readWorld } from '../ports/world'
import { readSettings } from '../settings'
import type { Adapter, BankEntry, Env, Outside } from './adapter'
import { ProviderFault } from './adapter'
import { FACTORIES } from './factories'
import { paymentUrls } from './urls'

const TRIES = 40
const ID = /^[A-Za-z0-9_-]{1,128}$/

interface Parts {
  env: Env
  db: DatabasePort
  maps: LazyMaps
  push: PushPort
  clock: ClockPort
  random: RandomPort
  bookings: Bookings
  fetch?: typeof fetch
}

/** The attempt at payments/{id}; null when there is none, or the id is no id. */
export const readAttempt = async (db: DatabasePort, id: string): Promise<PaymentAttempt | null> => {
  if (!ID.test(id)) return null
  const found = await db.read<Omit<PaymentAttempt, 'id'>>(at.payment(id))
  return found && { ...found, id }
}

/** Keys from the one secret (JSON by name) and from the environment, which wins. */
export const keyring = (env: Env): Env => {
  const { PAYMENT_KEYS: secret = '' } = env
  if (secret.trim() === '') return env
  return { ...(JSON.parse(secret) as Env), ...env }
}

/** Whether it names a payment and an amount; what does not is no reason to drop money silently. */
const isReadable = ({ ref, minor, currency }: PaymentEvent): boolean =>
  ref !== '' && Number.isSafeInteger(minor) && minor >= 0 && /^[A-Z]{3}$/.test(currency)

const outsideOf = ({ db, clock, random, fetch: fetcher }: Parts): Outside => ({
  fetch: fetcher ?? fetch,
  now: clock.now,
  token: () => random.token(),
  bank: {
    read: (payment) => db.read<BankEntry>(`${at.payment(payment)}/details/bank`),
    write: (payment, entry) => db.update({ [`${at.payment(payment)}/details/bank`]: { ...entry } }),
  },
  later: (ms, run) => void clock.wait(ms).then(run),
})

/** The payments of one project. Safe because every write carries the attempt's revision + 1, and the event's own key. */
export const paymentDesk = (parts: Parts): PaymentPort => {
  const { db, maps, push, clock, random, bookings } = parts
  const env = keyring(parts.env)
  const urls = paymentUrls(env)
  const outside = outsideOf(parts)
  const made = new Map<string, Adapter | null>()
  const adapter = (name: string): Adapter | null => {
    const make = Object.hasOwn(FACTORIES, name) ? FACTORIES[name as keyof typeof FACTORIES] : null
    if (!make) return null
    const known = made.get(name)
    if (known !== undefined) return known
    const fresh = make(env, outside)
    made.set(name, fresh)
    return fresh
  }

  const readFacts = async (event: PaymentEvent): Promise<PaymentFacts> => {
    const settings = await readSettings(db)
    const attempt = await readAttempt(db, event.payment)
    if (!attempt)
      return {
        attempt,
        seen: false,
        booking: null,
        world: emptyWorld(settings),
        payerExists: false,
      }
    const input = payInput(attempt)
    const [seen, usertype, read] = await Promise.all([
      db.read(`payment_events/${eventKey(event)}`),
      db.read<string>(`${at.user(attempt.uid)}/usertype`),
      attempt.booking
        ? readWorld(db, attempt.booking, input, SYSTEM, lookups(input, maps, random))
        : { booking: null, world: emptyWorld(settings) },
    ])
    return { attempt, seen: seen !== null, payerExists: usertype !== null, ...read }
  }

  return {
    urls,
    adapter,
    providers: (currency): PaymentProvider[] =>
      Object.keys(FACTORIES)
        .filter((name) => adapter(name)?.supports(currency))
        .map((name) => ({ name, link: urls.pay(name) })),

    async receive(event): Promise<PaymentOutcome> {
      if (!isReadable(event)) throw new ProviderFault('The event has no readable amount.')
      for (let tries = 1; ; tries++) {
        const facts = await readFacts(event)
        const now = clock.now()
        const { outcome, ...change } = applyPaymentEvent(event, facts, now)
        if (Object.keys(change.updates).length === 0) return outcome
        try {
          await perform({ db, push, random }, change, now)
          // Only the delivery that was written comes here, so drivers are looked for once.
          const { booking } = facts.attempt ?? {}
          if (booking && change.updates[`${at.booking(booking)}/status`] === 'NEW')
            await dispatchAtOnce({ db, change: bookings.change }, booking, now)
          return outcome
        } catch (error) {
          if (!(error instanceof Conflict)) throw error
          if (tries >= TRIES) {
            logDisagreement(event.payment, `payment ${event.status}`)
            throw error
          }
          await clock.wait(random.between(0, Math.min(20 * tries, 400)))
        }
      }
    },

    async change(attempt, fields) {
      try {
        await db.update(attemptUpdates(attempt, fields, clock.now()))
        return true
      } catch (error) {
        if (error instanceof Conflict) return false
        throw error
      }
    },
  }
}
