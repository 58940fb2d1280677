import { onValueCreated, onValueWritten } from 'firebase-functions/v2/database'
import { onSchedule } from 'firebase-functions/v2/scheduler'
import { onObjectFinalized } from 'firebase-functions/v2/storage'
import { onTaskDispatched } from 'firebase-functions/v2/tasks'
import { schemaPaths, checkWritesAllowed, type SchemaNode } from '~/domain/data/schemaVersion'
import { parseUploader } from '~/domain/data/storageFiles'
import { MINUTE_MS } from '~/domain/language/timeUnits'
import { recordAudit } from '../services/office/audit'
import { eraseClosedAccounts } from '../services/users/accountErasure'
import { continueBroadcasts } from '../services/jobs/broadcast'
import { isSetUp, readSettings } from '../services/office/settings'
import { createBookingService } from '../services/bookings/bookingService'
import { withoutStreetTimes } from '../services/dispatch/dispatchCandidates'
import { offerToWaitingBookings, withdrawRequests } from '../services/dispatch/driverDispatch'
import { recordDuty } from '../services/dispatch/driverShifts'
import {
  dispatchOptions,
  eventOptions,
  scheduleOptions,
  secretEventOptions,
  uploadOptions,
  MAPS_SECRETS,
  MESSAGE_SECRETS,
  PAYMENT_SECRETS,
} from '../deployment'
import { removeFilesOverQuota, removeUnusedFiles } from '../services/jobs/fileCleanup'
import { runWithLease } from '../services/jobs/jobLease'
import { removeUploadOverQuota } from '../services/jobs/uploadQuota'
import { OTHER_LIMITS } from '../services/limitTable'
import { findExceededLimit } from '../services/rateLimits'
import {
  logError,
  logFileCleanup,
  logExpiredEvent,
  logMaintenance,
  logMaintenanceSkipped,
} from '../logs'
import { createOutboxSender, type OutboxSender } from '../services/messages/outboxSender'
import { publishProviderStep } from '../services/payments/providerLimits'
import { reconcilePayments } from '../services/payments/paymentReconciliation'
import type { DatabasePort } from '../ports/database'
import { retryUntilExpired } from './eventRetry'
import {
  pruneRateLimits,
  removeExpiredDecisions,
  removeExpiredFormerUsers,
  removeExpiredRefusals,
  runDueBookings,
  runMaintenance,
} from '../services/jobs/maintenance'
import { notifyChatMessage } from '../services/messages/notifications'
import type { Ports } from '../ports/ports'
import type { ChatMessage } from '~/domain/messages/types'

/**
 * Audits every write below a reference such as `cartypes/{id}` and runs its follow-up work. Neither
 * depends on the success of the other. Safe to retry because the entry's key comes from its event.
 */
export const onAuditedValueWritten = (
  ref: string,
  { db }: Pick<Ports, 'db'>,
  follow?: (db: DatabasePort, id: string) => Promise<void>,
) =>
  onValueWritten({ ...eventOptions, ref: `/${ref}`, retry: true }, (event) => {
    const at = Date.parse(event.time)
    return retryUntilExpired(
      { name: `audit_trail ${ref}`, eventId: event.id, occurredAt: at },
      { now: Date.now(), onExpired: logExpiredEvent },
      async () => {
        const params = event.params as Record<string, string>
        await Promise.all([
          params.id && follow?.(db, params.id),
          recordAudit(db, {
            eventId: event.id,
            path: ref.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? ''),
            at,
            actorId: event.authId ?? event.authType,
            before: event.data.before.val() as unknown,
            after: event.data.after.val() as unknown,
          }),
        ])
      },
    )
  })

type DriverPorts = Pick<Ports, 'db' | 'maps' | 'push' | 'clock' | 'random'>

/**
 * Returns the ports for one run that a driver's client causes, because a client that toggles its
 * duty in a loop makes each run query the maps service. Above the limit the run does all its work,
 * and only its pickup times are estimated: a booking whose search pauses would otherwise wait.
 */
