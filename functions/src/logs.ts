import { error, info, warn } from 'firebase-functions/logger'
import type { AttemptOutcome, OutboxMessage } from '~/domain/messages/outbox'
import type { Milliseconds } from '~/domain/language/units'

/**
 * The single log line of a call. Contains no personal data: no phone, email, address, token or
 * input.
 */
export interface CallLogEntry {
  name: string
  uid: string | null
  /** `ok`, the refusal key, or `failed`. */
  outcome: string
  ms: Milliseconds
  /**
   * Number of addresses that the request passed, which shows how many proxies are in front of us.
   */
  hops?: number
}

export const logCall = (line: CallLogEntry): void => info('call', line)

/**
 * Returns the kind of an error and its stack, which shows where it happened. Leaves the message out
 * because it may contain input.
 */
const summarizeError = (fault: unknown): { kind: string; stack?: string | undefined } =>
  fault instanceof Error
    ? {
        kind: fault.name,
        stack: fault.stack
          ?.split('\n')
          .filter((line) => line.startsWith('    at '))
          .join('\n'),
      }
    : { kind: typeof fault }

/** Logs an error of ours. */
export const logError = (name: string, fault: unknown): void =>
  error('fault', { name, ...summarizeError(fault) })

/**
 * Logs an event that failed for so long that it is not delivered again. Its work remains undone.
 */
export const logExpiredEvent = (
  { name, eventId }: { name: string; eventId: string },
  fault: unknown,
): void => error('event given up', { name, event: eventId, ...summarizeError(fault) })

/**
 * Logs a failure of a payment provider or of our connection to it: the provider's name and our name
 * for the failure, never the provider's own words.
 */
export const logProviderError = (provider: string, fault: unknown): void =>
  warn('payment provider fault', {
    provider,
    kind: fault instanceof Error ? fault.name : typeof fault,
    why: fault instanceof Error && fault.name === 'ProviderError' ? fault.message : undefined,
  })

/**
 * Logs a push that the push service refused: our name for the target screen and the service's error
 * code, never the token or the text.
 */
export const logPushFailure = (screen: string, code: string): void =>
  warn('push fault', { screen, code })

/** Logs why the keys of the message services cannot be used: the field's name, never a value. */
export const logInvalidMessageKeys = (problem: string): void => error('message keys', { problem })

/**
 * Logs the outcome of an attempt to send a message to a person outside the platform: our names for
 * the message, the channel and the reason, never the address or the text.
 */
export const logMessageOutcome = (
  { event, audience, channel }: Pick<OutboxMessage, 'event' | 'audience' | 'channel'>,
  outcome: AttemptOutcome,
): void => {
  const log = outcome.state === 'rejected' || outcome.state === 'retry' ? warn : info
  const why = 'why' in outcome ? outcome.why : undefined
  log('message', { event, audience, channel, outcome: outcome.state, why })
}

/** Logs that the rules repeatedly refuse what the domain allows, so one of the two is wrong. */
export const logRulesConflict = (booking: string, event: string): void =>
  warn('rules refuse what the domain allows', { booking, event })

/** Logs the result of one part of a round through the files. */
export const logFileCleanup = (
  files: 'unused' | 'over quota',
  result: { checkedCount: number; removedCount: number; isDone: boolean },
): void => info('file sweep', { files, ...result })

/** The bookings with which a maintenance run did something. */
interface FinishedMaintenance extends Record<
  'expired' | 'dispatched' | 'reminded' | 'stuck',
  readonly string[]
> {
  lateMs: Milliseconds
  isDone: boolean
}

/**
 * Logs what a maintenance run did, in numbers: `stuck` bookings were found by this run, and the
 * oldest work was `late` milliseconds beyond its time.
 */
export const logMaintenance = (
  { expired, dispatched, reminded, stuck, lateMs, isDone }: FinishedMaintenance,
  ms: Milliseconds,
): void =>
  info('sweep', {
    expired: expired.length,
    dispatched: dispatched.length,
    reminded: reminded.length,
    stuck: stuck.length,
    late: lateMs,
    done: isDone,
    ms,
  })

/** Logs in numbers what a run made of recurring bookings. */
export const logRecurring = (result: { made: number; refused: number; isDone: boolean }): void =>
  info('recurring', result)

/** Logs why a run was skipped: writes are not allowed, or another run is at work. */
export const logMaintenanceSkipped = (key: string): void => info('sweep', { skipped: key })
