import { getTripEnd } from '../booking/contactAccess'
import { domainError, type DomainError } from '../api/errors'
import { err, ok, type Result } from '../api/result'
import { DAY_MS } from '../language/timeUnits'
import type { Booking } from '../booking/types'

export const HELP_TOPICS = ['lost_item', 'wrong_fare', 'safety', 'other'] as const
export type HelpTopic = (typeof HELP_TOPICS)[number]
export const MAX_HELP_LENGTH = 1000
/** Messages of one case; a person who needs more calls the office. */
const MAX_MESSAGES = 30
/** Messages that a customer can send before the office answers. */
const MAX_UNANSWERED = 5
const HELP_DAYS = 90

/** One message of a case. */
export interface HelpMessage {
  /** The sender's request id, which tells a repeat. */
  id: string
  from: 'customer' | 'office'
  by: string
  /** ms */
  at: number
  text: string
  /** The subject of a customer's message. */
  topic?: HelpTopic
}

/** The questions of a booking's customer and the answers, at internal/help_cases/{booking}. */
export interface HelpCase {
  booking: string
  reference: string
  customer: string
  /** The customer's name. */
  name: string
  /** The oldest first. */
  messages: HelpMessage[]
  /** When the customer wrote the oldest message that is not answered, ms. */
  due?: number
  revision: number
}

type HelpBooking = Pick<
  Booking,
  'id' | 'reference' | 'customer' | 'customer_name' | 'status' | 'endTime' | 'cancelled_at'
>

/**
 * Returns when the customer can no longer ask (ms): 90 days after the end of a trip or its
 * cancellation. Undefined before it.
 */
export const getHelpEnd = (booking: HelpBooking): number | undefined => {
  const end = getTripEnd(booking)
  return end === undefined ? undefined : end + HELP_DAYS * DAY_MS
}

/** Returns true from the end of a trip, or its cancellation, until 90 days later. */
export const isHelpOpen = (booking: HelpBooking, now: number): boolean => {
  const end = getHelpEnd(booking)
  return end !== undefined && now < end
}

/** Returns the messages since the office's last answer. */
const getUnanswered = (messages: readonly HelpMessage[]): readonly HelpMessage[] =>
  messages.slice(messages.findLastIndex(({ from }) => from === 'office') + 1)

/** Returns the case with a message that it already has, which a repeated request sent. */
export const findHelpRepeat = (helpCase: HelpCase | null, id: string): HelpCase | undefined =>
  helpCase?.messages.some((message) => message.id === id) ? helpCase : undefined

const addMessage = (
  { booking, reference, customer, name, messages, revision }: HelpCase,
  message: HelpMessage,
): HelpCase => {
  const all = [...messages, message]
  const [oldest] = getUnanswered(all)
  return {
    booking,
    reference,
    customer,
    name,
    messages: all,
    ...(oldest && { due: oldest.at }),
    revision: revision + 1,
  }
}

/** Returns the case after a question of the booking's customer, or the refusal. */
export const askHelp = (
  booking: HelpBooking,
  helpCase: HelpCase | null,
  { id, topic, text, at }: Required<Pick<HelpMessage, 'id' | 'topic' | 'text' | 'at'>>,
): Result<HelpCase, DomainError> => {
  if (!isHelpOpen(booking, at))
    return err(domainError('event_not_possible', undefined, { status: booking.status }))
  const before: HelpCase = helpCase ?? {
    booking: booking.id,
    reference: booking.reference,
    customer: booking.customer,
    name: booking.customer_name,
    messages: [],
    revision: 0,
  }
  if (
    getUnanswered(before.messages).length >= MAX_UNANSWERED ||
    before.messages.length >= MAX_MESSAGES
  )
    return err(domainError('help_waits', 'text'))
  return ok(addMessage(before, { id, from: 'customer', by: booking.customer, at, text, topic }))
}

/** Returns the case after the office's answer. */
export const answerHelp = (
  helpCase: HelpCase,
  message: Pick<HelpMessage, 'id' | 'by' | 'text' | 'at'>,
): HelpCase => addMessage(helpCase, { ...message, from: 'office' })
