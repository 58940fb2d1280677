import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import payments from '~/src/i18n/locales/en/payments.json'

/** The English texts about payments come with the first part that needs them, before it is drawn. */
export const usePaymentTexts = () => {
  const { i18n } = useTranslation()
  useState(() => i18n.addResourceBundle('en', 'translation', payments, true, false))
}
