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
type Ending = 'ok' | 'unanswered' | (string & {})

/** One thing that was seen. A run is the list of them, so it can be written down and read again. */
type Seen =
  | ['call', name: string, ms: number, ending: Ending]
  | ['began']
  | ['ended', how: string]
  | ['mishap', what: string]
  | ['wrong', sentence: string]
  | ['done', event: DoneEvent]
  | ['entered', entry: DoneEntry]
  /** The simulator itself was cut short, and has been started again. */
  | ['resumed']
/** When it was seen, ms since the run began. */
export type Noted = [at: number, ...Seen]

const isRefusal = (ending: Ending) => ending !== 'ok' && ending !== 'unanswered'

export interface Observing {
  /** ms. */
  now?: () => number
  /** Is given each thing as it is seen. */
  keep?: (noted: Noted) => void
  /** What earlier parts of the same run saw. */
  earlier?: readonly Noted[]
}

/** Keeps what a run saw. */
export const observing = ({
  now = () => performance.now(),
  keep = () => undefined,
  earlier = [],
}: Observing = {}) => {
  const began = now() - (earlier.at(-1)?.[0] ?? 0)
  let clock = 0
  const calls = new Map<string, { ms: number[]; refused: number; unanswered: number }>()
  const seconds: Second[] = []
  const counts = new Map<string, Map<string, number>>()
  const wrong: string[] = []
  const events: DoneEvent[] = []
  const entries: DoneEntry[] = []
  let underWay = 0
  let answered = 0

  const second = (): Second => {
    const index = Math.floor(clock / 1000)
    for (let i = seconds.length; i <= index; i++) seconds.push({ calls: 0, ms: [], underWay })
    return seconds[index] as Second
  }
  const count = (kind: 'bookings' | 'refusals' | 'mishaps', what: string, by = 1) => {
    const of = counts.get(kind) ?? new Map<string, number>()
    counts.set(kind, of.set(what, (of.get(what) ?? 0) + by))
  }
  const call = (name: string, ms: number, ending: Ending) => {
    const of = calls.get(name) ?? { ms: [], refused: 0, unanswered: 0 }
    calls.set(name, of)
    second().calls += 1
    if (ending === 'unanswered') of.unanswered += 1
    else {
      answered += 1
      of.ms.push(ms)
      second().ms.push(ms)
    }
    if (isRefusal(ending)) {
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
  const take = (seen: Seen): void => {
    switch (seen[0]) {
      case 'call':
        return call(seen[1], seen[2], seen[3])
      case 'began':
        return move(1, 'begun')
      case 'ended':
        return move(-1, seen[1])
      case 'mishap':
        return count('mishaps', seen[1])
      case 'wrong':
        return void wrong.push(seen[1])
      case 'done':
        return void events.push(seen[1])
      case 'entered':
        return void entries.push(seen[1])
      case 'resumed':
        return resume()
    }
  }
  for (const [at, ...seen] of earlier) {
    clock = at
    take(seen)
  }
  const see = (...seen: Seen) => {
    clock = Math.round(now() - began)
    keep([clock, ...seen])
    take(seen)
  }
  if (earlier.length > 0) see('resumed')
  return {
    called: (name: string, ms: number, ending: Ending) =>
      see('call', name, Math.round(ms * 10) / 10, ending),
    /** A booking began, or ended in a word for how. */
    began: () => see('began'),
    ended: (how: string) => see('ended', how),
    /** Something that life does to people: a lost network, a doubled tap, a killed process. */
    mishap: (what: string) => see('mishap', what),
    /** Something that must not happen. */
    wrong: (sentence: string) => see('wrong', sentence),
    done: (event: DoneEvent) => see('done', event),
    entered: (entry: DoneEntry) => see('entered', entry),
    events: () => events,
    entries: () => entries,
    surprises: () => wrong,
    counted: (kind: 'bookings' | 'refusals' | 'mishaps'): Record<string, number> =>
      Object.fromEntries([...(counts.get(kind) ?? [])].sort(([, a], [, b]) => b - a)),
    underWay: () => underWay,
    /** How many calls have been answered. */
    answered: () => answered,
    elapsed: () => (now() - began) / 1000,
    seconds: () => {
      clock = now() - began
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
