import { useTranslation } from 'react-i18next'
import { translateError } from '~/src/i18n/errorTexts'
import type { DraftedForm } from './useBookingDraft'

/** Returns a function that translates the problem of the first of the fields that has one. */
export const useErrorTexts = ({ problemAt }: Pick<DraftedForm, 'problemAt'>) => {
  const { t } = useTranslation()
  return (...fields: string[]): string | undefined => {
    const problem = fields.map(problemAt).find(Boolean)
    // The catalog's text for a missing recipient mentions the phone number, so the name has its own
    // text.
    const isName = problem?.key === 'deliveryDetailMissing' && fields[0] === 'deliveryPerson'
    return isName ? t('field_required') : problem && translateError(problem, t)
  }
}
