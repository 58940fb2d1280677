import { percentile } from '../bench/figure'

/** An event the functions said was done, as the booking's log must have it after the run. */
export interface DoneEvent {
  booking: string
  event: string
  by: string
  revision: number
}
/** Money the functions said was moved: an entry of somebody's wallet history. */
export interface DoneEntry {
  uid: string
  key: string
  amount: number
}

export interface CallFigures {
  name: string
  count: number
  refused: number
  /** No answer: the process was killed, the connection was lost, or the caller gave up waiting. */
  unanswered: number
  /** Milliseconds, of what was answered. */
  p50: number
  p95: number
  p99: number
  most: number
}
/** One second of the run. */
export interface Second {
  calls: number
  ms: number[]
  underWay: number
}

/** What a call ended in: 'ok', a refusal's key, or that no answer came. */
export type Ending = 'ok' | 'unanswered' | (string & {})

const isRefusal = (ending: Ending) => ending !== 'ok' && ending !== 'unanswered'

/** Keeps what a run saw. */
export const observing = (now: () => number = () => performance.now()) => {
  const began = now()
  const calls = new Map<string, { ms: number[]; refused: number; unanswered: number }>()
  const seconds: Second[] = []
  const counts = new Map<string, Map<string, number>>()
  const wrong: string[] = []
  const events: DoneEvent[] = []
  const entries: DoneEntry[] = []
  let underWay = 0
  let called = 0

  const second = (): Second => {
    const index = Math.floor((now() - began) / 1000)
    for (let i = seconds.length; i <= index; i++) seconds.push({ calls: 0, ms: [], underWay })
    return seconds[index] as Second
  }
  const count = (kind: 'bookings' | 'refusals' | 'mishaps', what: string, by = 1) => {
    const of = counts.get(kind) ?? new Map<string, number>()
    counts.set(kind, of.set(what, (of.get(what) ?? 0) + by))
  }
  return {
    called(name: string, ms: number, ending: Ending) {
      const of = calls.get(name) ?? { ms: [], refused: 0, unanswered: 0 }
      calls.set(name, of)
      called += 1
      second().calls += 1
      if (ending === 'unanswered') of.unanswered += 1
      else {
        of.ms.push(ms)
        second().ms.push(ms)
      }
      if (isRefusal(ending)) {
        of.refused += 1
        count('refusals', `${name}: ${ending}`)
      }
    },
    /** A booking began, or ended in a word for how. */
    began() {
      underWay += 1
      second().underWay = underWay
      count('bookings', 'begun')
    },
    ended(how: string) {
      underWay -= 1
      second().underWay = underWay
      count('bookings', how)
    },
    /** Something that life does to people: a lost network, a doubled tap, a killed process. */
    mishap: (what: string) => count('mishaps', what),
    /** Something that must not happen. */
    wrong: (sentence: string) => void wrong.push(sentence),
    done: (event: DoneEvent) => void events.push(event),
    entered: (entry: DoneEntry) => void entries.push(entry),
    events: () => events,
    entries: () => entries,
    surprises: () => wrong,
    counted: (kind: 'bookings' | 'refusals' | 'mishaps'): Record<string, number> =>
      Object.fromEntries([...(counts.get(kind) ?? [])].sort(([, a], [, b]) => b - a)),
    underWay: () => underWay,
    /** How many calls there have been. */
    calls: () => called,
    elapsed: () => (now() - began) / 1000,
    seconds: () => {
      second()
      return seconds
    },
    figures: (): CallFigures[] =>
      [...calls]
        .map(([name, { ms, refused, unanswered }]) => ({
          name,
          count: ms.length + unanswered,
          refused,
          unanswered,
          p50: percentile(ms, 0.5),
          p95: percentile(ms, 0.95),
          p99: percentile(ms, 0.99),
          most: percentile(ms, 1),
        }))
        .sort((a, b) => (a.name < b.name ? -1 : 1)),
  }
}
export type Observed = ReturnType<typeof observing>
