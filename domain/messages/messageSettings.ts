/**
 * The office's decisions about messages that leave the platform: which of them go out, when, at
 * which price, and for how much money a month.
 */
import type { HourlyLimits } from '../booking/limits/freeActions'
import type { EmailDomains } from './emailDomains'
import type { DailyLimits } from './sendingLimits'
import { formatMonth, formatTimeOfDay } from '../language/zonedTime'
import {
  AUDIENCES,
  findMessageRow,
  MESSAGE_TABLE,
  OUTSIDE_CHANNELS,
  type Audience,
  type MessageEvent,
  type MessageRow,
  type OutsideChannel,
} from './messageTable'
import type { OperatorDetails } from './operator'
import { MINUTE_MS } from '../language/timeUnits'
import type { Minutes } from '../language/units'

/** The channels that cost money. WhatsApp takes the place of SMS. */
export const PRICED_CHANNELS = ['sms', 'email', 'whatsapp'] as const
export type PricedChannel = (typeof PRICED_CHANNELS)[number]

export interface MessageSettings extends OperatorDetails, EmailDomains {
  /** The number that gets the office's SMS, in E.164 format; without it there are none. */
  officeMobile?: string
  /** The messages that the office has turned off, by their switch. */
  off?: Record<string, true>
  /** Clock times, HH:MM, in the platform's time zone. Without both there are no quiet hours. */
  quietStart?: string
  quietEnd?: string
  /** Price of an SMS part, an e-mail and a WhatsApp message in the platform's currency. */
  price?: Partial<Record<PricedChannel, number>>
  /**
   * Amount a month above which only the office's own necessary messages are sent; undefined for no
   * limit.
   */
  budget?: number
  /**
   * Countries (ISO 3166-1 alpha-2) whose numbers get the messages that riders and drivers cause;
   * undefined for the platform's own country only.
   */
  countries?: readonly string[]
  /** Messages a day; see DEFAULT_DAILY_LIMITS for those without a number. */
  dailyLimits?: Partial<DailyLimits>
  /** The debt above which a rider books nothing; undefined for twice the minimum fare. */
  debtLimit?: number
  /** A rider's free actions an hour; see DEFAULT_HOURLY_LIMITS for those without a number. */
  hourlyLimits?: Partial<HourlyLimits>
  /** Increases by one with every change. */
  revision: number
}

/** The costs of one month, which change in the update that sends a message. */
export interface MessageTotal extends Partial<Record<PricedChannel, number>> {
  /** Millionths of the currency's unit, because a message can cost less than a coin. */
  micros?: number
  revision: number
}

const MICROS = 1_000_000
const toMicros = (amount: number): number => Math.round(amount * MICROS)
export const fromMicros = (micros: number): number => micros / MICROS

/** A message of the table to one audience by one channel. */
interface MessageSwitch {
  key: string
  event: MessageEvent
  audience: Audience
  channel: OutsideChannel
}

export const toSwitchKey = (event: string, audience: string, channel: string): string =>
  `${event}-${audience}-${channel}`

/** Every message that leaves the platform and is no warning, in the order of the table. */
export const MESSAGE_SWITCHES: readonly MessageSwitch[] = (
  Object.keys(MESSAGE_TABLE) as MessageEvent[]
).flatMap((event) =>
  AUDIENCES.flatMap((audience) =>
    OUTSIDE_CHANNELS.filter((channel) => {
      const row = findMessageRow(event, audience)
      return row?.[channel] !== undefined && !row.isWarning
    }).map((channel) => ({
      key: toSwitchKey(event, audience, channel),
      event,
      audience,
      channel,
    })),
  ),
)

const DAY_MINUTES = 1440

const toMinutes = (time: string): Minutes => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

/**
 * Returns the minutes until a clock time in a time zone. They are wrong by an hour when daylight
 * saving begins or ends meanwhile, so the sender checks again when they are over.
 */
const minutesUntil = (time: string, now: number, timezone: string): number =>
  (toMinutes(time) - toMinutes(formatTimeOfDay(now, timezone)) + DAY_MINUTES) % DAY_MINUTES

/**
 * Returns the time (ms) at which a message may be sent: `now`, or the end of the quiet hours. The
 * hours may span midnight; equal times mean no quiet hours.
 */
export const findSendTime = (
  { quietStart, quietEnd }: Pick<MessageSettings, 'quietStart' | 'quietEnd'>,
  row: Pick<MessageRow, 'urgent'>,
  now: number,
  timezone: string,
): number => {
  if (row.urgent || !quietStart || !quietEnd || quietStart === quietEnd) return now
  const untilEnd = minutesUntil(quietEnd, now, timezone)
  const length = (toMinutes(quietEnd) - toMinutes(quietStart) + DAY_MINUTES) % DAY_MINUTES
  // At the end itself the remaining time is 0, and the quiet hours are over.
  if (untilEnd === 0 || untilEnd > length) return now
  return Math.floor(now / MINUTE_MS) * MINUTE_MS + untilEnd * MINUTE_MS
}

/** Returns the key of the costs of a month. Amounts of two currencies are never added. */
export const toTotalKey = (now: number, { timezone, code }: { timezone: string; code: string }) =>
  `${formatMonth(now, timezone)}-${code}`

/** Returns the price of a message; an SMS is billed by its parts. */
export const calculatePriceMicros = (
  { price }: Pick<MessageSettings, 'price'>,
  channel: PricedChannel,
  segments: number,
): number => toMicros(price?.[channel] ?? 0) * (channel === 'sms' ? segments : 1)

/** Returns true when the budget does not stop a message at this price. */
export const isWithinBudget = (
  { budget }: Pick<MessageSettings, 'budget'>,
  total: Pick<MessageTotal, 'micros'> | null,
  micros: number,
): boolean => budget === undefined || (total?.micros ?? 0) + micros <= toMicros(budget)
