/**
 * Messages that leave the platform wait in the outbox until the sender has handed them to a
 * service. The key of a message follows from its event, its person and its channel, and the rules
 * let a message change only to its next revision.
 */
import { increment, type DatabaseValue } from '../data/databaseValue'
import { internalPaths } from '../data/internalPaths'
import {
  findMessageRow,
  OUTSIDE_CHANNELS,
  type Audience,
  type MessageEvent,
  type OutsideChannel,
} from './messageTable'
import type { MessageTotal, PricedChannel } from './messageSettings'
import { buildNewsUpdates } from './officeAlert'
import { DAY_MS, MINUTE_MS } from '../language/timeUnits'
import type { Milliseconds } from '../language/units'

export type MessageParams = Readonly<Record<string, string | number>>

/**
 * waiting: no sender has tried yet, or the next attempt is due later. claimed: a sender has it
 * until `due`. The others are final: sent; rejected by the service; skipped, because the person
 * does not get this message; expired, because it was not sent in time.
 */
export type OutboxState = 'waiting' | 'claimed' | 'sent' | 'rejected' | 'skipped' | 'expired'

/** A message of the outbox. It has no text and usually no address: the sender reads them. */
export interface OutboxMessage {
  event: MessageEvent
  audience: Audience
  channel: OutsideChannel
  /** The person's account; recipients and the office have none. */
  uid?: string
  booking_id?: string
  /**
   * The rider or driver whose event caused the message, or the hash of the number of one who signs
   * up; absent for the office and the job.
   */
  by?: string
  /** Removed when the message is done, because it has names. */
  params?: MessageParams
  /** Time of the event, ms. */
  at: number
  /** Time from which the message is not worth sending, ms. */
  until: number
  /** The next time at which the sender looks at it, ms; of a done message, when it is removed. */
  due: number
  /** Number of attempts. */
  tries: number
  state: OutboxState
  /** Increases by one with every change. */
  revision: number
  /** Our name for the reason of the last outcome. */
  why?: string
  /** The service's id of the message. */
  ref?: string
  /**
   * The address that the event replaced, which the profile no longer has. Removed when the message
   * is done.
   */
  address?: string
  /** The end of the address, for the office. The rest of it is stored nowhere. */
  to?: string
  /** The price that the month's total includes, while a request is under way or once it is sent. */
  charge?: MessageCharge
}

/** A message as the office sees it, without an address and names. */
export interface SentMessage extends Pick<
  OutboxMessage,
  'event' | 'audience' | 'state' | 'at' | 'why' | 'to'
> {
  id: string
  channel: PricedChannel
  /** In the platform's currency; only of a message that a service took. */
  price?: number
}

/** A message's part of a month's total. */
type MessageCharge = Readonly<{
  /** The key of the total. */
  total: string
  channel: PricedChannel
  micros: number
}>

interface OutboxRequest {
  /** The event's own id, such as the booking and its revision. */
  scope: string
  event: MessageEvent
  audience: Audience
  uid?: string | undefined
  booking_id?: string | undefined
  /** The rider or driver whose event caused the message. */
  by?: string | undefined
  params?: MessageParams | undefined
  /** The person's addresses from before the event, instead of those at the time of sending. */
  addresses?: Partial<Record<OutsideChannel, string | undefined>> | undefined
  /** Time of the event, ms; before `now` when the driver was offline. */
  at: number
  /** ms */
  now: number
}

/**
 * Returns the updates that put a message in the outbox: one for each of its channels. News for the
 * office is also shown on its pages.
 */
export const buildOutboxUpdates = ({
  scope,
  event,
  audience,
  uid,
  booking_id,
  by,
  params,
  addresses,
  at,
  now,
}: OutboxRequest): Record<string, DatabaseValue> => {
  const row = findMessageRow(event, audience)
  const channels = OUTSIDE_CHANNELS.filter(
    (channel) => row?.[channel] !== undefined && (!addresses || addresses[channel]),
  )
  const about = {
    ...(booking_id !== undefined && { booking_id }),
    ...(params && { params }),
  }
  const messages = Object.fromEntries(
    channels.map((channel): [string, DatabaseValue] => {
      const message: OutboxMessage = {
        event,
        audience,
        channel,
        ...(uid !== undefined && { uid }),
        ...about,
        ...(by !== undefined && { by }),
        ...(addresses?.[channel] && { address: addresses[channel] }),
        at,
        until: at + (row?.lifetimeMinutes ?? 60) * MINUTE_MS,
        due: now,
        tries: 0,
        state: 'waiting',
        revision: 1,
      }
      const key = `${scope}-${event}-${uid ?? audience}-${channel}`
      return [internalPaths.outboxMessage(key), { ...message }]
    }),
  )
  return {
    ...messages,
    ...(row?.alert === 'chime' && buildNewsUpdates(scope, { event, ...about, at })),
  }
}

/** The longest first name in a message to a stranger, characters. */
const LONGEST_NAME = 30

/**
 * Returns the first name of a person for a message that another person receives. Only letters
 * remain, because people choose their own names: with a link or a number in a name, the platform's
 * SMS and pushes would carry the sender's own words.
 */
