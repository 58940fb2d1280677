import type { Stop } from '~/src/services/services'

/** A page that is left and entered again within this time keeps its subscription. */
const LINGER_MS = 1000

interface Shared {
  lookers: number
  start: () => Stop
  stop: Stop
  isPrivate: boolean
  ending?: ReturnType<typeof setTimeout>
}
export interface Subscriptions {
  /** Joins the subscription called `name`, starting it for the first looker; answers how to leave. */
  join(name: string, isPrivate: boolean, start: () => Stop): Stop
  /** Asks anew, for everybody who looks: after an answer that was an error. */
  restart(name: string): void
  /** Ends what belongs to the person who has just signed out. */
  endPrivate(): void
}

/** The open subscriptions of one store, each shared by everybody who looks at it. */
export const makeSubscriptions = (): Subscriptions => {
  const open = new Map<string, Shared>()
  const end = (name: string, shared: Shared) => {
    clearTimeout(shared.ending)
    if (open.get(name) === shared) open.delete(name)
    shared.stop()
  }
  return {
    join(name, isPrivate, start) {
      let shared = open.get(name)
      if (!shared) {
        shared = { lookers: 0, start, stop: () => {}, isPrivate }
        open.set(name, shared)
        shared.stop = start()
      }
      const joined = shared
      joined.lookers += 1
      clearTimeout(joined.ending)
      let left = false
      return () => {
        if (left) return
        left = true
        joined.lookers -= 1
        if (joined.lookers === 0) joined.ending = setTimeout(() => end(name, joined), LINGER_MS)
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
