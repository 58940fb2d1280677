import type { Language } from '~/domain/entities'
import { createShippedLanguages } from '~/domain/languages'
import { DAY_MS } from '~/domain/timeUnits'

/** Returns the demo's languages, dated before its history begins. */
export const createLanguages = (now: number): Language[] =>
  createShippedLanguages(now - 400 * DAY_MS)
