import type { DatabaseValue } from '~/domain/data/databaseValue'
import { internalPaths } from '~/domain/data/internalPaths'
import {
  calculatePriceMicros,
  isWithinBudget,
  type MessageSettings,
  type MessageTotal,
  toTotalKey,
} from '~/domain/messages/messageSettings'
import type { MessageRow } from '~/domain/messages/messageTable'
import {
  buildOutboxUpdates,
  chargeMessage,
  type AttemptOutcome,
  type OutboxMessage,
} from '~/domain/messages/outbox'
import {
  countMessage,
  getMessageCounters,
  isBudgeted,
  type MessageCount,
} from '~/domain/messages/sendingLimits'
import { measureSms } from '~/domain/messages/smsSegments'
import { WriteConflictError, type DatabasePort } from '../../ports/database'
import type { OutgoingMessage } from '../../ports/messages'
import { hashAddress } from './optOuts'
import type { Ports } from '../../ports/ports'
import type { Booking } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'

type ChargePorts = Pick<Ports, 'db' | 'clock' | 'config'>

/** A message as a service takes it, with what the office decided about it. */
export interface PreparedMessage {
  outgoing: OutgoingMessage
  row: MessageRow
  settings: Settings
  rules: MessageSettings
  booking: Booking | null
}
/** The claimed message with its charge, its outcome without a request, or null for a lost claim. */
type Charged = { message: OutboxMessage } | { outcome: AttemptOutcome } | null

/** Attempts to change counters and totals that other senders change at the same time. */
const MAX_CHARGE_TRIES = 60

/** Writes the next revision of records. Returns false when another sender wrote first. */
export const writeRevision = async (
  db: Pick<DatabasePort, 'update'>,
  updates: Record<string, DatabaseValue>,
): Promise<boolean> => {
  try {
    await db.update(updates)
    return true
  } catch (error) {
    if (error instanceof WriteConflictError) return false
    throw error
  }
}

/** Tells the office once a month that the budget stops messages. */
const warnOfBudget = async (
  db: Pick<DatabasePort, 'update'>,
  total: string,
  now: number,
): Promise<void> => {
  const month = total.slice(0, 7)
  const about = { scope: total, event: 'message_budget', audience: 'office' } as const
  // Safe because the rules refuse a second message with the same key.
  await writeRevision(db, buildOutboxUpdates({ ...about, params: { month }, at: now, now }))
}

/** Reads the day's counters of a message. Returns their next values, or null above a limit. */
const countForDay = async (
  { db, config }: ChargePorts,
  claimed: OutboxMessage,
  { outgoing, row, settings, rules, booking }: PreparedMessage,
  now: number,
): Promise<Record<string, DatabaseValue> | null> => {
  const counters = getMessageCounters(claimed, booking, {
    row,
    addressHash: hashAddress(outgoing.to, config),
    limits: rules.dailyLimits,
    now,
    timezone: settings.timezone,
  })
  const counts = await Promise.all(
    counters.map(async (counter) => ({
      counter,
      before: await db.read<MessageCount>(counter.path),
    })),
  )
  if (counts.some(({ counter, before }) => (before?.count ?? 0) >= counter.limit)) return null
  return Object.assign(
    {},
    ...counts.map(({ counter, before }) => countMessage(counter, before, now)),
  ) as Record<string, DatabaseValue>
}

/**
 * Counts a message for its day and adds its price to the month's total before the request, so that
 * neither ever misses a message. Only a message with limits compares what it changes, and tries
 * again when another sender changed it.
 */
export const charge = async (
  ports: ChargePorts,
  id: string,
  claimed: OutboxMessage,
  prepared: PreparedMessage,
): Promise<Charged> => {
  // An earlier attempt ended after its charge.
  if (claimed.charge) return { message: claimed }
  const { db, clock } = ports
  const { outgoing, row, settings, rules, booking } = prepared
  const { channel, to, text } = outgoing
  const now = clock.now()
  const total = toTotalKey(now, settings)
  const micros = calculatePriceMicros(rules, channel, measureSms(text).segments)
  const hasBudget = rules.budget !== undefined && isBudgeted(claimed, row, booking)
  for (let tries = 0; tries < MAX_CHARGE_TRIES; tries++) {
    const stored = hasBudget ? await db.read<MessageTotal>(internalPaths.messageTotal(total)) : null
    if (hasBudget && !isWithinBudget(rules, stored, micros)) {
      await warnOfBudget(db, total, now)
      return { outcome: { state: 'skipped', why: 'budget' } }
    }
    const counts = await countForDay(ports, claimed, prepared, now)
    if (counts === null) return { outcome: { state: 'skipped', why: 'daily_limit' } }
    const { message, updates } = chargeMessage(
      id,
      claimed,
      { to, total, channel, micros },
      hasBudget ? { revision: stored?.revision ?? 0 } : undefined,
    )
    if (await writeRevision(db, { ...updates, ...counts })) return { message }
    const present = await db.read<OutboxMessage>(internalPaths.outboxMessage(id))
    if (present?.revision !== claimed.revision) return null
  }
  return { outcome: { state: 'retry', why: 'busy' } }
}
