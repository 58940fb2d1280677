import type { TFunction } from 'i18next'
import type { DomainError } from '~/domain/errors'

/** Returns the text of a refusal. */
export const translateError = (
  { key, params }: Pick<DomainError, 'key' | 'params'>,
  t: TFunction,
): string => t(key, params ?? {})