const limitMaps = async (
  { db, maps, ...others }: DriverPorts,
  limits: Parameters<typeof findExceededLimit>[1],
  caller: string,
): Promise<Pick<Ports, 'db' | 'maps' | 'bookings'>> => {
  const isOver = await findExceededLimit(db, limits, { caller, now: Date.now() })
  const limited = { db, maps: isOver ? withoutStreetTimes(maps) : maps }
  return { ...limited, bookings: createBookingService({ ...limited, ...others }) }
}

/**
 * Records the start and end of a driver's duty. Withdraws the requests of a driver who goes off
 * duty, so that their bookings do not wait for them. Safe to retry: it skips what is already done.
 */
export const endOfShift = (ports: DriverPorts) =>
  onValueWritten(
    { ...dispatchOptions(MAPS_SECRETS), ref: '/users/{id}/driverActiveStatus', retry: true },
    (event) => {
      const { id } = event.params
      const occurredAt = Date.parse(event.time)
      return retryUntilExpired(
        { name: 'end_of_shift', eventId: event.id, occurredAt },
        { now: Date.now(), onExpired: logExpiredEvent },
        async () => {
          await recordDuty(ports.db, id, occurredAt)
          if (event.data.after.val() === true) return
          await withdrawRequests(await limitMaps(ports, OTHER_LIMITS.endOfShift, id), id)
        },
      )
    },
  )

/**
 * Offers waiting bookings to a driver who comes on duty or is free again, without waiting for the
 * scheduled job. Not retried, because that job tries again.
 */
export const driverAvailable = (ports: DriverPorts) =>
  onValueCreated(
    { ...dispatchOptions(MAPS_SECRETS), ref: '/available_drivers/{id}' },
    async (event) => {
      const { id } = event.params
      const { db, maps, bookings } = await limitMaps(ports, OTHER_LIMITS.driverAvailable, id)
      await offerToWaitingBookings({ db, maps, change: bookings.applyEvent }, [id], Date.now())
    },
  )

/**
 * Removes new files over a person's quota, and checks if the daily file cleanup is due or
 * unfinished. The next run continues with the rest.
 */
export const scheduledFileCleanup = (ports: Pick<Ports, 'db' | 'files'>) =>
  onSchedule({ ...scheduleOptions(), schedule: 'every 1 hours', timeoutSeconds: 540 }, async () => {
    const now = Date.now()
    logFileCleanup('over quota', await removeFilesOverQuota(ports, now))
    logFileCleanup('unused', await removeUnusedFiles(ports, now))
  })

/**
 * Removes an upload of a person who holds too much. Runs in the region of the bucket, which
 * firebase-tools finds, because a trigger must be there. Safe to retry: the removal has one effect.
 */
export const onFileUploaded = (ports: Pick<Ports, 'db' | 'files'>, bucket: string) =>
  onObjectFinalized({ ...uploadOptions, bucket, retry: true }, (event) =>
    retryUntilExpired(
      { name: 'check_upload', eventId: event.id, occurredAt: Date.parse(event.time) },
      { now: Date.now(), onExpired: logExpiredEvent },
      async () => {
        const { name, size, timeCreated } = event.data
        const createdAt = new Date(timeCreated ?? event.time).getTime()
        const now = Date.now()
        const caller = parseUploader(name)
        if (caller === null) return
        // The hourly job removes what is over the quota after a loop of uploads.
        if (!(await findExceededLimit(ports.db, OTHER_LIMITS.uploadChecks, { caller, now })))
          await removeUploadOverQuota(ports, { name, createdAt, size: Number(size) }, now)
      },
    ),
  )

/**
 * Notifies the recipient of each chat message. Not retried, because a notice is useless after
 * minutes and the message is in the chat.
 */
export const onChatMessageCreated = (ports: Pick<Ports, 'db' | 'push'>) =>
  onValueCreated({ ...eventOptions, ref: '/chats/{booking_id}/{message_id}' }, (event) =>
    notifyChatMessage(ports, {
      eventId: event.id,
      at: Date.parse(event.time),
      booking_id: event.params.booking_id,
      message: event.data.val() as ChatMessage,
    }),
  )

