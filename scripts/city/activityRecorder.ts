import type { Milliseconds } from '~/domain/language/units'

/** An event that the functions acknowledged; the booking's log must have it after the run. */
export interface AcknowledgedEvent {
  booking: string
  event: string
  by: string
  revision: number
}
/** A wallet entry that the functions acknowledged. */
export interface AcknowledgedEntry {
  uid: string
  key: string
  amount: number
}

/** The outcome of a call: 'ok', a refusal key, or 'unanswered'. */
export type CallOutcome = 'ok' | 'unanswered' | (string & {})

/** Records what simulated people do. */
export interface ActivityRecorder {
  /** Records a call and the milliseconds until its response. */
  called(name: string, ms: Milliseconds, ending: CallOutcome): void
  /** Records the start of a booking. */
  began(): void
  /** Records the end of a booking with its outcome. */
  ended(how: string): void
  /** Records an everyday mishap: a lost network, a double tap, a killed process. */
  mishap(what: string): void
  /** Records a result that must not happen. */
  wrong(sentence: string): void
  done(event: AcknowledgedEvent): void
  entered(entry: AcknowledgedEntry): void
  counted(kind: 'bookings' | 'refusals' | 'mishaps'): Record<string, number>
  underWay(): number
  /** Returns the number of calls with a response. */
  answered(): number
}

/**
 * Creates a recorder for a city that runs for days: it keeps no observations, so its memory does
 * not grow.
 */
export const createActivityCounter = (onWrong: (sentence: string) => void): ActivityRecorder => {
  const bookings: Record<string, number> = {}
  let underWay = 0
  let answered = 0
  const count = (how: string, by: 1 | -1) => {
    underWay += by
    bookings[how] = (bookings[how] ?? 0) + 1
  }
  return {
    called: (_name, _ms, ending) => {
      if (ending !== 'unanswered') answered += 1
    },
    began: () => count('begun', 1),
    ended: (how) => count(how, -1),
    mishap: () => undefined,
    wrong: onWrong,
    done: () => undefined,
    entered: () => undefined,
    counted: (kind) => (kind === 'bookings' ? { ...bookings } : {}),
    underWay: () => underWay,
    answered: () => answered,
  }
}
