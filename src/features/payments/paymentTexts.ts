import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import payments from '~/src/i18n/locales/en/payments.json'

/**
 * Adds the English payment texts, which load with the first component that needs them, before it
 * renders.
 */
export const usePaymentTexts = () => {
  const { i18n } = useTranslation()
  useState(() => i18n.addResourceBundle('en', 'translation', payments, true, false))
}
