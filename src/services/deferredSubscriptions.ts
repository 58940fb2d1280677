import type { Unsubscribe } from './services'

/** Milliseconds until a failed load is retried. */
const RETRY_DELAY_MS = 3000

/** Subscribes once `needed` resolves, unless stopped before. */
export const subscribeAfter = <Needed>(
  needed: Promise<Needed>,
  start: (value: Needed) => Unsubscribe,
  onError: (error: unknown) => void,
): Unsubscribe => {
  let stopped = false
  let stop: Unsubscribe = () => {}
  needed.then(
    (value) => {
      if (!stopped) stop = start(value)
    },
    (error: unknown) => {
      if (!stopped) onError(error)
    },
  )
  return () => {
    stopped = true
    stop()
  }
}

/**
 * Subscribes once `need` resolves, and retries it until it succeeds. `onFailure` runs after each
 * failed attempt.
 */
export const subscribeWithRetry = <Needed>(
  need: () => Promise<Needed>,
  start: (value: Needed) => Unsubscribe,
  onFailure?: () => void,
): Unsubscribe => {
  let stop: Unsubscribe = () => {}
  const attempt = () => {
    stop = subscribeAfter(need(), start, () => {
      const timer = setTimeout(attempt, RETRY_DELAY_MS)
      stop = () => clearTimeout(timer)
      onFailure?.()
    })
  }
  attempt()
  return () => stop()
}
