import type { TFunction } from 'i18next'
import type { DomainError } from '~/domain/api/errors'

/**
 * Returns the text of a refusal. A text may name the refused field: `select_proper_pickup` instead
 * of `select_proper`. Numbers at the end of a field's name do not count, as in `stop2`.
 */
export const translateError = (
  { key, field, params }: Pick<DomainError, 'key' | 'field' | 'params'>,
  t: TFunction,
): string => t(key, { ...params, ...(field && { context: field.replace(/\d+$/, '') }) })
