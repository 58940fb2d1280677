import type { ErrorKey } from './errorKeys'

/**
 * The reason for a refusal. `field` names the input at fault; `params` fill the translated text.
 */
export interface DomainError {
  key: ErrorKey
  field?: string
  params?: Record<string, string | number>
}

export const domainError = (
  key: ErrorKey,
  field?: string,
  params?: DomainError['params'],
): DomainError => ({
  key,
  ...(field !== undefined && { field }),
  ...(params !== undefined && { params }),
})
