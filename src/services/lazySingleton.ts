/**
 * Returns a function that creates the value on first use and then reuses it. A failed creation is
 * retried on the next call.
 */
export const lazySingleton = <Made>(make: () => Promise<Made>): (() => Promise<Made>) => {
  let instance: Promise<Made> | undefined
  return () => {
    if (!instance) {
      instance = make()
      instance.catch(() => (instance = undefined))
    }
    return instance
  }
}