export const toSenderName = (name: string): string =>
  (name.trim().split(/\s+/)[0] ?? '').replace(/[^\p{L}\p{M}'’-]/gu, '').slice(0, LONGEST_NAME)

/** Milliseconds that a sender has for a message before another one may take it. */
export const LEASE_MS = 2 * MINUTE_MS
/** Minutes before each further attempt. Later ones wait as long as the last. */
const RETRY_MINUTES = [1, 2, 5, 15, 60]
/** Milliseconds for which a done message is kept. */
const KEPT_MS = 30 * DAY_MS

const isDone = ({ state }: OutboxMessage): boolean => state !== 'waiting' && state !== 'claimed'

/** Returns true when a done message has been kept long enough. */
export const isRemovable = (message: OutboxMessage, now: number): boolean =>
  isDone(message) && message.due <= now

/**
 * Returns the message with a claim on it, or null when another sender has it, when it is done or
 * when its next attempt is later.
 */
export const claimMessage = (message: OutboxMessage, now: number): OutboxMessage | null =>
  isDone(message) || message.due > now
    ? null
    : {
        ...message,
        state: 'claimed',
        due: now + LEASE_MS,
        tries: message.tries + 1,
        revision: message.revision + 1,
      }

/**
 * Returns the part of an address that the office sees: the last two digits of a number, or the
 * first letter and the domain of an e-mail address.
 */
const maskAddress = (to: string): string =>
  to.includes('@') ? `${to.slice(0, 1)}…${to.slice(to.lastIndexOf('@'))}` : `…${to.slice(-2)}`

/** Returns the update that adds a charge to its total; a negative count takes it back. */
const buildTotalUpdates = (
  { total, channel, micros }: MessageCharge,
  count: 1 | -1,
): Record<string, DatabaseValue> => ({
  [`${internalPaths.messageTotal(total)}/micros`]: increment(count * micros),
  [`${internalPaths.messageTotal(total)}/${channel}`]: increment(count),
  [`${internalPaths.messageTotal(total)}/revision`]: increment(1),
})

/**
 * Returns the claimed message with its charge and the updates that write both. With `storedTotal`,
 * the total as it was read, the rules refuse the update when another charge came first.
 */
export const chargeMessage = (
  id: string,
  claimed: OutboxMessage,
  { to, ...charge }: MessageCharge & { to: string },
  storedTotal?: Pick<MessageTotal, 'revision'>,
): { message: OutboxMessage; updates: Record<string, DatabaseValue> } => {
  const message = { ...claimed, to: maskAddress(to), charge, revision: claimed.revision + 1 }
  return {
    message,
    updates: {
      [internalPaths.outboxMessage(id)]: { ...message },
      ...buildTotalUpdates(charge, 1),
      ...(storedTotal && {
        [`${internalPaths.messageTotal(charge.total)}/revision`]: storedTotal.revision + 1,
      }),
    },
  }
}

/** Returns the updates that write the outcome of an attempt and take back the charge without it. */
export const buildSettleUpdates = (
  id: string,
  claimed: OutboxMessage,
  settled: OutboxMessage,
): Record<string, DatabaseValue> => ({
  [internalPaths.outboxMessage(id)]: { ...settled },
  ...(claimed.charge && !settled.charge && buildTotalUpdates(claimed.charge, -1)),
})

/** The outcome of one attempt. `waits` is no attempt at all: the time for it has not come. */
export type AttemptOutcome =
  | { state: 'sent'; ref?: string | undefined }
  | { state: 'waits'; why: string; due: number }
  | { state: 'rejected' | 'skipped' | 'expired'; why: string }
  | { state: 'retry'; why: string; afterMs?: Milliseconds | undefined }

/** Returns the claimed message with the outcome of its attempt. */
export const settleMessage = (
  claimed: OutboxMessage,
  outcome: AttemptOutcome,
  now: number,
): OutboxMessage => {
  const { params, address, ...rest } = claimed
  const baseMessage = { ...rest, revision: claimed.revision + 1 }
  const sentLater = {
    ...(params && { params }),
    ...(address !== undefined && { address }),
    state: 'waiting' as const,
  }
  delete baseMessage.why
  if (outcome.state !== 'sent') delete baseMessage.charge
  if (outcome.state === 'waits')
    return {
      ...baseMessage,
      ...sentLater,
      tries: claimed.tries - 1,
      due: outcome.due,
      why: outcome.why,
    }
  if (outcome.state === 'retry') {
    const retryIndex = Math.min(claimed.tries, RETRY_MINUTES.length) - 1
    const pause = Math.max((RETRY_MINUTES[retryIndex] ?? 1) * MINUTE_MS, outcome.afterMs ?? 0)
    if (now + pause < claimed.until)
      return { ...baseMessage, ...sentLater, due: now + pause, why: outcome.why }
  }
  const { ref, why } = { ref: undefined, why: undefined, ...outcome }
  return {
    ...baseMessage,
    state: outcome.state === 'retry' ? 'expired' : outcome.state,
    due: now + KEPT_MS,
    ...(why !== undefined && { why }),
    ...(ref !== undefined && { ref }),
  }
}
