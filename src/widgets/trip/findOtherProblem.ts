import type { DomainError } from '~/domain/api/errors'
import type { DraftedForm } from './useBookingDraft'
import { getRefusedField } from './useFormProblems'

/** Returns the first problem that a form shows at none of its fields. */
export const findOtherProblem = (
  { problems, refused }: Pick<DraftedForm, 'problems' | 'refused'>,
  isShown: (field: string) => boolean,
): DomainError | null => {
  const hidden = Object.entries(problems).find(([field]) => !isShown(field))
  const field = refused ? getRefusedField(refused) : undefined
  return hidden?.[1] ?? (field !== undefined && isShown(field) ? null : refused)
}
