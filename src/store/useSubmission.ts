import { useState } from 'react'
import type { DomainError } from '~/domain/errors'
import { toDomainError } from '~/src/services/services'

const isDomainError = (error: unknown): error is DomainError =>
  typeof error === 'object' && error !== null && 'key' in error

/**
 * Returns a function that sends a form's request, whether one is running, and the refusal of the
 * last one. The function resolves with true after a success.
 */
export const useSubmission = () => {
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<DomainError | null>(null)
  const submit = async (request: () => Promise<unknown>): Promise<boolean> => {
    setBusy(true)
    setRefused(null)
    try {
      await request()
      return true
    } catch (error) {
      setRefused(isDomainError(error) ? error : toDomainError(error))
      return false
    } finally {
      setBusy(false)
    }
  }
  return { busy, refused, refuse: setRefused, submit }
}
