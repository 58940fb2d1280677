import { error, info, warn } from 'firebase-functions/logger'

/** The one line of a call. Nothing personal: no phone, e-mail, address, token or input. */
export interface CallLine {
  name: string
  uid: string | null
  /** `ok`, or the key it was refused with, or `failed`. */
  outcome: string
  ms: number
}

export const logCall = (line: CallLine): void => info('call', line)

/** A fault of ours: the stack says where, the message may hold input and stays out. */
export const logFault = (name: string, fault: unknown): void =>
  error('fault', {
    name,
    kind: fault instanceof Error ? fault.name : typeof fault,
    stack:
      fault instanceof Error
        ? fault.stack
            ?.split('\n')
            .filter((line) => line.startsWith('    at '))
            .join('\n')
        : undefined,
  })

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
