import { createHash } from 'node:crypto'
import { getReasonText } from '~/domain/catalogTexts'
import type {
  Booking,
  BookingContacts,
  CancellationReason,
  Settings,
  VehicleType,
} from '~/domain/entities'
import { dbPaths } from '~/domain/databasePaths'
import { internalPaths } from '~/domain/internalPaths'
import { getTripEnd } from '~/domain/booking/contactAccess'
import { toPushText } from '~/domain/booking/pushMessages'
import { findMessageRow, FOLLOW_TEXT, type MessageRow } from '~/domain/messages/messageTable'
import { type MessagePreferences, toPreferenceKey } from '~/domain/messages/messagePreferences'
import { findSendTime, type MessageSettings, toSwitchKey } from '~/domain/messages/messageSettings'
import { isCausedByOffice } from '~/domain/messages/sendingLimits'
import {
  buildSettleUpdates,
  claimMessage,
  isRemovable,
  settleMessage,
  toSenderName,
  type AttemptOutcome,
  type OutboxMessage,
  type OutboxState,
} from '~/domain/messages/outbox'
import { composeSms } from '~/domain/messages/messageTexts'
import { HOUR_MS } from '~/domain/timeUnits'
import { getVehicleTypeName } from '~/domain/vehicleTypes'
import { cleanWords } from '~/domain/words'
import type { Ports } from '../http/endpointTypes'
import { logError, logMessageOutcome } from '../logs'
import type { OutgoingMessage } from '../ports/messages'
import { html } from '../payments/html'
import { findPushTokens } from './pushDevices'
import { readSettings } from '../settings'
import { createOrExtendLink, getRecipientLinkName } from '../shareLinks'
import { findRefusedDestination } from './destinations'
import { charge, writeRevision, type PreparedMessage } from './messageCharge'
import { toE164 } from './phoneNumbers'
import { hashAddress, setOptOut } from './optOuts'
import { buildReceipt } from './receipt'
import { createSpeechFinder, type Speech, type SpeechFinder } from './speech'

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

const LINK_HOURS = 24
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

/** The parameters of texts that are people's names. */
const NAME_PARAMS = ['driver', 'sender']
/**
 * Returns the parameters without signs or links of the people whose words they are, also of records
 * that are older than the check of names. An SMS has only the letters of a first name.
 */
const cleanParams = (
  params: OutboxMessage['params'] = {},
  channel: OutboxMessage['channel'],
): OutboxMessage['params'] =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]): [string, string | number] => {
      if (typeof value !== 'string') return [name, value]
      const isName = channel === 'sms' && NAME_PARAMS.includes(name)
      return [name, isName ? toSenderName(value) : cleanWords(value, 'name')]
    }),
  )

/** Names a message for the services, whatever its key contains. */
const toIdempotencyKey = (id: string): string => createHash('sha256').update(id).digest('base64url')

/** Returns true when the booking is no longer what a message about its way says. */
const isOver = (booking: Booking): boolean =>
  booking.status === 'CANCELLED' || getTripEnd(booking) !== undefined

