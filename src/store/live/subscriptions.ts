import type { Unsubscribe } from '~/src/services/services'

/** Milliseconds that a subscription stays open for a page that is left and reopened. */
const LINGER_MS = 1000

interface SharedSubscription {
  subscriberCount: number
  start: () => Unsubscribe
  stop: Unsubscribe
  isPrivate: boolean
  endTimer?: ReturnType<typeof setTimeout>
}
export interface Subscriptions {
  /**
   * Joins the subscription `name`, and starts it for the first subscriber; returns the function to
   * leave.
   */
  subscribe(name: string, isPrivate: boolean, start: () => Unsubscribe): Unsubscribe
  /** Restarts the query for all subscribers after an error. */
  restart(name: string): void
  /** Ends the subscriptions of the person who has just signed out. */
  endPrivate(): void
}

/** Creates the open subscriptions of one store, each shared by all its subscribers. */
export const makeSubscriptions = (): Subscriptions => {
  const open = new Map<string, SharedSubscription>()
  const end = (name: string, shared: SharedSubscription) => {
    clearTimeout(shared.endTimer)
    if (open.get(name) === shared) open.delete(name)
    shared.stop()
  }
  return {
    subscribe(name, isPrivate, start) {
      let shared = open.get(name)
      if (!shared) {
        shared = { subscriberCount: 0, start, stop: () => {}, isPrivate }
        open.set(name, shared)
        shared.stop = start()
      }
      const joined = shared
      joined.subscriberCount += 1
      clearTimeout(joined.endTimer)
      let left = false
      return () => {
        if (left) return
        left = true
        joined.subscriberCount -= 1
        if (joined.subscriberCount === 0)
          joined.endTimer = setTimeout(() => end(name, joined), LINGER_MS)
      }
    },
    restart(name) {
      const shared = open.get(name)
      if (!shared) return
      shared.stop()
      shared.stop = shared.start()
    },
    endPrivate() {
      for (const [name, shared] of open) if (shared.isPrivate) end(name, shared)
    },
  }
}
