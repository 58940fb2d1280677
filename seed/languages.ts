import type { Language } from '~/domain/entities'
import { shippedLanguages } from '~/domain/languages'

const DAY = 86_400_000

/** The demo's languages, there since before its history begins. */
export const languages = (now: number, texts: Record<string, Record<string, string>>): Language[] =>
  shippedLanguages(texts, now - 400 * DAY)