/** Creates the sender of the outbox. */
export const createOutboxSender = (ports: SenderPorts): OutboxSender => {
  const { db, messages, clock, config } = ports
  const findSpeech: SpeechFinder = createSpeechFinder(ports)

  const write = (updates: Parameters<typeof db.update>[0]) => writeRevision(db, updates)

  const readContacts = (booking: string) =>
    db.read<BookingContacts>(dbPaths.bookingContacts(booking))

  /** Returns the person of a message, or the reason why they do not get it. */
  const findReceiver = async (
    { audience, channel, uid, booking_id = '', address }: OutboxMessage,
    row: MessageRow,
    settings: Settings,
    { officeMobile }: MessageSettings,
  ): Promise<Receiver | { skipped: string }> => {
    if (audience === 'office') {
      const to = channel === 'email' ? settings.contact_email : officeMobile
      return to ? { to } : { skipped: 'no_address' }
    }
    if (audience === 'recipient') {
      const contacts = await readContacts(booking_id)
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
      address ??
        db.read<string>(`${dbPaths.user(uid)}/${channel === 'email' ? 'email' : 'mobile'}`),
      db.read<string>(`${dbPaths.user(uid)}/lang/langLocale`),
    ])
    const to = channel === 'email' ? typed : typed && (await toE164(typed, settings))
    return to ? { to, locale: locale ?? undefined } : { skipped: 'no_address' }
  }

  /** Returns the address of the tracking page, under the link of the customer or the recipient. */
  const createLink = async (booking: Booking, recipient: string | undefined): Promise<string> => {
    const now = clock.now()
    const token = await createOrExtendLink(ports, {
      booking: booking.id,
      by:
        recipient === undefined
          ? booking.customer
          : getRecipientLinkName(config, booking.id, recipient),
      level: 'live',
      now,
      expires: Math.max(now, booking.tripdate) + LINK_HOURS * HOUR_MS,
      keepsLater: true,
    })
    return `${ports.payments.urls.appOrigin}/track/${token}`
  }

  /**
   * Returns true when a receipt may have the places of the booking. Their texts are the rider's, so
   * that an unverified address gets them only from the office.
   */
  const mayHavePlaces = async (message: OutboxMessage, booking: Booking): Promise<boolean> =>
    message.event === 'receipt_sent' ||
    isCausedByOffice(message, booking) ||
    (await db.read<boolean>(`${dbPaths.user(booking.customer)}/emailVerified`)) === true

  const buildTexts = async (
    message: OutboxMessage,
    row: MessageRow,
    {
      booking,
      settings,
      rules,
      speech,
      recipient,
    }: {
      booking: Booking | null
      settings: Settings
      rules: MessageSettings
      speech: Speech
      recipient: string | undefined
    },
  ): Promise<Pick<OutgoingMessage, 'subject' | 'text' | 'html' | 'pictures'>> => {
    const { event, params, channel } = message
    if ((event === 'receipt' || event === 'receipt_sent') && booking)
      return buildReceipt(booking, settings, rules, speech, {
        hasPlaces: await mayHavePlaces(message, booking),
      })
    const { title, msg } = toPushText(event)
    const safe = cleanParams(params, channel)
    const [heading, body] = [speech.t(title, safe), speech.t(msg, safe)]
    const link = row.hasLink && booking ? await createLink(booking, recipient) : null
    const follow = link === null ? undefined : speech.t(FOLLOW_TEXT, { link })
    if (channel === 'sms') return { text: composeSms(settings.appName, { heading, body, follow }) }
    const lines = [
      body,
      ...(follow === undefined ? [] : [follow]),
      settings.CompanyName || settings.appName,
    ]
    return {
      subject: `${settings.appName}: ${heading}`,
      text: lines.join('\n\n'),
      html: html`<!doctype html>
        <html lang="${speech.locale}" dir="${speech.dir}">
          <body>
            ${lines.map((line) => html`<p>${line}</p>`)}
          </body>
        </html>`.safe,
    }
  }

  /**
   * Returns the message and its booking with the office's texts in the reader's language: the name
   * of the vehicle type and the cancellation reason.
   */
  const translateOfficeTexts = async (
    message: OutboxMessage,
    booking: Booking | null,
    { locale, t }: Speech,
  ): Promise<{ message: OutboxMessage; booking: Booking | null }> => {
    if (!booking) return { message, booking }
    const names = await db.read<VehicleType['names']>(`${dbPaths.carType(booking.carTypeId)}/names`)
    const carType = getVehicleTypeName({ name: booking.carType, ...(names && { names }) }, locale)
    const { params = {} } = message
    const translateReason = async (stored: string) => {
      const key = `reason_${stored}`
      if (t(key) !== key) return t(key)
      const reasons = await db.read<CancellationReason[]>(dbPaths.cancellationReasons)
      return getReasonText(Object.values(reasons ?? {}), stored, locale)
    }
    const translated = {
      ...params,
      ...(params.carType !== undefined && { carType }),
      ...(params.reason !== undefined && { reason: await translateReason(String(params.reason)) }),
    }
    return {
      message: { ...message, ...(message.params && { params: translated }) },
      booking: { ...booking, carType },
    }
  }

  /** Returns true when the person has turned this optional message off. */
  const isUnwanted = async (
    { event, channel, uid }: OutboxMessage,
    { optional }: MessageRow,
  ): Promise<boolean> => {
    if (!optional || uid === undefined) return false
    const chosen = await db.read<MessagePreferences>(internalPaths.messagePreferences(uid))
    return chosen?.off?.[toPreferenceKey(event, channel)] === true
  }

  const prepare = async (id: string, message: OutboxMessage): Promise<Prepared> => {
    const { event, audience, channel, booking_id, until } = message
    const row = findMessageRow(event, audience)
    if (row?.[channel] === undefined) return { skipped: 'not_in_table' }
    const service = channel === 'sms' && !messages.has('sms') ? 'whatsapp' : channel
    if (!messages.has(service)) return { skipped: 'not_configured' }
    const [settings, stored, rules] = await Promise.all([
      readSettings(db),
      booking_id === undefined ? null : db.read<Booking>(dbPaths.booking(booking_id)),
      db.read<MessageSettings>(internalPaths.messageSettings).then((found) => found ?? NO_SETTINGS),
    ])
    if (rules.off?.[toSwitchKey(event, audience, channel)]) return { skipped: 'switched_off' }
    const booking = stored && { ...stored, id: booking_id ?? '' }
    if (booking_id !== undefined && !booking) return { skipped: 'no_booking' }
    if (booking && isOver(booking) && (row.hasLink || event === 'arrived'))
      return { skipped: 'booking_over' }
    const sendAt = findSendTime(rules, row, clock.now(), settings.timezone)
    if (sendAt > clock.now())
      return sendAt < until ? { waitsUntil: sendAt } : { skipped: 'quiet_hours' }
    if (await isUnwanted(message, row)) return { skipped: 'not_wanted' }
    const receiver = await findReceiver(message, row, settings, rules)
    if ('skipped' in receiver) return receiver
    const { to, locale, recipient } = receiver
    const refused = await findRefusedDestination(to, message, { booking, settings, rules })
    if (refused) return { skipped: refused }
    if (await db.read(internalPaths.messageOptOut(hashAddress(to, config))))
      return { skipped: channel === 'sms' ? 'opted_out' : 'undeliverable' }
    const speech = await findSpeech(locale)
    const named = await translateOfficeTexts(message, booking, speech)
    const outgoing: OutgoingMessage = {
      channel: service,
      to,
      language: speech.locale,
      idempotencyKey: toIdempotencyKey(id),
      ...(await buildTexts(named.message, row, { ...named, settings, rules, speech, recipient })),
    }
    return { outgoing, row, settings, rules, booking }
  }

  /** Returns the outcome of an attempt and the message with its charge; null for a lost claim. */
  const attempt = async (
    id: string,
    claimed: OutboxMessage,
  ): Promise<{ message: OutboxMessage; outcome: AttemptOutcome } | null> => {
    const end = (outcome: AttemptOutcome) => ({ message: claimed, outcome })
    if (clock.now() >= claimed.until) return end({ state: 'expired', why: 'too_late' })
    const prepared = await prepare(id, claimed)
    if ('skipped' in prepared) return end({ state: 'skipped', why: prepared.skipped })
    if ('waitsUntil' in prepared)
      return end({ state: 'waits', why: 'quiet_hours', due: prepared.waitsUntil })
    const charged = await charge(ports, id, claimed, prepared)
    if (charged === null) return null
    if ('outcome' in charged) return end(charged.outcome)
    const { message } = charged
    return { message, outcome: await request(message, prepared.outgoing) }
  }

  const request = async (
    { tries, at }: OutboxMessage,
    outgoing: OutgoingMessage,
  ): Promise<AttemptOutcome> => {
    try {
      // An earlier attempt may have ended between the request and the record of its reply.
      const known = tries > 1 ? await messages.find(outgoing, at) : null
      if (known !== null) return { state: 'sent', ref: known }
      const outcome = await messages.send(outgoing)
      if (outcome.state === 'rejected' && outcome.isOptedOut) await recordOptOut(outgoing.to)
      return outcome
    } catch (error) {
      logError('message', error)
      return { state: 'retry', why: 'fault' }
    }
  }

  const recordOptOut = (address: string) =>
    setOptOut(ports, { address, isOptedOut: true, why: 'stop' }, clock.now())

  const deliver: OutboxSender['deliver'] = async (id) => {
    const message = await db.read<OutboxMessage>(internalPaths.outboxMessage(id))
    const claimed = message && claimMessage(message, clock.now())
    // Safe because both of two senders write the same next revision, and the rules take one.
    if (!claimed || !(await write({ [internalPaths.outboxMessage(id)]: { ...claimed } })))
      return null
    let attempted: Awaited<ReturnType<typeof attempt>>
    try {
      attempted = await attempt(id, claimed)
    } catch (error) {
      logError('message', error)
      attempted = { message: claimed, outcome: { state: 'retry', why: 'fault' } }
    }
    // The lease ended meanwhile, and another sender has the message.
    if (attempted === null) return null
    const { message: held, outcome } = attempted
    logMessageOutcome(held, outcome)
    const settled = settleMessage(held, outcome, clock.now())
    return (await write(buildSettleUpdates(id, held, settled))) ? settled.state : null
  }

  const remove = async (ids: readonly string[]) => {
    if (ids.length > 0)
      await db.update(Object.fromEntries(ids.map((id) => [internalPaths.outboxMessage(id), null])))
  }

  return {
    deliver,
    async deliverDue() {
      const start = clock.now()
      const query = { by: 'due', startAt: 0, endAt: start, first: RUN_SIZE }
      const rows = await db.list<OutboxMessage>(internalPaths.outbox, query)
      await remove(rows.filter(([, row]) => isRemovable(row, start)).map(([id]) => id))
      const due = rows.filter(([, row]) => !isRemovable(row, start))
      let sent = 0
      for (
        let at = 0;
        at < due.length && clock.now() - start < RUN_BUDGET_MS;
        at += MAX_CONCURRENT
      ) {
        const states = await Promise.all(
          due.slice(at, at + MAX_CONCURRENT).map(([id]) => deliver(id)),
        )
        sent += states.filter((state) => state === 'sent').length
      }
      return sent
    },
  }
}
