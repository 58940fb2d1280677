import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import trip from '~/src/i18n/locales/en/trip.json'

/** Adds the drivers' English texts, which load with their pages, before the first page renders. */
export const useDriverTexts = () => {
  const { i18n } = useTranslation()
  useState(() => i18n.addResourceBundle('en', 'translation', trip, true, false))
}
