/** Returns a function that is true until `ms` milliseconds have passed. */
export const createTimeBudget = (ms: number): (() => boolean) => {
  const start = Date.now()
  return () => Date.now() - start < ms
}
