import { onValueCreated, onValueWritten } from 'firebase-functions/v2/database'
import { onSchedule } from 'firebase-functions/v2/scheduler'
import type { ChatMessage } from '~/domain/entities'
import { keepAudit } from './auditing'
import type { Ports } from './definition'
import { REGION } from './http'
import { logGivenUp, logSweep } from './logs'
import { reconcilePayments } from './payments/reconcile'
import { PAYMENT_SECRETS } from './payments/secrets'
import { systemClock } from './ports/clock'
import type { DatabasePort } from './ports/database'
import { whileYoung } from './retrying'
import { forgetCounters, sweep, sweepRequests } from './sweeping'
import { tellOfMessage } from './telling'

/**
 * Audits every write below a reference such as `cartypes/{id}`, beside what else is to follow from it: neither waits for
 * the other to be possible. Retried: an entry's key is its event's, so it is kept once.
 */
export const auditTrail = (
  ref: string,
  { db }: Pick<Ports, 'db'>,
  follow?: (db: DatabasePort, id: string) => Promise<void>,
) =>
  onValueWritten({ ref: `/${ref}`, region: REGION, retry: true }, (event) => {
    const at = Date.parse(event.time)
    return whileYoung(
      { name: `audit_trail ${ref}`, eventId: event.id, happenedAt: at },
      { now: Date.now(), giveUp: logGivenUp },
      async () => {
        const params = event.params as Record<string, string>
        await Promise.all([
          params.id && follow?.(db, params.id),
          keepAudit(db, {
            eventId: event.id,
            path: ref.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? ''),
            at,
            by: event.authId ?? event.authType,
            before: event.data.before.val() as unknown,
            after: event.data.after.val() as unknown,
          }),
        ])
      },
    )
  })

/** Tells of each message of a chat. Not retried: after minutes it is no news, and the message is in the chat. */
export const chatTeller = (ports: Pick<Ports, 'db' | 'push'>) =>
  onValueCreated({ ref: '/chats/{booking_id}/{message_id}', region: REGION }, (event) =>
    tellOfMessage(ports, {
      eventId: event.id,
      at: Date.parse(event.time),
      booking_id: event.params.booking_id,
      message: event.data.val() as ChatMessage,
    }),
  )

const PASSES = 3
const PASS_MS = 15_000

/** The sweep of every minute. Not retried: the next minute finds all that this one left. */
export const everyMinute = (ports: Ports, names: readonly string[]) =>
  onSchedule(
    {
      schedule: 'every 1 minutes',
      region: REGION,
      maxInstances: 1,
      timeoutSeconds: 120,
      secrets: ports.config.local ? [] : PAYMENT_SECRETS,
    },
    async () => {
      const now = Date.now()
      logSweep(await sweep(ports, now), Date.now() - now)
      await reconcilePayments(ports, now)
      // A request's time is up after half a minute or less, and a schedule runs once a minute at most.
      for (let pass = 1; pass <= PASSES; pass++) {
        await systemClock.wait(Math.max(0, now + pass * PASS_MS - Date.now()))
        await sweepRequests(ports, Date.now())
      }
      if (new Date(now).getMinutes() === 0) await forgetCounters(ports, names, now)
    },
  )
