import payments from '~/src/i18n/locales/en/payments.json'
import { useAddedTexts } from '~/src/i18n/useAddedTexts'

/** Adds the English payment texts before the component renders. */
export const usePaymentTexts = (): void => useAddedTexts(payments)
