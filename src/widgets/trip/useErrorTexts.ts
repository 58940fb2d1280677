import { useTranslation } from 'react-i18next'
import { translateError } from '~/src/i18n/errorTexts'
import type { DraftedForm } from './useBookingDraft'

/** Returns a function that translates the problem of the first of the fields that has one. */
export const useErrorTexts = ({ problemAt }: Pick<DraftedForm, 'problemAt'>) => {
  const { t } = useTranslation()
  return (...fields: string[]): string | undefined => {
    const problem = fields.map(problemAt).find(Boolean)
    return problem && translateError(problem, t)
  }
}
