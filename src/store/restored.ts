import type { Stop } from '~/src/services/services'

/** Live answers of an earlier page, by `answerName`: they stand in until the database answers. */
export type Answers = Record<string, unknown>

/** What one slice's answer to one question is called. */
export const answerName = (slice: string, key: string): string => `${slice} ${key}`
/** Whether an answer of this name is that slice's. */
export const isAnswerOf = (name: string, slice: { name: string }): boolean =>
  name.startsWith(answerName(slice.name, ''))

export interface Restored {
  /** undefined when there is none. */
  answer(name: string): unknown
  /** Calls back when answers arrive. */
  onArrival(run: () => void): Stop
  arrive(answers: Answers): void
  /** The database answers itself again, or somebody else is here. */
  forget(): void
}

/** What one store has been given to start without a connection. */
export const makeRestored = (): Restored => {
  let answers: Answers = {}
  const waiting = new Set<() => void>()
  return {
    answer: (name) => answers[name],
    onArrival(run) {
      waiting.add(run)
      return () => waiting.delete(run)
    },
    arrive(arrived) {
      answers = arrived
      for (const run of waiting) run()
    },
    forget() {
      answers = {}
    },
  }
}
