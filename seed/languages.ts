import { createShippedLanguages } from '~/domain/catalog/languages'
import { DAY_MS } from '~/domain/language/timeUnits'
import type { Language } from '~/domain/catalog/types'

/** Returns the demo's languages, dated before its history begins. */
export const createLanguages = (now: number): Language[] =>
  createShippedLanguages(now - 400 * DAY_MS)
