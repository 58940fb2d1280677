import { createHash } from 'node:crypto'
import { dbPaths } from '~/domain/data/databasePaths'
import { internalPaths } from '~/domain/data/internalPaths'
import { getTripEnd } from '~/domain/booking/contactAccess'
import { findMessageRow, type MessageRow } from '~/domain/messages/messageTable'
import { type MessagePreferences, toPreferenceKey } from '~/domain/messages/messagePreferences'
import { findSendTime, type MessageSettings, toSwitchKey } from '~/domain/messages/messageSettings'
import {
  buildSettleUpdates,
  claimMessage,
  isRemovable,
  settleMessage,
  type AttemptOutcome,
  type OutboxMessage,
  type OutboxState,
} from '~/domain/messages/outbox'
import { logError, logMessageOutcome } from '../../logs'
import type { DatabasePort } from '../../ports/database'
import type { OutgoingMessage } from '../../ports/messages'
import { findPushTokens } from './pushDevices'
import { readSettings } from '../office/settings'
import { findRefusedDestination } from './destinations'
import { charge, writeRevision, type PreparedMessage } from './messageCharge'
import { toE164 } from './phoneNumbers'
import { hashAddress, setOptOut } from './optOuts'
import { createSpeechFinder, type SpeechFinder } from './speech'
import { buildTexts, translateOfficeTexts } from './outboxTexts'
import type { Ports } from '../../ports/ports'
import type { Booking, BookingContacts } from '~/domain/booking/types'

type SenderPorts = Pick<
  Ports,
  'db' | 'messages' | 'clock' | 'random' | 'texts' | 'config' | 'payments'
>

/**
 * The message as a service takes it with what the office decided about it, the reason why this
 * person does not get it, or the time (ms) until which it waits.
 */
type Prepared = PreparedMessage | { skipped: string } | { waitsUntil: number }

/** A person outside the platform. */
interface Receiver {
  to: string
  locale?: string | undefined
  /** The recipient's number as the booking has it. */
  recipient?: string
}

/** Messages of one run, and those that are sent at once. The next run sends the others. */
const RUN_SIZE = 100
const MAX_CONCURRENT = 8
const RUN_BUDGET_MS = 20_000
const NO_SETTINGS: MessageSettings = { revision: 0 }

/** Sends the messages of the outbox. */
export interface OutboxSender {
  /**
   * Sends one message, and returns its new state. Returns null when another sender has it or when
   * it is not due.
   */
  deliver(id: string): Promise<OutboxState | null>
  /** Sends the messages that are due, oldest first, and removes old ones. */
  deliverDue(): Promise<number>
}

/** Names a message for the services, whatever its key contains. */
const toIdempotencyKey = (id: string): string => createHash('sha256').update(id).digest('base64url')

/** Returns true when the booking is no longer what a message about its way says. */
const isOver = (booking: Booking): boolean =>
  booking.status === 'CANCELLED' || getTripEnd(booking) !== undefined

/** Sends a message to its service, unless an earlier attempt did. */
const request = async (
  ports: SenderPorts,
  { tries, at }: OutboxMessage,
  outgoing: OutgoingMessage,
): Promise<AttemptOutcome> => {
  const { messages, clock } = ports
  try {
    // An earlier attempt may have ended between the request and the record of its reply.
    const earlierRef = tries > 1 ? await messages.find(outgoing, at) : null
    if (earlierRef !== null) return { state: 'sent', ref: earlierRef }
    const outcome = await messages.send(outgoing)
    if (outcome.state === 'rejected' && outcome.isOptedOut)
      await setOptOut(ports, { address: outgoing.to, isOptedOut: true, why: 'stop' }, clock.now())
    return outcome
  } catch (error) {
    logError('message', error)
    return { state: 'retry', why: 'fault' }
  }
}