/**
 * Sends a message as soon as it is in the outbox. Not retried, because the schedule repeats failed
 * attempts at the right time.
 */
export const onMessageCreated = (outbox: OutboxSender) =>
  onValueCreated(
    {
      ...secretEventOptions(['KERBSIDE_SALT', ...MESSAGE_SECRETS]),
      ref: '/internal/outbox/{id}',
    },
    async (event) => void (await outbox.deliver(event.params.id)),
  )

/** Milliseconds after which a killed run's lease ends: not before the platform ends the run. */
const RUN_LEASE_MS = 120_000
/** Seconds after the full minute at which due bookings are maintained again. */
const PASSES = [15, 30, 45]

/** Returns true when the functions may write and the platform is set up; logs a refusal. */
const isReady = async (db: DatabasePort, now: number): Promise<boolean> => {
  const refused = checkWritesAllowed(await db.read<SchemaNode>(schemaPaths.root), now)
  if (refused) logMaintenanceSkipped(refused.key)
  return !refused && isSetUp(db)
}

/**
 * Schedules further passes of this minute, because offers expire within half a minute, and a
 * schedule runs at most once a minute. A queue that cannot be reached only makes offers slower.
 */
const schedulePasses = async ({ tasks }: Pick<Ports, 'tasks'>, now: number): Promise<void> => {
  const minute = Math.floor(now / MINUTE_MS)
  try {
    await Promise.all(
      PASSES.map((seconds) => tasks.scheduleDueBookings(`due-${minute}-${seconds}`, seconds)),
    )
  } catch (error) {
    logError('schedule_passes', error)
  }
}

/** Runs maintenance and logs its result. */
const maintainBookings = async (
  maintain: () => ReturnType<typeof runDueBookings>,
  startedAt: number,
): Promise<void> => {
  const swept = await maintain()
  if (swept) logMaintenance(swept, Date.now() - startedAt)
  else logMaintenanceSkipped('running')
}

/** Maintains the bookings that are due, between two runs of the scheduled job. */
export const maintenancePass = (ports: Ports) =>
  onTaskDispatched(
    {
      ...scheduleOptions(MAPS_SECRETS),
      timeoutSeconds: 60,
      // The next pass does what this one left.
      retryConfig: { maxAttempts: 1 },
      rateLimits: { maxConcurrentDispatches: 1 },
    },
    async () => {
      const now = Date.now()
      if (await isReady(ports.db, now))
        await maintainBookings(() => runDueBookings(ports, now), now)
    },
  )

/**
 * Runs the maintenance of every minute. Not retried, because the next run does what this one left.
 */
export const scheduledMaintenance = (ports: Ports, names: readonly string[]) =>
  onSchedule(
    {
      ...scheduleOptions([
        'KERBSIDE_SALT',
        ...PAYMENT_SECRETS,
        ...MAPS_SECRETS,
        ...MESSAGE_SECRETS,
      ]),
      schedule: 'every 1 minutes',
      timeoutSeconds: 120,
    },
    async () => {
      const now = Date.now()
      if (!(await isReady(ports.db, now))) return
      if ((await readSettings(ports.db)).autoDispatch) await schedulePasses(ports, now)
      await maintainBookings(() => runMaintenance(ports, now), now)
      await runWithLease(ports.db, { job: 'sweep', now, ms: RUN_LEASE_MS }, async () => {
        await publishProviderStep(ports)
        await reconcilePayments(ports, now)
        await createOutboxSender(ports).deliverDue()
        await continueBroadcasts(ports, now)
        await eraseClosedAccounts(ports, now)
        if (new Date(now).getMinutes() !== 0) return
        await pruneRateLimits(ports, names, now)
        await removeExpiredDecisions(ports, now)
        await removeExpiredFormerUsers(ports, now)
        await removeExpiredRefusals(ports, now)
      })
    },
  )
