import { getPercentile } from '../bench/measurement'
import type {
  AcknowledgedEntry,
  AcknowledgedEvent,
  CallOutcome,
} from '~/scripts/city/activityRecorder'
import type { Milliseconds } from '~/domain/language/units'

export interface CallStats {
  name: string
  count: number
  refused: number
  /**
   * Calls without a response: the process was killed, the connection was lost, or the caller
   * stopped waiting.
   */
  unanswered: number
  /** Milliseconds, for calls with a response. */
  p50: number
  p95: number
  p99: number
  most: number
}
/** The statistics of one second of the run. */
export interface SecondStats {
  calls: number
  ms: number[]
  underWay: number
}

/** One observation. A run is a list of these, so it can be written down and read again. */
type Observation =
  | ['call', name: string, ms: number, ending: CallOutcome]
  | ['began']
  | ['ended', how: string]
  | ['mishap', what: string]
  | ['wrong', sentence: string]
  | ['done', event: AcknowledgedEvent]
  | ['entered', entry: AcknowledgedEntry]
  /** The simulator itself was cut short, and has been started again. */
  | ['resumed']
/** An observation and its time in ms since the run began. */
export type TimedObservation = [at: number, ...Observation]

const isErrorKey = (ending: CallOutcome) => ending !== 'ok' && ending !== 'unanswered'

export interface RecorderOptions {
  /** Returns the time in ms. */
  now?: () => number
  /** Receives each observation when it is made. */
  onObservation?: (noted: TimedObservation) => void
  /** Observations of earlier parts of the same run. */
  earlierObservations?: readonly TimedObservation[]
}

/** Creates a recorder for the observations of a run. */
export const createRunRecorder = ({
  now = () => performance.now(),
  onObservation = () => undefined,
  earlierObservations = [],
}: RecorderOptions = {}) => {
  const began = now() - (earlierObservations.at(-1)?.[0] ?? 0)
  let clock = 0
  const calls = new Map<string, { ms: number[]; refused: number; unanswered: number }>()
  const seconds: SecondStats[] = []
  const counts = new Map<string, Map<string, number>>()
  const wrong: string[] = []
  const events: AcknowledgedEvent[] = []
  const entries: AcknowledgedEntry[] = []
  let underWay = 0
  let answered = 0

  const second = (): SecondStats => {
    const index = Math.floor(clock / 1000)
    for (let i = seconds.length; i <= index; i++) seconds.push({ calls: 0, ms: [], underWay })
    return seconds[index] as SecondStats
  }
  const count = (kind: 'bookings' | 'refusals' | 'mishaps', what: string, by = 1) => {
    const of = counts.get(kind) ?? new Map<string, number>()
    counts.set(kind, of.set(what, (of.get(what) ?? 0) + by))
  }
  const call = (name: string, ms: Milliseconds, ending: CallOutcome) => {
    const of = calls.get(name) ?? { ms: [], refused: 0, unanswered: 0 }
    calls.set(name, of)
    second().calls += 1
    if (ending === 'unanswered') of.unanswered += 1
    else {
      answered += 1
      of.ms.push(ms)
      second().ms.push(ms)
    }
    if (isErrorKey(ending)) {
      of.refused += 1
      count('refusals', `${name}: ${ending}`)
    }
  }
  const move = (by: 1 | -1, how: string) => {
    underWay += by
    second().underWay = underWay
    count('bookings', how)
  }
  const resume = () => {
    if (underWay > 0) count('bookings', 'left when the simulator was cut short', underWay)
    underWay = 0
    second().underWay = 0
  }
  const take = (observation: Observation): void => {
    switch (observation[0]) {
      case 'call':
        return call(observation[1], observation[2], observation[3])
      case 'began':
        return move(1, 'begun')
      case 'ended':
        return move(-1, observation[1])
      case 'mishap':
        return count('mishaps', observation[1])
      case 'wrong':
        return void wrong.push(observation[1])
      case 'done':
        return void events.push(observation[1])
      case 'entered':
        return void entries.push(observation[1])
      case 'resumed':
        return resume()
    }
  }
  for (const [at, ...observation] of earlierObservations) {
    clock = at
    take(observation)
  }
  const see = (...observation: Observation) => {
    clock = Math.round(now() - began)
    onObservation([clock, ...observation])
    take(observation)
  }
  if (earlierObservations.length > 0) see('resumed')
  return {
    called: (name: string, ms: Milliseconds, ending: CallOutcome) =>
      see('call', name, Math.round(ms * 10) / 10, ending),
    /** Records the start of a booking, or its end with the outcome. */
    began: () => see('began'),
    ended: (how: string) => see('ended', how),
    /** Records an everyday mishap: a lost network, a double tap, a killed process. */
    mishap: (what: string) => see('mishap', what),
    /** Records a result that must not happen. */
    wrong: (sentence: string) => see('wrong', sentence),
    done: (event: AcknowledgedEvent) => see('done', event),
    entered: (entry: AcknowledgedEntry) => see('entered', entry),
    events: () => events,
    entries: () => entries,
    surprises: () => wrong,
    counted: (kind: 'bookings' | 'refusals' | 'mishaps'): Record<string, number> =>
      Object.fromEntries([...(counts.get(kind) ?? [])].sort(([, a], [, b]) => b - a)),
    underWay: () => underWay,
    /** Returns the number of calls with a response. */
    answered: () => answered,
    elapsed: () => (now() - began) / 1000,
    seconds: () => {
      clock = now() - began
      second()
      return seconds
    },
    figures: (): CallStats[] =>
      [...calls]
        .map(([name, { ms, refused, unanswered }]) => ({
          name,
          count: ms.length + unanswered,
          refused,
          unanswered,
          p50: getPercentile(ms, 0.5),
          p95: getPercentile(ms, 0.95),
          p99: getPercentile(ms, 0.99),
          most: getPercentile(ms, 1),
        }))
        .sort((a, b) => (a.name < b.name ? -1 : 1)),
  }
}
export type RunRecorder = ReturnType<typeof createRunRecorder>
