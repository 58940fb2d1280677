/** Holds calls that wait until the person has proved again who they are. */
export interface FreshSignIn {
  /** Asks the person. Resolves with false when they decline or sign out. */
  ask(): Promise<boolean>
  /** Answers every call that waits. */
  answer(isProved: boolean): void
  isAsked(): boolean
  /** Calls back on each change. The page has one subscriber. */
  subscribe(onChange: () => void): () => void
}

export const makeFreshSignIn = (): FreshSignIn => {
  const waiting: ((isProved: boolean) => void)[] = []
  let notify: (() => void) | undefined
  return {
    ask: () =>
      new Promise((resolve) => {
        waiting.push(resolve)
        notify?.()
      }),
    answer: (isProved) => {
      for (const resolve of waiting.splice(0)) resolve(isProved)
      notify?.()
    },
    isAsked: () => waiting.length > 0,
    subscribe: (onChange) => {
      notify = onChange
      return () => (notify = undefined)
    },
  }
}
