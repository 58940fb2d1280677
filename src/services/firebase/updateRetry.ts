import { UPDATE_ERRORS } from '~/domain/api/errorKeys'
import { toDomainError } from '../services'

/** Milliseconds before each further attempt: a minute in total, then the refusal is final. */
const PAUSES_MS = [1000, 2000, 4000, 8000, 15_000, 15_000, 15_000]

const isUpdateError = (error: unknown): boolean =>
  UPDATE_ERRORS.some((key) => key === toDomainError(error).key)

/**
 * Sends a call. With `onWait`, sends it again after a pause while the service is being updated, and
 * calls `onWait` before each pause.
 */
export const repeatDuringUpdate = async <T>(
  send: () => Promise<T>,
  onWait?: () => void,
): Promise<T> => {
  for (const pause of onWait ? PAUSES_MS : []) {
    try {
      return await send()
    } catch (error) {
      if (!isUpdateError(error)) throw error
    }
    onWait?.()
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
  return send()
}
