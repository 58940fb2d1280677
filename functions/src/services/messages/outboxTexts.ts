import { getReasonText } from '~/domain/catalog/catalogTexts'
import { dbPaths } from '~/domain/data/databasePaths'
import { toPushText } from '~/domain/booking/pushMessages'
import { FOLLOW_TEXT, type MessageRow } from '~/domain/messages/messageTable'
import type { MessageSettings } from '~/domain/messages/messageSettings'
import { isOfficeBooking } from '~/domain/messages/sendingLimits'
import { toSenderName, type MessageParams, type OutboxMessage } from '~/domain/messages/outbox'
import { composeSms } from '~/domain/messages/messageTexts'
import { HOUR_MS } from '~/domain/language/timeUnits'
import { getVehicleTypeName } from '~/domain/catalog/vehicleTypes'
import type { DatabasePort } from '../../ports/database'
import type { OutgoingMessage } from '../../ports/messages'
import { html } from '../../html'
import { createOrExtendLink, getRecipientLinkName } from '../bookings/shareLinks'
import { cleanParams } from './cleanParams'
import { buildReceipt } from './receipt'
import type { Speech } from './speech'
import type { Ports } from '../../ports/ports'
import type { Booking } from '~/domain/booking/types'
import type { CancellationReason, Settings, VehicleType } from '~/domain/catalog/types'

type TextPorts = Pick<Ports, 'db' | 'clock' | 'random' | 'config' | 'payments'>

/** The facts that the texts of a message state. */
interface TextFacts {
  message: OutboxMessage
  booking: Booking | null
  settings: Settings
  rules: MessageSettings
  speech: Speech
  /** The recipient's number as the booking has it. */
  recipient: string | undefined
}

const LINK_HOURS = 24

/** The parameters of texts that are people's names. */
const NAME_PARAMS = ['driver', 'sender']
/** Returns the clean parameters. An SMS has only the letters of a first name. */
const cleanForChannel = (
  { params }: OutboxMessage,
  channel: OutboxMessage['channel'],
): MessageParams =>
  Object.fromEntries(
    Object.entries(cleanParams(params)).map(([name, value]) => [
      name,
      channel === 'sms' && typeof value === 'string' && NAME_PARAMS.includes(name)
        ? toSenderName(params?.[name]?.toString() ?? '')
        : value,
    ]),
  )

/** Returns the address of the tracking page, under the link of the customer or the recipient. */
const createLink = async (
  ports: TextPorts,
  booking: Booking,
  recipient: string | undefined,
): Promise<string> => {
  const now = ports.clock.now()
  const token = await createOrExtendLink(ports, {
    booking: booking.id,
    by:
      recipient === undefined
        ? booking.customer
        : getRecipientLinkName(ports.config, booking.id, recipient),
    level: 'live',
    now,
    expires: Math.max(now, booking.tripdate) + LINK_HOURS * HOUR_MS,
    keepsLater: true,
  })
  return `${ports.payments.urls.appOrigin}/track/${token}`
}

/**
 * Returns true when a receipt may have the places, the driver and the plate of the booking. Rider
 * and driver chose these words, so that an unverified address gets them only from the office.
 */
const mayHaveWords = async (
  db: DatabasePort,
  message: OutboxMessage,
  booking: Booking,
): Promise<boolean> =>
  message.event === 'receipt_sent' ||
  isOfficeBooking(booking) ||
  (await db.read<boolean>(`${dbPaths.user(booking.customer)}/emailVerified`)) === true

/** Returns the subject and the texts of a message in the language of its reader. */
export const buildTexts = async (
  ports: TextPorts,
  row: MessageRow,
  { message, booking, settings, rules, speech, recipient }: TextFacts,
): Promise<Pick<OutgoingMessage, 'subject' | 'text' | 'html' | 'pictures'>> => {
  const { event, channel } = message
  if ((event === 'receipt' || event === 'receipt_sent') && booking)
    return buildReceipt(booking, { settings, operator: rules }, speech, {
      hasWords: await mayHaveWords(ports.db, message, booking),
    })
  const { title, msg } = toPushText(event)
  const safe = cleanForChannel(message, channel)
  const [heading, body] = [speech.t(title, safe), speech.t(msg, safe)]
  const link = row.hasLink && booking ? await createLink(ports, booking, recipient) : null
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
export const translateOfficeTexts = async (
  db: DatabasePort,
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