/** Sends the due messages of the outbox in small groups, and removes old ones. */
const deliverDue = async (
  { db, clock }: SenderPorts,
  deliver: OutboxSender['deliver'],
): Promise<number> => {
  const start = clock.now()
  const query = { by: 'due', startAt: 0, endAt: start, first: RUN_SIZE }
  const rows = await db.list<OutboxMessage>(internalPaths.outbox, query)
  const old = rows.filter(([, row]) => isRemovable(row, start))
  if (old.length > 0)
    await db.update(Object.fromEntries(old.map(([id]) => [internalPaths.outboxMessage(id), null])))
  const due = rows.filter(([, row]) => !isRemovable(row, start))
  let sentCount = 0
  for (let at = 0; at < due.length && clock.now() - start < RUN_BUDGET_MS; at += MAX_CONCURRENT) {
    const states = await Promise.all(due.slice(at, at + MAX_CONCURRENT).map(([id]) => deliver(id)))
    sentCount += states.filter((state) => state === 'sent').length
  }
  return sentCount
}

/** Returns the person of a message, or the reason why they do not get it. */
const findReceiver = async (
  db: DatabasePort,
  { audience, channel, uid, booking_id = '', address }: OutboxMessage,
  { row, settings, rules }: Pick<PreparedMessage, 'row' | 'settings' | 'rules'>,
): Promise<Receiver | { skipped: string }> => {
  if (audience === 'office') {
    const to = channel === 'email' ? settings.contact_email : rules.officeMobile
    return to ? { to } : { skipped: 'no_address' }
  }
  if (audience === 'recipient') {
    const contacts = await db.read<BookingContacts>(dbPaths.bookingContacts(booking_id))
    const { deliveryPersonPhone: typed = '', customer_contact: own = '' } = contacts ?? {}
    const to = await toE164(typed, settings)
    if (to === null) return { skipped: 'no_address' }
    return to === (await toE164(own, settings))
      ? { skipped: 'same_person' }
      : { to, recipient: typed }
  }
  if (uid === undefined) return { skipped: 'no_address' }
  if (row[channel] === 'fallback' && (await findPushTokens(db, uid)).length > 0)
    return { skipped: 'has_device' }
  const [typed, locale] = await Promise.all([
    address ?? db.read<string>(`${dbPaths.user(uid)}/${channel === 'email' ? 'email' : 'mobile'}`),
    db.read<string>(`${dbPaths.user(uid)}/lang/langLocale`),
  ])
  const to = channel === 'email' ? typed : typed && (await toE164(typed, settings))
  return to ? { to, locale: locale ?? undefined } : { skipped: 'no_address' }
}

/** Returns true when the person has turned this optional message off. */
const isUnwanted = async (
  db: DatabasePort,
  { event, channel, uid }: OutboxMessage,
  { optional }: MessageRow,
): Promise<boolean> => {
  if (!optional || uid === undefined) return false
  const preferences = await db.read<MessagePreferences>(internalPaths.messagePreferences(uid))
  return preferences?.off?.[toPreferenceKey(event, channel)] === true
}

/** Returns the reason why the message is not sent now to any receiver. */
const findObstacle = (
  { event, audience, channel, booking_id, until }: OutboxMessage,
  { row, settings, rules, booking }: Omit<PreparedMessage, 'outgoing'>,
  now: number,
): { skipped: string } | { waitsUntil: number } | undefined => {
  if (!row.isWarning && rules.off?.[toSwitchKey(event, audience, channel)])
    return { skipped: 'switched_off' }
  if (booking_id !== undefined && !booking) return { skipped: 'no_booking' }
  if (booking && isOver(booking) && (row.hasLink || event === 'arrived'))
    return { skipped: 'booking_over' }
  const sendAt = findSendTime(rules, row, now, settings.timezone)
  if (sendAt <= now) return undefined
  return sendAt < until ? { waitsUntil: sendAt } : { skipped: 'quiet_hours' }
}

const readFacts = async (db: DatabasePort, { booking_id }: OutboxMessage, row: MessageRow) => {
  const [settings, stored, rules] = await Promise.all([
    readSettings(db),
    booking_id === undefined ? null : db.read<Booking>(dbPaths.booking(booking_id)),
    db
      .read<MessageSettings>(internalPaths.messageSettings)
      .then((storedSettings) => storedSettings ?? NO_SETTINGS),
  ])
  return { row, settings, rules, booking: stored && { ...stored, id: booking_id ?? '' } }
}

