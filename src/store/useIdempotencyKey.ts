import { useRef } from 'react'
import { useServices } from './hooks'

/**
 * Returns idempotency keys for actions whose response may get lost. A repeated action keeps its
 * key, so the server does it only once. A different action, or the same one after `reset`, gets a
 * new key.
 */
export const useIdempotencyKey = (): {
  getKey: (action: object) => Promise<string>
  reset: () => void
} => {
  const { database } = useServices()
  const tried = useRef<{ action: string; id: Promise<string> } | null>(null)
  return {
    getKey: async (what) => {
      const action = JSON.stringify(what)
      // The promise and not its result, so that a second call before it resolves gets the same key.
      if (tried.current?.action !== action) tried.current = { action, id: database.newKey() }
      return tried.current.id
    },
    reset: () => {
      tried.current = null
    },
  }
}
