import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import trip from '~/src/i18n/locales/en/trip.json'

/** The drivers' English texts come with their pages, before the first of them is drawn. */
export const useTripTexts = () => {
  const { i18n } = useTranslation()
  useState(() => i18n.addResourceBundle('en', 'translation', trip, true, false))
}
