import { error, info, warn } from 'firebase-functions/logger'
import type { Delivery } from './retrying'

/** The one line of a call. Nothing personal: no phone, e-mail, address, token or input. */
export interface CallLine {
  name: string
  uid: string | null
  /** `ok`, or the key it was refused with, or `failed`. */
  outcome: string
  ms: number
}

export const logCall = (line: CallLine): void => info('call', line)

/** The stack says where, the message may hold input and stays out. */
const placeOf = (fault: unknown): { kind: string; stack?: string | undefined } =>
  fault instanceof Error
    ? {
        kind: fault.name,
        stack: fault.stack
          ?.split('\n')
          .filter((line) => line.startsWith('    at '))
          .join('\n'),
      }
    : { kind: typeof fault }

/** A fault of ours. */
export const logFault = (name: string, fault: unknown): void =>
  error('fault', { name, ...placeOf(fault) })

/** An event failed for so long that it is not delivered again: what it asked for is not done. */
export const logGivenUp = ({ name, eventId }: Delivery, fault: unknown): void =>
  error('event given up', { name, event: eventId, ...placeOf(fault) })

/** A payment provider, or our way of talking to him, failed: his name and ours for it, nothing he said. */
export const logPaymentFault = (provider: string, fault: unknown): void =>
  warn('payment provider fault', {
    provider,
    kind: fault instanceof Error ? fault.name : typeof fault,
    why: fault instanceof Error && fault.name === 'ProviderFault' ? fault.message : undefined,
  })

/** The rules refuse what the domain allowed, again and again: one of the two is wrong. */
export const logDisagreement = (booking: string, event: string): void =>
  warn('rules refuse what the domain allows', { booking, event })

/** What a sweep did, in numbers; stuck bookings by id, for the alert the operator sets on it. */
export const logSweep = (
  { expired, dispatched, stuck }: { expired: string[]; dispatched: string[]; stuck: string[] },
  ms: number,
): void => info('sweep', { expired: expired.length, dispatched: dispatched.length, stuck, ms })
