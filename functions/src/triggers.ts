import { onValueWritten } from 'firebase-functions/v2/database'
import { onSchedule } from 'firebase-functions/v2/scheduler'
import { keepAudit } from './auditing'
import type { Ports } from './definition'
import { REGION } from './http'
import { logSweep } from './logs'
import { reconcilePayments } from './payments/reconcile'
import { PAYMENT_SECRETS } from './payments/secrets'
import { forgetCounters, sweep } from './sweeping'

/** Audits every write below a reference such as `cartypes/{id}`. */
export const auditTrail = (ref: string, { db }: Ports) =>
  onValueWritten({ ref: `/${ref}`, region: REGION }, (event) =>
    keepAudit(db, {
      eventId: event.id,
      path: ref.replace(
        /\{(\w+)\}/g,
        (_, name: string) => (event.params as Record<string, string>)[name] ?? '',
      ),
      at: Date.parse(event.time),
      by: event.authId ?? event.authType,
      before: event.data.before.val() as unknown,
      after: event.data.after.val() as unknown,
    }),
  )

/** The sweep of every minute. */
export const everyMinute = (ports: Ports, names: readonly string[]) =>
  onSchedule(
    {
      schedule: 'every 1 minutes',
      region: REGION,
      maxInstances: 1,
      secrets: ports.config.local ? [] : PAYMENT_SECRETS,
    },
    async () => {
      const now = Date.now()
      logSweep(await sweep(ports, now), Date.now() - now)
      await reconcilePayments(ports, now)
      if (new Date(now).getMinutes() === 0) await forgetCounters(ports, names, now)
    },
  )