/** The ports of the sender, and how it finds the language of a receiver. */
type Sender = SenderPorts & { findSpeech: SpeechFinder }

const prepare = async (sender: Sender, id: string, message: OutboxMessage): Promise<Prepared> => {
  const { db, messages, clock, config, findSpeech } = sender
  const { event, audience, channel } = message
  const row = findMessageRow(event, audience)
  if (row?.[channel] === undefined) return { skipped: 'not_in_table' }
  const service = channel === 'sms' && !messages.has('sms') ? 'whatsapp' : channel
  if (!messages.has(service)) return { skipped: 'not_configured' }
  const facts = await readFacts(db, message, row)
  const obstacle = findObstacle(message, facts, clock.now())
  if (obstacle) return obstacle
  if (await isUnwanted(db, message, row)) return { skipped: 'not_wanted' }
  const receiver = await findReceiver(db, message, facts)
  if ('skipped' in receiver) return receiver
  const { to, locale, recipient } = receiver
  const refused = await findRefusedDestination(to, message, facts)
  if (refused) return { skipped: refused }
  if (await db.read(internalPaths.messageOptOut(hashAddress(to, config))))
    return { skipped: channel === 'sms' ? 'opted_out' : 'undeliverable' }
  const speech = await findSpeech(locale)
  const { settings, rules, booking } = facts
  const named = await translateOfficeTexts(db, message, booking, speech)
  const outgoing: OutgoingMessage = {
    channel: service,
    to,
    language: speech.locale,
    idempotencyKey: toIdempotencyKey(id),
    ...(await buildTexts(sender, row, { ...named, settings, rules, speech, recipient })),
  }
  return { outgoing, ...facts }
}

/** Returns the outcome of an attempt and the message with its charge; null for a lost claim. */
const attempt = async (
  sender: Sender,
  id: string,
  claimed: OutboxMessage,
): Promise<{ message: OutboxMessage; outcome: AttemptOutcome } | null> => {
  const end = (outcome: AttemptOutcome) => ({ message: claimed, outcome })
  if (sender.clock.now() >= claimed.until) return end({ state: 'expired', why: 'too_late' })
  const prepared = await prepare(sender, id, claimed)
  if ('skipped' in prepared) return end({ state: 'skipped', why: prepared.skipped })
  if ('waitsUntil' in prepared)
    return end({ state: 'waits', why: 'quiet_hours', due: prepared.waitsUntil })
  const charged = await charge(sender, id, claimed, prepared)
  if (charged === null) return null
  if ('outcome' in charged) return end(charged.outcome)
  const { message } = charged
  return { message, outcome: await request(sender, message, prepared.outgoing) }
}

const deliver = async (sender: Sender, id: string): Promise<OutboxState | null> => {
  const { db, clock } = sender
  const message = await db.read<OutboxMessage>(internalPaths.outboxMessage(id))
  const claimed = message && claimMessage(message, clock.now())
  // Safe because both of two senders write the same next revision, and the rules take one.
  if (!claimed || !(await writeRevision(db, { [internalPaths.outboxMessage(id)]: { ...claimed } })))
    return null
  let attempted: Awaited<ReturnType<typeof attempt>>
  try {
    attempted = await attempt(sender, id, claimed)
  } catch (error) {
    logError('message', error)
    attempted = { message: claimed, outcome: { state: 'retry', why: 'fault' } }
  }
  // The lease ended meanwhile, and another sender has the message.
  if (attempted === null) return null
  const { message: held, outcome } = attempted
  logMessageOutcome(held, outcome)
  const settled = settleMessage(held, outcome, clock.now())
  return (await writeRevision(db, buildSettleUpdates(id, held, settled))) ? settled.state : null
}

/** Creates the sender of the outbox. */
export const createOutboxSender = (ports: SenderPorts): OutboxSender => {
  const sender: Sender = { ...ports, findSpeech: createSpeechFinder(ports) }
  const deliverOne: OutboxSender['deliver'] = (id) => deliver(sender, id)
  return { deliver: deliverOne, deliverDue: () => deliverDue(ports, deliverOne) }
}
