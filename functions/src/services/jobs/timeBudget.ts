import type { Milliseconds } from '~/domain/language/units'

/** Returns a function that is true until `ms` milliseconds have passed. */
export const createTimeBudget = (ms: Milliseconds): (() => boolean) => {
  const start = Date.now()
  return () => Date.now() - start < ms
}
