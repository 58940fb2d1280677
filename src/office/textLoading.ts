import type { i18n as I18n } from 'i18next'
import { loadTexts } from '~/src/i18n/i18n'
import { loadWithRetry } from '~/src/ui/lazyWithRetry'

type Part = Parameters<typeof loadTexts>[1]

// Keyed by the store of texts, not by the translator: hooks return a new translator whenever texts
// arrive, and a new promise for each would suspend a page forever.
const textPromises = new WeakMap<object, Map<Part, Promise<void>>>()

/** Loads a part's English texts; returns the same promise each time, for `use`. */
export const loadTextsOnce = (i18n: I18n, part: Part): Promise<void> => {
  const parts = textPromises.get(i18n.store) ?? new Map<Part, Promise<void>>()
  textPromises.set(i18n.store, parts)
  const loading = parts.get(part) ?? loadWithRetry(() => loadTexts(i18n, part))
  parts.set(part, loading)
  return loading
}
