import type { i18n as I18n } from 'i18next'
import { loadTexts } from '~/src/i18n/i18n'

type Part = Parameters<typeof loadTexts>[1]

// By the store of texts, not the translator: hooks hand out a new one of those whenever texts arrive, and a new
// promise for each would keep a page waiting for ever.
const wanted = new WeakMap<object, Map<Part, Promise<void>>>()

/** The arrival of a part's English texts: the same promise each time, for `use`. */
export const textsOf = (i18n: I18n, part: Part): Promise<void> => {
  const parts = wanted.get(i18n.store) ?? new Map<Part, Promise<void>>()
  wanted.set(i18n.store, parts)
  const loading = parts.get(part) ?? loadTexts(i18n, part)
  parts.set(part, loading)
  return loading
}
