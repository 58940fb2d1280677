import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { addTexts } from './locale'

/**
 * Adds English texts, which load with the first component that needs them, before it renders. Other
 * languages are complete from the start.
 */
export const useAddedTexts = (texts: Readonly<Record<string, string>>): void => {
  const { i18n } = useTranslation()
  useState(() => addTexts(i18n, 'en', texts))
}
