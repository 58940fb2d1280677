import type { Services } from '~/src/services/services'

let pending = 0
/** Counts a call, or a pause before one, until it ends. */
export const whilePending = async <T>(call: Promise<T>): Promise<T> => {
  pending += 1
  try {
    return await call
  } finally {
    pending -= 1
  }
}

/** Returns true while a call of a function or a write to the database has no response yet. */
export const hasPendingCalls = (): boolean => pending > 0

/**
 * Wraps the services to count their calls and writes until they get a response. Calls are sent
 * again while the service is being updated, with `onWait` called before each pause.
 */
export const counted = (services: Services, onWait: () => void): Services => ({
  ...services,
  functions: {
    call: (name, input) => whilePending(services.functions.call(name, input, onWait)),
    post: (name, body) => services.functions.post(name, body, onWait),
    get: (name, query) => services.functions.get(name, query, onWait),
  },
  database: {
    ...services.database,
    update: (changes) => whilePending(services.database.update(changes)),
  },
})
