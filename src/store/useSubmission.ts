import { useState } from 'react'
import type { DomainError } from '~/domain/api/errors'
import { toDomainError } from '~/src/services/services'
import { useSingleRun } from '~/src/ui/useSingleRun'

const isDomainError = (error: unknown): error is DomainError =>
  typeof error === 'object' && error !== null && 'key' in error

/**
 * Returns a function that sends a form's request, whether one is running, and the refusal of the
 * last one. The function resolves with true after a success; it sends nothing while one is running.
 */
export const useSubmission = () => {
  const { busy, run } = useSingleRun()
  const [refused, setRefused] = useState<DomainError | null>(null)
  const submit = async (request: () => Promise<unknown>): Promise<boolean> => {
    const isDone = await run(async () => {
      setRefused(null)
      try {
        await request()
        return true
      } catch (error) {
        setRefused(isDomainError(error) ? error : toDomainError(error))
        return false
      }
    })
    return isDone ?? false
  }
  return { busy, refused, refuse: setRefused, submit }
}
