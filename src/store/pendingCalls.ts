import { ServiceError, type Services } from '~/src/services/services'

const needsFreshSignIn = (error: unknown) =>
  error instanceof ServiceError && error.domainError.key === 'fresh_sign_in_needed'

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
 * again while the service is being updated, with `onWait` called before each pause. A call that
 * needs a fresh sign-in is sent again once `askForProof` has resolved with true.
 */
export const counted = (
  services: Services,
  { onWait, askForProof }: { onWait: () => void; askForProof: () => Promise<boolean> },
): Services => ({
  ...services,
  functions: {
    call: (name, input) => {
      const send = () => whilePending(services.functions.call(name, input, onWait))
      return send().catch(async (error: unknown) => {
        if (!needsFreshSignIn(error) || !(await askForProof())) throw error
        return send()
      })
    },
    post: (name, body) => services.functions.post(name, body, onWait),
    get: (name, query) => services.functions.get(name, query, onWait),
  },
  database: {
    ...services.database,
    update: (changes) => whilePending(services.database.update(changes)),
  },
})
